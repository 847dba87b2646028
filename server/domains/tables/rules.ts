// What a column takes. Pure: a value as somebody wrote it in, the value as it is kept or a sentence out.
import { isSafeUrl } from '../../../contract/app/texts.ts';
import { idSchema } from '../../../contract/ids.ts';
import { type Column, TABLE_LIMITS, type Table } from '../../../contract/tables.ts';
import { piece, quoted } from '../../../kernel/echo.ts';
import {
  type Customs,
  evenText,
  isBlank,
  meaningText,
  NO_CUSTOMS,
  type Reading,
  readDate,
  readMail,
  readNumber,
  readPhone,
  readTime,
  readYesNo,
  trimUnseen,
} from '../readers/readers.ts';

export type Scalar = string | number | boolean;
export type Values = { readonly [column: string]: Scalar };

/** What a cell came to: a value, nothing (an empty cell), or a sentence that says what is wrong. */
export type Cell = { readonly value: Scalar } | { readonly empty: true } | { readonly fault: string };

export type CellFault = { readonly field: string; readonly message: string };

/** `new`: what is required must be there. `change`: only what is named is looked at. */
export type RowMode = 'new' | 'change';

export type ParsedRow = {
  readonly values: Values;
  /** Columns that were given as empty. */
  readonly emptied: readonly string[];
  readonly faults: readonly CellFault[];
};

/** How the people write who fill in rows: the customs of the project, and the day it is there. */
export type Writing = { readonly customs: Customs; readonly today?: string | undefined };

const NO_WRITING: Writing = { customs: NO_CUSTOMS };

const numberMax = 1e15;
const moneyMax = 1e12;
const addressCharsMax = 2_048;

/** Reads one value for a column, as it came from a form, a flow, a file or a document. */
export function parseCell(column: Column, given: unknown, writing: Writing = NO_WRITING): Cell {
  if (given === undefined || given === null) return { empty: true };
  if (typeof given !== 'string' && typeof given !== 'number' && typeof given !== 'boolean')
    return { fault: 'This is not a single value.' };
  if (typeof given === 'string' && isBlank(given)) return { empty: true };
  return READERS[column.type](given, writing, column);
}

type Reader = (given: Scalar, writing: Writing, column: Column) => Cell;

const READERS: { readonly [Type in Column['type']]: Reader } = {
  text: readText,
  number: (given, writing) => readAmount(given, numberMax, writing),
  money: readMoney,
  bool: (given) => cellOf(given, readYesNo(String(given)), 'is neither yes nor no.'),
  date: (given, { customs, today }) =>
    cellOf(given, readDate(String(given), customs, { today }), 'is not a day. Write it as 2026-12-31 or 31.12.2026.'),
  time: (given) => cellOf(given, readTime(String(given)), 'is not a time. Write it as 09:30.'),
  link: readLink,
  photo: (given) =>
    idSchema.safeParse(given).success
      ? { value: given }
      : { fault: 'A photo is the id of a file of the project, as "cake".' },
  phone: (given, { customs }) =>
    cellOf(given, readPhone(String(given), customs), 'is not a phone number. Write it as +79001234567.'),
  email: (given) => cellOf(given, readMail(String(given)), 'is not an e-mail address.'),
};

/** A value as it was read, or a sentence: what it may mean, what it lacks, or that it is no such value. */
function cellOf(given: Scalar, reading: Reading<Scalar>, wrong: string): Cell {
  if ('value' in reading) return { value: reading.value };
  if ('meanings' in reading) return { fault: unclear(given, reading.meanings) };
  if (reading.fault === 'large') return { fault: 'This number is too large.' };
  const lacks = 'is a phone number without its country. Write it as +12025550123, or name the country under "region".';
  return { fault: `"${shown(given)}" ${reading.fault === 'country' ? lacks : wrong}` };
}

function unclear(given: Scalar, meanings: readonly Scalar[]): string {
  const [first] = meanings;
  const said = meanings.map((meaning) => (typeof meaning === 'boolean' ? String(meaning) : meaningText(meaning, 'en')));
  if (typeof first === 'number')
    return `"${shown(given)}" may mean a thousand or a fraction. Write ${said.join(', or ')}.`;
  if (meanings.length === 1) return `"${shown(given)}" may mean ${said[0]}. Write it with the plus.`;
  return `"${shown(given)}" may mean ${said.join(' or ')}. Write it as ${meanings.join(' or ')}.`;
}

