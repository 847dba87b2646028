import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { type Bench, bucket, message, openBench, token } from './harness.ts';

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

test('what a former owner has left waits before anything new of its chat, from the first moment', async () => {
  const { outbox, said } = bench;
  await bench.insert([
    { ...message('sending'), state: 1, ownerToken: token - 1 },
    { ...message('waiting'), state: 0, ownerToken: null },
  ]);
  await outbox.gained([{ bucket, token, inherited: true, frozen: false }]);
  // A turn that runs before the first look at the table.
  await bench.send(message('new'));
  outbox.begin();
  await outbox.start();
  while (said.length < 3) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(said).toEqual(['sending', 'waiting', 'new']);
});

test('a bot of which nothing waits any more is not kept back for ever', async () => {
  bench.outbox.sender.reread(1, bucket);
  await bench.outbox.start();
  while (bench.outbox.sender.book.line(1, bucket).behind) await new Promise((resolve) => setTimeout(resolve, 20));
});

test('what was in memory when a bucket was lost is not sent from there when the bucket comes back', async () => {
  const { outbox, said, clock } = bench;
  // A chat gets three at once; the fourth waits for its time.
  clock.stop();
  for (const text of ['1', '2', '3', '4']) await bench.send(message(text));
  while (said.length < 3) await new Promise((resolve) => setTimeout(resolve, 20));
  outbox.lost([bucket]);
  clock.goOn();
  // Nobody looks into the table yet; only another bot goes on, for longer than the fourth had to wait.
  await outbox.gained([{ bucket, token, inherited: true, frozen: false }]);
  for (const text of ['a', 'b', 'c', 'd', 'e']) await bench.send({ ...message(text), integrationId: 2 });
  while (!said.includes('e')) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(said).not.toContain('4');
  await outbox.start();
  while (!said.includes('4')) await new Promise((resolve) => setTimeout(resolve, 20));
});

test('a message that a vanished process still holds stops no takeover, and comes before anything new of its chat', async () => {
  const { outbox, said } = bench;
  await bench.insert([
    { ...message('held'), state: 1, ownerToken: token - 1 },
    { ...message('after'), state: 0, ownerToken: null },
    { ...message('other'), chatId: 200, state: 1, ownerToken: token - 1 },
  ]);
  const vanished = new pg.Client({ connectionString: database.url });
  await vanished.connect();
  await vanished.query("begin; update outbox set state = 2, owner_token = null where key = 'held'");
  try {
    await outbox.gained([{ bucket, token, inherited: true, frozen: false }]);
    outbox.begin();
    await outbox.start();
    await bench.send(message('new'));
    while (said.length < 1) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(said).toEqual(['other']);
  } finally {
    await vanished.query('rollback');
    await vanished.end();
  }
  while (said.length < 4) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(said).toEqual(['other', 'held', 'after', 'new']);
});
