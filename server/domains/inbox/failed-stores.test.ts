import { expect, test } from 'vitest';
import { realKit } from '../../../kernel/kit.ts';
import { createLog } from '../../../kernel/log.ts';
import { FailedStores } from './failed-stores.ts';

function scene(): { stores: FailedStores; lines: () => Record<string, unknown>[]; wait(ms: number): void } {
  const written: string[] = [];
  let nowMs = 1_000;
  const log = createLog({ level: 'info', sink: { write: (line) => void written.push(line) } });
  const stores = new FailedStores({ ...realKit(log), monotonicMs: () => nowMs });
  return {
    stores,
    lines: () => written.map((line) => JSON.parse(line) as Record<string, unknown>),
    wait: (ms) => {
      nowMs += ms;
    },
  };
}

const away = new Error('connect ECONNREFUSED');

test('while the database is away there is a line every few seconds, with how many it speaks of', () => {
  const { stores, lines, wait } = scene();
  for (let count = 0; count < 1_000; count += 1) {
    stores.failed(away, 2);
    wait(10);
  }
  expect(lines().map(({ updates }) => updates)).toEqual([2, 1_000]);
  expect(stores.total).toBe(2_000);
  stores.worked();
  stores.worked();
  expect(lines().slice(2)).toMatchObject([{ updates: 2_000 }]);
});

test('trouble is over with the first update that is stored, or when none has come for a while', () => {
  const { stores, wait } = scene();
  expect(stores.trouble()).toBeUndefined();
  stores.failed(away, 1);
  wait(9_000);
  expect(stores.trouble()).toBe('The last updates could not be stored. The log says why.');
  wait(2_000);
  expect(stores.trouble()).toBeUndefined();
  stores.failed(away, 1);
  expect(stores.trouble()).toBeDefined();
  stores.worked();
  expect(stores.trouble()).toBeUndefined();
});
