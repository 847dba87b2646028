import { expect, test } from 'vitest';
import { Faults } from './faults.ts';

test('the first rule that matches strikes, as often as it may', () => {
  const faults = new Faults();
  faults.add({ kind: '429', method: 'sendMessage', times: 2 });
  faults.add({ kind: '5xx' });
  const kinds = Array.from({ length: 4 }, () => faults.pick('sendmessage', 1, 5)?.kind);
  expect(kinds).toEqual(['429', '429', '5xx', '5xx']);
  expect(faults.list().map(({ struck }) => struck)).toEqual([2, 2]);
});

test('bot, chat and method narrow a rule', () => {
  const faults = new Faults();
  faults.add({ kind: '403', bot: 1, chat: 5, method: 'sendPhoto' });
  expect(faults.pick('sendphoto', 1, 5)?.kind).toBe('403');
  expect(faults.pick('sendphoto', 2, 5)).toBeUndefined();
  expect(faults.pick('sendphoto', 1, 6)).toBeUndefined();
  expect(faults.pick('sendmessage', 1, 5)).toBeUndefined();
});

test('chance is drawn from the seed: the same seed strikes the same calls', () => {
  const run = (seed: number): boolean[] => {
    const faults = new Faults();
    faults.add({ kind: 'lost', probability: 0.5, seed });
    return Array.from({ length: 64 }, () => faults.pick('sendmessage', 1, 1) !== undefined);
  };
  expect(run(3)).toEqual(run(3));
  expect(run(3)).not.toEqual(run(4));
  const struck = run(3).filter(Boolean).length;
  expect(struck).toBeGreaterThan(16);
  expect(struck).toBeLessThan(48);
});

test('faults of deliveries and of calls do not mix', () => {
  const faults = new Faults();
  faults.add({ kind: 'repeat' });
  expect(faults.pick('message', 1, 1)).toBeUndefined();
  expect(faults.pick('message', 1, 1, true)?.kind).toBe('repeat');
});

test('rules can be taken back, and unknown ones are refused', () => {
  const faults = new Faults();
  const { id } = faults.add({ kind: 'hang' });
  expect(faults.remove(id)).toBe(true);
  expect(faults.remove(id)).toBe(false);
  expect(faults.any).toBe(false);
  expect(() => faults.add({ kind: 'earthquake' as 'hang' })).toThrow(/there is no fault "earthquake"/);
});
