import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { realKit } from '../../../kernel/kit.ts';
import { createLog } from '../../../kernel/log.ts';
import { sql } from '../../../kernel/sql.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { emptyTables, insertBot, insertProject } from '../bots/fixtures.ts';
import { createLeftovers, endLeftovers } from './leftovers.ts';

const kit = realKit(createLog({ level: 'silent' }));
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
afterEach(async () => {
  await emptyTables(database.db);
  await database.db.run(sql`truncate inbox, outbox, timer, park`);
});

/** Two bots with so much waiting for each; the first is disconnected. */
async function twoBots(rows: number): Promise<{ gone: number; here: number }> {
  const { db } = database;
  const project = await insertProject(db, 'shop');
  const { id: gone } = await insertBot(db, project, { botId: 1 });
  const { id: here } = await insertBot(db, project, { botId: 2 });
  await db.run(sql`
    insert into inbox (integration_id, bucket, lane, key, body)
    select i.id, i.bucket, 5, n, '{}' from integration i, generate_series(1, ${rows}::int) n`);
  await db.run(sql`
    insert into outbox (integration_id, bucket, key, chat_id, method, params, state, owner_token)
    select i.id, i.bucket, n, n, 'sendMessage', '{}', case n % 3 when 0 then 5 when 1 then 0 else 1 end, case n % 3 when 2 then 7 end
    from integration i, generate_series(1, ${rows}::int) n`);
  await db.run(sql`
    insert into timer (integration_id, bucket, lane, key, due_at, body)
    select i.id, i.bucket, 5, n, now() + interval '1 year', '{}' from integration i, generate_series(1, ${rows}::int) n`);
  await db.run(sql`insert into park select id, 3, now() + interval '1 year' from integration`);
  await db.run(sql`update integration set status = 'disconnected' where id = ${gone}`);
  return { gone, here };
}

/** How much of each is still waiting for a bot. */
const waiting = (id: number) =>
  database.db.one(sql`
    select (select count(*)::int from inbox where integration_id = ${id} and state = 0) as updates,
      (select count(*)::int from outbox where integration_id = ${id} and state in (0, 5)) as messages,
      (select count(*)::int from outbox where integration_id = ${id} and state = 1) as sending,
      (select count(*)::int from timer where integration_id = ${id}) as timers,
      (select count(*)::int from park where integration_id = ${id}) as parks`);

test('what waits for a disconnected bot is ended, in as many statements as it takes, and nothing of another', async () => {
  const { gone, here } = await twoBots(4_500);
  expect(await endLeftovers(database.db, [gone])).toEqual({ updates: 4_500, messages: 3_000, timers: 4_500 });
  // What is being sent is left to whoever sends it.
  expect(await waiting(gone)).toEqual({ updates: 0, messages: 0, sending: 1_500, timers: 0, parks: 0 });
  expect(await waiting(here)).toEqual({ updates: 4_500, messages: 3_000, sending: 1_500, timers: 4_500, parks: 1 });
  const ended = await database.db.many(
    sql`select distinct state, error from inbox where integration_id = ${gone} and done_at is not null`,
  );
  expect(ended).toEqual([{ state: 4, error: 'The bot was disconnected before its turn came.' }]);
});

test('what comes late is found, whichever kind is left alone', async () => {
  const { gone, here } = await twoBots(9);
  const leftovers = createLeftovers(kit, database.db);
  await leftovers.start();
  try {
    const none = { updates: 0, messages: 0, sending: 3, timers: 0, parks: 0 };
    await expect.poll(() => waiting(gone)).toEqual(none);
    for (const late of [
      sql`insert into timer (integration_id, bucket, lane, key, due_at, body) select id, bucket, 5, 'late', now() + interval '1 year', '{}' from integration`,
      sql`insert into inbox (integration_id, bucket, lane, key, body) select id, bucket, 5, 'late', '{}' from integration`,
      sql`insert into outbox (integration_id, bucket, key, chat_id, method, params, state) select id, bucket, 'late', 5, 'sendMessage', '{}', 5 from integration`,
      sql`update outbox set state = 0, owner_token = null where state = 1`,
    ]) {
      await database.db.run(late);
      leftovers.nudge();
      await expect.poll(() => waiting(gone)).toMatchObject({ updates: 0, messages: 0, timers: 0 });
    }
    expect(await waiting(here)).toEqual({ updates: 10, messages: 10, sending: 0, timers: 10, parks: 1 });
  } finally {
    await leftovers.stop();
  }
});

test('a paused bot keeps everything', async () => {
  const { gone } = await twoBots(3);
  await database.db.run(sql`update integration set status = 'paused' where id = ${gone}`);
  const leftovers = createLeftovers(kit, database.db);
  await leftovers.start();
  await leftovers.stop();
  expect(await waiting(gone)).toEqual({ updates: 3, messages: 2, sending: 1, timers: 3, parks: 1 });
});
