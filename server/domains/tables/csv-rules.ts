// Tables as CSV (RFC 4180). Pure. Read forgivingly, as spreadsheets of any language write it; written so that a
// spreadsheet shows what stands here and runs nothing of it.
import { TABLE_LIMITS, type Table } from '../../../contract/tables.ts';
import { columnOf, inOrder, type ParsedRow, parseRow, type Scalar, type Values } from './rules.ts';

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
export function readCsv(table: Table, bytes: Uint8Array): ReadCsv {
  if (bytes.length > TABLE_LIMITS.csvBytes)
    return whole(`The file has more than ${TABLE_LIMITS.csvBytes / 1_048_576} MB. Divide it into several.`);
  const text = textOf(bytes);
  if (text === undefined) return whole('The file is not UTF-8. Save it as "CSV UTF-8".');
  const records = recordsOf(text, separatorOf(text));
  if (!Array.isArray(records)) return { rows: [], faults: [records] };
  const [head, ...lines] = records;
  if (!head) return whole('The file is empty. Its first line has to name the columns.');
  const columns = columnsOf(table, head.cells);
  if (!Array.isArray(columns)) return { rows: [], faults: [columns] };
  if (lines.length > TABLE_LIMITS.rows) return whole(`A table has at most ${TABLE_LIMITS.rows} rows.`);
  return readLines(table, columns, lines);
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The one that stands oftenest in the first line, outside of quotes. */
function separatorOf(text: string): string {
  const [line = ''] = text.replace(/"(?:[^"]|"")*"/g, '').split(/[\r\n]/, 1);
  const count = (mark: string): number => line.split(mark).length;
  return [',', ';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}

type Line = { readonly line: number; readonly cells: string[] };

/** Divides the text into lines and cells. Line breaks inside quotes belong to the cell; empty lines do not count. */
function recordsOf(text: string, separator: string): Line[] | CsvFault {
  const records: Line[] = [];
  let cells: string[] = [];
  let line = 1;
  let begun = 1;
  let at = 0;
  for (;;) {
    const cell = cellAt(text, at, separator);
    if (typeof cell === 'string') return { line, field: '', message: cell };
    cells.push(cell.text);
    line += cell.breaks;
    at = cell.end;
    const mark = text[at];
    if (mark === separator) {
      at += 1;
      continue;
    }
    if (cells.length > 1 || cells[0] !== '') records.push({ line: begun, cells });
    if (mark === undefined) return records;
    cells = [];
    line += 1;
    begun = line;
    at += mark === '\r' && text[at + 1] === '\n' ? 2 : 1;
  }
}

/** One cell and where it ends, or a sentence for quotes that do not close. */
function cellAt(
  text: string,
  from: number,
  separator: string,
): { readonly text: string; readonly end: number; readonly breaks: number } | string {
  if (text[from] !== '"') {
    let end = from;
    while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end += 1;
    return { text: text.slice(from, end), end, breaks: 0 };
  }
  let end = from + 1;
  for (;;) {
    end = text.indexOf('"', end);
    if (end < 0) return 'A quotation mark opens here and does not close.';
    if (text[end + 1] !== '"') break;
    end += 2;
  }
  const next = text[end + 1];
  if (next !== undefined && next !== separator && next !== '\n' && next !== '\r')
    return 'Something stands behind a closing quotation mark. Write a quotation mark inside a cell twice.';
  const inside = text.slice(from + 1, end);
  return { text: inside.replaceAll('""', '"'), end: end + 1, breaks: inside.split(/\r\n|\r|\n/).length - 1 };
}

/** The columns that the first line names, in its order. */
function columnsOf(table: Table, cells: readonly string[]): string[] | CsvFault {
  const columns: string[] = [];
  for (const cell of cells) {
    const name = cell.trim();
    const field = name === 'id' || columnOf(table, name) ? name : fieldOfTitle(table, name);
    const fault = (message: string): CsvFault => ({ line: 1, field: name, message });
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
  const wanted = title.toLowerCase();
  const found = Object.entries(table.columns).find(
    ([field, column]) => field.toLowerCase() === wanted || column.title?.toLowerCase() === wanted,
  );
  return found?.[0];
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

function readLines(table: Table, columns: readonly string[], lines: readonly Line[]): ReadCsv {
  const rows: CsvRow[] = [];
  const faults: CsvFault[] = [];
  const ids = new Map<number, number>();
  for (const { line, cells } of lines) {
    if (faults.length >= faultsMax) break;
    if (cells.every((cell) => cell.trim() === '')) continue;
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
    const row = parseRow(table, fields, id === null ? 'new' : 'change');
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

const withGuard = (text: string): string => (formula.test(text) ? `'${text}` : text);
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
    if (typeof value === 'number') return options.semicolon ? String(value).replace('.', ',') : String(value);
    // A phone number is a plus and digits and nothing else: as a formula it is itself.
    return type === 'phone' ? String(value) : withGuard(String(value));
  });
  return csvLine([String(row.id), ...cells], options);
}

function csvLine(cells: readonly string[], { semicolon = false }: CsvOptions): string {
  const quote = (cell: string): string =>
    /[",;\t\r\n]|^\s|\s$/.test(cell) && !(semicolon && /^-?\d+,\d+$/.test(cell))
      ? `"${cell.replaceAll('"', '""')}"`
      : cell;
  return `${cells.map(quote).join(semicolon ? ';' : ',')}\r\n`;
}
