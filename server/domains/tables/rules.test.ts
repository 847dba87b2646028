import { describe, expect, test } from 'vitest';
import type { Column, Table } from '../../../contract/tables.ts';
import { tableFaults } from './document-rules.ts';
import { inOrder, parseCell, parseRow, shownValues, storedTests } from './rules.ts';

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

const read = (type: Column['type'], given: unknown): unknown => {
  const cell = parseCell({ type }, given);
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
    ['number', '  ', null],
    ['date', null, null],
  ] as const)('%s %j', (type, given, value) => {
    expect(read(type, given)).toBe(value);
  });
});

describe('what does not fit is refused with a sentence', () => {
  test.each([
    ['number', '1,500', /thousand or a fraction/],
    ['number', '12 apples', /not a number/],
    ['number', '1e5', /not a number/],
    ['number', Number.POSITIVE_INFINITY, /not a number/],
    ['number', 1e16, /too large/],
    ['money', '1.505', /two digits/],
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

test.each([
  ['email', 'anna@example.com'],
  ['phone', '+79001234567'],
  ['link', 'https://example.com/a'],
  ['date', '2026-12-31'],
  ['time', '09:30'],
  ['number', '1500'],
  ['money', '12.5'],
  ['bool', 'yes'],
  ['photo', 'cake'],
] as const)('no %s holds what cannot be seen', (type, plain) => {
  const unseen = ['\0', '\u0007', '\u001b', '\u007f', '\u0085', '\u00ad', '\u200b', '\u202e', '\u2066', '\ud800'];
  for (const sign of unseen)
    for (const at of [0, 2, plain.length])
      expect(parseCell({ type }, plain.slice(0, at) + sign + plain.slice(at))).toEqual({ fault: expect.any(String) });
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
