// Tables as CSV (RFC 4180). Pure. Read forgivingly, as spreadsheets of any language write it; written so that a
// spreadsheet shows what stands here and runs nothing of it.
import { CsvError, parse } from 'csv-parse/sync';
import { TABLE_LIMITS, type Table } from '../../../contract/tables.ts';
import { foldWords, isBlank, trimUnseen } from '../readers/readers.ts';
import { columnOf, inOrder, type ParsedRow, parseRow, type Scalar, type Values, type Writing } from './rules.ts';

/** A mistake in a file; `line` is 0 for the file as a whole. */
export type CsvFault = { readonly line: number; readonly field: string; readonly message: string };

/** A row of a file: its line, the number it has or null for a new one, and what it holds. */
export type CsvRow = { readonly line: number; readonly id: number | null } & Pick<ParsedRow, 'values' | 'emptied'>;

export type ReadCsv = { readonly rows: readonly CsvRow[]; readonly faults: readonly CsvFault[] };

/** More mistakes than these help nobody. */
const faultsMax = 50;
/** Numbers of rows stay below what JavaScript counts exactly, with room to count on. */
const idMax = 1_000_000_000_000;

const whole = (message: string): ReadCsv => ({ rows: [], faults: [{ line: 0, field: '', message }] });

/** Reads a file into rows of a table. The first line names the columns, by their ids or titles; `id` is the row's number. */
export function readCsv(table: Table, bytes: Uint8Array, writing?: Writing): ReadCsv {
  if (bytes.length > TABLE_LIMITS.csvBytes)
    return whole(`The file has more than ${TABLE_LIMITS.csvBytes / 1_048_576} MB. Divide it into several.`);
  const text = textOf(bytes);
  if (text === undefined) return whole('The file is not UTF-8. Save it as "CSV UTF-8".');
  const records = recordsOf(text);
  if (!Array.isArray(records)) return { rows: [], faults: [records] };
  const [head, ...lines] = records;
  if (!head) return whole('The file is empty. Its first line has to name the columns.');
  const columns = columnsOf(table, head);
  if (!Array.isArray(columns)) return { rows: [], faults: [columns] };
  if (lines.length > TABLE_LIMITS.rows) return whole(`A table has at most ${TABLE_LIMITS.rows} rows.`);
  return readLines({ table, columns, writing }, lines);
}

/** UTF-8, or the UTF-16 with a mark that spreadsheets call "Unicode text". */
function textOf(bytes: Uint8Array): string | undefined {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const SEPARATORS = [',', ';', '\t'];

/** The one that the file names in a line of its own, as Excel writes it, else the one that stands oftenest in the first line. */
function separatorOf(text: string): { readonly separator: string; readonly skipped: number } {
  const named = /^"?sep=(.)"?(?:\r\n|\r|\n|$)/i.exec(text);
  if (named) return { separator: named[1] ?? ',', skipped: named[0].length };
  const [line = ''] = text.replace(/"(?:[^"]|"")*"/g, '').split(/[\r\n]/, 1);
  const count = (mark: string): number => line.split(mark).length;
  return { separator: SEPARATORS.reduce((best, mark) => (count(mark) > count(best) ? mark : best)), skipped: 0 };
}

type Line = { readonly line: number; readonly cells: readonly string[] };

/**
 * Divides the text into lines and cells. Blanks around a cell do not count, but for those inside quotes; empty lines do
 * not either. A quotation mark inside of a plain cell is one, as in 5" pipes.
 */
function recordsOf(text: string): Line[] | CsvFault {
  const { separator, skipped } = separatorOf(text);
  const linesBefore = skipped > 0 ? 1 : 0;
  const first = parsed(text.slice(skipped), separator, linesBefore, false);
  return 'code' in first && first.code === 'INVALID_OPENING_QUOTE'
    ? faultOr(parsed(text.slice(skipped), separator, linesBefore, true))
    : faultOr(first);
}

type Parsed = { readonly records: Line[] } | { readonly code: string; readonly line: number };

function parsed(text: string, separator: string, linesBefore: number, relaxed: boolean): Parsed {
  const records: Line[] = [];
  let ended = linesBefore;
  try {
    parse(text, {
      delimiter: separator,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: relaxed,
      skip_empty_lines: true,
      trim: true,
      on_record: (cells: string[], { lines }) => {
        ended = linesBefore + lines;
        records.push({ line: ended - breaksIn(cells), cells });
        return null;
      },
    });
    return { records };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const at = error['lines'];
    const isOpen = error.code === 'CSV_QUOTE_NOT_CLOSED' || typeof at !== 'number';
    return { code: error.code, line: isOpen ? ended + 1 : linesBefore + at };
  }
}

const breaksIn = (cells: readonly string[]): number =>
  cells.reduce((sum, cell) => sum + cell.split(/\r\n|\r|\n/).length - 1, 0);

function faultOr(result: Parsed): Line[] | CsvFault {
  if ('records' in result) return result.records;
  const { code, line } = result;
  const message =
    code === 'CSV_QUOTE_NOT_CLOSED'
      ? 'A quotation mark opens here and does not close.'
      : 'Something stands behind a closing quotation mark. Write a quotation mark inside a cell twice.';
  return { line, field: '', message };
}

