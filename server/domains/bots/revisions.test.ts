import fc from 'fast-check';
import { expect, test } from 'vitest';
import { advance, continues, nothingKnown } from './revisions.ts';

const server = '1/00000001';

test('the mark moves when everybody who may hold a lower revision is over', () => {
  let window = advance(nothingKnown, { xmin: 100, xmax: 105, top: 50, server }, [48, 50], 0);
  expect(window).toMatchObject({ low: -1, next: { top: 50, xmax: undefined } });
  // Too early: who took revision 49 may have no transaction id yet.
  window = advance(window, { xmin: 110, xmax: 110, top: 60, server }, [], 999);
  expect(window.next?.xmax).toBeUndefined();
  window = advance(window, { xmin: 104, xmax: 120, top: 60, server }, [60], 1_000);
  expect(window.next?.xmax).toBe(120);
  // One of them is still open.
  window = advance(window, { xmin: 119, xmax: 130, top: 61, server }, [], 2_000);
  expect(window.low).toBe(-1);
  window = advance(window, { xmin: 120, xmax: 130, top: 61, server }, [49], 3_000);
  expect(window).toEqual({ low: 50, taken: new Set([60]), server, next: undefined });
});

test('where nothing changes nothing is kept', () => {
  let window = advance(nothingKnown, { xmin: 5, xmax: 5, top: 3, server }, [1, 2, 3], 0);
  for (let look = 1; look < 6; look += 1)
    window = advance(window, { xmin: 5, xmax: 5, top: 3, server }, [], look * 1_000);
  expect(window).toEqual({ low: 3, taken: new Set(), server, next: undefined });
});

test('another server, or a sequence that went back, is not followed but read anew', () => {
  const horizon = { xmin: 5, xmax: 5, top: 30, server };
  expect(continues(nothingKnown, horizon)).toBe(true);
  let window = advance(nothingKnown, horizon, [1, 30], 0);
  expect(continues(window, { ...horizon, top: 31 })).toBe(true);
  expect(continues(window, { ...horizon, server: '1/00000002' })).toBe(false);
  expect(continues(window, { ...horizon, top: 29 })).toBe(false);
  for (let look = 1; look < 4; look += 1) window = advance(window, horizon, [], look * 1_000);
  expect(window.low).toBe(30);
  expect(continues(window, { ...horizon, top: 29 })).toBe(false);
});

/**
 * Transactions that take a revision, get their id up to a second later and commit at any time after that, in
 * any order, against looks at random moments.
 */
test('no revision is ever missed, however slow its transaction', () => {
  const transaction = fc.record({
    at: fc.integer({ min: 0, max: 30_000 }),
    idAfter: fc.integer({ min: 0, max: 999 }),
    lasts: fc.integer({ min: 0, max: 20_000 }),
  });
  fc.assert(
    fc.property(
      fc.array(transaction, { maxLength: 30 }),
      fc.array(fc.integer({ min: 1, max: 2_500 }), { minLength: 30, maxLength: 60 }),
      (given, gaps) => {
        const transactions = given
          .toSorted((a, b) => a.at - b.at)
          .map((each, index) => ({
            rev: index + 1,
            at: each.at,
            idAt: each.at + each.idAfter,
            endsAt: each.at + each.idAfter + each.lasts,
          }));
        const ids = new Map(
          transactions.toSorted((a, b) => a.idAt - b.idAt).map((each, index) => [each.rev, index + 1]),
        );
        const known = new Set<number>();
        let window = nothingKnown;
        let now = 0;
        for (const gap of [...gaps, 60_000]) {
          now += gap;
          const begun = transactions.filter((each) => each.idAt <= now);
          const xmax = begun.length + 1;
          const open = begun.filter((each) => each.endsAt > now).map((each) => ids.get(each.rev) as number);
          const read = transactions
            .filter((each) => each.endsAt <= now && each.rev > window.low && !window.taken.has(each.rev))
            .map((each) => each.rev);
          for (const rev of read) known.add(rev);
          window = advance(
            window,
            { xmin: Math.min(xmax, ...open), xmax, top: transactions.filter((each) => each.at <= now).length, server },
            read,
            now,
          );
        }
        expect(known.size).toBe(transactions.length);
      },
    ),
  );
});
