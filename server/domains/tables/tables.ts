/**
 * Records that a project keeps: products, masters, answers. Columns stand in the project's document; what is stored
 * keeps columns that the document has no more. The caller owns the transaction.
 */

import { TABLE_LIMITS, type Table } from '../../../contract/tables.ts';
import type { Queryable, Tx } from '../../../kernel/db.ts';
import { attempt } from './attempt.ts';
import {
  type CellFault,
  parseRow,
  type RowTest,
  shownValues,
  storedTests,
  type Values,
  type Writing,
} from './rules.ts';
import type { Taken } from './sql.ts';
import * as statements from './sql.ts';

export { type CsvImported, exportCsv, importCsv } from './csv.ts';
export { type CsvOptions, csvLine, withGuard } from './csv-rules.ts';
export { applyRows, type RowsDiffer, type RowsMode, withCurrentRows } from './document-rows.ts';
export { filterFaults, type Tables, tableFaults } from './document-rules.ts';
export { type CellFault, inOrder, type RowTest, type Scalar, type Values, type Writing } from './rules.ts';
export { type Settling, seedTables, settleTables } from './settle.ts';

/** A table at hand: whose it is, what it is called, its columns as the document in use has them, and how values are written. */
export type Place = {
  readonly projectId: number;
  readonly name: string;
  readonly table: Table;
  readonly writing?: Writing | undefined;
};

/** A row as the present columns show it. */
export type ShownRow = { readonly id: number; readonly values: Values };

/** What a write came to: the rows as they are now, or what is wrong with each value. Nothing was changed then. */
export type Written =
  | { readonly ok: true; readonly rows: readonly ShownRow[] }
  | { readonly ok: false; readonly faults: readonly CellFault[] };

export type Query = {
  /** All of these must hold. */
  readonly where?: readonly RowTest[] | undefined;
  readonly sort?: string | undefined;
  readonly descending?: boolean | undefined;
  readonly limit?: number | undefined;
};

/** The rows that a query finds. Throws RangeError for a column that there is not: queries are checked when they are published. */
export async function rowsOf(db: Queryable, place: Place, query: Query = {}): Promise<ShownRow[]> {
  const rows = await statements.findRecords(db, place, {
    tests: testsOf(place, query.where),
    sort: query.sort ?? null,
    descending: query.descending ?? false,
    limit: Math.min(query.limit ?? TABLE_LIMITS.rows, TABLE_LIMITS.rows),
  });
  return rows.map(shown(place.table));
}

/** How many rows pass the tests. Throws as `rowsOf` does. */
export async function countRows(db: Queryable, place: Place, where: readonly RowTest[] = []): Promise<number> {
  return (await statements.countRecords(db, place, testsOf(place, where)))?.count ?? 0;
}

/** Puts one row in. */
export async function insertRow(tx: Tx, place: Place, given: { readonly [field: string]: unknown }): Promise<Written> {
  const { values, faults } = parseRow(place.table, given, 'new', place.writing);
  if (faults.length > 0) return { ok: false, faults };
  const table = await locked(tx, place);
  if (table.row_count >= TABLE_LIMITS.rows)
    return { ok: false, faults: [{ field: '', message: `A table has at most ${TABLE_LIMITS.rows} rows.` }] };
  const id = table.last_id + 1;
  const taken = await attempt(tx, async () => {
    await statements.insertRecords(tx, place, [{ id, values, removed: [] }]);
    return table.unique_columns.length > 0
      ? statements.claim(tx, place, { columns: table.unique_columns, ids: [id] })
      : [];
  });
  if (taken.length > 0) return { ok: false, faults: taken.map(takenFault) };
  await statements.moveTable(tx, place, { added: 1, lastId: id });
  return { ok: true, rows: [{ id, values }] };
}

/** Changes every row that passes the tests; values that are empty are taken out. Throws as `rowsOf` does. */
export async function updateRows(
  tx: Tx,
  place: Place,
  where: readonly RowTest[],
  given: { readonly [field: string]: unknown },
): Promise<Written> {
  const { values, emptied, faults } = parseRow(place.table, given, 'change', place.writing);
  if (faults.length > 0) return { ok: false, faults };
  const tests = testsOf(place, where);
  const table = await locked(tx, place);
  const columns = table.unique_columns.filter((column) => Object.hasOwn(values, column) || emptied.includes(column));
  let rows: statements.RecordRow[] = [];
  const taken = await attempt(tx, async () => {
    rows = await statements.changeMatching(tx, place, { tests, values, removed: emptied });
    return columns.length > 0 ? claimAnew(tx, place, columns, rows) : [];
  });
  if (taken.length > 0) return { ok: false, faults: taken.slice(0, 1).map(takenFault) };
  if (rows.length > 0) await statements.moveTable(tx, place, { added: 0, lastId: 0 });
  return { ok: true, rows: rows.map(shown(place.table)) };
}

