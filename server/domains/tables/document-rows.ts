// The rows of a document beside those of its tables, once a table has rows of its own: what differs, and how it is applied.

import { TABLE_LIMITS, type Table } from '../../../contract/tables.ts';
import type { Queryable, Tx } from '../../../kernel/db.ts';
import { Refusal } from '../../../kernel/errors.ts';
import { type Tables, tableFaults } from './document-rules.ts';
import { inOrder, parseRow, type Scalar, shownValues, uniqueColumns, type Values, type Writing } from './rules.ts';
import { settleTable } from './settle.ts';
import * as statements from './sql.ts';

/** `add` puts in what is not there, `replace` makes them the document's, `keep` leaves them as they are. */
export type RowsMode = 'add' | 'replace' | 'keep';

/** How many rows of a table differ from the document: they are not in the table, are other there, are in the table alone. */
export type RowsDiffer = {
  readonly table: string;
  readonly missing: number;
  readonly changed: number;
  readonly extra: number;
  /** What was done about it. */
  readonly applied: RowsMode;
};

/** The tables of a document, the files that photos may be, and how its people write. */
type DocumentRows = {
  readonly projectId: number;
  readonly tables: Tables;
  readonly media: { readonly [id: string]: unknown };
  readonly writing: Writing;
};

type Stored = { readonly id: number; readonly values: Values };
type Pair = { readonly values: Values; readonly stored: Stored | undefined };

/**
 * Compares the rows of each table with those that the document has, and applies them as asked. Throws Refusal
 * DOCUMENT_WRONG where two rows would have the same value in a unique column; nothing was changed then.
 */
export async function applyRows(
  tx: Tx,
  { projectId, tables, media, writing }: DocumentRows,
  mode: RowsMode,
): Promise<RowsDiffer[]> {
  const all: RowsDiffer[] = [];
  for (const [name, table] of Object.entries(tables)) {
    if (table.rows === undefined || tableFaults({ [name]: table }, media, writing).length > 0) continue;
    const key = { projectId, name };
    if (mode !== 'keep') await statements.lockTable(tx, key);
    const stored = await storedRows(tx, key, table);
    const pairs = paired(table, stored, writing);
    const missing = pairs.filter((pair) => pair.stored === undefined);
    const changed = pairs.filter(({ values, stored: at }) => at !== undefined && !sameValues(values, at.values));
    const extra = stored.length - (pairs.length - missing.length);
    if (missing.length + changed.length + extra === 0) continue;
    all.push({ table: name, missing: missing.length, changed: changed.length, extra, applied: mode });
    if (mode === 'add') await write(tx, key, table, { missing, changed: [], kept: undefined });
    if (mode === 'replace') await write(tx, key, table, { missing, changed, kept: keptOf(pairs) });
  }
  return all;
}

/** The tables of a document with the rows that they have now. Throws Refusal ROWS_TOO_MANY where a document has no room for them. */
export async function withCurrentRows(db: Queryable, projectId: number, tables: Tables): Promise<Tables> {
  const full: { [name: string]: Table } = {};
  for (const [name, table] of Object.entries(tables)) {
    const stored = await storedRows(db, { projectId, name }, table, TABLE_LIMITS.documentRows);
    if (stored.length > TABLE_LIMITS.documentRows)
      throw new Refusal(
        'ROWS_TOO_MANY',
        `The table "${name}" has more than ${TABLE_LIMITS.documentRows} rows, which is all that a document holds. Write it with: roost table export`,
      );
    full[name] = { ...table, rows: stored.map(({ values }) => ({ ...values })) };
  }
  return full;
}

const rowsAPage = 1_000;

/** In the order of their numbers; one more than `max` where there are more. */
async function storedRows(
  db: Queryable,
  key: statements.TableKey,
  table: Table,
  max: number = TABLE_LIMITS.rows,
): Promise<Stored[]> {
  const all: Stored[] = [];
  for (let after = 0; all.length <= max; ) {
    const rows = await statements.pageOfRecords(db, key, { after, limit: rowsAPage });
    for (const { id, values } of rows) all.push({ id, values: shownValues(table, values) });
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAPage) break;
    after = last.id;
  }
  return all;
}

