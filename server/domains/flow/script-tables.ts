// Tables as a script has them: in memory, beginning with the rows of the document. Values are taken as they are; what
// fits a column is for the real ones to say.

import type { FlowDocument } from '../../../contract/flow.ts';
import type { TableAnswer, TableAsk, TableRow, TableTest } from './step-types.ts';
import { asText, readOwn } from './values.ts';

type Scalar = string | number | boolean;
type Row = { [field: string]: Scalar };
type Tables = { readonly [name: string]: { rows: Row[]; last: number; readonly unique: readonly string[] } };

export class ScriptTables {
  readonly #tables: Tables;

  constructor(document: FlowDocument) {
    this.#tables = Object.fromEntries(
      Object.entries(document.tables ?? {}).map(([name, { columns, rows = [] }]) => {
        const unique = Object.keys(columns).filter((field) => columns[field]?.unique);
        return [name, { rows: rows.map((row, index) => ({ ...row, id: index + 1 })), last: rows.length, unique }];
      }),
    );
  }

  answer(ask: TableAsk): TableAnswer {
    const table = readOwn(this.#tables, ask.table);
    if (!table) return { ok: false, reason: `there is no table "${ask.table}"` };
    const found = sorted(table.rows, ask).filter((row) => ask.where.every((test) => passes(row, test)));
    switch (ask.do) {
      case 'find':
        return { ok: true, row: found[0] ?? null, count: found.length };
      case 'insert': {
        const row = { ...filled(ask.set), id: table.last + 1 };
        const taken = takenColumn(table.rows, table.unique, row);
        if (taken !== undefined) return { ok: false, reason: `${taken}: another row has it already` };
        table.last += 1;
        table.rows.push(row);
        return { ok: true, row, count: 1 };
      }
      case 'update':
        for (const row of found) {
          for (const [field, value] of Object.entries(ask.set)) {
            if (value === '') delete row[field];
            else row[field] = value;
          }
        }
        return { ok: true, row: found[0] ?? null, count: found.length };
      case 'delete':
        table.rows = table.rows.filter((row) => !found.includes(row));
        return { ok: true, row: null, count: found.length };
    }
  }
}

const filled = (set: TableRow): Row => Object.fromEntries(Object.entries(set).filter(([, value]) => value !== ''));

function takenColumn(rows: readonly Row[], unique: readonly string[], row: Row): string | undefined {
  return unique.find((field) => row[field] !== undefined && rows.some((other) => other[field] === row[field]));
}

function sorted(rows: readonly Row[], { sort, descending }: TableAsk): Row[] {
  const ordered = sort === '' ? [...rows] : rows.toSorted((left, right) => compare(left[sort], right[sort]));
  return descending ? ordered.reverse() : ordered;
}

function compare(left: Scalar | undefined, right: Scalar | undefined): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return asText(left) < asText(right) ? -1 : Number(asText(left) > asText(right));
}

/** An empty text asks for an empty cell, and a box that nobody has ticked counts as "no". */
function passes(row: Row, test: TableTest): boolean {
  const held = row[test.field];
  const same = (given: Scalar): boolean => (given === '' || given === false ? !held : held === given);
  if (test.is !== undefined && !same(test.is)) return false;
  if (test.not !== undefined && same(test.not)) return false;
  if (test.over !== undefined && (held === undefined || compare(held, test.over) <= 0)) return false;
  if (test.under !== undefined && (held === undefined || compare(held, test.under) >= 0)) return false;
  return test.contains === undefined || asText(held).toLowerCase().includes(asText(test.contains).toLowerCase());
}
