// Every prop of every block, trigger and button, out of the contract itself: it changes what a turn sends, asks or remembers,
// or it is refused. A new prop fails here until it is said what it holds.

import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { BLOCKS, specOf } from '../../../../contract/blocks/registry.ts';
import { buttonSchema } from '../../../../contract/buttons.ts';
import { triggerSchema } from '../../../../contract/triggers.ts';
import {
  callResult,
  emptyState,
  type makeDocument,
  message,
  press,
  release,
  say,
  startDocument,
  submitted,
} from '../fixtures.ts';
import { buttonInfo, checkDocument, type FlowEvent, type FlowState, parseDocument, step, toEvents } from '../flow.ts';

type Parts = { readonly [field: string]: unknown };
type Document = ReturnType<typeof makeDocument>;

const file = (kind: string): Parts => ({ kind, sha256: 'b'.repeat(64), name: 'f' });
const page = (root: string, path: string): Parts => ({ path, title: 'hi', root });
const SCENE: Parts = {
  locales: ['en', 'ru'],
  media: { p: file('photo'), p2: file('photo') },
  texts: {
    hi: { en: ['Hi ', { text: 'x', link: 'https://a.example' }], ru: 'Привет' },
    ho: 'Ho',
    url: 'https://a.example',
    url2: 'https://b.example',
  },
  variables: {
    t: { type: 'text', scope: 'contact' },
    o: { type: 'text', scope: 'contact' },
    n: { type: 'number', scope: 'contact' },
  },
  tables: { goods: { columns: { title: { type: 'text' } } }, other: { columns: { title: { type: 'text' } } } },
  app: {
    start: 'one',
    pages: { one: page('a', '/'), two: page('b', '/two') },
    elements: { a: { type: 'text', props: { text: 'hi' } }, b: { type: 'form', props: { form: 'f' } } },
    texts: { hi: { en: 'Hi' } },
    forms: { f: { fields: { x: { type: 'text', label: 'hi' } }, order: ['x'], submit: 'hi', done: 'hi' } },
  },
};
const GROUP = { id: -5, type: 'group', title: 'G' };

const PERSON = { id: 77, is_bot: false, first_name: 'Ann', language_code: 'en' };
const member = (before: string, after: string): FlowEvent =>
  toEvents(
    {
      update_id: 1,
      my_chat_member: {
        chat: { id: 77, type: 'private', first_name: 'Ann' },
        from: PERSON,
        date: 1,
        old_chat_member: { user: { id: 1, is_bot: true, first_name: 'B' }, status: before },
        new_chat_member: { user: { id: 1, is_bot: true, first_name: 'B' }, status: after },
      },
    },
    { key: 'u0', atMs: 0 },
  );

/** What somebody does to it, from many sides: each that a prop can speak of. */
const EVENTS: readonly (() => FlowEvent)[] = [
  () => say('/start'),
  () => say('/start ref_12'),
  () => say('/start ref_12 more'),
  () => say('/go x'),
  () => say('go'),
  () => say('ago'),
  () => say('5.5'),
  () => say('1'),
  () => say('2'),
  () => say('/go x', GROUP),
  () => press('hi', 'c'),
  () => press('hi', 'b'),
  () => press('hi', 'b', { use: 'foreign', data: 'token' }),
  () => press('hi', 'b', { use: 'foreign', data: 'token5' }),
  () => message({ photo: [{ file_id: 'F', file_unique_id: 'f', width: 1, height: 1, file_size: 3_000_000 }] }),
  () => message({ contact: { phone_number: '79001234567', first_name: 'B', user_id: 9 } }),
  () => submitted({ form: 'f', number: 1, values: { x: 'v' } }),
  () => callResult('gone', true, {}),
  () => member('member', 'kicked'),
  () => member('kicked', 'member'),
];

