import { expect, test } from 'vitest';
import { evenPattern, evenText, evenWords, foldWords, isBlank, trimUnseen } from './readers.ts';

test.each([
  ['⚙️ Settings', '⚙ settings'],
  ['❤️', '❤'],
  ['cafe\u0301', 'CAFÉ'],
  ['два\u00a0слова', 'два слова'],
  ['два\u3000\u200bслова', 'два слова'],
  ['Ёлка', 'елка'],
  ['Straße', 'STRASSE'],
  ['İPTAL', 'iptal'],
  ['Don’t know', "don't know"],
  ['ＯＫ', 'ok'],
  ['۲', '2'],
  ['\u200f«да»\u200f', '"да"'],
])('%s is %s', (left, right) => expect(foldWords(left)).toBe(foldWords(right)));

test('words that differ stay different', () => {
  expect(new Set(['да', 'дa', 'мир', 'мйр', '❤', '💔', '👍', '👎'].map(foldWords)).size).toBe(8);
  expect(evenWords('Меню')).not.toBe(evenWords('меню'));
});

test.each([
  '',
  ' ',
  '\u3164',
  '\u2800',
  '\u200b',
  '\u00a0\u2003',
  '\ufeff',
  '\u115f\u1160',
  '\u202e',
  '\u{e0020}',
  '\u2060\ufe0f',
])('nothing is seen of %j', (text) => {
  expect(isBlank(text)).toBe(true);
  expect(trimUnseen(text)).toBe('');
});

test('what is seen stays whole', () => {
  for (const text of ['a', '👩‍👩‍👧', '❤️', 'می‌خواهم', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '.'])
    expect([isBlank(text), trimUnseen(` ${text}\u200b`)]).toEqual([false, text]);
});

test('a pattern finds what a reader sees', () => {
  expect(evenText('⚙️\u00a0cafe\u0301\n')).toBe('⚙ café\n');
  expect(evenPattern('^⚙️? .*')).toBe('^⚙ .*');
});
