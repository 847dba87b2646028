import { expect, test } from 'vitest';
import { albumOf, completeMs, partsOf } from './albums.ts';
import type { Item } from './lanes.ts';

function item(seenMs: number, content: object, key = String(seenMs)): Item {
  const update = { update_id: 1, message: { message_id: seenMs, ...content } };
  const times = { receivedMs: 0, seenMs, notBeforeMs: 0 };
  const where = { integrationId: 1, bucket: 1, lane: 7, seq: seenMs, size: 100 };
  return { ...where, ...times, key, attempts: 0, suspect: false, update, body: null };
}
const part = (seenMs: number, group = 'g'): Item => item(seenMs, { media_group_id: group });

test('an update belongs to an album by what Telegram says, and an event of ours to none', () => {
  expect(albumOf(part(1))).toBe('g');
  expect(albumOf(item(1, {}))).toBe('');
  expect(albumOf(item(1, { media_group_id: 5 }))).toBe('');
  expect(albumOf(item(1, { media_group_id: 'g' }, 'app:1'))).toBe('');
});

test('parts are those of one album, whatever stands between them', () => {
  const items = [part(1), item(2, {}), part(3, 'other'), part(4)];
  expect(partsOf(items, 'g')).toEqual([items[0], items[3]]);
});

test('each part that comes begins the wait anew, so that parts 700 ms apart are one album', () => {
  const lane: Item[] = [];
  for (let at = 0; at <= 2_100; at += 700) {
    // Nobody had answered it when this part came.
    if (lane.length > 0) expect(completeMs(lane)).toBeGreaterThan(at);
    lane.push(part(at));
  }
  expect(completeMs(lane)).toBe(3_100);
});

test('an album that has all the parts there can be waits for nothing', () => {
  const parts = Array.from({ length: 10 }, (_, index) => part(index));
  expect(completeMs(parts)).toBeLessThan(0);
  expect(completeMs(parts.slice(1))).toBe(1_009);
});
