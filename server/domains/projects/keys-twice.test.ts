import { expect, test } from 'vitest';
import { keysTwice } from './keys-twice.ts';

const paths = (text: string): string[] => keysTwice(text).map((fault) => fault.path);

test.each<[string, string, string[]]>([
  ['nothing', '{}', []],
  ['each key once', '{ "a": 1, "b": { "a": 2 }, "c": [{ "a": 1 }, { "a": 2 }] }', []],
  ['one at the top', '{ "a": 1, "a": 2 }', ['a']],
  ['one below', '{ "blocks": { "hi": {}, "ask": {}, "hi": {} } }', ['blocks.hi']],
  ['one within a list', '{ "a": [1, { "b": 1, "b": 2 }] }', ['a.1.b']],
  ['one that is written in two ways', '{ "a": 1, "\\u0061": 2 }', ['a']],
  ['values that look like keys', '{ "a": "b", "b": "b", "c": ["b", "b"], "d": "x: y" }', []],
  ['quotes and braces in words', '{ "a": "\\"}{,", "b": "\\\\", "a": 1 }', ['a']],
  ['an empty key', '{ "": 1, "": 2 }', ['']],
  ['blanks before the colon', '{ "a"   :1, "a"\n:2 }', ['a']],
  ['a list at the top', '[{ "a": 1, "a": 2 }]', ['0.a']],
])('%s', (_what, text, expected) => {
  expect(() => JSON.parse(text) as unknown).not.toThrow();
  expect(paths(text)).toEqual(expected);
});

test('a fault says which key, and what would become of it', () => {
  expect(keysTwice('{ "texts": { "hi": 1, "hi": 2 } }')).toEqual([
    {
      code: 'key_twice',
      path: 'texts.hi',
      message: '"hi" stands here twice, and only the last one would count.',
      fix: 'Give one of the two another name, or remove it.',
      severity: 'stops',
    },
  ]);
});
