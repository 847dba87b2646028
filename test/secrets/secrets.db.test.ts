import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/sql.ts';
import { until } from '../fault/waiting.ts';
import { beginToDeliver, deliver, get, textUpdate, untilBotsAre } from '../probes/webhook.ts';
import { parrot } from '../support/documents.ts';
import type { Running } from '../support/running.ts';
import type { Order } from './commands.ts';
import type { Trouble } from './echo.ts';
import { type House, openHouse } from './house.ts';
import { everyColumn, type StoredColumn } from './stored.ts';

// One story, test after test: everything that can go wrong while secrets are at hand goes wrong. Then all that was
// written, stored or answered is searched for them.
let house: House;
let server: { port: number; running: Running };
let bot: { id: number; token: string; publicId: string };
const answers: string[] = [];

beforeAll(async () => {
  house = await openHouse();
  const file = join(`${house.env['DATA_DIR']}.json`);
  await writeFile(file, JSON.stringify(parrot));
  const prepared = await house.cli([
    { name: 'project import', args: ['project', 'import', file, '--name', 'Shop'] },
    { name: 'project publish', args: ['project', 'publish', 'Shop'] },
  ]);
  expect(prepared.map(({ code }) => code)).toEqual([0, 0]);
  server = await house.serve();
});
afterAll(() => house?.close());

// What is stored is looked at after every step: the next one may overwrite it.
const stored: StoredColumn[] = [];
async function lookAtTables(when: string): Promise<void> {
  for (const { name, text } of await everyColumn(house.database.db)) stored.push({ name: `${name} ${when}`, text });
}
afterEach(({ task }) => lookAtTables(`after "${task.name.split(':')[0]}"`));

const connect = (name: string, token: string): Order => ({
  name,
  args: [
    ...['bot', 'connect', '--project', 'Shop', '--token', token, '--json'],
    ...['--webhook-base', `http://127.0.0.1:${server.port}`],
  ],
});

const secretOf = (id: number): string => house.simulator.world.bots.get(id)?.webhook?.secret ?? '';

const said = async (answer: Promise<{ status: number; headers: Headers; text: string }>): Promise<number> => {
  const { status, headers, text } = await answer;
  answers.push(`${status} ${[...headers].map((pair) => pair.join(': ')).join('\n')}\n${text}`);
  return status;
};

test('connecting: refused, unreachable, foreign, mistyped, and at last done', async () => {
  const troubles = [
    ['getMe', '400'],
    ['getWebhookInfo', 'reset'],
    ['setWebhook', '400'],
    ['setWebhook', '500'],
  ] as const;
  const failing = troubles.map(([method, trouble]) => {
    const { id, token } = house.newBot();
    house.front.fail(id, method, trouble);
    return connect(`bot connect, ${method} ${trouble}`, token);
  });
  const foreign = house.newBot();
  const url = `https://foreign.example/hook/${foreign.token}`;
  await fetch(`${house.front.target}/bot${foreign.token}/setWebhook?url=${encodeURIComponent(url)}`);
  const good = house.newBot();
  const outcomes = await house.cli([
    ...failing,
    connect('bot connect, foreign webhook', foreign.token),
    connect('bot connect, mistyped', `${foreign.token} x`),
    { name: 'bot connect, misplaced', args: ['bot', 'connect', foreign.token] },
    connect('bot connect', good.token),
  ]);
  expect(outcomes.map(({ code }) => code)).toEqual([...failing.map(() => 1), 1, 1, 2, 0]);
  expect(outcomes.at(-4)?.text).toContain('BOT_FOREIGN_WEBHOOK');
  const publicId = /"publicId":"(int_[^"]+)"/.exec(outcomes.at(-1)?.text ?? '')?.[1] ?? '';
  bot = { ...good, publicId };
  await untilBotsAre(server.port, 1);
});

test('deliveries: with the secret, with others, with none, broken, too large', async () => {
  const wrong = randomBytes(32).toString('base64url');
  house.needles.add('wrong secret', wrong);
  const secret = secretOf(bot.id);
  const statuses = [
    await said(deliver(server.port, bot.publicId, secret, textUpdate(700_001, 'hello'))),
    await said(deliver(server.port, bot.publicId, wrong, textUpdate(700_001))),
    await said(deliver(server.port, bot.publicId, `${secret}=`, textUpdate(700_001))),
    await said(deliver(server.port, bot.token, secret, textUpdate(700_001))),
    // What is no JSON is kept as it came, so it holds nothing that is looked for.
    await said(deliver(server.port, bot.publicId, secret, '{"token":')),
    await said(beginToDeliver(server.port, bot.publicId, secret, { first: bot.token.repeat(400), bytes: 2_000_000 })),
    await said(get(server.port, `/bot${bot.token}/getMe?secret=${secret}`)),
  ];
  expect(statuses).toEqual([200, 401, 401, 401, 200, 413, 404]);
});

