// Whole tables in and out as CSV.

import { TABLE_LIMITS } from '../../../contract/tables.ts';
import type { Queryable, Tx } from '../../../kernel/db.ts';
import { Refusal } from '../../../kernel/errors.ts';
import { type CsvFault, type CsvOptions, type CsvRow, csvHead, csvRow, readCsv } from './csv-rules.ts';
import { inOrder, shownValues } from './rules.ts';
import { settleTable } from './settle.ts';
import * as statements from './sql.ts';
import type { Place } from './tables.ts';

/** What an import did. */
export type CsvImported = { readonly added: number; readonly changed: number; readonly removed: number };

const rowsAStatement = 1_000;

/**
 * Brings a file into a table: a row with a number is changed, or put in under it where there is none; a row without one
 * is new. `replace` takes out the rows that the file does not number. All of it or nothing: throws Refusal CSV_WRONG
 * with every mistake and its line.
 */
export async function importCsv(
  tx: Tx,
  place: Place,
  bytes: Uint8Array,
  options: { readonly replace?: boolean } = {},
): Promise<CsvImported> {
  const { rows, faults } = readCsv(place.table, bytes, place.writing);
  refuse(faults);
  const table = (await statements.lockTable(tx, place)) as statements.TableRow;
  await settleTable(tx, place, place.table);
  const numbered = rows.flatMap((row) => row.id ?? []);
  const removed = options.replace ? await statements.deleteOthers(tx, place, numbered) : 0;
  const known = new Set((await statements.selectIds(tx, place, numbered)).map((row) => row.id));
  const lastId = numbered.reduce((most, id) => Math.max(most, id), table.last_id);
  const writes = writesOf(rows, lastId);
  const changed = writes.filter((write) => known.has(write.id));
  const added = writes.filter((write) => !known.has(write.id));
  refuse(missingFaults(place, added));
  if (table.row_count - removed + added.length > TABLE_LIMITS.rows)
    refuse([{ line: 0, field: '', message: `A table has at most ${TABLE_LIMITS.rows} rows.` }]);
  for (const part of parts(changed)) await statements.changeRecords(tx, place, part);
  for (const part of parts(added)) await statements.insertRecords(tx, place, part);
  await claimAll(tx, place, writes);
  await statements.moveTable(tx, place, {
    added: added.length - removed,
    lastId: lastId + rows.length - numbered.length,
  });
  return { added: added.length, changed: changed.length, removed };
}

type Write = statements.RecordWrite & Pick<CsvRow, 'line'>;

/** New rows are numbered behind all others. */
function writesOf(rows: readonly CsvRow[], lastId: number): Write[] {
  let next = lastId;
  return rows.map(({ line, id, values, emptied }) => {
    const number = id ?? (next += 1);
    return { line, id: number, values, removed: emptied };
  });
}

function* parts(writes: readonly Write[]): Generator<readonly Write[]> {
  for (let at = 0; at < writes.length; at += rowsAStatement) yield writes.slice(at, at + rowsAStatement);
}

/** A row that has a number but is not here is new all the same, so what is required has to be there. */
function missingFaults({ table }: Place, added: readonly Write[]): CsvFault[] {
  const required = Object.keys(table.columns).filter((field) => table.columns[field]?.required);
  return added.flatMap(({ line, values }) =>
    required
      .filter((field) => !Object.hasOwn(values, field))
      .map((field) => ({ line, field, message: 'This has to be filled in.' })),
  );
}

/** Claims of all rows of the file are given up before new ones are made: two rows may change places. */
async function claimAll(tx: Tx, place: Place, writes: readonly Write[]): Promise<void> {
  const columns = (await statements.lockTable(tx, place))?.unique_columns ?? [];
  if (columns.length === 0) return;
  const ids = writes.map((write) => write.id);
  await statements.unclaim(tx, place, { columns: null, ids });
  const taken = await statements.claim(tx, place, { columns, ids });
  const lines = new Map(writes.map((write) => [write.id, write.line]));
  refuse(
    taken.map(({ id, column }) => ({
      line: lines.get(id) ?? 0,
      field: column,
      message: `Another row has this "${column}" already.`,
    })),
  );
}

function refuse(found: readonly CsvFault[]): void {
  if (found.length === 0) return;
  const faults = found.map(({ line, field, message }) => ({ path: placeOf(line, field), line, field, message }));
  const count = faults.length === 1 ? 'a mistake' : `${faults.length} mistakes`;
  throw new Refusal('CSV_WRONG', `The file has ${count}. Nothing was stored.`, { faults });
}

const placeOf = (line: number, field: string): string =>
  line === 0 ? 'the file' : `line ${line}${field === '' ? '' : `, ${field}`}`;

/** A whole table as CSV, in pieces: the mark of UTF-8 and the names of the columns in their order first, then rows by their numbers. */
export async function* exportCsv(db: Queryable, place: Place, options: CsvOptions = {}): AsyncGenerator<string> {
  const table = inOrder(place.table);
  yield csvHead(table, options);
  for (let after = 0; ; ) {
    const rows = await statements.pageOfRecords(db, place, { after, limit: rowsAStatement });
    yield rows.map(({ id, values }) => csvRow(table, { id, values: shownValues(table, values) }, options)).join('');
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAStatement) return;
    after = last.id;
  }
}
