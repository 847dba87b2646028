import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from '../../../kernel/sql.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { type Bench, bucket, message, openBench } from './harness.ts';

let database: TestDatabase;
let bench: Bench;
let answer: () => void;
beforeEach(async () => {
  database = await createTestDatabase();
  const crawl = new Promise<void>((resolve) => {
    answer = resolve;
  });
  bench = await openBench(database, { answer: (text) => (text === 'crawls' ? crawl : Promise.resolve()) });
});
afterEach(async () => {
  answer();
  await bench.outbox.sender.book.idle(bucket);
  await bench.stop();
  await database.close();
});

const rowOf = (key: string) => database.db.one(sql`select state, doubts, owner_token from outbox where key = ${key}`);

test('a bucket is drained when its own results are written, whatever others wait for', async () => {
  const other = bucket + 1;
  await bench.send(message('crawls'));
  await bench.send({ ...message('quick'), integrationId: 2, bucket: other });
  await bench.outbox.drain(other);
  expect(await rowOf('quick')).toMatchObject({ state: 2 });
  let over = false;
  const drained = bench.outbox.drain(bucket).then(() => {
    over = true;
  });
  expect(await rowOf('crawls')).toMatchObject({ state: 1 });
  expect(over).toBe(false);
  answer();
  await drained;
  expect(await rowOf('crawls')).toMatchObject({ state: 2 });
});

test('a file that crawls is given up when its bucket must go, and waits for the next owner without a doubt', async () => {
  const params = JSON.stringify({ video: { $file: { sha256: 'f'.repeat(64), kind: 'video' } } });
  await bench.send({ ...message('film'), method: 'sendVideo', params });
  const drained = bench.outbox.drain(bucket);
  expect(await rowOf('film')).toMatchObject({ state: 1 });
  // Before the call has begun nothing can be cut.
  const cutting = setInterval(() => bench.outbox.cut?.(bucket), 10);
  await drained;
  clearInterval(cutting);
  expect(await rowOf('film')).toEqual({ state: 0, doubts: 0, owner_token: null });
});