test('sending: Telegram repeats what it was sent, in every way in which a call can fail', async () => {
  const troubles: readonly Trouble[] = [
    '400',
    '403',

    '429',
    '500',
    'html',
    'garbage',
    'redirect',
    'reset',
    // After these two the whole bot waits a while.
    '404',
    '409',
  ];
  for (const [index, trouble] of troubles.entries()) {
    const update = textUpdate(710_000 + index, `trouble:${trouble}`);
    expect(await said(deliver(server.port, bot.publicId, secretOf(bot.id), update))).toBe(200);
  }
  await until(
    'every trouble to have been made',
    () => troubles.filter((trouble) => !house.front.made.has(`sendMessage ${trouble}`)),
    (left) => left.length === 0,
  );
  const stood = await until(
    'errors to stand in the outbox',
    () => house.database.db.many<{ error: string }>(sql`select error from outbox where error is not null`),
    (rows) => rows.length >= 6,
  );
  expect(
    stood.some(({ error }) => error.includes('[token]')),
    'the echo came through, cut',
  ).toBe(true);
});

test('turns: a database error that holds what it should not', async () => {
  const { DATABASE_URL, ROOST_KEY } = house.env;
  const words = `cannot ask https://api.telegram.org/bot${bot.token}/x of ${DATABASE_URL} (${house.password}) with ${ROOST_KEY}`;
  const raising = `create function poison() returns trigger language plpgsql as $$ begin
    raise exception '${words.replaceAll("'", "''").replaceAll('%', '%%')}'; end $$`;
  await house.database.db.run({ text: raising, values: [] });
  await house.database.db.run(sql`
    create trigger poison before update on inbox for each row when (new.state = 2) execute function poison()`);
  await said(deliver(server.port, bot.publicId, secretOf(bot.id), textUpdate(720_001)));
  await until(
    'the turn to have failed',
    () => house.database.db.one<{ error: string }>(sql`select error from inbox where state = 0 and error is not null`),
    (row) => row?.error?.includes('cannot ask') ?? false,
  );
  await house.database.db.run(sql`drop trigger poison on inbox`);
});

test('the webhook: refused, lost to somebody else, with a delivery error that tells too much', async () => {
  const secret = secretOf(bot.id);
  house.front.fail(bot.id, 'setWebhook', '400');
  const rotate = { name: 'bot rotate, setWebhook 400', args: ['bot', 'rotate', bot.publicId, '--json'] };
  expect((await house.cli([rotate]))[0]?.code).toBe(0);
  await until(
    'the refusal',
    () => house.front.made,
    (made) => made.has('setWebhook 400'),
  );
  await until(
    'the problem to stand in the table',
    () =>
      house.database.db.one<{ problem: string | null }>(
        sql`select webhook_problem as problem from integration where bot_id = ${bot.id}`,
      ),
    (row) => row?.problem !== null,
  );
  await lookAtTables('while the webhook is refused');
  house.front.fail(bot.id, 'setWebhook', undefined);
  const simulated = house.simulator.world.bots.get(bot.id);
  if (!simulated?.webhook) throw new Error('no webhook');
  simulated.lastError = `502 of https://x.example/${bot.token}, x-telegram-bot-api-secret-token: ${secret}, secret_token=${secret}`;
  simulated.lastErrorAt = Math.floor(Date.now() / 1_000);
  simulated.webhook.url = `https://foreign.example/hook/${bot.token}`;
  await house.database.db.run(
    sql`update integration set webhook_retry_at = null, webhook_checked_at = null, webhook_set_at = now() - interval '2 days' where bot_id = ${bot.id}`,
  );
  await until(
    'the loss to be noticed',
    () => house.database.db.one<{ kind: string }>(sql`select kind from notice`),
    (row) => row !== undefined,
  );
  await until(
    'it to be set again',
    () => simulated.webhook?.url ?? '',
    (url) => url.includes(bot.publicId),
  );
  expect(secretOf(bot.id)).not.toBe(secret);
});

