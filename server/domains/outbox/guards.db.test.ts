import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Db } from '../../../kernel/db.ts';
import { sql } from '../../../kernel/sql.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { type Bench, bucket, message, openBench, token } from './harness.ts';

let database: TestDatabase;
let bench: Bench;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await bench.stop();
  await database.close();
});

/** A database that keeps statements with these words back until they are released, and counts the looks at what waits. */
function hold(words: string): { around: (db: Db) => Db; release: () => void; looks: () => number } {
  const released = Promise.withResolvers<void>();
  let looks = 0;
  return {
    around: (db) => ({
      ...db,
      async many(statement) {
        if (statement.text.includes(words)) await released.promise;
        const rows = await db.many(statement);
        if (statement.text.includes('with recursive bots')) looks += 1;
        return rows as never;
      },
    }),
    release: () => released.resolve(),
    looks: () => looks,
  };
}

/** Two looks later, so that one has begun and ended since. */
async function looked({ looks }: { looks: () => number }): Promise<void> {
  const before = looks();
  bench.outbox.nudge();
  await expect.poll(looks).toBeGreaterThan(before + 1);
}

const gain = { bucket, token, inherited: true, frozen: false };

test('a call that was prepared under a lease that is gone is not made', async () => {
  bench = await openBench(database, { beforeCall: () => bench.takenOver(token + 1) });
  const { state } = await bench.send(message('too late'));
  expect(state).toBe(1);
  await bench.outbox.sender.book.idle(bucket);
  expect(bench.said).toEqual([]);
});

test('a mark that was made, and whose answer was lost, is made again', async () => {
  let lost = 0;
  bench = await openBench(database, {
    around: (db) => ({
      ...db,
      async batch(work) {
        const results = await db.batch(work);
        lost += 1;
        if (lost === 1) throw Object.assign(new Error('the connection broke'), { code: 'ECONNRESET' });
        return results;
      },
    }),
  });
  // Three go with the commit of their turns; the fourth waits a second and is marked by itself. Nobody looks for orphans.
  bench.clock.stop();
  for (const text of ['1', '2', '3', '4']) await bench.send(message(text));
  bench.clock.goOn();
  await expect.poll(() => bench.said).toEqual(['1', '2', '3', '4']);
  expect(lost).toBeGreaterThan(1);
});

test('a turn that is run again, since its commit was done and nobody heard, does not free what is being sent', async () => {
  const record = hold('update outbox o set state = u.state');
  bench = await openBench(database, { around: record.around });
  await bench.insert([{ ...message('once'), state: 0, ownerToken: null }]);
  await bench.outbox.start();
  await expect.poll(() => bench.said).toEqual(['once']);
  // The turn places the same message, and its commit is refused. Its result is not written down yet.
  const again = bench.outbox.sender.place([message('once')]);
  bench.outbox.sender.withdrawn(again);
  await looked(record);
  record.release();
  await bench.outbox.sender.book.idle(bucket);
  await looked(record);
  expect(bench.said).toEqual(['once']);
  expect(await database.db.one(sql`select state from outbox`)).toEqual({ state: 2 });
});

test('a new owner counts what the last one has sent to a group in this minute', async () => {
  bench = await openBench(database);
  const group = -100;
  const keys = Array.from({ length: 20 }, (_, index) => `before ${index}`);
  await bench.insert(keys.map((key) => ({ ...message(key), chatId: group, state: 0, ownerToken: null })));
  await database.db.run(sql`update outbox set state = 2, sent_at = now() - interval '10 seconds'`);
  await bench.outbox.gained([gain]);
  expect((await bench.send({ ...message('one more'), chatId: group })).state).toBe(0);
  expect((await bench.send({ ...message('elsewhere'), chatId: -200 })).state).toBe(1);
});

test('a new owner sends nothing new before it has read what waits, also where nothing was under way', async () => {
  bench = await openBench(database);
  await bench.insert([{ ...message('waiting'), state: 0, ownerToken: null }]);
  await bench.outbox.gained([gain]);
  expect((await bench.send(message('new'))).state).toBe(0);
  expect(bench.said).toEqual([]);
  await bench.outbox.start();
  await expect.poll(() => bench.said).toEqual(['waiting', 'new']);
});