/** Without NUL, which PostgreSQL refuses, and without lone surrogates, which no UTF-8 can hold. */
function readText(given: Scalar, _writing: Writing, { unique }: Column): Cell {
  const clean = String(given).toWellFormed().replaceAll('\0', '\ufffd').normalize('NFC');
  // Two that look the same are the same, so what tells rows apart is kept in one spelling.
  const text = unique ? trimUnseen(evenText(clean)).replace(/ {2,}/g, ' ') : clean;
  return text.length > TABLE_LIMITS.textChars
    ? { fault: `A text has at most ${TABLE_LIMITS.textChars} characters; this has ${text.length}.` }
    : { value: text };
}

function readAmount(given: Scalar, max: number, { customs }: Writing): Cell {
  const reading: Reading<Scalar> =
    typeof given === 'string' ? readNumber(given, customs) : { value: typeof given === 'number' ? given : Number.NaN };
  const cell = cellOf(given, reading, 'is not a number. Write it as 1500 or 12.5.');
  if (!('value' in cell)) return cell;
  const number = cell.value as number;
  if (!Number.isFinite(number)) return { fault: `"${shown(given)}" is not a number. Write it as 1500 or 12.5.` };
  return Math.abs(number) > max ? { fault: 'This number is too large.' } : { value: number === 0 ? 0 : number };
}

function readMoney(given: Scalar, writing: Writing): Cell {
  const cell = readAmount(given, moneyMax, writing);
  if (!('value' in cell)) return cell;
  const cents = Math.round((cell.value as number) * 100);
  return Math.abs((cell.value as number) * 100 - cents) > 1e-6
    ? { fault: 'An amount of money has at most two digits after the point.' }
    : { value: cents / 100 };
}

function readLink(given: Scalar): Cell {
  const text = String(given).trim();
  return text.length <= addressCharsMax && isSafeUrl(text)
    ? { value: text }
    : { fault: 'A link begins with https://, http://, mailto:, tel: or tg:// and holds no spaces.' };
}

const shown = (given: Scalar): string => {
  const text = String(given);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
};

/** Reads a row by its columns: every value that fits, and a sentence for each that does not. */
export function parseRow(
  table: Table,
  given: { readonly [field: string]: unknown },
  mode: RowMode,
  writing?: Writing,
): ParsedRow {
  const values: Record<string, Scalar> = {};
  const emptied: string[] = [];
  const faults: CellFault[] = [];
  for (const field of Object.keys(given)) {
    const column = columnOf(table, field);
    if (!column) {
      faults.push({ field: piece(field), message: `There is no column ${quoted(field)}.` });
      continue;
    }
    const cell = parseCell(column, given[field], writing);
    if ('fault' in cell) faults.push({ field, message: cell.fault });
    else if ('value' in cell) values[field] = cell.value;
    else emptied.push(field);
  }
  for (const [field, column] of Object.entries(table.columns)) {
    const isMissing = mode === 'new' ? !Object.hasOwn(values, field) : emptied.includes(field);
    const isTold = faults.some((fault) => fault.field === field);
    if (column.required && isMissing && !isTold) faults.push({ field, message: 'This has to be filled in.' });
  }
  if (new TextEncoder().encode(JSON.stringify(values)).length > TABLE_LIMITS.rowBytes)
    faults.push({ field: '', message: `A row has at most ${TABLE_LIMITS.rowBytes / 1_024} KiB.` });
  return { values, emptied, faults };
}

/** The column of a name; names that every object has are no columns. */
export function columnOf(table: Table, field: string): Column | undefined {
  return Object.hasOwn(table.columns, field) ? table.columns[field] : undefined;
}

/**
 * The table with its columns as people see them: by `order`, then those that it does not name as the document has them,
 * which is by the alphabet once it is stored.
 */
export function inOrder(table: Table): Table {
  const names = new Set([...(table.order ?? []), ...Object.keys(table.columns)]);
  const columns: Record<string, Column> = {};
  for (const name of names) {
    const column = columnOf(table, name);
    if (column) columns[name] = column;
  }
  return { ...table, columns };
}

