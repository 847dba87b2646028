import { expect, test } from 'vitest';
import { readAnswer, readPoll } from './answers.ts';

const token = '123456:not-of-the-usual-shape';
const answer = (status: number, body: string | Buffer, retryAfter?: string) => ({
  kind: 'answer' as const,
  status,
  retryAfter,
  body: Buffer.from(body as string),
});

const rows: [what: string, ReturnType<typeof answer>, expected: Record<string, unknown>][] = [
  ['an answer', answer(200, '{"ok":true,"result":{"message_id":7}}'), { kind: 'ok', result: { message_id: 7 } }],
  [
    'a refusal',
    answer(400, '{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}'),
    { kind: 'refused', code: 400, description: 'Bad Request: chat not found' },
  ],
  [
    'a wait',
    answer(
      429,
      '{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 9","parameters":{"retry_after":9}}',
      '8',
    ),
    { kind: 'refused', code: 429, retryAfterSeconds: 9 },
  ],
  [
    'a wait that stands in the header only',
    answer(429, '{"ok":false,"error_code":429,"description":"Too Many Requests"}', '8'),
    { kind: 'refused', retryAfterSeconds: 8 },
  ],
  [
    'a move',
    answer(400, '{"ok":false,"error_code":400,"description":"x","parameters":{"migrate_to_chat_id":-1001234567890}}'),
    { migrateToChatId: -1_001_234_567_890 },
  ],
  ['an error without a code', answer(403, '{"ok":false}'), { kind: 'refused', code: 403, description: '' }],
  [
    'a server error',
    answer(500, '{"ok":false,"error_code":500,"description":"Internal Server Error: restart"}'),
    { kind: 'doubtful', reason: '500 Internal Server Error: restart' },
  ],
  ['a page of the front', answer(502, '<html><h1>502 Bad Gateway</h1></html>'), { kind: 'doubtful' }],
  ['a page with status 200', answer(200, '<html></html>'), { kind: 'doubtful' }],
  ['cut JSON', answer(200, '{"ok":true,"result":{"mess'), { kind: 'doubtful' }],
  ['JSON of somebody else', answer(200, '{"status":"fine"}'), { kind: 'doubtful' }],
  ['a list', answer(200, '[1]'), { kind: 'doubtful' }],
  ['nothing', answer(200, ''), { kind: 'doubtful' }],
  ['a front that finds it too large', answer(413, '<html>413</html>'), { kind: 'refused', code: 413 }],
  [
    'a front that has had too many',
    answer(429, '<html>429</html>', '3'),
    { kind: 'refused', code: 429, retryAfterSeconds: 3 },
  ],
];

test.each(rows)('%s', (_what, given, expected) => {
  expect(readAnswer(given, token)).toMatchObject(expected);
});

test('the token is cut from what Telegram writes, also where it is percent-encoded or of an unusual shape', () => {
  const description = `no such path /bot${token}/sendMessage or /bot${encodeURIComponent(token)}/x`;
  const outcome = readAnswer(answer(404, JSON.stringify({ ok: false, error_code: 404, description })), token);
  expect(JSON.stringify(outcome)).toContain('[token]');
  expect(JSON.stringify(outcome)).not.toContain('not-of-the-usual');
});

test('updates of a poll keep their bytes, whatever they hold', () => {
  const first = Buffer.concat([
    Buffer.from('{"update_id":5, "callback_query":{"data":"a\\"],}{'),
    Buffer.from([0xff, 0xfe, 0x5b]),
    Buffer.from('"}}'),
  ]);
  const second = Buffer.from('{"update_id":6,\n"x":[1,[2,{"y":"]"}]],"z":"\\u0000\\\\"}');
  const body = Buffer.concat([
    Buffer.from(' { "result" : [ '),
    first,
    Buffer.from(' ,\n'),
    second,
    Buffer.from(' ] , "ok" : true } '),
  ]);
  const outcome = readPoll(answer(200, body), token);
  expect(outcome).toEqual({
    kind: 'ok',
    result: [
      { updateId: 5, body: first },
      { updateId: 6, body: second },
    ],
  });
});

test('an empty poll is an answer; a poll without ids or without a list is not', () => {
  expect(readPoll(answer(200, '{"ok":true,"result":[]}'), token)).toEqual({ kind: 'ok', result: [] });
  expect(readPoll(answer(200, '{"ok":true,"result":[{"message":{}}]}'), token).kind).toBe('doubtful');
  expect(readPoll(answer(200, '{"ok":true,"result":true}'), token).kind).toBe('doubtful');
  expect(readPoll(answer(200, '{"ok":true,"result":[{"update_id":1}'), token).kind).toBe('doubtful');
  expect(readPoll(answer(409, '{"ok":false,"error_code":409,"description":"Conflict: x"}'), token)).toMatchObject({
    kind: 'refused',
    code: 409,
  });
});