/** The columns that the first line names, in its order. */
function columnsOf(table: Table, { line, cells }: Line): string[] | CsvFault {
  const columns: string[] = [];
  for (const cell of cells) {
    const name = trimUnseen(cell);
    const field = name === 'id' || columnOf(table, name) ? name : fieldOfTitle(table, name);
    const fault = (message: string): CsvFault => ({ line, field: name, message });
    if (field === undefined)
      return fault(
        `There is no column "${name.slice(0, 64)}". There is ${quoted(['id', ...Object.keys(inOrder(table).columns)])}.`,
      );
    if (columns.includes(field)) return fault(`The column "${field}" stands here twice.`);
    columns.push(field);
  }
  return columns;
}

function fieldOfTitle(table: Table, title: string): string | undefined {
  const wanted = foldWords(title);
  const found = Object.entries(table.columns).find(
    ([field, column]) => foldWords(field) === wanted || foldWords(column.title ?? '') === wanted,
  );
  return found?.[0];
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

type Reading = {
  readonly table: Table;
  readonly columns: readonly string[];
  readonly writing: Writing | undefined;
};

function readLines({ table, columns, writing }: Reading, lines: readonly Line[]): ReadCsv {
  const rows: CsvRow[] = [];
  const faults: CsvFault[] = [];
  const ids = new Map<number, number>();
  for (const { line, cells } of lines) {
    if (faults.length >= faultsMax) break;
    if (cells.every(isBlank)) continue;
    if (cells.length > columns.length) {
      faults.push({
        line,
        field: '',
        message: `This line has ${cells.length} cells, and there are ${columns.length} columns.`,
      });
      continue;
    }
    const given = Object.fromEntries(columns.map((column, index) => [column, withoutGuard(cells[index] ?? '')]));
    const { id: number = '', ...fields } = given;
    const id = idOf(number);
    if (id === undefined)
      faults.push({ line, field: 'id', message: `"${number.slice(0, 40)}" is not the number of a row.` });
    const twice = id == null ? undefined : ids.get(id);
    if (twice !== undefined) faults.push({ line, field: 'id', message: `Row ${id} stands in line ${twice} already.` });
    if (id != null) ids.set(id, line);
    const row = parseRow(table, fields, id === null ? 'new' : 'change', writing);
    faults.push(...row.faults.map((fault) => ({ line, ...fault })));
    rows.push({ line, id: id ?? null, values: row.values, emptied: row.emptied });
  }
  return { rows, faults: faults.slice(0, faultsMax) };
}

/** null: a new row; undefined: not a number of one. */
function idOf(text: string): number | null | undefined {
  if (text.trim() === '') return null;
  const id = /^\d{1,13}$/.test(text.trim()) ? Number(text) : 0;
  return id > 0 && id <= idMax ? id : undefined;
}

/**
 * What a spreadsheet takes for a formula begins with one of these, the wide ones of East Asian keyboards too. An
 * apostrophe before it makes it a text; one that stood there before gets a second, so that reading gives back what was
 * written.
 */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** A text as a spreadsheet shows it and does not run it. */
export const withGuard = (text: string): string => (formula.test(text) ? `'${text}` : text);
const withoutGuard = (text: string): string => (text.startsWith("'") && formula.test(text) ? text.slice(1) : text);

export type CsvOptions = {
  /** As spreadsheets of languages with a decimal comma want it: `;` between cells, `12,5`. */
  readonly semicolon?: boolean;
};

/** The first line, with the mark by which spreadsheets know UTF-8. */
export function csvHead(table: Table, options: CsvOptions = {}): string {
  return `\ufeff${csvLine(['id', ...Object.keys(table.columns)], options)}`;
}

/** One row as a line of CSV. */
export function csvRow(
  table: Table,
  row: { readonly id: number; readonly values: Values },
  options: CsvOptions = {},
): string {
  const cells = Object.entries(table.columns).map(([field, { type }]) => {
    const value: Scalar = Object.hasOwn(row.values, field) ? (row.values[field] as Scalar) : '';
    if (typeof value === 'number') return numberText(value, options);
    // A phone number is a plus and digits and nothing else: as a formula it is itself.
    return type === 'phone' && /^\+\d+$/.test(String(value)) ? String(value) : withGuard(String(value));
  });
  return csvLine([String(row.id), ...cells], options);
}

/** Three digits behind the mark get a zero, since elsewhere they are read as thousands, or as miscounted ones. */
function numberText(value: number, { semicolon = false }: CsvOptions): string {
  const text = String(value).replace(/^-?[1-9]\d*\.\d{3}$/, (number) => `${number}0`);
  return semicolon ? text.replace('.', ',') : text;
}

/** Cells as a line of CSV. */
export function csvLine(cells: readonly string[], { semicolon = false }: CsvOptions): string {
  const quote = (cell: string): string =>
    /[",;\t\r\n]|^\s|\s$/.test(cell) && !(semicolon && /^-?\d+,\d+$/.test(cell))
      ? `"${cell.replaceAll('"', '""')}"`
      : cell;
  return `${cells.map(quote).join(semicolon ? ';' : ',')}\r\n`;
}
