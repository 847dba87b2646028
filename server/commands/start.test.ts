import { createHash } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../test/support/cluster.ts';
import { demos } from './demo.ts';
import { type Program, startProgram } from './fixtures.ts';

let folder: string;
let dataDir: string;
const started: Program[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roost-start-'));
  // Where root runs the tests, a system user runs the database and must be able to come in.
  await chmod(folder, 0o755);
  dataDir = join(folder, 'data');
});
afterEach(async () => {
  // In order, so that the embedded database goes with its server.
  for (const program of started.splice(0)) {
    program.child.kill('SIGTERM');
    await program.ended;
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function roost(argv: readonly string[], port = '0'): Program {
  const program = startProgram(argv, { DATA_DIR: dataDir, PORT: port });
  started.push(program);
  return program;
}

type Started = { program: Program; address: string; simulator: Simulated };

/** The simulated Telegram of a start, with its key as a program sends it. */
type Simulated = { at: string; owner: { authorization: string } };

async function running(port?: string): Promise<Started> {
  const program = roost(['start'], port);
  const [, at = '', key = ''] = await program.said(/Talk to its demo bots: (\S+)\/#key=(\S+)\n/);
  return { program, address: new URL(at).origin, simulator: { at, owner: { authorization: `Bearer ${key}` } } };
}

async function post<Value>({ at, owner }: Simulated, path: string, body: object): Promise<Value> {
  const answer = await fetch(`${at}/control${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...owner },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Value;
}

type Calls = { entries: { method: string; params: string }[] };

/** Somebody new says /start to the demo bot; resolves with what the bot answers first. */
async function conversation(simulator: Simulated): Promise<string> {
  const user = await post<{ id: number }>(simulator, '/users', { first_name: 'Anna', language_code: 'en' });
  await post(simulator, '/act/start', { user: user.id, bot: demos[0]!.botId });
  for (;;) {
    const calls = `${simulator.at}/control/calls?method=sendMessage`;
    const { entries } = (await (await fetch(calls, { headers: simulator.owner })).json()) as Calls;
    const mine = entries.find((entry) => entry.params.includes(`"chat_id":${user.id}`));
    if (mine) return mine.params;
    await pause(50);
  }
}

test('one command gives a bot that answers, and commands work beside it', async () => {
  const { program, address, simulator } = await running();
  expect(program.err()).toContain('master.key');
  expect(await conversation(simulator)).toContain('Anna');
  expect((await fetch(`${address}/livez`)).status).toBe(200);
  expect(((await (await fetch(`${address}/readyz`)).json()) as { ready: boolean }).ready).toBe(true);
  const status = roost(['status', '--json']);
  expect(await status.ended).toBe(0);
  expect(JSON.parse(status.out())).toMatchObject({
    ok: true,
    bots: { active: demos.length },
    processes: [{ roles: ['edge', 'core', 'control'] }],
  });
  const second = roost(['start']);
  expect(await second.ended).toBe(1);
  expect(second.err()).toMatch(/^ALREADY_RUNNING: Another Roost \(process \d+\) is running [^\n]+\n$/);
  // What everybody may read opens no bot, and without the key nobody gives orders, from this machine or another.
  const { identity } = (await (await fetch(`${address}/_info`)).json()) as { identity: string };
  const guessed = createHash('sha256').update(`demo bot of ${identity}`).digest('base64url').slice(0, 35);
  expect((await fetch(`${simulator.at}/bot${demos[0]!.botId}:${guessed}/getMe`)).status).toBe(401);
  expect((await fetch(`${simulator.at}/control/bots`)).status).toBe(401);
  program.child.kill('SIGINT');
  expect(await program.ended).toBe(0);
}, 300_000);

test('a second start finds everything as it was, and commands work while nothing runs', async () => {
  const before = await bots();
  expect(before.map(({ status }) => status)).toEqual(demos.map(() => 'active'));
  expect(before.map(({ username }) => username).toSorted()).toEqual(demos.map(({ username }) => username).toSorted());
  const port = String(await freePort());
  const first = await running(port);
  first.program.child.kill('SIGTERM');
  expect(await first.program.ended).toBe(0);
  const moved = await bots();
  expect(moved).toHaveLength(demos.length);
  const { program, simulator } = await running(port);
  expect(program.err()).not.toContain('master.key');
  expect(await conversation(simulator)).toContain('Anna');
  expect(await bots(), 'on the same port it is the same bot').toEqual(moved);
  const projects = roost(['project', 'list', '--json']);
  await projects.ended;
  const listed = (JSON.parse(projects.out()) as { projects: { name: string; release: number }[] }).projects;
  expect(new Map(listed.map(({ name, release }) => [name, release]))).toEqual(
    new Map(demos.map(({ project }) => [project, 1])),
  );
}, 300_000);

async function bots(): Promise<{ publicId: string; username: string; status: string }[]> {
  const list = roost(['bot', 'list', '--json']);
  await list.ended;
  const answer = JSON.parse(list.out()) as { bots: { publicId: string; username: string; status: string }[] };
  return answer.bots.map(({ publicId, username, status }) => ({ publicId, username, status }));
}
