// What is wrong with the tables of a document. Pure.
import type { Fault } from '../../../contract/flow.ts';
import { TABLE_LIMITS, type Table } from '../../../contract/tables.ts';
import { parseRow, type RowTest, type Scalar, storedTests, uniqueColumns, type Values, type Writing } from './rules.ts';

/** The tables of a document, by their ids. */
export type Tables = { readonly [name: string]: Table };

/** More mistakes of one table than these help nobody. */
const faultsATableMax = 20;

const stop = (code: string, path: string, message: string, fix?: string): Fault => ({
  code,
  path,
  message,
  severity: 'stops',
  ...(fix === undefined ? {} : { fix }),
});

/** Limits, names of columns, and the rows a fresh project begins with. `media` names the files that photos may be. */
export function tableFaults(tables: Tables, media: { readonly [id: string]: unknown }, writing?: Writing): Fault[] {
  const names = Object.keys(tables);
  const many = names.length > TABLE_LIMITS.tables;
  const faults = many ? [stop('too_many', 'tables', `There can be at most ${TABLE_LIMITS.tables} tables.`)] : [];
  for (const name of names) faults.push(...faultsOf(name, tables[name] as Table, media, writing));
  return faults;
}

function faultsOf(
  name: string,
  table: Table,
  media: { readonly [id: string]: unknown },
  writing: Writing | undefined,
): Fault[] {
  const path = `tables.${name}`;
  const columns = Object.keys(table.columns);
  const faults: Fault[] = [];
  if (columns.length === 0)
    faults.push(stop('columns_missing', `${path}.columns`, `The table "${name}" has no columns.`, 'Add one.'));
  if (columns.length > TABLE_LIMITS.columns)
    faults.push(stop('too_many', `${path}.columns`, `A table has at most ${TABLE_LIMITS.columns} columns.`));
  if (columns.includes('id'))
    faults.push(
      stop('name_reserved', `${path}.columns.id`, 'A row has its number as "id" already.', 'Choose another name.'),
    );
  return [...faults, ...orderFaults(path, table), ...rowFaults(path, table, media, writing)].slice(0, faultsATableMax);
}

function orderFaults(path: string, { columns, order = [] }: Table): Fault[] {
  return order.flatMap((field, index) => {
    const at = `${path}.order.${index}`;
    if (!Object.hasOwn(columns, field))
      return stop('column_missing', at, `The table has no column "${field}".`, 'Take it out of the order.');
    return order.indexOf(field) < index ? stop('column_twice', at, `The column "${field}" stands here twice.`) : [];
  });
}

function rowFaults(
  path: string,
  table: Table,
  media: { readonly [id: string]: unknown },
  writing: Writing | undefined,
): Fault[] {
  const faults: Fault[] = [];
  const seen = new Map<string, number>();
  for (const [index, given] of (table.rows ?? []).entries()) {
    const row = parseRow(table, given, 'new', writing);
    const at = (field: string): string => `${path}.rows.${index}${field === '' ? '' : `.${field}`}`;
    faults.push(...row.faults.map(({ field, message }) => stop('row_wrong', at(field), message)));
    for (const field of missingPhotos(table, row.values, media))
      faults.push(
        stop('media_missing', at(field), `There is no file "${row.values[field]}".`, 'Add it or choose another.'),
      );
    for (const field of uniqueColumns(table)) {
      const value: Scalar | undefined = row.values[field];
      if (value === undefined) continue;
      const first = seen.get(`${field} ${value}`);
      if (first === undefined) seen.set(`${field} ${value}`, index);
      else faults.push(stop('row_twice', at(field), `Row ${first} has the same "${field}", which must be unique.`));
    }
  }
  return faults;
}

const missingPhotos = (table: Table, values: Values, media: { readonly [id: string]: unknown }): string[] =>
  Object.keys(values).filter(
    (field) => table.columns[field]?.type === 'photo' && !Object.hasOwn(media, String(values[field])),
  );

/** Which rows of a table something shows. */
type Source = { readonly table: string; readonly where?: readonly RowTest[] | undefined };

/**
 * Filters whose values the column can never have, so that nobody could ask for the rows. `known` are places that have their
 * sentence already.
 */
export function filterFaults(
  tables: Tables,
  sources: { readonly [id: string]: Source },
  known: ReadonlySet<string> = new Set(),
): Fault[] {
  return Object.entries(sources).flatMap(([id, { table: name, where = [] }]) => {
    const table = Object.hasOwn(tables, name) ? tables[name] : undefined;
    if (table === undefined) return [];
    return where.flatMap(({ field, ...asked }, index) =>
      Object.entries(asked).flatMap(([operator, given]) => {
        const at = `app.data.${id}.where.${index}`;
        const path = `${at}.${operator}`;
        if (known.has(path) || known.has(`${at}.field`)) return [];
        return storedTests(table, [{ field, [operator]: given }]).faults.map(({ message }) =>
          stop('filter_type', path, message, 'Write a value that the column may hold.'),
        );
      }),
    );
  });
}
