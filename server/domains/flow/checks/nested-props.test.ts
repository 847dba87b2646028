// What stands inside of props, of texts and of variables, out of the contract itself: it changes what comes of a turn, or it
// is refused or named. What is new there fails here until it is said what it holds.

import { describe, expect, test } from 'vitest';
import { BLOCKS, type BlockType, specOf } from '../../../../contract/blocks/registry.ts';
import { spanSchema } from '../../../../contract/texts.ts';
import { variableSchema } from '../../../../contract/variables.ts';
import { schemaPaths } from '../../../../test/support/schema-paths.ts';
import { checkDocument } from '../flow.ts';
import { BASE, block, type Document, expectActs, type Parts } from './fixtures.ts';

/** Two that differ in one place; or why nothing of a turn does. */
type Case = readonly (readonly [Parts, Parts])[] | string;

const choices = (more: Parts, props: Parts = {}): Parts => ({
  kind: 'choice',
  choices: [{ id: 'c', label: 'hi', ...more }],
  ...props,
});
const branch = (more: Parts): Parts => ({ branches: [{ id: 'a', when: { var: 't', op: 'isSet' }, ...more }] });
const when = (condition: Parts): Parts => branch({ when: condition });
const isSet = { var: 't', op: 'isSet' };
const isEmpty = { var: 't', op: 'isEmpty' };
const split = (id: string, weight: number): Parts => ({
  branches: [
    { id, weight },
    { id: 'b', weight: 1 },
  ],
});
const row = (given: unknown): Parts => ({ do: 'insert', set: { title: given } });
const where = (test: Parts): Parts => ({ where: [{ field: 'title', ...test }] });
const compared = (operator: string): { readonly [at: string]: Case } => ({
  [`table.where[].${operator}`]: [[where({ [operator]: 'a' }), where({ [operator]: 'b' })]],
  [`table.where[].${operator}.var`]: [[where({ [operator]: 'a' }), where({ [operator]: { var: 'contact.locale' } })]],
  [`table.where[].${operator}.expr`]: [[where({ [operator]: 'a' }), where({ [operator]: { expr: '"b" + "c"' } })]],
});

const CASES: { readonly [at: string]: Case } = {
  'message.media[].var': [[{ media: ['p'] }, { media: [{ var: 'f' }] }]],
  'edit.target.ref': [[{}, { target: { ref: 'gone' } }]],
  'delete.target.ref': [[{}, { target: { ref: 'gone' } }]],
  'input.choices[].id': [[choices({}), choices({ id: 'd' })]],
  'input.choices[].label': [[choices({}), choices({ label: 'ho' })]],
  'input.choices[].value': [
    [choices({}, { into: 't' }), choices({ value: 'v' }, { into: 't' })],
    [choices({}, { into: 'n' }), choices({ value: 7 }, { into: 'n' })],
    [choices({}), choices({ value: 'v' })],
  ],
  'input.choices[].style': [[choices({}), choices({ style: 'danger' })]],
  'condition.branches[].id': [[branch({ when: isEmpty }), branch({ when: isEmpty, id: 'z' })]],
  'condition.branches[].title': 'It is what an editor shows.',
  'condition.branches[].when': [[when(isSet), when(isEmpty)]],
  'condition.branches[].when.all': [[when({ all: [isEmpty] }), when({ all: [isEmpty, isSet] })]],
  'condition.branches[].when.any': [[when({ any: [isSet] }), when({ any: [isSet, isEmpty] })]],
  'condition.branches[].when.not': [[when(isSet), when({ not: isSet })]],
  'condition.branches[].when.expr': [[when(isSet), when({ expr: '1 < 2' })]],
  'condition.branches[].when.var': [
    [when(isSet), when({ ...isSet, var: 'contact.locale' })],
    [when({ op: 'hasTag', value: 'old' }), when({ op: 'hasTag', value: 'old', var: 't' })],
  ],
  'condition.branches[].when.op': [[when(isSet), when({ ...isSet, op: 'isEmpty' })]],
  'condition.branches[].when.value': [
    [
      when({ var: 'contact.locale', op: 'equals', value: 'ru' }),
      when({ var: 'contact.locale', op: 'equals', value: 'en' }),
    ],
    [when(isSet), when({ ...isSet, value: 'x' })],
  ],
  'condition.branches[].when.value.var': [
    [
      when({ var: 'contact.locale', op: 'equals', value: 'ru' }),
      when({ var: 'contact.locale', op: 'equals', value: { var: 'contact.locale' } }),
    ],
  ],
  'set.set[].into': [[{}, { set: [{ into: 'o', value: 'x' }] }]],
  'set.set[].value': [[{}, { set: [{ into: 't', value: 'y' }] }]],
  'set.set[].expr': [[{}, { set: [{ into: 't', expr: '"a" + "b"' }] }]],
  'set.set[].clear': [[{}, { set: [{ into: 't', clear: true }] }]],
  'random.branches[].id': [[split('a', 9), split('z', 9)]],
  'random.branches[].weight': [[split('a', 1), split('a', 9)]],
  'notify.to[].chat': [[{}, { to: [{ chat: 6 }] }]],
  'notify.to[].thread': [[{}, { to: [{ chat: 5, thread: 3 }] }]],
  'notify.to[].var': [[{}, { to: [{ var: 'n' }] }]],
  'membership.chat.var': [[{}, { chat: { var: 't' } }]],
  'table.where[].field': [[where({ is: 'a' }), { where: [{ field: 'id', is: 'a' }] }]],
  ...Object.assign({}, ...['is', 'not', 'over', 'under', 'contains'].map(compared)),
  'table.set{}.var': [[row('a'), row({ var: 'contact.locale' })]],
  'table.set{}.expr': [[row('a'), row({ expr: '"b" + "c"' })]],
};