/** Takes out every row that passes the tests; tells how many. Throws as `rowsOf` does. */
export async function deleteRows(tx: Tx, place: Place, where: readonly RowTest[]): Promise<number> {
  const tests = testsOf(place, where);
  await locked(tx, place);
  const removed = await statements.deleteMatching(tx, place, tests);
  if (removed > 0) await statements.moveTable(tx, place, { added: -removed, lastId: 0 });
  return removed;
}

/**
 * Takes amounts off a column of numbers, as an order takes goods off the stock: all of them or none. `short` names the
 * rows where there is not enough (or no number at all). Each row once.
 */
export async function takeFromRows(
  tx: Tx,
  place: Pick<Place, 'projectId' | 'name'>,
  take: { readonly column: string; readonly items: readonly { readonly id: number; readonly count: number }[] },
): Promise<{ readonly short: readonly number[] }> {
  const { column, items } = take;
  await locked(tx, place);
  const short = await attempt(tx, async () => {
    const ids = items.map((item) => item.id);
    const rows = await statements.takeAmounts(tx, place, { column, ids, counts: items.map((item) => item.count) });
    const enough = new Set(rows.map((row) => row.id));
    return ids.filter((id) => !enough.has(id));
  });
  if (short.length === 0) await statements.moveTable(tx, place, { added: 0, lastId: 0 });
  return { short };
}

/**
 * Puts amounts back that `takeFromRows` took, and tells how much that was in all. A row that is gone, or has no number
 * there any more, is left out.
 */
export async function giveToRows(
  tx: Tx,
  place: Pick<Place, 'projectId' | 'name'>,
  give: { readonly column: string; readonly items: readonly { readonly id: number; readonly count: number }[] },
): Promise<number> {
  const { column, items } = give;
  await locked(tx, place);
  const ids = items.map((item) => item.id);
  const rows = await statements.takeAmounts(tx, place, { column, ids, counts: items.map((item) => -item.count) });
  await statements.moveTable(tx, place, { added: 0, lastId: 0 });
  const there = new Set(rows.map((row) => row.id));
  return items.reduce((sum, { id, count }) => sum + (there.has(id) ? count : 0), 0);
}

/** What a project has in its tables, by their names; a table that was never written to is not among them. */
export async function tableFacts(
  db: Queryable,
  projectId: number,
): Promise<Map<string, { rows: number; changedAt: Date | null }>> {
  const rows = await statements.selectTables(db, projectId);
  return new Map(rows.map((row) => [row.name, { rows: row.row_count, changedAt: row.changed_at }]));
}

/**
 * A number for each of these projects that moves with every change of any of its tables; 0 where nothing was ever
 * written. For comparing only: it says that something changed, not what came first.
 */
export async function projectRevs(db: Queryable, projectIds: readonly number[]): Promise<Map<number, number>> {
  const sums = new Map((await statements.sumRevs(db, projectIds)).map((row) => [row.projectId, row.sum]));
  return new Map(projectIds.map((id) => [id, sums.get(id) ?? 0]));
}

async function locked(tx: Tx, place: Pick<Place, 'projectId' | 'name'>): Promise<statements.TableRow> {
  return (await statements.lockTable(tx, place)) as statements.TableRow;
}

async function claimAnew(
  tx: Tx,
  place: Place,
  columns: readonly string[],
  rows: readonly { id: number }[],
): Promise<Taken[]> {
  const ids = rows.map((row) => row.id);
  await statements.unclaim(tx, place, { columns, ids });
  return statements.claim(tx, place, { columns, ids });
}

function testsOf({ table, writing }: Place, where: readonly RowTest[] = []): ReturnType<typeof storedTests>['tests'] {
  const { tests, faults } = storedTests(table, where, writing);
  const [fault] = faults;
  if (fault) throw new RangeError(`${fault.field}: ${fault.message}`);
  return tests;
}

const shown =
  (table: Table) =>
  ({ id, values }: statements.RecordRow): ShownRow => ({ id, values: shownValues(table, values) });

const takenFault = ({ column }: Taken): CellFault => ({
  field: column,
  message: `Another row has this "${column}" already.`,
});
