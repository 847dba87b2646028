import { describe, expect, test } from 'vitest';
import { judgeAgain, judgeRun, parseRecord, type RecordLine } from './verdict.ts';

const begun = (...files: string[]): RecordLine => ({ kind: 'begun', files });
const file = (name: string, passed: number, failed = 0, ok = failed === 0): RecordLine => ({
  kind: 'file',
  file: name,
  ok,
  passed,
  failed,
  why: failed > 0 ? ['one: expected 1 to be 2 (a.test.ts:3)'] : [],
});

describe('a run', () => {
  test('in which everything passed has nothing to run again', () => {
    const verdict = judgeRun([begun('a', 'b'), file('a', 3), file('b', 2), { kind: 'ended' }], 0);
    expect(verdict).toEqual({ passed: 5, suspects: [], broken: undefined });
  });

  test('counts what passed elsewhere and names each file that failed', () => {
    const verdict = judgeRun([begun('a', 'b'), file('a', 3, 2), file('b', 2), { kind: 'ended' }], 1);
    expect(verdict).toEqual({
      passed: 2,
      suspects: [{ file: 'a', failed: 2, why: ['one: expected 1 to be 2 (a.test.ts:3)'] }],
      broken: undefined,
    });
  });

  test('suspects a file that could not be loaded', () => {
    expect(judgeRun([begun('a'), file('a', 0, 0, false), { kind: 'ended' }], 1).suspects).toEqual([
      { file: 'a', failed: 0, why: [] },
    ]);
  });

  test('that was killed suspects every file that has not reported', () => {
    const verdict = judgeRun([begun('a', 'b', 'c'), file('b', 4)], 124);
    expect(verdict.passed).toBe(4);
    expect(verdict.suspects).toEqual(['a', 'c'].map((each) => ({ file: each, failed: 0, why: ['it never ended'] })));
    expect(verdict.broken).toBeUndefined();
  });

  test('suspects the file that an error outside of every test came from, though its tests passed', () => {
    const stray: RecordLine = { kind: 'stray', file: 'a', message: 'nobody handled this' };
    expect(judgeRun([begun('a'), file('a', 3), stray, { kind: 'ended' }], 1)).toEqual({
      passed: 0,
      suspects: [{ file: 'a', failed: 0, why: ['nobody handled this'] }],
      broken: undefined,
    });
  });

  test('that failed without saying where is broken', () => {
    expect(judgeRun([begun('a'), file('a', 3), { kind: 'ended' }], 1).broken).toContain('ended with 1');
    const stray: RecordLine = { kind: 'stray', message: 'a worker died' };
    expect(judgeRun([begun('a'), file('a', 3), stray, { kind: 'ended' }], 1).broken).toBe('a worker died');
  });

  test('that began nothing is broken', () => {
    expect(judgeRun([], 1).broken).toBe('the run began no test file');
    expect(judgeRun([begun()], 0).broken).toBe('the run began no test file');
  });
});

describe('a second run of one file', () => {
  test('is good when all of the file passed', () => {
    expect(judgeAgain('a', [begun('a'), file('a', 3)], 0)).toEqual({ ok: true, passed: 3 });
  });

  test('is not good when a test failed, the process failed, or nothing was told or run', () => {
    expect(judgeAgain('a', [begun('a'), file('a', 2, 1)], 1).ok).toBe(false);
    expect(judgeAgain('a', [begun('a'), file('a', 3)], 1).ok).toBe(false);
    expect(judgeAgain('a', [begun('a')], 0).ok).toBe(false);
    expect(judgeAgain('a', [begun('a'), file('a', 0)], 0).ok).toBe(false);
  });
});

test('a line that a kill has cut is left out', () => {
  expect(parseRecord('{"kind":"ended"}\n{"kind":"fi')).toEqual([{ kind: 'ended' }]);
});
