import { describe, expect, test } from 'vitest';
import { makeSchedule, wordsOf } from './schedule.ts';

const options = { seed: 42, forMs: 60_000, slots: 3, everyMs: 1_000, crashes: true };

describe('a schedule', () => {
  test('is the same for the same seed, and another for another', () => {
    expect(makeSchedule(options)).toEqual(makeSchedule(options));
    expect(makeSchedule(options)).not.toEqual(makeSchedule({ ...options, seed: 43 }));
  });

  test('goes by the clock, ends in time, and freezes somebody past the lease whatever the seed', () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const steps = makeSchedule({ ...options, seed });
      const moments = steps.map((step) => step.atMs);
      expect(moments).toEqual([...moments].sort((a, b) => a - b));
      expect(Math.max(...moments)).toBeLessThan(options.forMs);
      expect(steps.some((step) => step.kind === 'freeze' && step.forMs > 15_000)).toBe(true);
    }
  });

  test('gives a process one trouble at a time', () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const until = [0, 0, 0];
      for (const step of makeSchedule({ ...options, seed })) {
        if (!('slot' in step)) continue;
        expect(step.atMs).toBeGreaterThanOrEqual(until[step.slot] ?? 0);
        until[step.slot] = step.atMs + (step.kind === 'freeze' ? step.forMs : step.downMs);
      }
    }
  });

  test('crashes the database only where it may, and says what every step does', () => {
    const steps = makeSchedule({ ...options, forMs: 600_000 });
    expect(steps.some((step) => step.kind === 'crash')).toBe(true);
    expect(makeSchedule({ ...options, crashes: false }).some((step) => step.kind === 'crash')).toBe(false);
    for (const step of steps) expect(wordsOf(step)).not.toBe('');
  });
});
