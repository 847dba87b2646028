// What somebody else draws from a result, in the transaction that records it.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from '../../../kernel/sql.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import type { Consequence, Finding } from './consequences.ts';
import { type Bench, message, openBench } from './harness.ts';

let database: TestDatabase;
let bench: Bench;
beforeEach(async () => {
  database = await createTestDatabase();
  await database.db.run(sql`create table charge (key text primary key, locked_before boolean not null)`);
});
afterEach(async () => {
  await bench.stop();
  await database.close();
});

const keyOf = (finding: Finding): string => finding.message.key;
const stateOf = async (key: string): Promise<number | undefined> =>
  (await database.db.one<{ state: number }>(sql`select state from outbox where key = ${key}`))?.state;
const charges = async (): Promise<string[]> =>
  (await database.db.many<{ key: string }>(sql`select key from charge order by key`)).map(({ key }) => key);

/** Charges for whatever is called "paid...", in a table that must hold each once. */
function charging(options: Partial<Consequence> = {}): { sizes: number[]; charging: Consequence } {
  const sizes: number[] = [];
  let locked = false;
  return {
    sizes,
    charging: {
      name: 'charge',
      concerns: ({ message: { key }, decision }) => key.startsWith('paid') && decision.state === 2,
      together: true,
      required: true,
      lock: async (tx, findings) => {
        // The results must not be written yet.
        const written = await tx.one(sql`
          select 1 as one from outbox where key = any(${findings.map(keyOf)}::text[]) and state = 2`);
        locked = written === undefined;
      },
      write: async (tx, findings) => {
        sizes.push(findings.length);
        for (const finding of findings)
          await tx.run(sql`insert into charge (key, locked_before) values (${keyOf(finding)}, ${locked})`);
        return [];
      },
      ...options,
    },
  };
}

test('it is written with the result, after its own locks, for several at once', async () => {
  const { charging: consequence, sizes } = charging();
  bench = await openBench(database, { consequences: [consequence] });
  // Two batches of results are under way at most, so those of twenty meet in one.
  const paid = Array.from({ length: 20 }, (_, index) => `paid ${index + 10}`);
  const keys = [...paid, 'free'];
  await Promise.all(keys.map((key, index) => bench.send({ ...message(key), chatId: 10 + index })));
  await expect.poll(() => Promise.all(keys.map(stateOf))).toEqual(keys.map(() => 2));
  expect(await charges()).toEqual(paid);
  expect(await database.db.many(sql`select key from charge where not locked_before`)).toEqual([]);
  expect(Math.max(...sizes)).toBeGreaterThan(1);
});

test('one that fails falls out with its result, which is never recorded without it', async () => {
  await database.db.run(sql`insert into charge values ('paid twice', true)`);
  bench = await openBench(database, { consequences: [charging().charging] });
  const keys = ['paid 1', 'paid twice', 'paid 3'];
  await Promise.all(keys.map((key, index) => bench.send({ ...message(key), chatId: 10 + index })));
  await expect.poll(() => stateOf('paid 1')).toBe(2);
  await expect.poll(() => stateOf('paid 3')).toBe(2);
  // Given up in the end, and in doubt for the next owner: nobody may call it sent.
  await expect.poll(() => bench.outbox.recorder.waiting(), { timeout: 20_000 }).toBe(0);
  expect(await stateOf('paid twice')).toBe(1);
});

test('one that is not required is left out at the last try, so that the message counts as sent', async () => {
  await database.db.run(sql`insert into charge values ('paid twice', true)`);
  bench = await openBench(database, { consequences: [{ ...charging().charging, required: undefined } as never] });
  await bench.send(message('paid twice'));
  await expect.poll(() => stateOf('paid twice'), { timeout: 20_000 }).toBe(2);
});
