import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from '../../kernel/sql.ts';
import { audit } from '../fault/audit.ts';
import { type Crowd, createCrowd } from '../fault/crowd.ts';
import { gather, isFinished, unfinished } from '../fault/evidence.ts';
import { type Installation, openInstallation, type TestBot } from '../fault/installation.ts';
import type { ServerProcess } from '../fault/servers.ts';
import { until } from '../fault/waiting.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { deliver, get, secretOf, textUpdate, untilBotsAre } from './webhook.ts';

// A process that is told to stop here surely has something in hand: Telegram takes its time to answer, and what came of a
// call cannot be written down before the test lets it.
let database: TestDatabase;
let installation: Installation;
let crowd: Crowd;
let bot: TestBot;

beforeEach(async () => {
  database = await createTestDatabase();
  installation = await openInstallation({ url: database.url });
});
afterEach(async () => {
  await installation?.close();
  await database?.close();
});

async function serveAndTalk(): Promise<ServerProcess> {
  const server = await installation.serve(['edge', 'core', 'control']);
  crowd = createCrowd(installation.simulator, await installation.connect(4), { chatsABot: 5 });
  [bot] = installation.bots as [TestBot];
  await untilBotsAre(server.port, 4);
  crowd.sayAll(1);
  await until('everything to be answered', () => unfinished(installation), isFinished);
  return server;
}

/**
 * Sends take so long now, and there are some on their way. Their results are refused by the database, as by a full disk,
 * until this is let go: a process that has them in hand cannot end in order before.
 */
async function holdSends(ms: number): Promise<{ letGo(): Promise<unknown> }> {
  const { db } = database;
  await db.run(sql`create function held() returns trigger language plpgsql as
    $$ begin raise exception using errcode = '53100', message = 'held by the test'; end $$`);
  await db.run(
    sql`create trigger held before update on outbox for each row when (old.state = 1) execute function held()`,
  );
  installation.simulator.faults.add({ kind: 'slow', ms, method: 'sendMessage' });
  crowd.sayAll(2);
  await until('calls in flight', inFlight, (count) => count > 0);
  return { letGo: () => db.run(sql`drop trigger held on outbox`) };
}

const inFlight = async (): Promise<number> =>
  (await database.db.one<{ count: number }>(sql`select count(*)::int as count from outbox where state = 1`))?.count ??
  0;

test('one that is told to stop says so first, takes no more, ends what it has in hand, and leaves in order', async () => {
  const server = await serveAndTalk();
  const secret = secretOf(installation.simulator, bot);
  const held = await holdSends(3_000);
  const exit = server.stop();
  const turnedAway = await until(
    'deliveries to be turned away',
    () => deliver(server.port, bot.publicId, secret, textUpdate(crowd.chats[0]?.user ?? 0)),
    ({ status }) => status === 503,
  );
  // By then it has long said that nothing should come here; it still lives, and knows whom it refuses.
  const ready = await get(server.port, '/readyz');
  expect([ready.status, JSON.parse(ready.text)]).toEqual([
    503,
    { ready: false, checks: { draining: 'This process is stopping.' } },
  ]);
  expect((await get(server.port, '/livez')).status).toBe(200);
  expect((await deliver(server.port, bot.publicId, 'wrong', '{}')).status).toBe(401);
  expect(Number(turnedAway.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(await inFlight()).toBeGreaterThan(0);

  await held.letGo();
  expect(await exit).toBe(0);
  expect(server.logged('server.stopped')).toHaveLength(1);
  expect(await inFlight(), 'what was on its way is written down').toBe(0);
  expect(await database.db.many(sql`select id from bucket where owner is not null`)).toEqual([]);
  expect(await database.db.many(sql`select id from node`)).toEqual([]);
  const sent = await database.db.many<{ state: number; doubts: number }>(
    sql`select distinct state, doubts from outbox where tries > 0 or state > 1`,
  );
  expect(sent, 'nothing is in doubt').toEqual([{ state: 2, doubts: 0 }]);

  // Whoever comes next does the rest: nothing is lost, nothing comes twice, every chat is in order.
  installation.simulator.faults.clear();
  await installation.serve(['edge', 'core', 'control']);
  await until('everything to be answered', () => unfinished(installation), isFinished);
  const evidence = await gather(installation, crowd);
  expect(audit(evidence, ['stored', 'processed', 'complete', 'repeats', 'limits'])).toEqual([]);
  expect(evidence.outbox.filter(({ doubts }) => doubts > 0)).toEqual([]);
});

test('another one beside it takes over at once, and no delivery is turned away for long', async () => {
  const leaving = await serveAndTalk();
  await installation.serve(['edge', 'core']);
  await until('both to own bots', owners, (pids) => pids.length === 2);
  crowd.sayAll(2);
  expect(await leaving.stop()).toBe(0);
  expect(await owners()).not.toContain(leaving.pid);
  crowd.sayAll(1);
  await until('everything to be answered', () => unfinished(installation), isFinished);
  expect(audit(await gather(installation, crowd))).toEqual([]);
});

const owners = async (): Promise<number[]> =>
  (await database.db.many<{ pid: number }>(sql`select distinct n.pid from bucket b join node n on n.id = b.owner`)).map(
    ({ pid }) => pid,
  );

test('a second signal ends it at once, and the next one repeats only what is in doubt', async () => {
  const server = await serveAndTalk();
  const held = await holdSends(600_000);
  void server.stop();
  await until(
    'it to begin to stop',
    () => server.logged('server.stopping'),
    (lines) => lines.length === 1,
  );
  expect(await server.stop()).toBe(143);
  expect(server.logged('server.stopped')).toEqual([]);
  await held.letGo();

  installation.simulator.faults.clear();
  await installation.serve(['edge', 'core', 'control']);
  await until('everything to be answered', () => unfinished(installation), isFinished);
  expect(audit(await gather(installation, crowd))).toEqual([]);
});
