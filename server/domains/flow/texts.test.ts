import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TextBody } from '../../../contract/texts.ts';
import type { Value, VariableType } from '../../../contract/variables.ts';
import { makeFormatter } from './formats.ts';
import { splitText } from './split.ts';
import { compileText, cutText, type RichText, renderText } from './texts.ts';

type Given = { readonly [path: string]: Value };

function write(
  body: TextBody,
  values: Given = {},
  locale = 'ru',
  types: { readonly [path: string]: VariableType } = {},
): RichText {
  const text = compileText(body, {
    typeOf: (path) => types[path] ?? (typeof values[path] === 'number' ? 'number' : 'text'),
    program: () => null,
  });
  return renderText(text, {
    read: (path) => values[path],
    evaluate: () => undefined,
    formatter: makeFormatter(locale, 'Europe/Moscow'),
  });
}

describe('a mention', () => {
  const user = (id: number, first_name: string) => ({ id, is_bot: false, first_name });
  test('is a link to the person by their number', () => {
    const body: TextBody = ['From ', { var: 'name', mention: 'id', bold: true }];
    expect(write(body, { name: 'Анна', id: 77 })).toEqual({
      text: 'From Анна',
      entities: [
        { type: 'text_mention', user: user(77, 'Анна'), offset: 5, length: 4 },
        { type: 'bold', offset: 5, length: 4 },
      ],
    });
    expect(write(['Hi ', { text: 'you', mention: 'id' }], { id: 8 }).entities).toEqual([
      { type: 'text_mention', user: user(8, 'you'), offset: 3, length: 3 },
    ]);
  });
  test('of somebody without a name is their number, and of nobody plain words', () => {
    const body: TextBody = ['From ', { var: 'name', mention: 'id' }];
    expect(write(body, { id: 77 }).text).toBe('From 77');
    for (const id of [0, -5, 1.5, 'x']) expect(write(body, { name: 'Анна', id }).entities).toEqual([]);
  });
  test('of two people are two', () => {
    const body: TextBody = [
      { var: 'a', mention: 'x' },
      { var: 'b', mention: 'y' },
    ];
    expect(write(body, { a: 'A', b: 'B', x: 1, y: 2 }).entities).toHaveLength(2);
  });
});

describe('spans', () => {
  test('become text and entities with offsets in UTF-16 units', () => {
    expect(
      write(
        ['Привет, ', { var: 'name', bold: true, italic: true }, '! 👋 ', { text: 'ссылка', link: 'https://a.example' }],
        { name: '😀Анна' },
      ),
    ).toEqual({
      text: 'Привет, 😀Анна! 👋 ссылка',
      entities: [
        { type: 'bold', offset: 8, length: 6 },
        { type: 'italic', offset: 8, length: 6 },
        { type: 'text_link', url: 'https://a.example', offset: 19, length: 6 },
      ],
    });
  });

  test('are not markup: a value cannot break them', () => {
    const nasty = '</b> *_[a](http://b)`\\ &lt; {{x}}';
    expect(write([{ var: 'v', bold: true }], { v: nasty })).toEqual({
      text: nasty,
      entities: [{ type: 'bold', offset: 0, length: nasty.length }],
    });
  });

  test('with one mark in a row are one entity', () => {
    expect(
      write([
        { text: 'a', quote: true },
        { text: 'b', quote: true, bold: true },
        { text: 'c', bold: true },
      ]).entities,
    ).toEqual([
      { type: 'blockquote', offset: 0, length: 2 },
      { type: 'bold', offset: 1, length: 2 },
    ]);
  });

  test('of code take nothing inside', () => {
    expect(
      write([
        { text: 'x', code: true, bold: true },
        { text: 'y', pre: 'js' },
      ]).entities,
    ).toEqual([
      { type: 'code', offset: 0, length: 1 },
      { type: 'pre', language: 'js', offset: 1, length: 1 },
    ]);
  });

  test('of nothing leave nothing', () => {
    expect(write(['Имя: ', { var: 'name', bold: true }])).toEqual({ text: 'Имя:', entities: [] });
    expect(write([{ var: 'a', bold: true }, '  '])).toEqual({ text: '', entities: [] });
  });

  test('hold no NUL and no half of a character', () => {
    expect(write(['a\0', { var: 'v' }], { v: '\ud83d' }).text).toBe('a\ufffd\ufffd');
  });
});

