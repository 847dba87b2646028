import { beforeEach, expect, test } from 'vitest';
import { seededRandom } from '../random.ts';
import { readSettings } from '../settings.ts';
import { type NewUpdate, UpdateQueue } from './update-queue.ts';

let now = 0;
let queue: UpdateQueue;

beforeEach(() => {
  now = 5_000;
  queue = new UpdateQueue({ mono: () => now, wall: () => now }, readSettings({}), seededRandom(1));
});

function message(text = 'a', kind: NewUpdate['kind'] = 'message'): NewUpdate {
  return { kind, subject: 1, chatId: 1, payload: { text } };
}

test('numbers start at random and rise by one', () => {
  const first = queue.push(message())?.updateId ?? 0;
  expect(first).toBeGreaterThanOrEqual(2_000_001);
  expect(first).toBeLessThanOrEqual(1_000_000_000);
  expect(queue.push(message())?.updateId).toBe(first + 1);
});

test('at two thousand million the queue is emptied and numbering starts anew', () => {
  queue.nextUpdateId = 1_999_999_999;
  expect(queue.push(message())?.updateId).toBe(1_999_999_999);
  const next = queue.push(message())?.updateId ?? 0;
  expect(next).toBeLessThanOrEqual(1_000_000_000);
  expect(queue.pending.size).toBe(1);
});

test('an offset confirms everything below it, a negative one all but the last', () => {
  const ids = [1, 2, 3, 4].map(() => queue.push(message())?.updateId ?? 0);
  expect(queue.take(0, 2).map(({ updateId }) => updateId)).toEqual(ids.slice(0, 2));
  expect(queue.take(ids[2] ?? 0, 100).map(({ updateId }) => updateId)).toEqual(ids.slice(2));
  expect(queue.pending.size).toBe(2);
  expect(queue.take(-1, 100).map(({ updateId }) => updateId)).toEqual(ids.slice(3));
  expect(queue.pending.size).toBe(1);
});

test('each kind has its lifetime', () => {
  queue.push(message());
  queue.push(message('a', 'callback_query'));
  queue.push(message('a', 'inline_query'));
  now += 30_001;
  expect(queue.take(0, 100).map(({ kind }) => kind)).toEqual(['message', 'callback_query']);
  now += 120_000;
  expect(queue.take(0, 100).map(({ kind }) => kind)).toEqual(['message']);
  now += 86_400_000;
  expect(queue.take(0, 100)).toEqual([]);
});

test('too large an update and a full queue are dropped and counted', () => {
  expect(queue.push(message('a'.repeat(524_288)))).toBeUndefined();
  for (let index = 0; index < 100_000; index++) queue.push(message());
  expect(queue.push(message())).toBeUndefined();
  expect(queue.dropped).toBe(2);
  expect(queue.pending.size).toBe(100_000);
});

test('bytes are counted and given back', () => {
  const update = queue.push(message());
  expect(queue.bytes).toBe(update?.body.length);
  if (update) queue.remove(update);
  if (update) queue.remove(update);
  expect(queue.bytes).toBe(0);
});
