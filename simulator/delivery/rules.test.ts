import { expect, test } from 'vitest';
import { retryAfterSeconds, retrySeconds } from './retry-rule.ts';
import { asciiJson, updateBody } from './update-body.ts';
import { isWanted, laneOf } from './update-kinds.ts';

test('attempts come at once, then after 2, 4 ... 64 seconds, then every one to two minutes', () => {
  const half = (): number => 0.5;
  expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 50].map((failures) => retrySeconds(failures, half))).toEqual([
    0, 2, 4, 8, 16, 32, 64, 90, 90, 90,
  ]);
  expect(retrySeconds(8, () => 0)).toBe(60);
  expect(retrySeconds(8, () => 1)).toBe(120);
});

test('Retry-After is obeyed within an hour', () => {
  expect(retryAfterSeconds('7')).toBe(7);
  for (const none of ['0', '00', '-0', '-5']) expect(retryAfterSeconds(none), none).toBeUndefined();
  expect(retryAfterSeconds('99999')).toBe(3_600);
  expect(retryAfterSeconds('Wed, 21 Oct 2026 07:28:00 GMT')).toBeUndefined();
  expect(retryAfterSeconds('1.5')).toBeUndefined();
  expect(retryAfterSeconds(undefined)).toBeUndefined();
});

test('a body is ASCII with a line break after the number', () => {
  const body = updateBody(5, 'message', asciiJson({ text: 'Ж😀\u0000\ud800' }));
  expect(body).toBe('{"update_id":5,\n"message":{"text":"\\u0416\\ud83d\\ude00\\u0000\\ud800"}}');
  expect(JSON.parse(body)).toEqual({ update_id: 5, message: { text: 'Ж😀\u0000\ud800' } });
});

test('lanes are what telegram.md says', () => {
  expect(laneOf('message', 5)).toBe(laneOf('edited_message', 5));
  expect(laneOf('channel_post', -5)).toBe(laneOf('message', -5));
  expect(laneOf('callback_query', 5)).not.toBe(laneOf('message', 5));
  expect(laneOf('pre_checkout_query', 5)).toBe(laneOf('shipping_query', 5));
  expect(laneOf('pre_checkout_query', 5)).not.toBe(laneOf('callback_query', 5));
  expect(laneOf('my_chat_member', 5)).not.toBe(laneOf('message', 5));
  expect(laneOf('chat_member', 5)).toBe(laneOf('chat_join_request', 5));
  expect(laneOf('poll', 'x')).not.toBe(laneOf('poll_answer', 'x'));
});

test('some kinds must be asked for', () => {
  expect(isWanted('message', null)).toBe(true);
  expect(isWanted('chat_member', null)).toBe(false);
  expect(isWanted('chat_member', new Set(['chat_member']))).toBe(true);
  expect(isWanted('message', new Set(['chat_member']))).toBe(false);
});
