import { describe, expect, test } from 'vitest';
import type { Operator } from '../../../contract/conditions.ts';
import type { Value } from '../../../contract/variables.ts';
import { compare } from './conditions.ts';
import { emptyState, message, release, runLast, said, startDocument } from './fixtures.ts';

describe('two values', () => {
  test.each<[Value | undefined, Operator, Value | undefined, boolean]>([
    ['Анна', 'equals', ' анна ', true],
    [5, 'equals', '5', true],
    [5, 'equals', '5,0', true],
    [true, 'equals', true, true],
    [true, 'equals', 'true', true],
    [['a', 1], 'equals', ['a', 1], true],
    [{ a: 1, b: 2 }, 'equals', { b: 2, a: 1 }, true],
    [{ a: 1 }, 'equals', { a: 1, b: 2 }, false],
    [undefined, 'equals', '', true],
    [undefined, 'equals', 'x', false],
    ['a', 'notEquals', 'b', true],
    ['Москва', 'contains', 'скв', true],
    [['a', 'b'], 'contains', 'B', true],
    [['a'], 'notContains', 'b', true],
    ['Москва', 'startsWith', 'мос', true],
    ['Москва', 'endsWith', 'ВА', true],
    [10, 'greater', 9, true],
    ['10', 'greater', 9, true],
    ['10', 'less', '9', false],
    ['2026-12-31', 'greater', '2026-02-01', true],
    ['b', 'greater', 'a', true],
    ['', 'greater', 'a', false],
    ['', 'less', 'a', false],
    [undefined, 'less', 5, false],
    ['abc', 'greater', 5, false],
    [5, 'greaterOrEqual', 5, true],
    [5, 'lessOrEqual', 5, true],
    [5, 'lessOrEqual', 4, false],
    ['b', 'oneOf', ['A', 'B'], true],
    ['c', 'oneOf', ['a'], false],
    ['c', 'oneOf', 'c', false],
  ])('%j %s %j is %s', (left, op, right, result) => expect(compare(left, op, right)).toBe(result));
});

/** The branch taken by one condition, with the words "yes" or "no"; "wrong" when it failed. */
function decide(when: object, vars: object = {}, tags: string[] = [], text = '/start'): string | undefined {
  const own = release(
    startDocument(
      {
        c: { type: 'condition', props: { branches: [{ id: 'y', when }] }, exits: { y: 'yes', error: 'err' } },
        no: { type: 'message', props: { text: 'no' } },
      },
      {
        variables: {
          n: { type: 'number', scope: 'contact' },
          t: { type: 'text', scope: 'contact' },
          l: { type: 'list', scope: 'contact' },
          u: { type: 'text', scope: 'contact' },
        },
        triggers: { any: { type: 'text', props: { any: true }, to: 'main' } },
        cards: { yes: { blocks: ['yes1'] }, err: { blocks: ['err1'] } },
        blocks: {
          yes1: { type: 'message', props: { text: 'yes' } },
          err1: { type: 'message', props: { text: 'wrong' } },
        },
        texts: { yes: 'yes', no: 'no', wrong: 'wrong' },
      },
    ),
  );
  const state = { ...emptyState, contact: { ...emptyState.contact, vars: vars as { [name: string]: Value }, tags } };
  return said(runLast(own, [message({ text })], state))[0];
}

describe('a condition', () => {
  test.each<[string, object, object, string]>([
    [
      'all of',
      {
        all: [
          { var: 'n', op: 'greater', value: 1 },
          { var: 't', op: 'equals', value: 'a' },
        ],
      },
      { n: 2, t: 'A' },
      'yes',
    ],
    [
      'not all of',
      {
        all: [
          { var: 'n', op: 'greater', value: 1 },
          { var: 't', op: 'equals', value: 'a' },
        ],
      },
      { n: 2, t: 'b' },
      'no',
    ],
    [
      'any of',
      {
        any: [
          { var: 'n', op: 'greater', value: 1 },
          { var: 't', op: 'equals', value: 'a' },
        ],
      },
      { n: 0, t: 'a' },
      'yes',
    ],
    ['not', { not: { var: 'n', op: 'isSet' } }, {}, 'yes'],
    ['zero is set', { var: 'n', op: 'isSet' }, { n: 0 }, 'yes'],
    ['an empty list is not', { var: 'l', op: 'isEmpty' }, { l: [] }, 'yes'],
    ['an unset number counts as 0', { var: 'n', op: 'less', value: 1 }, {}, 'yes'],
    ['another variable', { var: 't', op: 'equals', value: { var: 'u' } }, { t: 'a', u: 'A' }, 'yes'],
    ['a pattern', { var: 't', op: 'matches', value: '^а.я$' }, { t: 'Аня' }, 'yes'],
    ['no pattern', { var: 't', op: 'notMatches', value: '^а.я$' }, { t: 'Аня' }, 'no'],
    ['a known value', { var: 'contact.firstName', op: 'equals', value: 'ann' }, {}, 'yes'],
    ['an expression', { expr: 'n * 2 == 4 && contact.firstName == "Ann"' }, { n: 2 }, 'yes'],
    ['an expression that fails', { expr: 'l[5] == 1' }, { l: [] }, 'wrong'],
    ['an expression that is no answer', { expr: 'n + 1' }, {}, 'wrong'],
    ['a pattern that is wrong', { var: 't', op: 'matches', value: '(' }, {}, 'wrong'],
  ])('%s', (_name, when, vars, branch) => expect(decide(when, vars)).toBe(branch));

  test('on tags', () => {
    expect(decide({ op: 'hasTag', value: 'vip' }, {}, ['vip'])).toBe('yes');
    expect(decide({ op: 'hasNoTag', value: 'vip' }, {}, ['vip'])).toBe('no');
  });

  test('on the event', () =>
    expect(decide({ var: 'event.text', op: 'contains', value: 'помо' }, {}, [], 'Помогите')).toBe('yes'));

  test('reads no inherited name', () => {
    expect(decide({ var: 'constructor', op: 'isSet' })).toBe('no');
    expect(decide({ var: 'contact.constructor', op: 'isSet' })).toBe('no');
  });
});
