import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from '../../../kernel/sql.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { type Bench, bucket, message, openBench, token } from './harness.ts';

let database: TestDatabase;
let bench: Bench;
beforeEach(async () => {
  database = await createTestDatabase();
  bench = await openBench(database);
  await bench.insert([{ ...message('parked'), state: 5, ownerToken: null }]);
});
afterEach(async () => {
  await bench.stop();
  await database.close();
});

const park = (seconds: number) =>
  database.db.run(sql`
    insert into park (integration_id, chat_id, until_at) values (1, 100, now() + make_interval(secs => ${seconds}))`);

const takeOver = () => bench.outbox.gained([{ bucket, token, inherited: true, frozen: false }]);

async function untilSaid(count: number): Promise<string[]> {
  while (bench.said.length < count) await new Promise((resolve) => setTimeout(resolve, 20));
  return bench.said;
}

test('what comes for a parked chat is parked behind it, also while the bot is behind its table', async () => {
  await park(60);
  await takeOver();
  bench.outbox.sender.reread(1, bucket);
  expect((await bench.send(message('second'))).state).toBe(5);
  await bench.outbox.start();
  await database.db.run(sql`update park set until_at = now()`);
  expect(await untilSaid(2)).toEqual(['parked', 'second']);
});

test('what got into memory before its chat was parked does not overtake when the park ends', async () => {
  await park(1);
  await bench.insert([{ ...message('second'), state: 0, ownerToken: null }]);
  await takeOver();
  await bench.outbox.start();
  expect(await untilSaid(2)).toEqual(['parked', 'second']);
});

test('a park that a former owner has ended is noticed, and what it kept back comes first', async () => {
  await park(600);
  await takeOver();
  await database.db.run(sql`delete from park`);
  expect((await bench.send(message('second'))).state).toBe(5);
  bench.clock.skip(600_000);
  await bench.outbox.start();
  expect(await untilSaid(2)).toEqual(['parked', 'second']);
  expect((await bench.send(message('third'))).state).not.toBe(5);
});
