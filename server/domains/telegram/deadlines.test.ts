import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDeadlines } from './deadlines.ts';
import { Exchange } from './exchange.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function scene() {
  let nowMs = 0;
  const ended: string[] = [];
  const deadlines = createDeadlines(() => nowMs, 'too late');
  const call = (name: string, deadlineMs: number): Exchange =>
    new Exchange({
      deadlineMs,
      startByMs: deadlineMs,
      bytesMax: 1,
      monotonicMs: () => nowMs,
      settle: (exchanged) => ended.push(`${name}: ${exchanged.kind === 'answer' ? 'answer' : exchanged.reason}`),
    });
  const pass = (ms: number): void => {
    nowMs += ms;
    vi.advanceTimersByTime(ms);
  };
  return { deadlines, call, pass, ended };
}

test('calls that are past their deadline are given up, the oldest first, whoever left in between', () => {
  const { deadlines, call, pass, ended } = scene();
  const calls = ['a', 'b', 'c', 'd', 'e'].map((name, index) => call(name, 1_000 + index * 1_000));
  for (const each of calls) deadlines.add(each);
  for (const index of [0, 2]) deadlines.remove(calls[index] as Exchange);
  expect(deadlines.size()).toBe(3);
  pass(2_000);
  expect(ended).toEqual(['b: too late']);
  pass(3_000);
  expect(ended).toEqual(['b: too late', 'd: too late', 'e: too late']);
  expect(deadlines.size()).toBe(0);
});

test('the last one can leave, others come after it, and one that has left may leave again', () => {
  const { deadlines, call, pass, ended } = scene();
  const [first, last] = [call('first', 500), call('last', 500)];
  deadlines.add(first);
  deadlines.add(last);
  deadlines.remove(last);
  deadlines.remove(last);
  deadlines.remove(first);
  deadlines.add(call('next', 1_000));
  expect(deadlines.size()).toBe(1);
  pass(1_000);
  expect(ended).toEqual(['next: too late']);
});

test('what has left leads nowhere: a call that is over must not hold those after it in memory', () => {
  const { deadlines, call } = scene();
  const calls = ['a', 'b', 'c'].map((name) => call(name, 1_000));
  for (const each of calls) deadlines.add(each);
  for (const each of calls) deadlines.remove(each);
  for (const each of calls) expect([each.earlier, each.later]).toEqual([undefined, undefined]);
});

test('nothing ticks while nothing waits', () => {
  const { deadlines, call, pass } = scene();
  deadlines.add(call('a', 100));
  expect(vi.getTimerCount()).toBe(1);
  pass(1_000);
  expect(vi.getTimerCount()).toBe(0);
});
