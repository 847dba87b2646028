import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAlive } from '../../kernel/postgres/processes.ts';
import { killGroup, runProgram } from '../support/running.ts';
import {
  address,
  asOwner,
  bareEnv,
  ended,
  postmasterPid,
  project,
  query,
  ready,
  refusal,
  until,
  useWorkshop,
} from './workshop.ts';

const shop = useWorkshop();

const getJson = async <Body>(at: string, headers = {}): Promise<Body> =>
  (await (await fetch(at, { headers })).json()) as Body;
const identity = async (at: string): Promise<string> => (await getJson<{ identity: string }>(`${at}/_info`)).identity;

test('npm start tells a newcomer in a few lines what matters, and Ctrl-C ends all of it', async () => {
  const env = { ...bareEnv, HOME: shop.folder, DATA_DIR: shop.dataDir, PORT: '0' };
  const running = shop.track(runProgram('npm', ['start'], { env, cwd: project, detached: true }));
  const at = await address(running);
  expect((await fetch(`${at}/simulator/`)).status).toBe(200);
  const postgres = postmasterPid(shop.dataDir);
  killGroup(running, 'SIGINT');
  expect(await running.exit).toEqual({ code: 0, signal: null });
  expect(await isAlive(postgres)).toBe(false);
  const lines = running
    .output()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('> '));
  expect(lines).toEqual([
    expect.stringMatching(/^The master key lies in .*\/master\.key\. .* backup is worthless\.$/),
    expect.stringMatching(/^Roost is running\. .* http:\/\/127\.0\.0\.1:\d+\/simulator\/#key=[\w-]{43}$/),
    expect.stringMatching(/^Stopping\. /),
  ]);
});

test('a second start finds everything as it was, whatever the locale of the machine', async () => {
  const first = shop.roost(['start'], { LANG: undefined });
  const id = await identity(await address(first));
  await ended(first, 'SIGINT');
  const second = shop.roost(['start'], { LANG: 'ru_RU.KOI8-R' });
  const at = await address(second);
  expect(await identity(at)).toBe(id);
  expect(second.output()).not.toContain('master key');
  expect((await fetch(`${at}/simulator/`)).status).toBe(200);
});

test('variables that a developer has for another PostgreSQL do not reach ours', async () => {
  const env = {
    PGHOST: 'db.example.org',
    PGPORT: '5433',
    PGUSER: 'me',
    PGDATABASE: 'mine',
    PGSSLMODE: 'require',
    PGDATA: '/nowhere',
  };
  await address(shop.roost(['start'], env));
});

test('two starts at once: one runs, the other says so in one line', async () => {
  const [one, two] = [shop.roost(['start']), shop.roost(['start'])];
  const first = await Promise.any([address(one).then(() => one), address(two).then(() => two)]);
  expect(await refusal(first === one ? two : one)).toEqual([
    expect.stringMatching(/^ALREADY_RUNNING: Another Roost .*process \d+/),
  ]);
});

test('after a kill -9 the next start goes on with the same database', async () => {
  const killed = shop.roost(['start']);
  const id = await identity(await address(killed));
  const postgres = postmasterPid(shop.dataDir);
  killed.kill('SIGKILL');
  await killed.exit;
  const next = shop.roost(['start']);
  expect(await identity(await address(next))).toBe(id);
  expect(postmasterPid(shop.dataDir)).toBe(postgres);
  await ended(next);
  expect(await isAlive(postgres)).toBe(false);
});

test('a port in use is one line, and nothing is left running', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const taken = other.address();
  if (taken === null || typeof taken === 'string') throw new Error('no port');
  const running = shop.roost(['start'], { PORT: String(taken.port) });
  try {
    const lines = await refusal(running);
    expect(lines.at(-1)).toMatch(new RegExp(`^PORT_TAKEN: .*${taken.port}`));
    expect(lines.join('\n')).not.toMatch(/^\s+at /m);
    await expect(postgresOf()).rejects.toThrow('ENOENT');
  } finally {
    await new Promise((resolve) => other.close(resolve));
  }
});

const postgresOf = async (): Promise<number> => postmasterPid(shop.dataDir);

test('Ctrl-C lets the answer in flight arrive and be written down before the database stops', async () => {
  const running = shop.roost(['start'], {}, { detached: true });
  const control = `${await address(running)}/simulator/control`;
  const owner = await asOwner(running);
  const send = async (path: string, body: object, method = 'POST'): Promise<{ id: number }> => {
    const headers = { 'content-type': 'application/json', ...owner };
    const answer = await fetch(control + path, { method, headers, body: JSON.stringify(body) });
    return (await answer.json()) as { id: number };
  };
  const { id: user } = await send('/users', { first_name: 'Анна' });
  const [bot] = await getJson<{ id: number }[]>(`${control}/bots`, owner);
  // Telegram has taken the call when it stands in the log; its answer comes much later than the Ctrl-C.
  await send('/settings', { latencyMs: 1_500 }, 'PATCH');
  await send('/act/text', { user, bot: bot?.id, text: '/start' });
  await until(async () => {
    const { entries } = await getJson<{ entries: unknown[] }>(`${control}/calls?method=sendMessage`, owner);
    expect(entries).not.toHaveLength(0);
  });
  killGroup(running, 'SIGINT');
  await running.exit;

  const database = shop.embedded();
  const { url } = await ready(database);
  const rows = await query(
    url,
    `select state, message_id is not null as recorded from outbox where method = 'sendMessage' and state <> 0`,
  );
  // As many as this machine was fast enough to call before the Ctrl-C.
  expect(rows).not.toEqual([]);
  for (const row of rows) expect(row).toEqual({ state: 2, recorded: true });
  expect(await query(url, `select owner from bucket where owner is not null`)).toEqual([]);
});

test('the example, its bot and the words of the demo are where a clone has them', async () => {
  // From another folder: nothing may depend on where one stands.
  const env = { ...bareEnv, DATA_DIR: shop.dataDir, PORT: '0' };
  const running = shop.track(
    runProgram(process.execPath, [join(project, 'server/main.ts'), 'start'], { env, cwd: '/' }),
  );
  await address(running);
});
