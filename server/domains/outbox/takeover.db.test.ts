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
