// Tables follow the document: which columns are unique, and the rows a fresh project begins with.

import type { Fault } from '../../../contract/flow.ts';
import type { Table } from '../../../contract/tables.ts';
import type { Tx } from '../../../kernel/db.ts';
import { attempt } from './attempt.ts';
import { type Tables, tableFaults } from './document-rules.ts';
import { parseRow, uniqueColumns, type Writing } from './rules.ts';
import * as statements from './sql.ts';

export type Settling = { readonly faults: readonly Fault[] };

/**
 * Makes the unique columns of these tables what the document says. Where rows have the same value in a column that is to
 * be unique, it stays as it was and a fault says so; the caller decides whether that stops it.
 */
export async function settleTables(tx: Tx, projectId: number, tables: Tables): Promise<Settling> {
  const known = new Map((await statements.selectTables(tx, projectId)).map((row) => [row.name, row.unique_columns]));
  const faults: Fault[] = [];
  for (const [name, table] of Object.entries(tables)) {
    if (sameNames(known.get(name) ?? [], uniqueColumns(table))) continue;
    faults.push(...(await settleTable(tx, { projectId, name }, table)));
  }
  return { faults };
}

/** The same for one table. */
export async function settleTable(tx: Tx, key: statements.TableKey, table: Table): Promise<Fault[]> {
  const standing = (await statements.lockTable(tx, key))?.unique_columns ?? [];
  const wanted = uniqueColumns(table);
  const gone = standing.filter((column) => !wanted.includes(column));
  if (gone.length > 0) await statements.unclaim(tx, key, { columns: gone, ids: null });
  const kept = standing.filter((column) => wanted.includes(column));
  const faults: Fault[] = [];
  for (const column of wanted.filter((each) => !standing.includes(each))) {
    const taken = await attempt(tx, () => statements.claim(tx, key, { columns: [column], ids: null }));
    const [first] = taken;
    if (first) faults.push(twice(key.name, column, first.id));
    else kept.push(column);
  }
  if (!sameNames(kept, standing)) await statements.setUniqueColumns(tx, key, kept.sort());
  return faults;
}

const twice = (table: string, column: string, id: number): Fault => ({
  code: 'rows_alike',
  path: `tables.${table}.columns.${column}.unique`,
  message: `Row ${id} of "${table}" has the same "${column}" as an earlier row, so it cannot become unique.`,
  fix: 'Change one of the two rows first.',
  severity: 'stops',
});

const sameNames = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && [...left].sort().every((name, index) => name === [...right].sort()[index]);

/**
 * Puts in the rows of the document where a table is still empty, once in its life: what was emptied later stays empty.
 * A table whose rows have mistakes is left for the next time.
 */
export async function seedTables(
  tx: Tx,
  projectId: number,
  tables: Tables,
  media: { readonly [id: string]: unknown },
  writing?: Writing,
): Promise<void> {
  for (const [name, table] of Object.entries(tables)) {
    const given = table.rows ?? [];
    if (given.length === 0 || tableFaults({ [name]: table }, media, writing).length > 0) continue;
    const key = { projectId, name };
    const standing = await statements.lockTable(tx, key);
    if (standing === undefined || standing.seeded || standing.row_count > 0) continue;
    await settleTable(tx, key, table);
    const rows = given.map((row, index) => ({
      id: standing.last_id + index + 1,
      values: parseRow(table, row, 'new', writing).values,
      removed: [],
    }));
    await statements.insertRecords(tx, key, rows);
    await statements.claim(tx, key, { columns: uniqueColumns(table), ids: null });
    await statements.moveTable(tx, key, { added: rows.length, lastId: standing.last_id + rows.length });
    await statements.markSeeded(tx, key);
  }
}
