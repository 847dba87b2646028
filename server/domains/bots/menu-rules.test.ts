import { expect, test } from 'vitest';
import { decideMenu, openableAddress } from './menu-rules.ts';

const wanted = { text: 'Shop', url: 'https://r.example/a/x' };
const ours = { type: 'web_app', text: 'Shop', web_app: { url: wanted.url } };
const theirs = { type: 'web_app', text: 'Other', web_app: { url: 'https://other.example' } };
const told = `Shop\n${wanted.url}`;

test('a button that nobody has touched becomes ours', () => {
  for (const present of [{ type: 'commands' }, { type: 'default' }, true, null])
    expect(decideMenu(wanted, { told: null, replaced: 0 }, present)).toEqual({
      kind: 'set',
      button: ours,
      replaces: false,
    });
});

test('ours changes and goes away with the app', () => {
  const moved = { text: 'Shop', url: 'https://r.example/a/y' };
  expect(decideMenu(moved, { told, replaced: 0 }, ours)).toMatchObject({ kind: 'set', replaces: false });
  expect(decideMenu(undefined, { told, replaced: 0 }, ours)).toEqual({
    kind: 'set',
    button: { type: 'default' },
    replaces: false,
  });
});

test('what somebody has set by hand is replaced once, and never taken away', () => {
  for (const known of [{ told: null }, { told: 'Shop\nhttps://r.example/a/old' }]) {
    expect(decideMenu(wanted, { ...known, replaced: 0 }, theirs)).toMatchObject({ kind: 'set', replaces: true });
    expect(decideMenu(wanted, { ...known, replaced: 1 }, theirs)).toMatchObject({ kind: 'leave' });
  }
  // Ours was there and the list of commands was chosen instead.
  expect(decideMenu(wanted, { told: 'Old\nhttps://r.example', replaced: 1 }, { type: 'commands' })).toMatchObject({
    kind: 'leave',
  });
  expect(decideMenu(undefined, { told, replaced: 0 }, theirs)).toEqual({ kind: 'leave', told: null });
});

test('Telegram opens https only; a Bot API of its own may open anything', () => {
  expect(openableAddress('https://a.example', 'https://api.telegram.org')).toBe('https://a.example');
  expect(openableAddress('http://a.example', 'https://api.telegram.org')).toBeUndefined();
  expect(openableAddress('http://127.0.0.1:1/a/x', 'http://127.0.0.1:2')).toBe('http://127.0.0.1:1/a/x');
  expect(openableAddress(undefined, 'http://127.0.0.1:2')).toBeUndefined();
});
