import { describe, expect, test } from 'vitest';
import { FLOW_LIMITS } from '../../../../contract/limits.ts';
import { emptyState, release, said, say, startDocument } from '../fixtures.ts';
import { checkDocument, type StepResult, step, type TableAnswer, type TableAsk } from '../flow.ts';

const texts = { found: ['Found ', { var: 'name' }, ', ', { var: 'many' }], none: 'None', failed: 'Failed' };

function documentOf(props: object, more: object = {}, exits: object = { none: 'no', error: 'err' }) {
  return startDocument(
    {
      t: { type: 'table', props: { table: 'goods', ...props }, exits },
      yes: { type: 'message', props: { text: 'found' } },
    },
    {
      variables: {
        name: { type: 'text', scope: 'conversation', default: 'old' },
        many: { type: 'number', scope: 'conversation', default: 7 },
        items: { type: 'list', scope: 'conversation', default: ['a', 'b'] },
      },
      tables: {
        goods: {
          columns: { title: { type: 'text', required: true }, price: { type: 'money' }, day: { type: 'date' } },
        },
      },
      cards: { no: { blocks: ['n'] }, err: { blocks: ['e'] } },
      blocks: { n: { type: 'message', props: { text: 'none' } }, e: { type: 'message', props: { text: 'failed' } } },
      texts,
      ...more,
    },
  );
}

/** Runs a step, its tables answering in turn; gives the end and what was asked. */
function run(
  document: ReturnType<typeof documentOf>,
  answers: readonly TableAnswer[],
): { result: StepResult; asks: TableAsk[] } {
  const own = release(document);
  const event = { ...say('/start'), random: 0.5 };
  const asks: TableAsk[] = [];
  for (;;) {
    const result = step(own, emptyState, event, own, answers.slice(0, asks.length));
    if (!result.asks) return { result, asks };
    asks.push(result.asks);
    if (asks.length > answers.length) return { result, asks };
  }
}

const row = { id: 3, title: 'Honey', price: 5 };

test('a find asks with values as they are now, and its first row goes into variables', () => {
  const document = documentOf({
    do: 'find',
    where: [
      { field: 'title', is: { var: 'name' }, not: { expr: '"x" + name' } },
      { field: 'price', over: 3 },
    ],
    sort: 'price',
    descending: true,
    into: { title: 'name' },
    count: 'many',
  });
  const { result, asks } = run(document, [{ ok: true, row, count: 2 }]);
  expect(asks).toEqual([
    {
      kind: 'table',
      do: 'find',
      table: 'goods',
      where: [
        { field: 'title', is: 'old', not: 'xold' },
        { field: 'price', over: 3 },
      ],
      sort: 'price',
      descending: true,
      set: {},
    },
  ]);
  expect(said(result)).toEqual(['Found Honey, 2']);
});

describe('its ways out', () => {
  const find = documentOf({ do: 'find', into: { title: 'name', day: 'items' }, count: 'many' });
  const set = { title: { var: 'items' }, price: '' };

  test('nothing found empties the variables', () => {
    const { result } = run(find, [{ ok: true, row: null, count: 0 }]);
    expect(said(result)).toEqual(['None']);
    expect(result.state.conversation?.vars).toEqual({ many: 0 });
  });

  test('a refusal is a failure with its reason in the trace', () => {
    const { result, asks } = run(documentOf({ do: 'insert', set }), [{ ok: false, reason: 'title: taken' }]);
    expect(asks[0]?.set).toEqual({ title: 'a, b', price: '' });
    expect(said(result)).toEqual(['Failed']);
    expect(result.trace).toContainEqual({ at: 't', what: 'table', exit: 'error', note: 'title: taken' });
  });

  test('rows put in, changed and taken out go on; none changed has its own way', () => {
    expect(said(run(documentOf({ do: 'insert', set }), [{ ok: true, row, count: 1 }]).result)).toEqual([
      'Found old, 7',
    ]);
    expect(said(run(documentOf({ do: 'update', set }), [{ ok: true, row, count: 1 }]).result)).toEqual([
      'Found old, 7',
    ]);
    expect(said(run(documentOf({ do: 'update', set }), [{ ok: true, row: null, count: 0 }]).result)).toEqual(['None']);
    const open = documentOf({ do: 'delete' }, {}, {});
    expect(said(run(open, [{ ok: true, row: null, count: 0 }]).result)).toEqual(['Found old, 7']);
  });
});

test('what was not answered yet leaves everything as it was', () => {
  const { result } = run(documentOf({ do: 'find' }), []);
  expect(result.state).toBe(emptyState);
  expect([result.effects, result.changed]).toEqual([[], { conversation: false, contact: false, bot: false }]);
});

test('a turn uses tables a bounded number of times', () => {
  const blocks = Object.fromEntries(
    Array.from({ length: FLOW_LIMITS.tableUsesPerTurn + 1 }, (_, index) => [
      `t${index}`,
      { type: 'table', props: { do: 'delete', table: 'goods' } },
    ]),
  );
  const answers = Array.from({ length: 30 }, (): TableAnswer => ({ ok: true, row: null, count: 1 }));
  const { result, asks } = run(startDocument(blocks, { tables: documentOf({ do: 'find' }).tables }), answers);
  expect([result.outcome, asks.length]).toEqual(['fault', FLOW_LIMITS.tableUsesPerTurn]);
});

describe('the checks name', () => {
  test.each([
    ['a table', { do: 'find', table: 'gods' }, 't.props.table', 'table_missing'],
    [
      'a column of a question',
      { do: 'find', where: [{ field: 'colour', is: 1 }] },
      't.props.where.0.field',
      'column_missing',
    ],
    ['a column to sort by', { do: 'find', sort: 'colour' }, 't.props.sort', 'column_missing'],
    ['a column to write', { do: 'update', set: { id: 4 } }, 't.props.set.id', 'column_missing'],
    ['a variable', { do: 'find', into: { title: 'nobody' } }, 't.props.into.title', 'variable_unknown'],
    [
      'a variable that is read',
      { do: 'find', where: [{ field: 'title', is: { var: 'no' } }] },
      't.props.where.0.is.var',
      'variable_unknown',
    ],
    ['an expression', { do: 'update', set: { title: { expr: '1 +' } } }, 't.props.set.title.expr', 'expression_wrong'],
    ['a type', { do: 'find', into: { title: 'many' } }, 't.props.into.title', 'type_mismatch'],
    ['a value', { do: 'update', set: { price: 'dear' } }, 't.props.set.price', 'type_mismatch'],
    ['a date', { do: 'find', where: [{ field: 'day', over: 'soon' }] }, 't.props.where.0.over', 'type_mismatch'],
    ['what has to be filled in', { do: 'insert', set: { price: 1 } }, 't.props.set', 'column_required'],
    ['a block that writes nothing', { do: 'insert' }, 't.props.set', 'block_idle'],
    ['every row', { do: 'delete' }, 't.props', 'rows_all'],
  ] as const)('%s', (_name, props, path, code) => {
    const faults = checkDocument(documentOf(props)).map((fault) => [fault.path, fault.code]);
    expect(faults).toContainEqual([`blocks.${path}`, code]);
  });

  test('nothing where all is right', () => {
    const props = {
      do: 'insert',
      set: { title: { var: 'name' }, day: '2026-12-31' },
      into: { id: 'many' },
      count: 'many',
    };
    expect(
      checkDocument(documentOf(props, {}, { error: 'err' })).filter((fault) => fault.path.startsWith('blocks.t')),
    ).toEqual([]);
  });
});
