import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../fault/audit.ts';
import { createChance } from '../fault/chance.ts';
import { type Crowd, createCrowd } from '../fault/crowd.ts';
import { gather, isFinished, unfinished } from '../fault/evidence.ts';
import { type Installation, openInstallation, type TestBot } from '../fault/installation.ts';
import type { ServerProcess } from '../fault/servers.ts';
import { until } from '../fault/waiting.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { deliver, get, getJson, readiness, secretOf, textUpdate } from './webhook.ts';

let database: TestDatabase;
let installation: Installation;
let crowd: Crowd;
let edge: ServerProcess;
let core: ServerProcess;
let control: ServerProcess;

beforeAll(async () => {
  database = await createTestDatabase();
  installation = await openInstallation({ url: database.url });
  [edge, core, control] = await Promise.all([
    installation.serve(['edge']),
    installation.serve(['core']),
    installation.serve(['control']),
  ]);
  crowd = createCrowd(installation.simulator, await installation.connect(5), { chatsABot: 4 });
});
afterAll(async () => {
  await installation?.close();
  await database?.close();
});

const finish = async (): Promise<void> => {
  await until('everything to be answered', () => unfinished(installation), isFinished);
  expect(audit(await gather(installation, crowd))).toEqual([]);
};

test('each says what it is and checks what it needs', async () => {
  const needs = [
    [edge, 'edge', ['database', 'intake']],
    [core, 'core', ['database', 'buckets']],
    [control, 'control', ['database']],
  ] as const;
  for (const [server, role, checks] of needs) {
    const ready = await until(
      `${role} to be ready`,
      () => readiness(server.port),
      (answer) => answer.ready,
    );
    expect(Object.keys(ready.checks)).toEqual(checks);
    expect(await getJson(server.port, '/_info')).toMatchObject({ roles: [role] });
    expect((await get(server.port, '/metrics')).text).toMatch(new RegExp(`^roost_build_info{.*roles="${role}"`, 'm'));
  }
});

test('only the edge receives', async () => {
  const [bot] = installation.bots as [TestBot];
  const secret = secretOf(installation.simulator, bot);
  for (const server of [core, control])
    expect((await deliver(server.port, bot.publicId, secret, textUpdate(1))).status).toBe(404);
});

test('what the edge receives, the core answers', async () => {
  crowd.sayAll(2);
  await finish();
});

test('restarting control under load, in order or by force, loses no answer and repeats none', async () => {
  const talk = new AbortController();
  // Less than the limit of a chat, so that no answers pile up.
  const talking = crowd.keepTalking(createChance(11), 12, talk.signal);
  for (const round of [1, 2, 3]) {
    if (round === 2) await control.kill();
    else expect(await control.stop()).toBe(0);
    const before = crowd.total();
    await until('people to have written meanwhile', crowd.total, (total) => total > before + 5);
    control = await installation.serve(['control']);
  }
  talk.abort();
  await talking;
  await finish();
  const { outbox } = await gather(installation, crowd);
  expect(
    outbox.filter(({ doubts }) => doubts > 0),
    'no answer was even in doubt',
  ).toEqual([]);
});

test('while no core runs the edge goes on receiving, and the next core answers in order', async () => {
  expect(await core.stop()).toBe(0);
  crowd.sayAll(2);
  await until(
    'everything to be received',
    () => unfinished(installation),
    ({ undelivered }) => undelivered === 0,
  );
  expect((await readiness(edge.port)).ready).toBe(true);
  core = await installation.serve(['core']);
  await finish();
});
