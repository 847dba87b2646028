import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPressMint, pressDaysMax } from './presses.ts';

const mint = createPressMint(Buffer.alloc(32, 1));
const bot = { id: 5 };
const dayMs = 86_400_000;
const nowMs = 20_000 * dayMs;
const message = { key: '700/hello/0', releaseNumber: 3, block: 'hello', button: 'b1', atMs: nowMs };

describe('a token of a button', () => {
  test('opens to the release and the button it was made for', () => {
    const token = mint.mint(bot, message);
    expect(mint.open(bot, token, nowMs)?.releaseNumber).toBe(3);
    expect(Buffer.byteLength(token)).toBeLessThanOrEqual(64);
  });

  test('is the same for the same message, so that a repeated turn asks for the same', () => {
    expect(mint.mint(bot, message)).toBe(mint.mint(bot, message));
    expect(mint.mint(bot, { ...message, key: '701/hello/0' })).not.toBe(mint.mint(bot, message));
  });

  test('does not open for another bot, under another key, or when it is too old', () => {
    const token = mint.mint(bot, message);
    expect(mint.open({ id: 6 }, token, nowMs)).toBeUndefined();
    expect(createPressMint(Buffer.alloc(32, 2)).open(bot, token, nowMs)).toBeUndefined();
    expect(mint.open(bot, token, nowMs + pressDaysMax * dayMs)).toBeDefined();
    expect(mint.open(bot, token, nowMs + (pressDaysMax + 1) * dayMs)).toBeUndefined();
  });

  test('does not open when any character of it is changed', () => {
    const token = mint.mint(bot, message);
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
