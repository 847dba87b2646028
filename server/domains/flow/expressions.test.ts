import { describe, expect, test } from 'vitest';
import type { Variable } from '../../../contract/variables.ts';
import { compileExpression, expressionEnvironment, type Program } from './expressions.ts';
import { Meter } from './meter.ts';

const of = (type: Variable['type'], scope: Variable['scope'] = 'conversation'): Variable => ({ type, scope });
const environment = expressionEnvironment({
  score: of('number'),
  name: of('text'),
  items: of('list'),
  order: of('object'),
  vip: of('bool'),
  day: of('date'),
  token: of('text', 'secret'),
});
const scope = {
  score: 5,
  name: 'Анна',
  items: ['a', 'b', 3],
  order: { sum: 100 },
  vip: true,
  day: '2026-02-28',
  today: '2026-11-30',
  now: new Date('2026-11-30T09:00:00Z'),
  contact: { name: 'Анна', tags: ['new'] },
  event: { text: 'привет' },
  chat: { id: 5 },
  known: ['score'],
};

function program(source: string): Program {
  const compiled = compileExpression(environment, source);
  if ('error' in compiled) throw new Error(compiled.error);
  return compiled;
}
const evaluate = (source: string, more: object = {}): unknown =>
  program(source).run({ ...scope, ...more }, new Meter());

describe('numbers are one kind', () => {
  test.each([
    ['score + 1', 6],
    ['10 / 4', 2.5],
    ['score % 2', 1],
    ['size(items) / 2', 1.5],
    ['score > 3 ? score : 0', 5],
    ['score == 5', true],
    ['5 == score', true],
    ['score in [1, 5]', true],
    ['-score', -5],
    ['round(score / 3, 2)', 1.67],
    ['max(score, 7)', 7],
    ['min(score, 7)', 5],
    ['abs(-2)', 2],
    ['floor(2.9)', 2],
    ['ceil(2.1)', 3],
    ['sum([1, 2, score])', 8],
    ['number("3,5")', 3.5],
    ['items[2] + 1', 4],
    ['order.sum * 2', 200],
    ['int("7") / 2', 3.5],
    ['size(items) + size(items)', 6],
    ['size(items) == size(items)', true],
  ])('%s is %s', (source, value) => expect(evaluate(source)).toBe(value));
});

describe('texts, lists and dates', () => {
  test.each([
    ['"Итого: " + score', 'Итого: 5'],
    ['score + " ₽"', '5 ₽'],
    ['name.lower().replace("н", "нн")', 'анннна'],
    ['name.upper()', 'АННА'],
    ['name.matches("^А.+а$")', true],
    ['name.matches("н{" + "2}")', true],
    ['items + ["c"]', ['a', 'b', 3, 'c']],
    ['items.filter(x, x == "a")', ['a']],
    ['"a" in items', true],
    ['"new" in contact.tags', true],
    ['{"sum": score}', { sum: 5 }],
    ['addDays(day, 1)', '2026-03-01'],
    ['daysBetween(day, today)', 275],
    ['weekday(today)', 1],
    ['now.getHours("Europe/Moscow")', 12],
    ['now + duration("1h")', '2026-11-30T10:00:00.000Z'],
    ['today > day', true],
    ['"score" in known', true],
    ['vip && score > 1', true],
    ['null', ''],
    ['has(order.nothing)', false],
    ['cel.bind(x, score * 2, x + 1)', 11],
    ['event.text + "!"', 'привет!'],
  ])('%s', (source, value) => expect(evaluate(source)).toEqual(value));
});

describe('what is wrong is known before it runs', () => {
  test.each([
    'score +',
    'nobody + 1',
    'score == "five"',
    'name.constructor',
    'token',
    'name.nothing()',
    'score.matches("a")',
    'x'.repeat(600),
    `${'('.repeat(60)}1${')'.repeat(60)}`,
  ])('%s', (source) => {
    expect(compileExpression(environment, source)).toHaveProperty('error');
  });
});

describe('a failure is an error of the block, never more', () => {
  test.each([
    'order.nothing',
    'order.constructor',
    'contact.__proto__',
    '1 / 0',
    'number("x")',
    'items[9]',
    'name.matches("(")',
    'b"ab"',
    'addDays("today", 1)',
    'int("x")',
    'sum(items)',
  ])('%s', (source) => {
    expect(() => evaluate(source)).toThrow();
  });
});

describe('the budget', () => {
  const items = Array.from({ length: 1_000 }, (_, index) => index);
  test.each([
    'items.map(a, items.map(b, items.map(c, 1)))',
    'items.exists(a, items.exists(b, items.exists(c, c == -1)))',
    'items.all(a, items == items.map(x, x))',
    'items.map(x, name).join(name)',
    'items.map(x, items).map(y, items)',
    'cel.bind(a, items + items, size(a))',
    'items.all(a, name.matches("(x+x+)+y") || true)',
    `cel.bind(a, name + name, cel.bind(b, a + a, cel.bind(c, b + b, cel.bind(d, c + c, d + d))))`,
    'items.map(x, x).map(x, name.replace("x", name))',
  ])('stops %s', (source) => {
    expect(() => evaluate(source, { items, name: 'x'.repeat(4_000) })).toThrow();
  });

  test('is not the JavaScript RegExp: a pattern that would stall it for years is answered', () => {
    expect(evaluate('name.matches("^(a+)+$")', { name: `${'a'.repeat(60)}!` })).toBe(false);
  });

  test('of a turn is shared by its expressions', () => {
    const meter = new Meter(1_000);
    const one = program('items.map(x, x + 1)');
    const runs = (): void => {
      for (let count = 0; count < 10; count += 1) one.run({ ...scope, items: items.slice(0, 100) }, meter);
    };
    expect(runs).toThrow('too much work');
  });

  test.each(['<', '<=', '>', '>=', '==', '!=', '+'])('counts the length of texts that are put beside %s', (sign) => {
    const one = program(`name ${sign} name`);
    expect(() => one.run({ ...scope, name: 'x' }, new Meter(500))).not.toThrow();
    expect(() => one.run({ ...scope, name: 'x'.repeat(30_000) }, new Meter(500))).toThrow('too much work');
  });

  test('counts every node: the parsed tree of the library still has the shape that we reach into', () => {
    const cost = (source: string): number => {
      let least = 0;
      for (let steps = 1; steps < 2_000; steps += 1) {
        try {
          program(source).run(scope, new Meter(steps));
          least = steps;
          break;
        } catch {
          /* one more step */
        }
      }
      return least;
    };
    expect(cost('score + 1')).toBe(3);
    expect(cost('items.map(x, x)')).toBeGreaterThan(7);
    expect(cost('has(order.sum)')).toBeGreaterThan(1);
    expect(cost('name.matches("а")')).toBeGreaterThan(3);
  });
});

test('a result is clean JSON', () => {
  expect(evaluate('name.substring(0, 1)', { name: '😀' })).toBe('\ufffd');
  const made = evaluate('{"__proto__": 1, "constructor": 2, "a": 3}') as object;
  expect(Object.keys(made)).toEqual(['a']);
  expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
});

test('names that it reads are known', () => {
  expect(program('score > 1 && contact.name != "" ? today : name').roots.toSorted()).toEqual([
    'contact',
    'name',
    'score',
    'today',
  ]);
  expect(program('contact.name + event.text').members.toSorted()).toEqual(['contact.name', 'event.text']);
});