/** The words of the one message, and the variables beside those of the scene. */
const saying = (span: unknown, variables: Parts = {}): Document => {
  const made = block('message', { text: 'hi' });
  return {
    ...made,
    variables: { ...made.variables, ...(variables as Document['variables']) },
    texts: { ...made.texts, hi: { en: ['Hi ', span] as never } },
  };
};
const x = (more: Parts = {}): Parts => ({ text: 'x', ...more });
const one = { n: { type: 'number', scope: 'contact', default: 1 } };
const forms = (more: Parts): Parts => ({ plural: 'n', forms: { other: '# o', ...more } });

const SPANS: { readonly [at: string]: readonly (readonly [unknown, unknown, Parts?])[] } = {
  text: [[x(), { text: 'y' }]],
  bold: [[x(), x({ bold: true })]],
  italic: [[x(), x({ italic: true })]],
  underline: [[x(), x({ underline: true })]],
  strike: [[x(), x({ strike: true })]],
  spoiler: [[x(), x({ spoiler: true })]],
  code: [[x(), x({ code: true })]],
  pre: [[x(), x({ pre: 'json' })]],
  quote: [[x(), x({ quote: 'folded' })]],
  link: [[x(), x({ link: 'https://a.example' })]],
  mention: [[x(), x({ mention: 'contact.id' })]],
  emoji: [[x(), x({ emoji: '5368324170671202286' })]],
  var: [[x(), { var: 'contact.locale' }]],
  format: [
    [{ var: 'n' }, { var: 'n', format: 'percent' }, one],
    [{ var: 'd' }, { var: 'd', format: 'dateLong' }],
    [{ var: 'b' }, { var: 'b', format: 'number' }],
    [{ var: 'b' }, { var: 'b', format: 'date' }],
  ],
  expr: [[x(), { expr: '1 + 1' }]],
  plural: [[x(), forms({})]],
  forms: [[forms({}), { plural: 'n', forms: { other: '# p' } }]],
  'forms.zero': [[forms({}), forms({ zero: 'none' })]],
  'forms.one': [[forms({}), forms({ one: '# one' }), one]],
  'forms.two': [[forms({}), forms({ two: '# two' })]],
  'forms.few': [[forms({}), forms({ few: '# few' })]],
  'forms.many': [[forms({}), forms({ many: '# many' })]],
  'forms.other': [[forms({}), { plural: 'n', forms: { other: '# p' } }]],
};

const v = (more: Parts): Parts => ({ v: { type: 'text', scope: 'contact', ...more } });
const VARIABLES: { readonly [at: string]: readonly [Parts, Parts, Parts?] | string } = {
  type: [v({ default: '1234.5' }), v({ type: 'number', default: 1234.5 })],
  scope: [v({}), v({ scope: 'bot' }), { into: 'v', value: 'word' }],
  title: 'It is what an editor shows.',
  default: [v({}), v({ default: 'd' })],
  maxChars: [v({}), v({ maxChars: 2 }), { into: 'v', value: 'word' }],
  options: [v({ type: 'choice' }), v({ type: 'choice', options: ['other'] }), { into: 'v', value: 'word' }],
};

