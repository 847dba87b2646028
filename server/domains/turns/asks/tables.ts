// What a turn asks of the project's tables.
import type { Tx } from '../../../../kernel/db.ts';
import type { TableAnswer, TableAsk } from '../../flow/flow.ts';
import { customsOf } from '../../readers/readers.ts';
import {
  countRows,
  deleteRows,
  insertRow,
  type Place,
  rowsOf,
  type ShownRow,
  updateRows,
  type Written,
} from '../../tables/tables.ts';
import type { Asked, AskKind } from './kinds.ts';

/** A question to a table may take long: whoever asks waits alone. */
export const tableAsks: AskKind<'table'> = {
  together: false,
  answer: async (tx, asked, nowMs) => {
    const answers: TableAnswer[] = [];
    for (const one of asked) answers.push(await answerOne(tx, one, nowMs));
    return answers;
  },
};

async function answerOne(tx: Tx, { bot, release, ask }: Asked<TableAsk>, nowMs: number): Promise<TableAnswer> {
  const tables = release.document.tables ?? {};
  const table = Object.hasOwn(tables, ask.table) ? tables[ask.table] : undefined;
  if (!table) return { ok: false, reason: `there is no table "${ask.table}"` };
  const writing = { customs: customsOf(release.document), today: release.dayOf(nowMs) };
  const place: Place = { projectId: bot.project.id, name: ask.table, table, writing };
  try {
    return await carryOut(tx, place, ask);
  } catch (error) {
    // The columns of a question were wrong: nothing was asked of the database.
    if (error instanceof RangeError) return { ok: false, reason: error.message };
    throw error;
  }
}

async function carryOut(tx: Tx, place: Place, ask: TableAsk): Promise<TableAnswer> {
  const { where, set, sort, descending } = ask;
  switch (ask.do) {
    case 'find': {
      const rows = await rowsOf(tx, place, { where, descending, limit: 1, ...(sort === '' ? {} : { sort }) });
      return { ok: true, row: rowOf(rows[0]), count: rows.length === 0 ? 0 : await countRows(tx, place, where) };
    }
    case 'insert':
      return written(await insertRow(tx, place, set));
    case 'update':
      return written(await updateRows(tx, place, where, set));
    case 'delete':
      return { ok: true, row: null, count: await deleteRows(tx, place, where) };
  }
}

function written(result: Written): TableAnswer {
  if (result.ok) return { ok: true, row: rowOf(result.rows[0]), count: result.rows.length };
  const [fault] = result.faults;
  return { ok: false, reason: `${fault?.field}: ${fault?.message}` };
}

const rowOf = (row: ShownRow | undefined): (TableAnswer & { ok: true })['row'] =>
  row === undefined ? null : { ...row.values, id: row.id };