/** What comes of each, from rest and after `/start`. */
function outcome(document: Document): string {
  const made = release(document);
  const conversation = {
    release: 0,
    wait: null,
    stack: [],
    vars: {},
    refs: { r: { key: 'k', media: false } },
    keyboard: '',
  };
  const state: FlowState = {
    conversation,
    contact: { ...emptyState.contact, tags: ['old'] },
    bot: { vars: {}, username: 'b_bot', app: { address: 'https://apps.example/a/x' } },
  };
  const keyless = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replace(/u\d+/g, 'u'));
  return JSON.stringify([
    buttonInfo(made, 'hi', 'b'),
    ...EVENTS.map((event) => {
      let present = state;
      return [say('/start'), event(), event(), event()].map((one) => {
        const asked = step(made, present, { ...one, random: 0.7 });
        const row = { id: 3, title: 'Row' };
        const answers = [{ ok: true as const, row, count: 4 }];
        const result = asked.asks ? step(made, present, { ...one, random: 0.7 }, made, answers) : asked;
        present = result.state;
        const { conversation: talk, contact, bot } = present;
        return keyless([result.effects, asked.asks, talk, contact, bot.vars]);
      });
    }),
  ]);
}

function expectActs(without: Document, given: Document, at: string): void {
  if (outcome(without) !== outcome(given)) return;
  const refused = checkDocument(given).filter(({ severity, path }) => severity === 'stops' && path.startsWith(at));
  expect(refused.length, `${at} changes nothing and is not refused`).toBeGreaterThan(0);
}

function otherOf(table: Parts, type: string, prop: string): unknown {
  const value = table[`${type}.${prop}`] ?? table[prop];
  expect(value, `say in this test what "${prop}" of "${type}" may hold`).toBeDefined();
  return value;
}

const EXITS: { readonly [type: string]: Parts } = {
  message: { b: 'other' },
  page: { b: 'other' },
  edit: { b: 'other' },
  input: { timeout: 'other', invalid: 'other' },
  jump: { to: 'other' },
  subflow: { call: 'other' },
  table: { none: 'other' },
  membership: { stranger: 'other' },
};

/** The props of a block where nothing else is said, and others by which one of them differs. */
const BASE: { readonly [type: string]: Parts } = {
  message: { text: 'hi' },
  page: { page: 'one' },
  edit: { target: { ref: 'r' }, text: 'hi' },
  delete: { target: { ref: 'r' } },
  answer: { text: 'hi' },
  input: { kind: 'text', text: 'hi' },
  condition: { branches: [{ id: 'a', when: { var: 't', op: 'isSet' } }] },
  set: { set: [{ into: 't', value: 'x' }] },
  random: {
    branches: [
      { id: 'a', weight: 1 },
      { id: 'b', weight: 1 },
    ],
  },
  wait: { for: 'PT1M' },
  tag: {},
  notify: { to: [{ chat: 5 }], text: 'hi' },
  membership: { chat: '@garden' },
  table: { do: 'find', table: 'goods' },
};
const FOR: { readonly [at: string]: Parts } = {
  'message.placeholder': { keyboard: 'reply', buttons: [[{ id: 'b', label: 'hi' }]] },
  'message.keyboard': { buttons: [[{ id: 'b', label: 'hi' }]] },
  'edit.otherwise': { target: { ref: 'gone' } },
  'input.integer': { kind: 'number', into: 'n' },
  'input.choices': { kind: 'choice', choices: [{ id: 'c', label: 'hi' }] },
  'input.columns': {
    kind: 'choice',
    choices: [
      { id: 'c', label: 'hi' },
      { id: 'd', label: 'ho' },
    ],
  },
  'input.share': { kind: 'phone' },
  'input.own': { kind: 'phone' },
  'input.files': { kind: 'file' },
  'input.maxMegabytes': { kind: 'file' },
  'table.set': { do: 'insert', set: { title: 'a' } },
};
const OTHER: Parts = {
  text: 'ho',
  media: ['p', 'p2'],
  buttons: [[{ id: 'b', label: 'ho' }]],
  keyboard: 'reply',
  placeholder: 'ho',
  ref: 'name',
  silent: true,
  protect: true,
  preview: false,
  reply: true,
  typing: true,
  page: 'two',
  target: { ref: 'gone' },
  otherwise: 'skip',
  alert: true,
  kind: 'number',
  into: 't',
  'table.into': { title: 't' },
  retry: 'ho',
  attempts: 1,
  timeout: 'PT5M',
  min: 2,
  max: 2,
  integer: true,
  pattern: '\\d+',
  choices: [{ id: 'c', label: 'ho' }],
  columns: 2,
  share: 'ho',
  own: true,
  files: ['video'],
  maxMegabytes: 1,
  'condition.branches': [{ id: 'a', when: { var: 't', op: 'isEmpty' } }],
  set: [{ into: 't', value: 'y' }],
  'random.branches': [
    { id: 'a', weight: 9 },
    { id: 'b', weight: 1 },
  ],
  for: 'PT2M',
  add: ['new'],
  remove: ['old'],
  to: [{ chat: 6 }],
  locale: 'ru',
  chat: '@other',
  do: 'delete',
  table: 'other',
  where: [{ field: 'title', is: 'a' }],
  sort: 'title',
  descending: true,
  'table.set': { title: 'b' },
  count: 'n',
  what: 'subflow',
};

