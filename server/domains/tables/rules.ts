// What a column takes. Pure: a value as somebody wrote it in, the value as it is kept or a sentence out.
import { isSafeUrl } from '../../../contract/app/texts.ts';
import { idSchema } from '../../../contract/ids.ts';
import { type Column, TABLE_LIMITS, type Table } from '../../../contract/tables.ts';

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

const numberMax = 1e15;
const moneyMax = 1e12;
const addressCharsMax = 2_048;
const emailCharsMax = 254;

/** Reads one value for a column, as it came from a form, a flow, a file or a document. */
export function parseCell(column: Column, given: unknown): Cell {
  if (given === undefined || given === null) return { empty: true };
  if (typeof given !== 'string' && typeof given !== 'number' && typeof given !== 'boolean')
    return { fault: 'This is not a single value.' };
  if (typeof given === 'string' && given.trim() === '') return { empty: true };
  return READERS[column.type](given);
}

type Reader = (given: Scalar) => Cell;

const READERS: { readonly [Type in Column['type']]: Reader } = {
  text: readText,
  number: (given) => readAmount(given, numberMax),
  money: readMoney,
  bool: readBool,
  date: readDate,
  time: readTime,
  link: readLink,
  photo: (given) =>
    idSchema.safeParse(given).success
      ? { value: given }
      : { fault: 'A photo is the id of a file of the project, as "cake".' },
  phone: readPhone,
  email: readEmail,
};

/** Without NUL, which PostgreSQL refuses, and without lone surrogates, which no UTF-8 can hold. */
function readText(given: Scalar): Cell {
  const text = String(given).toWellFormed().replaceAll('\0', '\ufffd');
  return text.length > TABLE_LIMITS.textChars
    ? { fault: `A text has at most ${TABLE_LIMITS.textChars} characters; this has ${text.length}.` }
    : { value: text };
}

function readAmount(given: Scalar, max: number): Cell {
  const number = typeof given === 'string' ? numberOf(given) : given;
  if (number === 'unclear')
    return { fault: `"${shown(given)}" may mean a thousand or a fraction. Write 1500, or 1.50.` };
  if (typeof number !== 'number' || !Number.isFinite(number))
    return { fault: `"${shown(given)}" is not a number. Write it as 1500 or 12.5.` };
  return Math.abs(number) > max ? { fault: 'This number is too large.' } : { value: number === 0 ? 0 : number };
}