describe('what stands inside of a prop acts, or is refused', () => {
  const nested = (Object.keys(BLOCKS) as BlockType[]).flatMap((type) =>
    schemaPaths(specOf(type).props)
      // Buttons and their conditions have a test of their own: every-prop.test.ts.
      .filter((path) => /[.[{]/.test(path) && !path.startsWith('buttons'))
      .map((path) => `${type}.${path}`),
  );
  test('there is something to try', () => {
    expect(nested).toEqual(expect.arrayContaining(['input.choices[].value', 'table.where[].is.var']));
  });
  test.each(nested)('of a block: %s', (at) => {
    const cases = CASES[at];
    expect(cases, `say in this test what "${at}" may hold`).toBeDefined();
    const [type = ''] = at.split('.');
    if (typeof cases !== 'object') return;
    for (const [without, given] of cases)
      expectActs(
        block(type, { ...BASE[type], ...without }),
        block(type, { ...BASE[type], ...given }),
        'blocks.hi.props',
      );
  });

  test.each(schemaPaths(spanSchema))('of a part of a text: %s', (at) => {
    const cases = SPANS[at];
    expect(cases, `say in this test what "${at}" may hold`).toBeDefined();
    for (const [without, given, variables] of cases ?? [])
      expectActs(saying(without, variables), saying(given, variables), 'texts.hi.en.1', true);
  });

  test.each(schemaPaths(variableSchema))('of a variable: %s', (at) => {
    const found = VARIABLES[at];
    expect(found, `say in this test what "${at}" may hold`).toBeDefined();
    if (typeof found !== 'object') return;
    const [without, given, set] = found;
    const make = (variables: Parts): Document => {
      const made = saying({ var: 'v' }, variables);
      if (set === undefined) return made;
      return { ...made, blocks: { ...made.blocks, hi: { type: 'set', props: { set: [set] } } as never } };
    };
    expectActs(make(without), make(given), 'variables.v');
  });
});

const faultsAt = (document: Document, at: string): string[] =>
  checkDocument(document).flatMap(({ code, path }) => (path === at ? [code] : []));

describe('marks are named where plain words are shown', () => {
  const MARKS = [
    'bold',
    'italic',
    'underline',
    'strike',
    'spoiler',
    'code',
    'pre',
    'quote',
    'link',
    'mention',
    'emoji',
  ];
  const VALUES: Parts = { link: 'https://a.example', mention: 'contact.id', emoji: '5368324170671202286' };
  const button = { id: 'b', label: 'ho' };
  const PLACES: { readonly [place: string]: Parts } = {
    'the label of a button': { buttons: [[{ ...button, label: 'm' }]] },
    'the label of a key': { keyboard: 'reply', buttons: [[{ ...button, label: 'm' }]] },
    'the answer to a press': { buttons: [[{ ...button, answer: 'm' }]] },
    'a text to copy': { buttons: [[{ ...button, kind: 'copy', copy: 'm' }]] },
    'a link': { buttons: [[{ ...button, kind: 'link', url: 'm' }]] },
    'a hint': { keyboard: 'reply', placeholder: 'm', buttons: [[button]] },
  };
  test.each(Object.keys(PLACES).flatMap((place) => MARKS.map((mark) => [place, mark] as const)))(
    '%s: %s',
    (place, mark) => {
      const made = block('message', { text: 'hi', ...PLACES[place] });
      const marked = { text: 'x', [mark]: VALUES[mark] ?? true };
      const given = { ...made, texts: { ...made.texts, m: { en: ['a', marked] as never } } };
      expect(faultsAt(given, `texts.m.en.1.${mark}`)).toContain('marks_lost');
      // In a message they act.
      const said = { ...given, blocks: { ...given.blocks, hi: { type: 'message', props: { text: 'm' } } as never } };
      expect(faultsAt(said, `texts.m.en.1.${mark}`)).toEqual([]);
    },
  );
});

describe('a literal that a column can never hold is refused', () => {
  test.each([
    ['time', 'noon', '09:30'],
    ['email', 'anna', 'anna@example.com'],
    ['phone', 'ring me', '+79001234567'],
    ['link', 'www', 'https://a.example'],
    ['date', 'soon', '2026-12-31'],
    ['number', 'many', 5],
  ])('of the type %s: %s', (type, never, held) => {
    const faults = (value: unknown): string[] => {
      const made = block('table', { do: 'insert', table: 'goods', set: { title: value } });
      const goods = { columns: { title: { type: type as 'text' } } };
      return faultsAt({ ...made, tables: { goods } }, 'blocks.hi.props.set.title');
    };
    expect([faults(never), faults(held)]).toEqual([['type_mismatch'], []]);
  });
});