const block = (type: string, props: Parts): Document =>
  startDocument(
    {
      hi: {
        type,
        props,
        exits: { ...EXITS[type], ...(type === 'condition' || type === 'random' ? { a: 'other' } : {}) },
      },
    },
    {
      ...SCENE,
      triggers: { p: { type: 'button', props: { data: 'token' }, to: 'main' } },
      cards: { other: { blocks: ['ho'] } },
      blocks: { ho: { type: 'message', props: { text: 'ho' } } },
    },
  );

describe('a prop acts, or is refused', () => {
  const props = Object.keys(BLOCKS).flatMap((type) =>
    Object.keys(specOf(type as keyof typeof BLOCKS).props.shape).map((prop): [string, string] => [type, prop]),
  );
  test.each(props)('of the block %s: %s', (type, prop) => {
    const base = { ...BASE[type], ...FOR[`${type}.${prop}`] };
    const given = block(type, { ...base, [prop]: otherOf(OTHER, type, prop) });
    expectActs(block(type, base), given, `blocks.hi.props`);
  });

  const kinds = buttonSchema.options.flatMap(({ shape }): [string, string][] => {
    const schema = shape.kind as unknown as { readonly values?: ReadonlySet<string>; unwrap?: () => unknown };
    const names = schema.values ? [...schema.values] : ['go'];
    return names.flatMap((name) => Object.keys(shape).map((prop): [string, string] => [name, prop]));
  });
  const BUTTONS: Parts = {
    id: 'c',
    label: 'ho',
    style: 'danger',
    icon: '5368324170671202286',
    showIf: { var: 't', op: 'isSet' },
    repeats: true,
    answer: 'ho',
    alert: true,
    answersLater: true,
    url: 'url2',
    copy: 'ho',
    page: 'two',
    start: 'abc',
  };
  const NEEDED: { readonly [kind: string]: Parts } = {
    link: { url: 'url' },
    webApp: { url: 'url' },
    copy: { copy: 'hi' },
  };
  const button = (kind: string, more: Parts): Document => {
    const isKey = kind === 'contact' || kind === 'location';
    const one = { kind, id: 'b', label: 'hi', ...NEEDED[kind], ...more };
    return block('message', { text: 'hi', buttons: [[one]], ...(isKey ? { keyboard: 'reply' } : {}) });
  };
  test.each(kinds.filter(([, prop]) => prop !== 'kind'))('of the button %s: %s', (kind, prop) => {
    // What leaves Telegram has no exit: its id is its name in faults alone.
    if (prop === 'id' && kind !== 'go') return;
    const base = prop === 'alert' ? { answer: 'ho' } : {};
    const given = button(kind, { ...base, [prop]: otherOf(BUTTONS, kind, prop) });
    expectActs(button(kind, base), given, 'blocks.hi.props.buttons');
  });

  /** Two triggers of which one prop differs, or why nothing of a turn does. */
  const TRIGGERS: { readonly [at: string]: readonly [Parts, Parts] | string } = {
    'command.command': [{ command: 'go' }, { command: 'gone' }],
    'command.into': [{ command: 'go' }, { command: 'go', into: 't' }],
    'command.description': 'It is for the menu of commands, and says nothing of a turn.',
    'start.equals': [{}, { equals: 'ref_1' }],
    'start.prefix': [{}, { prefix: 'x_' }],
    'start.into': [{}, { into: 't' }],
    'text.any': [{ keywords: ['none'] }, { any: true }],
    'text.keywords': [{ keywords: ['none'] }, { keywords: ['go'] }],
    'text.match': [{ keywords: ['go'] }, { keywords: ['go'], match: 'contains' }],
    'text.pattern': [{ pattern: 'none' }, { pattern: '(\\d).*' }],
    'text.into': [{ pattern: '(\\d).*' }, { pattern: '(\\d).*', into: 't' }],
    'button.block': [{ data: 'none' }, { block: 'hi', button: 'b' }],
    'button.button': [
      { block: 'hi', button: 'none' },
      { block: 'hi', button: 'b' },
    ],
    'button.data': [{ data: 'none' }, { data: 'token' }],
    'button.match': [{ data: 'token' }, { data: 'token', match: 'startsWith' }],
    'button.into': [
      { data: 'token', match: 'startsWith' },
      { data: 'token', match: 'startsWith', into: 't' },
    ],
    'kind.kinds': [{ kinds: ['photo'] }, { kinds: ['contact'] }],
    'member.changes': [{ changes: ['blocked'] }, { changes: ['unblocked'] }],
    'app.form': [{}, { form: 'other' }],
    'app.into': [{}, { into: { x: 't' } }],
  };
  const trigger = (type: string, props: Parts, change: Parts = {}): Document =>
    startDocument(
      { hi: { type: 'message', props: { text: 'hi', buttons: [[{ id: 'b', label: 'hi' }]] } } },
      {
        ...SCENE,
        triggers: { t: { type, to: 'other', props, ...change } },
        cards: { other: { blocks: ['ho'] }, third: { blocks: ['hu'] } },
        blocks: { ho: { type: 'message', props: { text: 'ho' } }, hu: { type: 'message', props: { text: 'url' } } },
      },
    );
  const shapesOf = (schema: z.ZodType): z.ZodObject[] =>
    'options' in schema ? (schema.options as z.ZodObject[]) : [schema as z.ZodObject];
  const triggerProps = triggerSchema.options.flatMap(({ shape }) =>
    shapesOf(shape.props as z.ZodType).flatMap((one) =>
      Object.keys(one.shape).map((prop) => `${shape.type.value}.${prop}`),
    ),
  );
  test.each([...new Set(triggerProps)])('of the trigger %s', (at) => {
    const [type = ''] = at.split('.');
    const one = TRIGGERS[at];
    expect(one, `say in this test what "${at}" may hold`).toBeDefined();
    if (typeof one === 'object') expectActs(trigger(type, one[0]), trigger(type, one[1]), 'triggers.t');
  });

  const common = Object.keys(triggerSchema.options[0].shape).filter((prop) => prop !== 'type' && prop !== 'props');
  test.each(common)('of every trigger: %s', (prop) => {
    // A title is what an editor shows.
    const OF_ALL: Parts = { to: 'third', title: 'T', in: ['group'], interrupts: true };
    expect(OF_ALL[prop], `say in this test what "${prop}" may hold`).toBeDefined();
    if (prop === 'title') return;
    const asking = (change: Parts): Document => {
      const whole = trigger('text', { keywords: ['go'] }, change);
      return { ...whole, blocks: { ...whole.blocks, hi: { type: 'input', props: { kind: 'number', text: 'hi' } } } };
    };
    const make = prop === 'interrupts' ? asking : (change: Parts) => trigger('text', { keywords: ['go'] }, change);
    expectActs(make({}), make({ [prop]: OF_ALL[prop] }), 'triggers.t');
  });
});

test('what a block does not have is refused, and what it has is named', () => {
  for (const type of Object.keys(BLOCKS)) {
    const names = Object.keys(specOf(type as keyof typeof BLOCKS).props.shape);
    const whole = {
      ...block('message', { text: 'hi' }),
      blocks: { hi: { type, props: { ...BASE[type], nothing: 1 } } },
    };
    const parsed = parseDocument(JSON.parse(JSON.stringify(whole)));
    const fault = parsed.ok ? undefined : parsed.faults.find(({ code }) => code === 'unknown_field');
    for (const name of names) expect(fault?.fix, type).toContain(`"${name}"`);
  }
});