/** `1 000,50`, `1,000.50`, `-3`. One comma before three digits says two things, so it is refused. */
function numberOf(text: string): number | 'unclear' {
  const compact = text.replace(/[\s\u00a0\u2009\u202f'’]/g, '').replace('−', '-');
  if (!/^[+-]?\d[\d.,]*$/.test(compact)) return Number.NaN;
  if (/^[+-]?[1-9]\d{0,2},\d{3}$/.test(compact)) return 'unclear';
  if (/^[+-]?\d+([.,]\d+)?$/.test(compact)) return Number(compact.replace(',', '.'));
  if (/^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(compact)) return Number(compact.replaceAll(',', ''));
  if (/^[+-]?\d{1,3}(\.\d{3})+(,\d+)?$/.test(compact)) return Number(compact.replaceAll('.', '').replace(',', '.'));
  return Number.NaN;
}

function readMoney(given: Scalar): Cell {
  const plain = typeof given === 'string' ? given.replace(/[₽$€£₸₴]|руб\.?|р\.$/gi, '').trim() : given;
  const cell = readAmount(plain, moneyMax);
  if (!('value' in cell)) return cell;
  const cents = Math.round((cell.value as number) * 100);
  return Math.abs((cell.value as number) * 100 - cents) > 1e-6
    ? { fault: 'An amount of money has at most two digits after the point.' }
    : { value: cents / 100 };
}

const YES: ReadonlySet<string> = new Set(['true', 'yes', 'да', 'истина', '1', '+']);
const NO: ReadonlySet<string> = new Set(['false', 'no', 'нет', 'ложь', '0', '-']);

function readBool(given: Scalar): Cell {
  const word = String(given).trim().toLowerCase();
  if (YES.has(word)) return { value: true };
  return NO.has(word) ? { value: false } : { fault: `"${shown(given)}" is neither yes nor no.` };
}

function readDate(given: Scalar): Cell {
  const text = String(given).trim();
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text);
  const [year, month, day] = iso ? iso.slice(1) : dotted ? dotted.slice(1).reverse() : [];
  const value = `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`;
  const date = new Date(`${value}T00:00:00Z`);
  const isDay = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
  return isDay ? { value } : { fault: `"${shown(given)}" is not a day. Write it as 2026-12-31 or 31.12.2026.` };
}

function readTime(given: Scalar): Cell {
  const [, hours = '', minutes = ''] = /^([01]?\d|2[0-3]):([0-5]\d)(?::00)?$/.exec(String(given).trim()) ?? [];
  return hours === ''
    ? { fault: `"${shown(given)}" is not a time. Write it as 09:30.` }
    : { value: `${hours.padStart(2, '0')}:${minutes}` };
}

function readLink(given: Scalar): Cell {
  const text = String(given).trim();
  return text.length <= addressCharsMax && isSafeUrl(text)
    ? { value: text }
    : { fault: 'A link begins with https://, http://, mailto:, tel: or tg:// and holds no spaces.' };
}

/** Kept as `+79001234567`. The 8 that Russians dial within the country is no part of the number. */
function readPhone(given: Scalar): Cell {
  const text = String(given).trim();
  const digits = text.replace(/\D/g, '');
  const isPhone = /^\+?[\d\s().\u2010-\u2015\u00a0-]+$/.test(text) && digits.length >= 7 && digits.length <= 15;
  if (!isPhone) return { fault: `"${shown(given)}" is not a phone number. Write it as +79001234567.` };
  const isHome = !text.startsWith('+') && digits.length === 11 && digits.startsWith('8');
  return { value: `+${isHome ? `7${digits.slice(1)}` : digits}` };
}

function readEmail(given: Scalar): Cell {
  const text = String(given).trim().toLowerCase();
  if (/\p{C}/u.test(text)) return { fault: 'An e-mail address holds no characters that cannot be seen.' };
  return text.length <= emailCharsMax &&
    /^[^\s@<>"',;:()[\]\\]+@[^\s@<>"',;:()[\]\\]+\.[^\s@.<>"',;:()[\]\\]+$/.test(text)
    ? { value: text }
    : { fault: `"${shown(given)}" is not an e-mail address.` };
}

const shown = (given: Scalar): string => {
  const text = String(given);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
};

/** Reads a row by its columns: every value that fits, and a sentence for each that does not. */
export function parseRow(table: Table, given: { readonly [field: string]: unknown }, mode: RowMode): ParsedRow {
  const values: Record<string, Scalar> = {};
  const emptied: string[] = [];
  const faults: CellFault[] = [];
  for (const field of Object.keys(given)) {
    const column = columnOf(table, field);
    if (!column) {
      faults.push({ field, message: `There is no column "${field}".` });
      continue;
    }
    const cell = parseCell(column, given[field]);
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
    const cell = parseCell(column, stored[field]);
    if ('value' in cell) values[field] = cell.value;
  }
  return values;
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

/** A test as the statements take it: column, operator, value; null means "nothing is there". */
export type StoredTest = { readonly f: string; readonly o: string; readonly v: Scalar | null };

const OPERATORS = ['is', 'not', 'over', 'under', 'contains'] as const;

/** Brings tests to what is stored: "5" finds the number 5 in a column of numbers. Gives what is wrong instead of throwing. */
export function storedTests(
  table: Table,
  where: readonly RowTest[],
): { readonly tests: StoredTest[]; readonly faults: CellFault[] } {
  const tests: StoredTest[] = [];
  const faults: CellFault[] = [];
  for (const test of where) {
    const column: Column | undefined = test.field === 'id' ? { type: 'number' } : columnOf(table, test.field);
    if (!column) faults.push({ field: test.field, message: `There is no column "${test.field}".` });
    for (const operator of column ? OPERATORS : []) {
      const given = test[operator];
      if (given === undefined || !column) continue;
      const stored = storedTest(test.field, column, operator, given);
      if ('message' in stored) faults.push(stored);
      else tests.push(stored);
    }
  }
  return { tests, faults };
}

function storedTest(
  field: string,
  column: Column,
  operator: (typeof OPERATORS)[number],
  given: Scalar,
): StoredTest | CellFault {
  if (operator === 'contains') return { f: field, o: operator, v: String(given).toWellFormed().replaceAll('\0', '') };
  const cell = parseCell(column, given);
  if ('fault' in cell) return { field, message: cell.fault };
  const value = 'value' in cell ? cell.value : null;
  if (column.type !== 'bool' || value === null) return { f: field, o: operator, v: value };
  // A box that nobody has ticked counts as "no".
  const wantsYes = (operator === 'is') === value;
  return { f: field, o: wantsYes ? 'is' : 'not', v: true };
}
