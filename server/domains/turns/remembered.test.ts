import { expect, test } from 'vitest';
import { Remembered, weightOf } from './remembered.ts';

const value = (bytes: number) => ({ bytes });

test('what is used stays, the rest goes, and never more is kept than there is room for', () => {
  const memory = new Remembered<{ bytes: number }>(1_000);
  memory.set('hot', value(50));
  for (let n = 0; n < 1_000; n += 1) {
    memory.bound();
    expect(memory.use('hot')).toBeDefined();
    memory.set(`cold ${n}`, value(50));
    expect(memory.bytes).toBeLessThanOrEqual(1_000 + 2 * 50);
  }
  expect(memory.get('cold 999')).toBeDefined();
  expect(memory.get('cold 1')).toBeUndefined();
  expect(memory.size).toBeLessThan(25);
});

test('what grows counts as what it is now, wherever it stands', () => {
  const memory = new Remembered<{ bytes: number }>(1_000);
  memory.set('a', value(600));
  memory.bound();
  expect(memory.bytes).toBe(600);
  memory.set('a', value(100));
  expect(memory.bytes).toBe(100);
  memory.set('a', value(10));
  expect([memory.bytes, memory.size]).toEqual([10, 1]);
  memory.delete('a');
  expect([memory.bytes, memory.size]).toEqual([0, 0]);
});

test('one batch that is larger than all of the room is not kept', () => {
  const memory = new Remembered<{ bytes: number }>(1_000);
  memory.set('film', value(5_000));
  expect(memory.get('film')).toBeDefined();
  memory.bound();
  expect(memory.bytes).toBe(0);
});

test('a weight grows with what is in it', () => {
  const small = weightOf({ vars: { name: 'Ann' }, tags: [] });
  expect(weightOf({ vars: { name: 'Ann'.repeat(1_000) }, tags: [] })).toBeGreaterThan(small + 5_000);
  expect(weightOf({ vars: { name: 'Ann' }, tags: Array(100).fill('vip') })).toBeGreaterThan(small + 3_000);
});
