import { expect, test } from 'vitest';
import type { Place } from './vault.ts';
import { createVault, open, seal } from './vault.ts';

const first = Buffer.alloc(32, 1);
const second = Buffer.alloc(32, 2);
const place: Place = { table: 'integration', column: 'token_sealed', publicId: 'int_1' };
const token = `123456789:${'A'.repeat(35)}`;
const wrong = expect.objectContaining({ code: 'KEY_WRONG' });

test('what was sealed opens again, through a restart', () => {
  const { sealed, key } = createVault({ master: first }).makeDataKey('prj_1');
  const secret = seal(key, place, token);
  expect(secret.toString('latin1')).not.toContain(token);
  expect(open(createVault({ master: first }).openDataKey(sealed, 'prj_1'), place, secret)).toBe(token);
});

test('the same secret never looks the same twice', () => {
  const { key } = createVault({ master: first }).makeDataKey('prj_1');
  expect(seal(key, place, token).equals(seal(key, place, token))).toBe(false);
});

test('a data key opens under its master key and for its project only', () => {
  const { sealed } = createVault({ master: first }).makeDataKey('prj_1');
  expect(() => createVault({ master: second }).openDataKey(sealed, 'prj_1')).toThrow(wrong);
  expect(() => createVault({ master: first }).openDataKey(sealed, 'prj_2')).toThrow(wrong);
});

test.each<[string, Partial<Place>]>([
  ['table', { table: 'other' }],
  ['column', { column: 'secret_sealed' }],
  ['row', { publicId: 'int_2' }],
])('a secret does not open in another %s', (_what, other) => {
  const { key } = createVault({ master: first }).makeDataKey('prj_1');
  expect(() => open(key, { ...place, ...other }, seal(key, place, token))).toThrow(wrong);
});

test('changed, cut or foreign bytes do not open', () => {
  const { key } = createVault({ master: first }).makeDataKey('prj_1');
  const secret = seal(key, place, token);
  for (let at = 0; at < secret.length; at += 1) {
    const changed = Buffer.from(secret);
    changed[at] = (changed[at] as number) ^ 1;
    expect(() => open(key, place, changed), `byte ${at}`).toThrow(wrong);
  }
  for (const bytes of [
    Buffer.alloc(0),
    secret.subarray(0, 20),
    secret.subarray(0, -1),
    Buffer.from('plain text, never sealed by anybody'),
  ]) {
    expect(() => open(key, place, bytes)).toThrow(wrong);
  }
});

test('a new master key opens what the old one sealed while it knows it, and reseals it', () => {
  const { sealed, key } = createVault({ master: first }).makeDataKey('prj_1');
  const secret = seal(key, place, token);
  const rotating = createVault({ master: second, previous: [first] });
  expect(open(rotating.openDataKey(sealed, 'prj_1'), place, secret)).toBe(token);
  const resealed = rotating.resealDataKey(sealed, 'prj_1') as Buffer;
  const rotated = createVault({ master: second });
  expect(open(rotated.openDataKey(resealed, 'prj_1'), place, secret)).toBe(token);
  expect(rotated.resealDataKey(resealed, 'prj_1')).toBeUndefined();
});

test('a master key of another length is refused', () => {
  expect(() => createVault({ master: Buffer.alloc(31) })).toThrow('32 bytes');
});
