import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from '../../../kernel/sql.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { type Bench, bucket, message, openBench } from './harness.ts';
import { botWindowMax } from './rules.ts';

const standing = 100_000;

let database: TestDatabase;
let bench: Bench;
beforeEach(async () => {
  database = await createTestDatabase();
  bench = await openBench(database);
  await database.db.run(sql`
    insert into outbox (integration_id, bucket, key, chat_id, class, method, params, state)
    select 1, ${bucket}, 'bulk ' || i, 1000000 + i, 1, 'sendMessage', '{"text":"bulk"}', 0
    from generate_series(1, ${standing}) i`);
});
afterEach(async () => {
  await bench.stop();
  await database.close();
});

/** The bot has as much bulk in memory as it may have, and more stands in the table. */
async function full(): Promise<void> {
  await bench.outbox.start();
  const [replies, bulk] = bench.outbox.sender.book.line(1, bucket).windows;
  await expect.poll(() => bulk.waiting).toBeGreaterThan(botWindowMax / 2);
  await expect.poll(() => bench.said.length).toBeGreaterThan(20);
  expect(bulk.behind).toBe(true);
  await expect.poll(() => replies.behind).toBe(false);
}

test('a reply goes before all bulk that stands in the table, with the commit of its turn', async () => {
  await full();
  for (let place = 0; place < 5; place += 1) {
    const row = await bench.send({ ...message(`reply ${place}`), chatId: 10 + place });
    expect(row.state).toBe(1);
  }
  await expect.poll(() => bench.said.filter((words) => words.startsWith('reply')).length).toBe(5);
  expect(bench.outbox.sender.book.line(1, bucket).windows[1].behind).toBe(true);
});

test('a reply that stands in the table behind all bulk is read and sent before it', async () => {
  await full();
  await bench.insert([{ ...message('reply'), chatId: 10, state: 0, ownerToken: null }]);
  bench.outbox.nudge();
  await expect.poll(() => bench.said).toContain('reply');
  // What went out while the table was read, of a hundred thousand.
  expect(bench.said.indexOf('reply')).toBeLessThan(botWindowMax);
});

test('a new owner sends the replies that wait before the bulk that waits longer', async () => {
  const replies = Array.from({ length: 10 }, (_, place) => message(`reply ${place}`));
  await bench.insert(replies.map((each, place) => ({ ...each, chatId: 10 + place, state: 0, ownerToken: null })));
  await bench.outbox.gained([{ bucket, token: 5, inherited: true, frozen: false }]);
  await bench.outbox.start();
  await expect.poll(() => bench.said.length).toBeGreaterThanOrEqual(24);
  // The first second of the bot: what is marked in two commits at once may come out in either order.
  const first = bench.said.slice(0, 24).filter((words) => words !== 'bulk');
  expect(first.toSorted()).toEqual(replies.map(({ key }) => key));
});
