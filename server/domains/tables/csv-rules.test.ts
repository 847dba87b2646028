import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Table } from '../../../contract/tables.ts';
import { customsOf, isBlank } from '../readers/readers.ts';
import { csvHead, csvRow, readCsv } from './csv-rules.ts';

const table: Table = {
  columns: {
    name: { type: 'text', title: 'Название' },
    price: { type: 'money', title: 'Цена' },
    phone: { type: 'phone' },
  },
};

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (text: string) => readCsv(table, bytes(text));
const values = (text: string) => read(text).rows.map((row) => row.values);
const faults = (text: string) => read(text).faults.map(({ line, message }) => `${line}: ${message}`);

test('cells may hold separators, quotes and line breaks', () => {
  expect(values('name,price\r\n"Honey, ""dark""\nof lime",12.50\r\nJam,3')).toEqual([
    { name: 'Honey, "dark"\nof lime', price: 12.5 },
    { name: 'Jam', price: 3 },
  ]);
});

test('the mark of UTF-8, semicolons, tabs, titles and empty lines are understood', () => {
  const rows = [{ name: 'Мёд', price: 1200.5 }];
  expect(values('\ufeffНазвание;Цена\r\nМёд;1 200,50\r\n\r\n;\r\n')).toEqual(rows);
  expect(values('Название\tЦена\nМёд\t1200.5\n')).toEqual(rows);
});

test.each([
  ['Excel names the separator', 'sep=;\r\nname;price\r\nHoney;12,50\r\n', [{ name: 'Honey', price: 12.5 }]],
  [
    'a blank before a quote',
    'name; price\nHoney; "12,50"\n "Jam" ;3',
    [
      { name: 'Honey', price: 12.5 },
      { name: 'Jam', price: 3 },
    ],
  ],
  ['a quotation mark of inches', 'name,price\n5" pipe,3', [{ name: '5" pipe', price: 3 }]],
  ['separators within quotes', 'name;price\n"a;b";3', [{ name: 'a;b', price: 3 }]],
  [
    'old line ends',
    'name,price\rHoney,3\rJam,4',
    [
      { name: 'Honey', price: 3 },
      { name: 'Jam', price: 4 },
    ],
  ],
  ['empty cells between tabs', 'name\tphone\tprice\nHoney\t\t3', [{ name: 'Honey', price: 3 }]],
  ['titles in another spelling', 'НАЗВАНИЕ\u00a0;Цена\nМёд;3', [{ name: 'Мёд', price: 3 }]],
])('%s', (_name, text, rows) => expect(values(text)).toEqual(rows));

test('a line is counted from the start of the file, whatever stands before it', () => {
  expect(faults('sep=;\n\nname;price\n"two\nlines";dear')).toEqual([
    '4: "dear" is not a number. Write it as 1500 or 12.5.',
  ]);
});

test('the UTF-16 of a spreadsheet is read', () => {
  const text = Buffer.from('\ufeffНазвание\tЦена\r\nМёд\t3', 'utf16le');
  expect(readCsv(table, text).rows.map((row) => row.values)).toEqual([{ name: 'Мёд', price: 3 }]);
});

test('a number that is written out is never read as another', () => {
  const scales: Table = { columns: { weight: { type: 'number' } } };
  for (const semicolon of [true, false])
    for (const locale of ['ru', 'en', 'de'])
      for (const weight of [12.345, 1.5, 1500, -1.234, 0.125, 1234.567]) {
        const csv = csvHead(scales, { semicolon }) + csvRow(scales, { id: 3, values: { weight } }, { semicolon });
        const { rows } = readCsv(scales, bytes(csv), { customs: customsOf({ defaultLocale: locale }) });
        expect(rows).toMatchObject([{ values: { weight } }]);
      }
});

test('a number of a row is read, and one line a mistake', () => {
  expect(read('id,name\n7,Honey\n,Jam').rows.map(({ id, line }) => [id, line])).toEqual([
    [7, 2],
    [null, 3],
  ]);
  expect(faults('id,name\n7,Honey\n7,Jam\nx,Tea')).toEqual([
    '3: Row 7 stands in line 2 already.',
    '4: "x" is not the number of a row.',
  ]);
});

describe('what is no table is refused with its line', () => {
  test.each([
    ['', '0: The file is empty. Its first line has to name the columns.'],
    ['colour\nred', '1: There is no column "colour". There is "id", "name", "price", "phone".'],
    ['name,name\na,b', '1: The column "name" stands here twice.'],
    ['name,price\na,b,c', '2: This line has 3 cells, and there are 2 columns.'],
    ['name\n"a\nb', '2: A quotation mark opens here and does not close.'],
    [
      'name\na\n"b"c',
      '3: Something stands behind a closing quotation mark. Write a quotation mark inside a cell twice.',
    ],
    ['name,price\n"two\nlines",3\na,dear', '4: "dear" is not a number. Write it as 1500 or 12.5.'],
  ])('%j', (text, fault) => {
    expect(faults(text)).toEqual([fault]);
  });

  test('other encodings and files that are too large', () => {
    expect(readCsv(table, Buffer.from([0xcc, 0xb8, 0xe4])).faults[0]?.message).toContain('UTF-8');
    expect(readCsv(table, new Uint8Array(10 * 1024 * 1024 + 1)).faults[0]?.message).toContain('10 MB');
  });
});

test('nothing that is written runs as a formula, and a phone number stays one', () => {
  const row = { id: 1, values: { name: '=HYPERLINK("http://x")', price: -5, phone: '+79001234567' } };
  expect(csvRow(table, row)).toBe(`1,"'=HYPERLINK(""http://x"")",-5,+79001234567\r\n`);
  expect(csvRow(table, { id: 1, values: { name: '@SUM' } })).toBe(`1,'@SUM,,\r\n`);
  expect(csvRow(table, { id: 1, values: { name: '＝1' } })).toBe(`1,'＝1,,\r\n`);
  expect(csvRow(table, { id: 2, values: { name: 'a;b', price: 12.5 } }, { semicolon: true })).toBe('2;"a;b";12,5;\r\n');
});

test('whatever text is written comes back as it was', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.string({ unit: fc.constantFrom("'", '=', '"', ',', ';', '\n', '\r', '\t', 'a', ' ', '+', '-'), minLength: 1 }),
  );
  const text = texts
    .filter((each) => !isBlank(each) && each.isWellFormed() && !each.includes('\0'))
    .map((each) => each.normalize('NFC'));
  fc.assert(
    fc.property(text, fc.boolean(), (name, semicolon) => {
      const csv =
        csvHead(table, { semicolon }) + csvRow(table, { id: 3, values: { name, price: 1.25 } }, { semicolon });
      const result = read(csv);
      expect(result.faults).toEqual([]);
      expect(result.rows).toMatchObject([{ id: 3, values: { name, price: 1.25 } }]);
    }),
  );
});