describe('values are written for their reader', () => {
  test.each<[string, Value, VariableType, string, string]>([
    ['ru', 1234567.5, 'number', '1 234 567,5', '1,234,567.5'],
    ['ru', true, 'bool', 'да', 'yes'],
    ['ru', '2026-12-31', 'date', '31.12.2026', 'Dec 31, 2026'],
    ['ru', ['a', 'b'], 'list', 'a, b', 'a, b'],
    ['ru', { latitude: 1.5, longitude: 2 }, 'location', '1.5, 2', '1.5, 2'],
    ['ru', { fileId: 'F', name: 'план.pdf' }, 'file', 'план.pdf', 'план.pdf'],
    ['ru', '2026-13-45', 'date', '2026-13-45', '2026-13-45'],
  ])('%s %s as %s', (_locale, value, type, russian, english) => {
    const body: TextBody = [{ var: 'v' }];
    expect(write(body, { v: value }, 'ru', { v: type }).text.replace(/[\u00a0\u202f]/g, ' ')).toBe(russian);
    expect(write(body, { v: value }, 'en', { v: type }).text).toBe(english);
  });

  test('in the form that is asked for', () => {
    const formats = (value: Value, format: 'percent' | 'dateLong' | 'time' | 'dateTime' | 'plain', locale = 'ru') =>
      write([{ var: 'v', format }], { v: value }, locale).text.replace(/[\u00a0\u202f]/g, ' ');
    expect(formats(0.256, 'percent')).toBe('25,6 %');
    expect(formats('2026-12-31', 'dateLong')).toBe('31 декабря 2026 г.');
    expect(formats('2026-11-30T09:05:00Z', 'time')).toBe('12:05');
    expect(formats('2026-11-30T09:05:00Z', 'dateTime')).toBe('30.11.2026, 12:05');
    expect(formats('2026-11-30T14:05:00Z', 'time', 'en')).toBe('5:05 PM');
    expect(formats('2026-11-30T14:05:00Z', 'dateTime', 'en')).toBe('Nov 30, 2026, 5:05 PM');
    expect(formats('2026-11-30T21:05:00Z', 'time', 'en')).toBe('12:05 AM');
    expect(formats(2026, 'plain')).toBe('2026');
  });

  test.each([
    [0, 'нет заявок'],
    [1, '1 заявка'],
    [3, '3 заявки'],
    [5, '5 заявок'],
    [21, '21 заявка'],
    [1_000, '1 000 заявок'],
  ])('%d in its plural form', (count, words) => {
    const body: TextBody = [
      {
        plural: 'n',
        forms: { zero: 'нет заявок', one: '# заявка', few: '# заявки', many: '# заявок', other: '# заявки' },
      },
    ];
    expect(write(body, { n: count }).text.replace(/[\u00a0\u202f]/g, ' ')).toBe(words);
  });
});

describe('a long text', () => {
  const cut = (text: string, max: number) => splitText({ text, entities: [] }, max).map((part) => part.text);

  test.each([
    ['at a paragraph', 'one two\n\nthree four', 12, ['one two', 'three four']],
    ['else at a line', 'one two\nthree four', 12, ['one two', 'three four']],
    ['else after a sentence', 'One two. Three four', 14, ['One two.', 'Three four']],
    ['else at a word', 'one two three', 8, ['one two', 'three']],
    ['else anywhere', 'abcdefgh', 3, ['abc', 'def', 'gh']],
    ['never inside a character', 'a😀😀', 2, ['a', '😀', '😀']],
  ])('is cut %s', (_where, text, max, parts) => expect(cut(text, max)).toEqual(parts));

  test('keeps its entities where their words are', () => {
    const parts = splitText({ text: 'aaa bbb ccc', entities: [{ type: 'bold', offset: 2, length: 7 }] }, 4);
    expect(parts).toEqual([
      { text: 'aaa', entities: [{ type: 'bold', offset: 2, length: 1 }] },
      { text: 'bbb', entities: [{ type: 'bold', offset: 0, length: 3 }] },
      { text: 'ccc', entities: [{ type: 'bold', offset: 0, length: 1 }] },
    ]);
  });

  test('with more than a hundred entities is cut before the one too many, at a word', () => {
    const entities = Array.from({ length: 230 }, (_, index) => ({ type: 'bold', offset: index * 5, length: 3 }));
    const parts = splitText({ text: 'one, '.repeat(230).trim(), entities }, 4_096);
    expect(parts.map((part) => part.entities.length)).toEqual([100, 100, 30]);
    expect(parts.map((part) => part.text.length)).toEqual([499, 499, 149]);
  });

  test('loses nothing but space, and every entity stays inside its part', () => {
    const piece = fc.oneof(
      fc.constantFrom('\n\n', '\n', '. ', ' ', '😀', 'слово', 'a'),
      fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.toWellFormed()),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 60 }),
        fc.integer({ min: 2, max: 40 }),
        fc.array(fc.tuple(fc.nat(200), fc.nat(100))),
        (pieces, max, marks) => {
          const text = pieces.join('');
          const entities = marks
            .map(([offset, length]) => ({
              type: 'bold',
              offset: Math.min(offset, text.length),
              length: Math.min(length, Math.max(0, text.length - offset)),
            }))
            .filter((entity) => entity.length > 0);
          const parts = splitText({ text, entities }, max);
          const bare = (words: string): string => words.replace(/\s/gu, '');
          expect(bare(parts.map((part) => part.text).join(''))).toBe(bare(text));
          for (const part of parts) {
            expect(part.text.length).toBeGreaterThan(0);
            expect(part.text.length).toBeLessThanOrEqual(max);
            expect(part.text.isWellFormed()).toBe(true);
            for (const entity of part.entities) {
              expect(entity.length).toBeGreaterThan(0);
              expect(entity.offset + entity.length).toBeLessThanOrEqual(part.text.length);
            }
          }
        },
      ),
    );
  });
});

test('a stretch of a text has the entities that lie in it', () => {
  expect(
    cutText(
      {
        text: 'abcdef',
        entities: [
          { type: 'bold', offset: 0, length: 2 },
          { type: 'italic', offset: 4, length: 2 },
        ],
      },
      2,
      5,
    ),
  ).toEqual({ text: 'cde', entities: [{ type: 'italic', offset: 2, length: 1 }] });
});
