import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPressMint, pressDaysMax } from './presses.ts';

const mint = createPressMint(Buffer.alloc(32, 1));
const bot = { id: 5 };
const dayMs = 86_400_000;
const nowMs = 20_000 * dayMs;
const message = { key: '700/hello/0', releaseNumber: 3, atMs: nowMs };
const tokenOf = (of = message, button = 'b1'): string => mint.forMessage(bot, of)({ block: 'hello', button });

describe('a token of a button', () => {
  test('opens to the release and the button it was made for', () => {
    const token = tokenOf();
    expect(mint.open(bot, token, nowMs)?.releaseNumber).toBe(3);
    expect(Buffer.byteLength(token)).toBeLessThanOrEqual(64);
  });

  test('is the same for the same message, so that a repeated turn asks for the same', () => {
    expect(tokenOf()).toBe(tokenOf());
    expect(tokenOf({ ...message, key: '701/hello/0' })).not.toBe(tokenOf());
  });

  test('of one button does not become that of another: each has a seal of its own', () => {
    const one = Buffer.from(tokenOf(message, 'b1'), 'base64url');
    const two = Buffer.from(tokenOf(message, 'b2'), 'base64url');
    const mixed = Buffer.concat([one.subarray(0, 12), two.subarray(12, 18), one.subarray(18)]);
    expect(mint.open(bot, two.toString('base64url'), nowMs)).toBeDefined();
    expect(mint.open(bot, mixed.toString('base64url'), nowMs)).toBeUndefined();
  });

  test('does not open for another bot, under another key, or when it is too old', () => {
    const token = tokenOf();
    expect(mint.open({ id: 6 }, token, nowMs)).toBeUndefined();
    expect(createPressMint(Buffer.alloc(32, 2)).open(bot, token, nowMs)).toBeUndefined();
    expect(mint.open(bot, token, nowMs + pressDaysMax * dayMs)).toBeDefined();
    expect(mint.open(bot, token, nowMs + (pressDaysMax + 1) * dayMs)).toBeUndefined();
  });

  test('does not open when any character of it is changed', () => {
    const token = tokenOf();
    for (let index = 0; index < token.length; index += 1) {
      const other = token[index] === 'A' ? 'B' : 'A';
      const changed = `${token.slice(0, index)}${other}${token.slice(index + 1)}`;
      expect(mint.open(bot, changed, nowMs)).toBeUndefined();
    }
  });

  test('anything else a client may send opens to nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(mint.open(bot, text, nowMs)).toBeUndefined();
      }),
    );
  });
});
