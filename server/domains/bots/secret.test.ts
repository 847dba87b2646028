import { expect, test } from 'vitest';
import { checkSecret, hashSecret, makePublicId, makeSecret } from './secret.ts';

const nowMs = 1_000_000;
const entry = {
  secretHash: hashSecret('current'),
  previousSecretHash: hashSecret('previous'),
  previousSecretUntilMs: nowMs + 1,
};

test.each<[string, Parameters<typeof checkSecret>, boolean]>([
  ['the secret', [entry, 'current', nowMs], true],
  ['the previous one in its time', [entry, 'previous', nowMs], true],
  ['the previous one after its time', [entry, 'previous', nowMs + 1], false],
  ['the secret long after', [entry, 'current', nowMs * 9], true],
  ['a wrong one', [entry, 'Current', nowMs], false],
  ['one that only begins right', [entry, 'current2', nowMs], false],
  ['none', [entry, undefined, nowMs], false],
  ['an empty one', [entry, '', nowMs], false],
  [
    'an empty one where the stored hash is that of nothing',
    [{ ...entry, secretHash: hashSecret('') }, '', nowMs],
    false,
  ],
  [
    'none where the stored hash is that of nothing',
    [{ ...entry, secretHash: hashSecret('') }, undefined, nowMs],
    false,
  ],
  ['no previous one, whatever its time says', [{ ...entry, previousSecretHash: null }, 'previous', nowMs], false],
  ['any for a bot that is not here', [undefined, 'current', nowMs], false],
])('%s', (_what, given, passes) => {
  expect(checkSecret(...given)).toBe(passes);
});

test('secrets and public ids are long, in allowed characters, and new every time', () => {
  const secrets = new Set(Array.from({ length: 100 }, makeSecret));
  const ids = new Set(Array.from({ length: 100 }, makePublicId));
  expect([secrets.size, ids.size]).toEqual([100, 100]);
  for (const secret of secrets) expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
  // 24 characters of base64url are 144 bits.
  for (const id of ids) expect(id).toMatch(/^int_[A-Za-z0-9_-]{24}$/);
});