/** Of what is stored, what the present columns show. A value of another time that does not fit stays where it is. */
export function shownValues(table: Table, stored: { readonly [field: string]: unknown }): Values {
  const values: Record<string, Scalar> = {};
  for (const [field, column] of Object.entries(table.columns)) {
    if (!Object.hasOwn(stored, field)) continue;
    const value = stored[field];
    const cell = isKept(column, value) ? { value } : parseCell(column, value);
    if ('value' in cell) values[field] = cell.value;
  }
  return values;
}

/** The shapes in which readers keep their values. One of an earlier reader that today's would refuse is shown all the same. */
const KEPT: { readonly [Type in Column['type']]?: RegExp } = {
  text: /^/,
  date: /^\d{4}-\d\d-\d\d$/,
  time: /^\d\d:\d\d$/,
  phone: /^\+\d{5,20}( ext\. \d{1,7})?$/,
  email: /^[^\s@]+@[^\s@]+$/,
};

function isKept({ type }: Column, value: unknown): value is Scalar {
  if (typeof value === 'string') return value !== '' && (KEPT[type]?.test(value) ?? false);
  return type === 'bool'
    ? typeof value === 'boolean'
    : (type === 'number' || type === 'money') && Number.isFinite(value);
}

/** The columns of which no two rows may have the same value, in one order. */
export function uniqueColumns(table: Table): string[] {
  return Object.keys(table.columns)
    .filter((field) => table.columns[field]?.unique)
    .sort();
}

/** A question to the values of one column; all that are given must hold. `id` is the number of the row. */
export type RowTest = {
  readonly field: string;
  readonly is?: Scalar | undefined;
  readonly not?: Scalar | undefined;
  readonly over?: Scalar | undefined;
  readonly under?: Scalar | undefined;
  readonly contains?: Scalar | undefined;
};

const alikeE = 'еёЕЁ';

/**
 * A regular expression of PostgreSQL that finds these words without regard to case, as `record_fold` compares them: each
 * letter as a set of its forms. Folding every value of a large table took ten times as long.
 */
export function patternOf(words: string): string {
  return [...words]
    .map((sign) => {
      if (alikeE.includes(sign)) return `[${alikeE}]`;
      const forms = [...new Set([sign, sign.toLowerCase(), sign.toUpperCase()])].filter(
        (form) => [...form].length === 1,
      );
      if (forms.length > 1) return `[${forms.join('')}]`;
      return /[!-/:-@[-`{-~]/.test(sign) ? `\\${sign}` : sign;
    })
    .join('');
}

/** A test as the statements take it: column, operator, value; null means "nothing is there". */
export type StoredTest = { readonly f: string; readonly o: string; readonly v: Scalar | null };

const OPERATORS = ['is', 'not', 'over', 'under', 'contains'] as const;

/** Brings tests to what is stored: "5" finds the number 5 in a column of numbers. Gives what is wrong instead of throwing. */
export function storedTests(
  table: Table,
  where: readonly RowTest[],
  writing?: Writing,
): { readonly tests: StoredTest[]; readonly faults: CellFault[] } {
  const tests: StoredTest[] = [];
  const faults: CellFault[] = [];
  for (const test of where) {
    const column: Column | undefined = test.field === 'id' ? { type: 'number' } : columnOf(table, test.field);
    if (!column) faults.push({ field: test.field, message: `There is no column "${test.field}".` });
    for (const operator of column ? OPERATORS : []) {
      const given = test[operator];
      if (given === undefined || !column) continue;
      const stored = storedTest({ field: test.field, column, operator, given }, writing);
      if ('message' in stored) faults.push(stored);
      else tests.push(stored);
    }
  }
  return { tests, faults };
}

type GivenTest = {
  readonly field: string;
  readonly column: Column;
  readonly operator: (typeof OPERATORS)[number];
  readonly given: Scalar;
};

function storedTest({ field, column, operator, given }: GivenTest, writing?: Writing): StoredTest | CellFault {
  if (operator === 'contains')
    return { f: field, o: operator, v: String(given).toWellFormed().replaceAll('\0', '').normalize('NFC') };
  const cell = parseCell(column, given, writing);
  if ('fault' in cell) return { field, message: cell.fault };
  const value = 'value' in cell ? cell.value : null;
  if (column.type !== 'bool' || value === null) return { f: field, o: operator, v: value };
  // A box that nobody has ticked counts as "no".
  const wantsYes = (operator === 'is') === value;
  return { f: field, o: wantsYes ? 'is' : 'not', v: true };
}
