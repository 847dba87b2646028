import { expect, test } from 'vitest';
import type { AppCondition } from '../../../contract/app/conditions.ts';
import type { AppPages, AppView } from '../../../contract/app/view.ts';
import { testOf } from '../../../miniapp/blocks/draw/nodes.ts';
import { begin, type Value } from '../../../miniapp/blocks/now.ts';
import { holds as holdsOnPhone } from '../../../miniapp/blocks/values.ts';
import { holds } from './conditions.ts';

const view = {
  forms: { lead: { fields: { tags: { type: 'choices' }, name: { type: 'text' } } } },
} as unknown as AppView;

const name = 'form.lead.name';
const tags = 'form.lead.tags';
const contains = (field: string, words: string): AppCondition => ({ field, contains: words });

/** Each: what stands there, what is asked, and what is true. */
const cases: readonly (readonly [value: Value, condition: AppCondition, is: boolean])[] = [
  ['Green tea', contains(name, 'TEA'), true],
  ['GREEN TEA', contains(name, 'tea'), true],
  ['Зелёный Чай', contains(name, 'чай'), true],
  ['зелёный чай', contains(name, 'ЗЕЛЁНЫЙ'), true],
  ['Чёрный чай', contains(name, 'черный '), true],
  ['черный чай', contains(name, ' ЧЁРНЫЙ'), true],
  ['cafe', contains(name, 'Café'), true],
  ['черный', contains(name, 'красный'), false],
  ['STRASSE', contains(name, 'straße'), false],
  ['coffee', contains(name, 'tea'), false],
  ['', contains(name, 'tea'), false],
  ['', contains(name, ','), false],
  ['tea', contains(name, ','), false],
  ['tea', contains(name, 'tea,'), false],
  ['tea, coffee', contains(name, 'A, c'), true],
  [120, contains(name, '20'), true],
  [true, contains(name, 'TRUE'), true],
  [['a', 'b'], contains(tags, 'b'), true],
  [['Big', 'b'], contains(tags, 'big'), true],
  [['big'], contains(tags, 'Big'), true],
  [['big'], contains(tags, 'bi'), false],
  [['чёрный', 'b'], contains(tags, 'черный'), true],
  [[], contains(tags, 'a'), false],
  ['', contains(tags, 'a'), false],
  ['Tea', { field: name, is: 'Tea' }, true],
  ['Tea', { field: name, is: 'tea' }, false],
  ['Tea', { field: name, not: 'tea' }, true],
  ['7', { field: name, over: 6 }, true],
  ['', { field: name, under: 6 }, false],
  ['7', { field: name, is: 7 }, true],
  [false, { field: name, set: true }, false],
  ['', { field: name, empty: true }, true],
  ['x', { all: [contains(name, 'X'), { any: [contains(name, 'y'), { field: name, set: true }] }] }, true],
];

test.each(cases)('of %j, %j is %j on the server and on the phone', (value, condition, expected) => {
  const field = JSON.stringify(condition).includes(tags) ? tags : name;
  begin({ locale: 'en' } as AppPages, {}, { page: 'home', cart: {}, values: { [field]: value }, written: {} });
  expect(holdsOnPhone(testOf({ view }, condition))).toBe(expected);
  expect(holds(condition, (path) => (path === field ? value : undefined), 'telegram')).toBe(expected);
});
