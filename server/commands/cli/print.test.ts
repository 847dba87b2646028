import { expect, test } from 'vitest';
import { ago, count, duration, faultLines, plain, quote, short, table } from './print.ts';
import { distance, nearest } from './suggest.ts';

test('columns are aligned, the last one runs free', () => {
  expect(
    table([
      ['A', 'LONG', 'C'],
      ['привет', 'b', ''],
      ['x', '', 'y'],
    ]),
  ).toEqual(['A       LONG  C', 'привет  b', 'x             y']);
});

test('names cannot steer the terminal', () => {
  expect(plain('a\u001b[31mred\u0007\nnext\u202eback')).toBe('a [31mred next back');
});

test('lengths of time have two units at most', () => {
  expect([0, 0.4, 59, 61, 3_600, 3_661, 90_061, 10 * 86_400].map(duration)).toEqual([
    '0 s',
    '0 s',
    '59 s',
    '1 min 1 s',
    '1 h',
    '1 h 1 min',
    '1 d 1 h',
    '10 d',
  ]);
  expect(ago(new Date(1_000), 61_000)).toBe('1 min ago');
  expect(ago(null, 0)).toBe('never');
});

test('one thing is told from many, and long numbers can be read', () => {
  expect([count(1, 'bot'), count(2, 'bot'), count(12_345, 'reply', 'replies')]).toEqual([
    '1 bot',
    '2 bots',
    '12,345 replies',
  ]);
});

test('a long text is cut by letters, not by halves of them', () => {
  expect(short('😀😀😀', 2)).toBe('😀…');
  expect(short('abc', 3)).toBe('abc');
});

test('a mistake says where, what and how to mend', () => {
  expect(
    faultLines([
      { path: 'blocks.a', message: 'No exit', fix: 'Add one', severity: 'stops' },
      { path: '', message: 'Big', severity: 'warns' },
    ]),
  ).toEqual(['  mistake  blocks.a: No exit', '           Add one', '  warning  (document): Big']);
});

test('a name is quoted where a shell would take it apart', () => {
  expect([quote('Shop'), quote('Кофе-1'), quote('My shop')]).toEqual(['Shop', 'Кофе-1', '"My shop"']);
});

test('words are near when few letters differ; a swap is one step', () => {
  expect([distance('', 'abc'), distance('abc', 'abc'), distance('ab', 'ba'), distance('kitten', 'sitting')]).toEqual([
    3, 0, 1, 3,
  ]);
  expect(nearest('paus', ['pause', 'resume'])).toBe('pause');
  expect(nearest('zzz', ['pause', 'resume'])).toBeUndefined();
});
