import { expect, test } from 'vitest';
import { apart, removeAround } from './apart.ts';

const lasting = () => new Error('smallint out of range');
const away = () => Object.assign(new Error('the connection broke'), { code: 'ECONNRESET' });
const rows = Array.from({ length: 200 }, (_, index) => index);

test('a bad one among many is found alone, in a few tries, and all others are done', async () => {
  const done: number[] = [];
  const failed: number[] = [];
  let tries = 0;
  await apart(
    rows,
    async (some) => {
      tries += 1;
      if (some.includes(137)) throw lasting();
      done.push(...some);
    },
    (some) => void failed.push(...some),
  );
  expect(failed).toEqual([137]);
  expect(done).toEqual(rows.filter((row) => row !== 137));
  expect(tries).toBeLessThan(20);
});

test('a database that is away is nobody’s fault: what was not done is given back together', async () => {
  const given: number[] = [];
  let tries = 0;
  await apart(
    rows,
    async () => {
      tries += 1;
      throw away();
    },
    (some) => void given.push(...some),
  );
  expect([given, tries]).toEqual([rows, 1]);
});

/** Rows of a table, two of which cannot be removed. */
function table(size: number, bad: readonly number[]) {
  let left = Array.from({ length: size }, (_, index) => index);
  return {
    left: () => left,
    remove: async (limit: number, skip: number) => {
      const some = left.slice(skip, skip + limit);
      if (some.some((row) => bad.includes(row))) throw lasting();
      left = left.filter((row) => !some.includes(row));
      return some.length;
    },
  };
}

test('rows that cannot be removed stay, and everything else of the pass goes', async () => {
  const rowsOf = table(300, [3, 250]);
  expect(await removeAround(500, rowsOf.remove)).toMatchObject({ removed: 298, left: 2 });
  expect(rowsOf.left()).toEqual([3, 250]);
});

test('a pass removes about as many as it may, and ends when nothing can be removed', async () => {
  const many = table(1_000, []);
  expect(await removeAround(100, many.remove)).toMatchObject({ removed: 100, left: 0 });
  const none = table(
    500,
    Array.from({ length: 500 }, (_, index) => index),
  );
  expect((await removeAround(100, none.remove)).removed).toBe(0);
  await expect(
    removeAround(100, async () => {
      throw away();
    }),
  ).rejects.toThrow('the connection broke');
});
