// One row that the database refuses to change: it stays behind alone.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { realKit } from '../../../kernel/kit.ts';
import { createLog } from '../../../kernel/log.ts';
import { sql } from '../../../kernel/sql.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { createRetention as createInboxRetention } from '../inbox/worker.ts';
import { createTimers } from '../turns/worker.ts';
import { type Bench, bucket, message, openBench, token } from './harness.ts';
import { createRetention } from './retention.ts';

const kit = realKit(createLog({ level: 'silent' }));
let database: TestDatabase;
let bench: Bench;
beforeEach(async () => {
  database = await createTestDatabase();
  bench = await openBench(database);
});
afterEach(async () => {
  await bench.stop();
  await database.close();
});

/** Whatever would change the row `bad` of this table fails, as a number out of range would. */
async function refuse(table: 'outbox' | 'inbox' | 'timer' | 'park'): Promise<void> {
  const isBad = table === 'park' ? 'old.chat_id = 999' : "old.key = 'bad'";
  await database.db.run({
    text: `create function refuse() returns trigger language plpgsql as $$ begin raise 'smallint out of range' using errcode = '22003'; end $$`,
    values: [],
  });
  await database.db.run({
    text: `create trigger refuse before update or delete on ${table} for each row when (${isBad}) execute function refuse()`,
    values: [],
  });
}

const keys = ['1', '2', 'bad', '4', '5'];
/** A message to each of these chats. */
const waiting = (state: 0 | 1 | 5) =>
  keys.map((key, index) => ({
    ...message(key),
    chatId: key === 'bad' ? 999 : 10 + index,
    state,
    ownerToken: state === 1 ? token - 1 : null,
  }));
const others = keys.filter((key) => key !== 'bad');
const states = async (state: number): Promise<string[]> =>
  (await database.db.many<{ key: string }>(sql`select key from outbox where state = ${state} order by key`)).map(
    ({ key }) => key,
  );

test.each([32_766, 32_767])('a message that was tried %i times is sent, and so is every other', async (tries) => {
  await bench.insert(waiting(0));
  await database.db.run(sql`update outbox set tries = ${tries}`);
  await bench.outbox.start();
  await expect.poll(() => states(2)).toEqual([...keys].sort());
});

test('a message that cannot be marked holds up no other', async () => {
  await bench.insert(waiting(0));
  await refuse('outbox');
  await bench.outbox.start();
  await expect.poll(() => states(2)).toEqual(others);
  expect([await states(0), bench.said.includes('bad')]).toEqual([['bad'], false]);
});

test('a result that cannot be written down holds up no other', async () => {
  await refuse('outbox');
  await Promise.all(waiting(0).map((row) => bench.send(row)));
  await expect.poll(() => states(2)).toEqual(others);
  expect(await states(1)).toEqual(['bad']);
});

test('a message that cannot be adopted does not stop a takeover', async () => {
  await bench.insert(waiting(1));
  await refuse('outbox');
  await bench.outbox.gained([{ bucket, token, inherited: true, frozen: false }]);
  expect([await states(0), await states(1)]).toEqual([others, ['bad']]);
});

test('a park that cannot be ended holds up no other', async () => {
  await bench.insert(waiting(5));
  await database.db.run(sql`
    insert into park (integration_id, chat_id, until_at)
    select 1, chat_id, now() - case when chat_id = 999 then interval '1 hour' else interval '1 minute' end from outbox`);
  await refuse('park');
  await bench.outbox.start();
  await expect.poll(() => states(2)).toEqual(others);
});

test('old messages go around one that cannot be removed', async () => {
  await bench.insert(waiting(0));
  await database.db.run(sql`update outbox set state = 2, created_at = now() - interval '100 days'`);
  await refuse('outbox');
  const retention = createRetention(kit, database.db, { hours: 24 });
  await retention.start();
  await expect.poll(() => states(2)).toEqual(['bad']);
  await retention.stop();
});

test('old updates go around one that cannot be removed', async () => {
  for (const key of keys)
    await database.db.run(sql`
      insert into inbox (integration_id, bucket, lane, key, body, state, done_at, received_at)
      values (1, ${bucket}, 1, ${key}, '{}', 2, now(), now() - interval '100 days')`);
  await refuse('inbox');
  const retention = createInboxRetention(kit, database.db, { bodyHours: 24, keyHours: 48 });
  await retention.start();
  await expect.poll(() => database.db.many(sql`select key from inbox`)).toEqual([{ key: 'bad' }]);
  await retention.stop();
});

test('timers that are due go off around one that cannot be moved', async () => {
  for (const [index, key] of keys.entries())
    await database.db.run(sql`
      insert into timer (integration_id, key, bucket, lane, due_at, body)
      values (1, ${key}, ${bucket}, 1, now() - make_interval(mins => ${10 - index}), '{}')`);
  await refuse('timer');
  const told: number[] = [];
  const timers = createTimers(kit, database.db, (ids) => void told.push(...ids));
  await timers.start();
  await expect.poll(() => told).toEqual([1, 1, 1, 1]);
  await timers.stop();
  expect(await database.db.many(sql`select key from timer`)).toEqual([{ key: 'bad' }]);
});
