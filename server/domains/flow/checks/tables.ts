// Blocks that use tables: do the table, its columns and the variables exist, and does what is written fit?

import { isSafeUrl } from '../../../../contract/app/texts.ts';
import type { BlockOf } from '../../../../contract/blocks/registry.ts';
import type { Given } from '../../../../contract/blocks/table.ts';
import type { Fault, FlowDocument } from '../../../../contract/flow.ts';
import type { Column, Table } from '../../../../contract/tables.ts';
import type { VariableType } from '../../../../contract/variables.ts';
import { customsOf, readMail, readPhone, readTime } from '../../readers/readers.ts';
import { asNumber, isDate, readOwn } from '../values.ts';
import { stop, warn } from './fault.ts';
import { fits, TYPE_WORDS } from './values.ts';

/** Everything about blocks of type `table`. What their variables are is checked with all others. */
export function checkTables(document: FlowDocument): Fault[] {
  return Object.entries(document.blocks).flatMap(([id, block]) =>
    block.type === 'table' ? checkBlock(`blocks.${id}.props`, block, document) : [],
  );
}

function checkBlock(path: string, { props }: BlockOf<'table'>, document: FlowDocument): Fault[] {
  const table = readOwn(document.tables ?? {}, props.table);
  if (!table)
    return [
      stop(
        'table_missing',
        `${path}.table`,
        `There is no table "${props.table}".`,
        'Add it to "tables" or choose another.',
      ),
    ];
  return [
    ...checkNeeds(path, props, table),
    ...(props.where ?? []).flatMap(({ field, ...operators }, index) => [
      ...checkColumn(`${path}.where.${index}.field`, table, field, true),
      ...Object.entries(operators).flatMap(([operator, given]) =>
        operator === 'contains'
          ? []
          : checkLiteral(`${path}.where.${index}.${operator}`, columnAt(table, field), given, document),
      ),
    ]),
    ...Object.entries(props.set ?? {}).flatMap(([field, given]) => [
      ...checkColumn(`${path}.set.${field}`, table, field, false),
      ...checkLiteral(`${path}.set.${field}`, columnAt(table, field), given, document),
    ]),
    ...(props.sort === undefined ? [] : checkColumn(`${path}.sort`, table, props.sort, true)),
    ...Object.entries(props.into ?? {}).flatMap(([field, name]) => [
      ...checkColumn(`${path}.into.${field}`, table, field, true),
      ...checkInto(`${path}.into.${field}`, columnAt(table, field), name, document),
    ]),
    ...(props.count === undefined ? [] : checkInto(`${path}.count`, { type: 'number' }, props.count, document)),
  ];
}

/** What each way of using a table needs, and what it does not look at. */
function checkNeeds(path: string, props: BlockOf<'table'>['props'], table: Table): Fault[] {
  const written = Object.keys(props.set ?? {});
  const writes = props.do === 'insert' || props.do === 'update';
  const faults: Fault[] = [];
  if (writes && written.length === 0)
    faults.push(stop('block_idle', `${path}.set`, 'This block writes nothing.', 'Say what goes into which column.'));
  if (!writes && written.length > 0)
    faults.push(
      stop('prop_unused', `${path}.set`, `"set" does nothing for "${props.do}".`, 'It acts for "insert" and "update".'),
    );
  if (props.do === 'insert' && props.where !== undefined)
    faults.push(
      stop(
        'prop_unused',
        `${path}.where`,
        '"where" does nothing for "insert": a new row is put in whatever stands in the others.',
        'It acts for "find", "update" and "delete".',
      ),
    );
  if ((props.do === 'update' || props.do === 'delete') && props.where === undefined) {
    const what = props.do === 'update' ? 'changes' : 'takes out';
    faults.push(warn('rows_all', path, `This ${what} every row of the table.`, 'Say which rows are meant in "where".'));
  }
  for (const [field, column] of props.do === 'insert' ? Object.entries(table.columns) : []) {
    if (column.required && !written.includes(field))
      faults.push(
        stop(
          'column_required',
          `${path}.set`,
          `The column "${field}" has to be filled in.`,
          'Write something into it.',
        ),
      );
  }
  return faults;
}

/** `id` is the number of a row: it can be asked for and not written. */
function columnAt(table: Table, field: string): Column | undefined {
  return field === 'id' ? { type: 'number' } : readOwn(table.columns, field);
}

function checkColumn(path: string, table: Table, field: string, idToo: boolean): Fault[] {
  if (Object.hasOwn(table.columns, field) || (idToo && field === 'id')) return [];
  const names = Object.keys(table.columns)
    .map((name) => `"${name}"`)
    .join(', ');
  return [stop('column_missing', path, `The table has no column "${field}".`, `It has ${names}.`)];
}

function checkLiteral(
  path: string,
  column: Column | undefined,
  given: Given | undefined,
  document: FlowDocument,
): Fault[] {
  if (!column || given === undefined || typeof given === 'object' || given === '') return [];
  if (column.type === 'number' || column.type === 'money')
    return Number.isFinite(asNumber(given)) ? [] : [wrong(path, 'a number')];
  if (column.type === 'bool') return typeof given === 'boolean' ? [] : [wrong(path, 'true or false')];
  if (column.type === 'date')
    return typeof given === 'string' && isDate(given) ? [] : [wrong(path, 'a date as "2026-12-31"')];
  if (column.type === 'time') return 'value' in readTime(String(given)) ? [] : [wrong(path, 'a time as "09:30"')];
  if (column.type === 'email')
    return 'value' in readMail(String(given)) ? [] : [wrong(path, 'an e-mail address as "anna@example.com"')];
  if (column.type === 'phone')
    return 'value' in readPhone(String(given), customsOf(document))
      ? []
      : [wrong(path, 'a phone number as "+79001234567"')];
  if (column.type === 'link') return isSafeUrl(String(given)) ? [] : [wrong(path, 'a link as "https://example.com"')];
  return [];
}

const wrong = (path: string, what: string): Fault => stop('type_mismatch', path, `This must be ${what}.`);

const READ_AS: { readonly [Type in Column['type']]: VariableType } = {
  text: 'text',
  number: 'number',
  money: 'number',
  bool: 'bool',
  date: 'date',
  time: 'time',
  link: 'link',
  photo: 'text',
  phone: 'phone',
  email: 'email',
};

function checkInto(path: string, column: Column | undefined, name: string, document: FlowDocument): Fault[] {
  const variable = readOwn(document.variables ?? {}, name);
  const from = column && READ_AS[column.type];
  if (!variable || !from || fits(from, variable.type)) return [];
  return [
    stop(
      'type_mismatch',
      path,
      `The column holds ${TYPE_WORDS[from]}, and "${name}" is ${TYPE_WORDS[variable.type]}.`,
      'Change the type of the variable or choose another.',
    ),
  ];
}