test('the database: away, another one, nobody’s', async () => {
  house.tear();
  await until(
    'deliveries to be turned away',
    () => said(deliver(server.port, bot.publicId, secretOf(bot.id), textUpdate(1))),
    (status) => status === 503,
  );
  await until(
    'it to notice',
    () => said(get(server.port, '/readyz')),
    (status) => status === 503,
  );
  const [away] = await house.cli([{ name: 'status, database away', args: ['status'] }]);
  expect(away?.text).toContain('DATABASE_UNAVAILABLE');
  house.mend();
  const url = house.env['DATABASE_URL'] ?? '';
  const elsewhere = (change: (address: URL) => void): string => {
    const address = new URL(url);
    change(address);
    return address.href;
  };
  const wrongs = [
    ['no such database', elsewhere((address) => (address.pathname = '/nowhere'))],
    ['no such user', elsewhere((address) => (address.username = 'nobody'))],
    ['no such host', elsewhere((address) => (address.hostname = 'nowhere.invalid'))],
    ['not an address', url.replace('127.0.0.1:', '127.0.0.1:port')],
    ['not PostgreSQL', url.replace('postgresql:', 'mysql:')],
    ['password not encoded', `postgresql://roost:${house.password}@127.0.0.1:5432/x`],
  ] as const;
  const outcomes = await house.cli(
    wrongs.map(([name, DATABASE_URL]) => ({ name: `status, ${name}`, args: ['status'], env: { DATABASE_URL } })),
  );
  expect(outcomes.map(({ code }) => code)).toEqual(wrongs.map(() => 1));
  await until(
    'it to be ready again',
    () => said(get(server.port, '/readyz')),
    (status) => status === 200,
  );
});

test('the master key: another one, half of it, with a letter too many', async () => {
  const other = randomBytes(32);
  house.needles.add('other master key', other);
  const key = house.masterKey;
  const wrongs = [
    ['half', key.subarray(0, 16).toString('hex')],
    ['too long', `${key.toString('base64')}AAAA`],
    ['as bytes', [...key].join(',')],
    ['another', other.toString('hex')],
  ] as const;
  house.needles.add('half of the master key', key.subarray(0, 16));
  const outcomes = await house.cli(
    wrongs.map(([name, ROOST_KEY]) => ({
      name: `bot rotate, key ${name}`,
      args: ['bot', 'rotate', bot.publicId],
      env: { ROOST_KEY },
    })),
  );
  outcomes.push(await house.serveInVain('serve, another key', { ROOST_KEY: other.toString('base64') }));
  expect(outcomes.map(({ code }) => code)).toEqual(outcomes.map(() => 1));
  expect(outcomes.at(-1)?.text).toContain('KEY_WRONG');
});

test('what people and programs look at', async () => {
  for (const path of ['/metrics', '/_info', '/readyz', '/livez', '/nothing']) await said(get(server.port, path));
  const commands = ['status', 'bot list --json', `bot show ${bot.publicId}`, 'dead list --json', 'unknown list'];
  await house.cli(commands.map((command) => ({ name: command, args: command.split(' ') })));
});

test('none of it holds a secret: logs, what commands wrote, answers, every column of every table', async () => {
  expect(house.front.secrets.size).toBeGreaterThanOrEqual(4);
  for (const secret of house.front.secrets) house.needles.add('webhook secret', secret);
  const sinks = [
    { name: 'log of the server', text: server.running.output() },
    ...[...house.written].map(([name, text]) => ({ name, text })),
    ...answers.map((text, index) => ({ name: `HTTP answer ${index}`, text })),
    ...stored,
  ];
  const found = sinks.flatMap(({ name, text }) => house.needles.findIn(text).map((needle) => `${name}: ${needle}`));
  expect(found).toEqual([]);
});

test('the search finds what stands there', async () => {
  const { db } = house.database;
  await db.run(sql`insert into notice (kind, subject, message) values ('test', 'x', ${`see /bot${bot.token}/getMe`})`);
  await db.run(sql`update project set data_key = ${house.masterKey} where name = 'Shop'`);
  const found = (await everyColumn(db)).flatMap(({ name, text }) =>
    house.needles.findIn(text).map((needle) => `${name}: ${needle}`),
  );
  expect(found).toContain(`notice.message: token of bot ${bot.id} (as it is)`);
  expect(found).toContain('project.data_key: master key (hex)');
});
