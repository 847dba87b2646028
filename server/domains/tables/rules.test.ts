import { describe, expect, test } from 'vitest';
import type { Column, Table } from '../../../contract/tables.ts';
import { customsOf } from '../readers/readers.ts';
import { tableFaults } from './document-rules.ts';
import { inOrder, parseCell, parseRow, shownValues, storedTests, type Writing } from './rules.ts';

const goods: Table = {
  columns: {
    title: { type: 'text', required: true },
    sku: { type: 'text', unique: true },
    price: { type: 'money', required: true },
    stock: { type: 'number' },
    shown: { type: 'bool' },
    photo: { type: 'photo' },
  },
};

const russian: Writing = { customs: customsOf({ defaultLocale: 'ru' }), today: '2026-11-30' };
const read = (type: Column['type'], given: unknown, writing: Writing = russian): unknown => {
  const cell = parseCell({ type }, given, writing);
  return 'value' in cell ? cell.value : 'empty' in cell ? null : cell.fault;
};

describe('a value is read as people write it', () => {
  test.each([
    ['number', '1 000,50', 1000.5],
    ['number', '1\u00a0000', 1000],
    ['number', '1,000.50', 1000.5],
    ['number', '1.000.000,5', 1_000_000.5],
    ['number', '-3', -3],
    ['number', '−3', -3],
    ['number', 0, 0],
    ['money', '300 ₽', 300],
    ['money', '19,99', 19.99],
    ['money', 0.1 + 0.2, 0.3],
    ['bool', 'Да', true],
    ['bool', 'ЛОЖЬ', false],
    ['bool', true, true],
    ['date', '31.12.2026', '2026-12-31'],
    ['date', '2026-02-28', '2026-02-28'],
    ['time', '9:30', '09:30'],
    ['time', '09:30:00', '09:30'],
    ['phone', '8 (900) 123-45-67', '+79001234567'],
    ['phone', '+44 20 7946 0000', '+442079460000'],
    ['email', ' Anna@Example.com ', 'anna@example.com'],
    ['link', 'https://example.com/a', 'https://example.com/a'],
    ['photo', 'cake', 'cake'],
    ['text', 12, '12'],
    ['text', ' kept as it is ', ' kept as it is '],
    ['text', '', null],
    ['text', '\u3164', null],
    ['text', 'cafe\u0301', 'café'],
    ['number', '۲۵', 25],
    ['money', '２５,50 ₽', 25.5],
    ['bool', 'WAHR', true],
    ['date', '31 декабря', '2026-12-31'],
    ['email', 'अजय@डाटा.भारत', 'अजय@डाटा.भारत'],
    ['number', '  ', null],
    ['date', null, null],
  ] as const)('%s %j', (type, given, value) => {
    expect(read(type, given)).toBe(value);
  });
});

describe('what does not fit is refused with a sentence', () => {
  test.each([
    ['number', '1.500', /thousand or a fraction. Write 1500, or 1.5\.$/],
    ['money', '1.505', /thousand or a fraction. Write 1505, or 1.5050\.$/],
    ['number', '12 apples', /not a number/],
    ['number', '1e5', /not a number/],
    ['number', Number.POSITIVE_INFINITY, /not a number/],
    ['number', 1e16, /too large/],
    ['money', '1,5055', /two digits/],
    ['bool', 'maybe', /neither yes nor no/],
    ['date', '31.02.2026', /not a day/],
    ['date', '2026-13-01', /not a day/],
    ['time', '24:00', /not a time/],
    ['link', 'javascript:alert(1)', /A link begins/],
    ['link', 'https://a\u202eb.com', /A link begins/],
    ['phone', '12', /not a phone number/],
    ['email', 'anna@', /not an e-mail/],
    ['photo', '../cake', /id of a file/],
    ['text', 'x'.repeat(4_001), /at most 4000/],
    ['text', { a: 1 }, /single value/],
  ] as const)('%s %j', (type, given, words) => {
    expect(read(type, given)).toMatch(words);
  });
});

test('what may mean two things is refused with both', () => {
  const english: Writing = { customs: customsOf({ defaultLocale: 'en' }), today: '2026-11-30' };
  expect(read('date', '03/04/2027', english)).toBe(
    '"03/04/2027" may mean April 3, 2027 or March 4, 2027. Write it as 2027-04-03 or 2027-03-04.',
  );
  expect(read('phone', '380501234567')).toBe('"380501234567" may mean +380 50 123 4567. Write it with the plus.');
  expect(read('phone', '(202) 555-0123', english)).toMatch(/without its country/);
  expect(read('phone', '8 (916) 123-45-67')).toBe('+79161234567');
});

const unseen = ['\0', '\u0007', '\u001b', '\u007f', '\u0085', '\u202e', '\ud800'];
const stray = ['\u00ad', '\u200b', '\u200f', '\u2066'];

