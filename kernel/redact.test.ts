import { expect, test } from 'vitest';
import { errorText, keepSecret, redact } from './redact.ts';

const token = `7000000001:${'aB3_-'.repeat(7)}`;
const secret = 'MiPW6mdTavNStlDFcDodKn7ZRLzo_-7e0OK6QqF6exw';

test.each([
  [`connect ECONNREFUSED http://x/bot${token}/sendMessage`, 'connect ECONNREFUSED http://x/bot[token]/sendMessage'],
  [encodeURIComponent(`http://x/bot${token}/getMe`), 'http%3A%2F%2Fx%2Fbot[token]%2FgetMe'],
  ['at postgresql://roost:p%40ss@db:5432/roost', 'at postgresql://roost:[cut]@db:5432/roost'],
  [`secret_token=${secret}&url=x`, 'secret_token=[cut]&url=x'],
  [`x-telegram-bot-api-secret-token: ${secret}, host: x`, 'x-telegram-bot-api-secret-token: [cut], host: x'],
  [`password = '${secret}'`, `password = '[cut]'`],
])('%s', (text, clean) => {
  expect(redact(text)).toBe(clean);
});

test('a line of JSON stays one, however deep the secret lies in it', () => {
  const body = JSON.stringify({ secret_token: secret, url: 'x' });
  const line = JSON.stringify({ telegram: `Bad Request: ${body}`, raw: JSON.stringify(body) });
  const clean = redact(line);
  expect(clean).not.toContain(secret);
  expect(JSON.parse(clean)).toEqual({
    telegram: 'Bad Request: {"secret_token":"[cut]","url":"x"}',
    raw: JSON.stringify(JSON.stringify({ secret_token: '[cut]', url: 'x' })),
  });
});

test.each([
  'password authentication failed for user "roost"',
  'The secret of the webhook: changed today.',
  '12:30 at http://127.0.0.1:8420/simulator/',
  'bot 7000000001: 3 updates',
  'DATABASE_URL must look like postgresql://user:password@host:5432/name.',
])('words stay words: %s', (text) => {
  expect(redact(text)).toBe(text);
});

test('what was told by value is cut whatever its shape, from messages and causes alike', () => {
  keepSecret('correct horse');
  const error = new Error('outer', { cause: new Error(`inner: correct horse at ${token}`) });
  expect(errorText(error)).toBe('outer: inner: [cut] at [token]');
  keepSecret('pass"wor\\d');
  expect(redact(JSON.stringify({ reason: 'of pass"wor\\d' }))).toBe('{"reason":"of [cut]"}');
});
