// Finds, puts in, changes and takes out records of the project's tables.

import type { PropsOf } from '../../../../contract/blocks/registry.ts';
import type { Given } from '../../../../contract/blocks/table.ts';
import { exitMove, failMove, type MakeRunner, type Making, type Move, NEXT_MOVE } from '../runner.ts';
import type { TableAsk, TableRow, TableTest } from '../step-types.ts';
import type { Turn } from '../turn.ts';
import { asText, readOwn } from '../values.ts';

type Scalar = string | number | boolean;
type Read = (turn: Turn) => Scalar;

export const makeTable: MakeRunner<'table'> = (_id, { props }, making) => {
  const where = (props.where ?? []).map((test) => makeTest(test, making));
  const set = Object.entries(props.set ?? {}).map(([field, given]) => [field, reader(given, making)] as const);
  return {
    run: (turn) => {
      const ask: TableAsk = {
        kind: 'table',
        do: props.do,
        table: props.table,
        where: where.map((test) => test(turn)),
        sort: props.sort ?? '',
        descending: props.descending ?? false,
        set: Object.fromEntries(set.map(([field, read]) => [field, read(turn)])),
      };
      const answer = turn.askTable(ask);
      if (!answer.ok) return failMove(answer.reason);
      const reason = keep(turn, props, answer.row, answer.count);
      return reason === null ? way(props.do, answer.count) : failMove(reason);
    },
  };
};

function way(what: PropsOf<'table'>['do'], count: number): Move {
  if (count === 0) return what === 'insert' ? NEXT_MOVE : exitMove('none');
  return what === 'find' ? exitMove('found') : NEXT_MOVE;
}

function makeTest(test: NonNullable<PropsOf<'table'>['where']>[number], making: Making): (turn: Turn) => TableTest {
  const { field, ...operators } = test;
  const reads = Object.entries(operators).flatMap(([operator, given]) =>
    given === undefined ? [] : [[operator, reader(given, making)] as const],
  );
  return (turn) => ({ field, ...Object.fromEntries(reads.map(([operator, read]) => [operator, read(turn)])) });
}

/** A cell holds one value: a list is written with commas, and what is unset is empty. Throws where an expression fails. */
function reader(given: Given, making: Making): Read {
  if (typeof given !== 'object') return () => given;
  // A table has one language, whoever wrote into it.
  const locale = making.defaultLocale;
  if ('var' in given) return (turn) => scalarOf(turn.read(given.var, locale));
  const program = making.program(given.expr);
  return (turn) => {
    if (program === null) throw new Error('the expression is wrong');
    return scalarOf(turn.evaluate(program, locale));
  };
}

function scalarOf(value: Parameters<typeof asText>[0]): Scalar {
  if (value === undefined) return '';
  if (typeof value !== 'object') return value;
  return Array.isArray(value) ? value.map(asText).join(', ') : asText(value);
}

/** Puts columns into variables; an empty cell empties its variable. Without a row they all become empty. */
function keep(turn: Turn, props: PropsOf<'table'>, row: TableRow | null, count: number): string | null {
  for (const [field, name] of Object.entries(props.into ?? {})) {
    const value = row ? readOwn(row, field) : undefined;
    const reason = value === undefined ? turn.clear(name) : turn.set(name, value);
    if (reason !== null) return reason;
  }
  return props.count === undefined ? null : turn.set(props.count, count);
}
