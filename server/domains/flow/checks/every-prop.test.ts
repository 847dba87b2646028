// Every prop of every block, trigger and button, out of the contract itself: it changes what a turn sends, asks or remembers,
// or it is refused. A new prop fails here until it is said what it holds.

import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { BLOCKS, specOf } from '../../../../contract/blocks/registry.ts';
import { buttonSchema } from '../../../../contract/buttons.ts';
import { triggerSchema } from '../../../../contract/triggers.ts';
import { startDocument } from '../fixtures.ts';
import { parseDocument } from '../flow.ts';
import { BASE, block, type Document, expectActs, type Parts, SCENE } from './fixtures.ts';

function otherOf(table: Parts, type: string, prop: string): unknown {
  const value = table[`${type}.${prop}`] ?? table[prop];
  expect(value, `say in this test what "${prop}" of "${type}" may hold`).toBeDefined();
  return value;
}

/** What a block holds beside its base where one prop is tried. */
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
    'command.description': 'It is for the menu of commands: menu-commands.test.ts.',
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