test.each([
  ['email', 'anna@example.com', [...unseen, '\u00ad', '\u200b']],
  ['link', 'https://example.com/a', [...unseen, ...stray]],
  ['photo', 'cake', [...unseen, ...stray]],
  ['phone', '+79001234567', unseen],
  ['date', '2026-12-31', unseen],
  ['time', '09:30', unseen],
  ['number', '1500', unseen],
  ['money', '12.5', unseen],
] as const)('no %s holds what cannot be seen', (type, plain, signs) => {
  for (const sign of signs)
    for (const at of [0, 2, plain.length])
      expect(parseCell({ type }, plain.slice(0, at) + sign + plain.slice(at))).toEqual({ fault: expect.any(String) });
});

test('marks that a copied number brings along do not count', () => {
  for (const sign of stray)
    for (const at of [0, 2, 12])
      expect(read('phone', `${'+79001234567'.slice(0, at)}${sign}${'+79001234567'.slice(at)}`)).toBe('+79001234567');
});

test('what tells rows apart is kept in one spelling', () => {
  const kept = (given: string) => parseCell({ type: 'text', unique: true }, given);
  expect(kept(' cafe\u0301\u00a0 ⚙️ \u200b')).toEqual({ value: 'café ⚙' });
});

test('a row says what is wrong with each of its values', () => {
  expect(parseRow(goods, { title: 'Honey', price: '5', stock: '' }, 'new')).toEqual({
    values: { title: 'Honey', price: 5 },
    emptied: ['stock'],
    faults: [],
  });
  expect(parseRow(goods, { price: 'cheap', colour: 'red', constructor: 1 }, 'new').faults).toEqual([
    { field: 'price', message: '"cheap" is not a number. Write it as 1500 or 12.5.' },
    { field: 'colour', message: 'There is no column "colour".' },
    { field: 'constructor', message: 'There is no column "constructor".' },
    { field: 'title', message: 'This has to be filled in.' },
  ]);
  // A change looks only at what it names.
  expect(parseRow(goods, { stock: 3 }, 'change').faults).toEqual([]);
  expect(parseRow(goods, { title: ' ' }, 'change').faults).toEqual([
    { field: 'title', message: 'This has to be filled in.' },
  ]);
});

test('a row of more than 16 KiB is refused', () => {
  const columns = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, { type: 'text' } as const]));
  const given = Object.fromEntries(Object.keys(columns).map((name) => [name, 'x'.repeat(4_000)]));
  expect(parseRow({ columns }, given, 'new').faults).toEqual([{ field: '', message: 'A row has at most 16 KiB.' }]);
});

test('what the columns do not show any more is not shown', () => {
  expect(shownValues(goods, { title: 'Honey', price: 5, colour: 'red', stock: 'many', shown: true })).toEqual({
    title: 'Honey',
    price: 5,
    shown: true,
  });
  // Kept by a reader of another time.
  expect(shownValues({ columns: { phone: { type: 'phone' } } }, { phone: '+02025550123' })).toEqual({
    phone: '+02025550123',
  });
});

test('columns stand in the order that the table names, the others behind them', () => {
  const names = (order?: string[]) => Object.keys(inOrder({ ...goods, ...(order ? { order } : {}) }).columns);
  expect(names()).toEqual(Object.keys(goods.columns));
  expect(names(['price', 'photo', 'gone'])).toEqual(['price', 'photo', 'title', 'sku', 'stock', 'shown']);
});

test('a question is brought to what is stored', () => {
  const where = [
    { field: 'price', over: '10', under: 20 },
    { field: 'shown', is: false },
    { field: 'sku', is: '' },
    { field: 'id', is: '7' },
  ];
  expect(storedTests(goods, where)).toEqual({
    tests: [
      { f: 'price', o: 'over', v: 10 },
      { f: 'price', o: 'under', v: 20 },
      { f: 'shown', o: 'not', v: true },
      { f: 'sku', o: 'is', v: null },
      { f: 'id', o: 'is', v: 7 },
    ],
    faults: [],
  });
  expect(storedTests(goods, [{ field: 'colour', is: 'red' }]).faults).toHaveLength(1);
});

test('tables of a document are checked with their rows', () => {
  const faults = tableFaults(
    {
      goods: {
        ...goods,
        rows: [
          { title: 'Honey', price: 5, sku: 'h', photo: 'cake' },
          { title: 'Jam', price: 'free', sku: 'h', photo: 'gone' },
        ],
      },
      empty: { columns: {} },
      odd: { columns: { id: { type: 'text' } } },
      mixed: { columns: { a: { type: 'text' } }, order: ['a', 'b', 'a'] },
    },
    { cake: {} },
  );
  expect(faults.map(({ path, code }) => [path, code])).toEqual([
    ['tables.goods.rows.1.price', 'row_wrong'],
    ['tables.goods.rows.1.photo', 'media_missing'],
    ['tables.goods.rows.1.sku', 'row_twice'],
    ['tables.empty.columns', 'columns_missing'],
    ['tables.odd.columns.id', 'name_reserved'],
    ['tables.mixed.order.1', 'column_missing'],
    ['tables.mixed.order.2', 'column_twice'],
  ]);
});