/**
 * Each row of the document with the one of the table that it is. A row is known by its unique column; without one, by all it
 * has, and then by its first column, so that a new price makes no new row.
 */
function paired(table: Table, stored: readonly Stored[], writing: Writing): Pair[] {
  const given = (table.rows ?? []).map((row) => parseRow(table, row, 'new', writing).values);
  const [unique] = uniqueColumns(table);
  const found: (Stored | undefined)[] = given.map(() => undefined);
  const taken = new Set<number>();
  const pairBy = (nameOf: (values: Values) => string | undefined): void => {
    const waiting = Map.groupBy(
      stored.filter(({ id }) => !taken.has(id)),
      ({ values }) => nameOf(values),
    );
    for (const [at, values] of given.entries()) {
      const name = nameOf(values);
      const next = found[at] === undefined && name !== undefined ? waiting.get(name)?.shift() : undefined;
      if (next === undefined) continue;
      found[at] = next;
      taken.add(next.id);
    }
  };
  const byColumn = (column: string | undefined) => (values: Values) => {
    const value: Scalar | undefined = column === undefined ? undefined : values[column];
    return value === undefined ? undefined : String(value);
  };
  if (unique !== undefined) pairBy(byColumn(unique));
  else {
    pairBy((values) => JSON.stringify(sorted(values)));
    pairBy(byColumn(firstColumn(table)));
  }
  return given.map((values, at) => ({ values, stored: found[at] }));
}

/** What a row is called by: its first required text, as `title`, else its first column. */
function firstColumn(table: Table): string | undefined {
  const columns = Object.keys(inOrder(table).columns);
  return columns.find((name) => table.columns[name]?.type === 'text' && table.columns[name]?.required) ?? columns[0];
}

const sorted = (values: Values): [string, Scalar][] =>
  Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1));

const sameValues = (one: Values, other: Values): boolean =>
  JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));

const keptOf = (pairs: readonly Pair[]): number[] => pairs.flatMap(({ stored }) => stored?.id ?? []);

async function write(
  tx: Tx,
  key: statements.TableKey,
  table: Table,
  {
    missing,
    changed,
    kept,
  }: { missing: readonly Pair[]; changed: readonly Pair[]; kept: readonly number[] | undefined },
): Promise<void> {
  const standing = (await statements.lockTable(tx, key)) as statements.TableRow;
  await settleTable(tx, key, table);
  const removed = kept === undefined ? 0 : await statements.deleteOthers(tx, key, kept);
  if (standing.row_count - removed + missing.length > TABLE_LIMITS.rows)
    throw wrong(key.name, `A table has at most ${TABLE_LIMITS.rows} rows.`);
  const changes = changed.map(({ values, stored }) => ({
    id: (stored as Stored).id,
    values,
    removed: Object.keys((stored as Stored).values).filter((column) => !Object.hasOwn(values, column)),
  }));
  const added = missing.map(({ values }, at) => ({ id: standing.last_id + at + 1, values, removed: [] }));
  await statements.changeRecords(tx, key, changes);
  await statements.insertRecords(tx, key, added);
  const columns = uniqueColumns(table);
  const ids = [...changes, ...added].map(({ id }) => id);
  if (columns.length > 0) {
    await statements.unclaim(tx, key, { columns: null, ids });
    const [taken] = await statements.claim(tx, key, { columns, ids });
    if (taken) throw wrong(key.name, `Another row has this "${taken.column}" already.`);
  }
  const lastId = standing.last_id + added.length;
  await statements.moveTable(tx, key, { added: added.length - removed, lastId });
}

const wrong = (table: string, message: string): Refusal =>
  new Refusal('DOCUMENT_WRONG', 'The rows of the document cannot be put in. Nothing was stored.', {
    faults: [{ code: 'row_wrong', path: `tables.${table}.rows`, message, severity: 'stops' }],
  });
