// Every prop acts for its kind, or is refused with what it acts for; what can never come to pass is named.

import { describe, expect, test } from 'vitest';
import { inputKindSchema } from '../../../../contract/blocks/input.ts';
import { BLOCKS } from '../../../../contract/blocks/registry.ts';
import { makeDocument } from '../fixtures.ts';
import { checkDocument } from '../flow.ts';
import { INPUT_PROPS } from './props.ts';

type Parts = { readonly [field: string]: unknown };

const hi = { type: 'message', props: { text: 'hi' } };

function faults(parts: Parts): string[] {
  const sound: Parts = {
    triggers: { start: { type: 'command', props: { command: 'start' }, to: 'main' } },
    cards: { main: { blocks: ['hi'] } },
    blocks: { hi },
    texts: { hi: 'Hi' },
  };
  return checkDocument(makeDocument({ ...sound, ...parts })).map(
    ({ severity, code, path, message, fix }) => `${severity} ${code} ${path} | ${message} | ${fix ?? ''}`,
  );
}

const block = (type: string, props: Parts, exits: Parts = {}): Parts => ({ blocks: { hi: { type, props, exits } } });
const trigger = (one: Parts): Parts => ({
  triggers: { start: { type: 'command', props: { command: 'start' }, to: 'main' }, t: { to: 'main', ...one } },
});
const go = (one: Parts, keyboard: string): Parts =>
  block('message', { text: 'hi', keyboard, buttons: [[{ id: 'b', label: 'hi', ...one }]] }, { b: 'main' });
const when = (condition: Parts): Parts => ({
  ...block('condition', { branches: [{ id: 'b', when: condition }] }),
  variables: { n: { type: 'number', scope: 'contact', default: 1 } },
});
const spans = (...body: unknown[]): Parts => ({ texts: { hi: body } });

/** What a prop of a question holds where it acts. */
const GIVEN: { readonly [prop: string]: unknown } = {
  min: 1,
  max: 2,
  integer: true,
  pattern: 'a',
  choices: [{ id: 'c', label: 'hi' }],
  columns: 2,
  share: 'hi',
  own: true,
  files: ['photo'],
  maxMegabytes: 1,
};

describe('a prop of a question', () => {
  const kinds = inputKindSchema.options;
  test.each(Object.keys(INPUT_PROPS).flatMap((prop) => kinds.map((kind) => [prop, kind] as const)))(
    '"%s" acts for the kind "%s" or is refused, and the kinds are named',
    (prop, kind) => {
      const acts = INPUT_PROPS[prop]?.includes(kind) === true;
      const found = faults(block('input', { kind, text: 'hi', [prop]: GIVEN[prop] })).filter((fault) =>
        fault.includes(` prop_unused blocks.hi.props.${prop} `),
      );
      expect(found).toHaveLength(acts ? 0 : 1);
      if (!acts) for (const name of INPUT_PROPS[prop] ?? []) expect(found[0]).toContain(`"${name}"`);
    },
  );

  test('is in the table of kinds, or acts for all of them', () => {
    const forAll = ['kind', 'into', 'text', 'retry', 'attempts', 'timeout', 'ref'];
    expect([...forAll, ...Object.keys(INPUT_PROPS)].sort()).toEqual(Object.keys(BLOCKS.input.fields).sort());
  });
});

const WRONG: readonly (readonly [string, Parts, string])[] = [
  [
    'misses that lead nowhere',
    block('input', { kind: 'text', text: 'hi', attempts: 2 }),
    'stops prop_unused blocks.hi.props.attempts',
  ],
  ['a name for no message', block('input', { kind: 'text', ref: 'r' }), 'stops prop_unused blocks.hi.props.ref'],
  [
    'a wait without an end',
    block('input', { kind: 'text', text: 'hi' }, { timeout: 'main' }),
    'warns exit_never blocks.hi.exits.timeout',
  ],
  [
    'a hint without keys',
    block('message', { text: 'hi', placeholder: 'hi' }),
    'stops prop_unused blocks.hi.props.placeholder',
  ],
  [
    'keys of which there are none',
    block('message', { text: 'hi', keyboard: 'reply' }),
    'stops prop_unused blocks.hi.props.keyboard',
  ],
  [
    'a preview of no text',
    {
      ...block('message', { media: ['p'], preview: false }),
      media: { p: { kind: 'photo', sha256: 'a'.repeat(64), name: 'p' } },
    },
    'stops prop_unused blocks.hi.props.preview',
  ],
  [
    'an edit that previews no text',
    block('edit', { target: 'pressed', buttons: [], preview: false }),
    'stops prop_unused blocks.hi.props.preview',
  ],
  [
    'an edit with nothing to send',
    block('edit', { target: 'pressed', buttons: [], otherwise: 'send' }),
    'stops prop_unused blocks.hi.props.otherwise',
  ],
  [
    'an edit of a message with keys',
    {
      cards: { main: { blocks: ['hi', 'e'] } },
      blocks: {
        hi: { type: 'message', props: { text: 'hi', ref: 'r', keyboard: 'remove' } },
        e: { type: 'edit', props: { target: { ref: 'r' }, text: 'hi' } },
      },
    },
    'warns edit_keys blocks.e.props.target',
  ],
  ['a window without words', block('answer', { alert: true }), 'stops prop_unused blocks.hi.props.alert'],
  [
    'a notice in a language that is not spoken',
    block('notify', { to: [{ chat: 5 }], text: 'hi', locale: 'de' }),
    'stops locale_unknown blocks.hi.props.locale',
  ],
  [
    'a language to choose that is not spoken',
    block('set', { set: [{ into: 'contact.locale', value: 'de' }] }),
    'stops locale_unknown blocks.hi.props.set.0.value',
  ],
  ['a tag that comes and goes', block('tag', { add: ['a'], remove: ['a'] }), 'stops prop_unused blocks.hi.props'],
  ['a key that answers', go({ answer: 'hi' }, 'reply'), 'stops prop_unused blocks.hi.props.buttons.b.answer'],
  ['a key that works again', go({ repeats: true }, 'reply'), 'stops prop_unused blocks.hi.props.buttons.b.repeats'],
  ['a window of no answer', go({ alert: true }, 'inline'), 'stops prop_unused blocks.hi.props.buttons.b.alert'],
  [
    'a parameter with a dot',
    trigger({ type: 'start', props: { equals: 'Help.Contact' } }),
    'stops trigger_never triggers.t.props.equals',
  ],
  [
    'a parameter of Cyrillic letters',
    trigger({ type: 'start', props: { equals: 'акция' } }),
    'stops trigger_never triggers.t.props.equals',
  ],
  [
    'a prefix with a sign',
    trigger({ type: 'start', props: { prefix: 'order=' } }),
    'stops trigger_never triggers.t.props.prefix',
  ],
  [
    'two ways to hear a parameter',
    trigger({ type: 'start', props: { equals: 'a', prefix: 'b' } }),
    'stops prop_unused triggers.t.props.prefix',
  ],
  [
    'a link into a channel',
    trigger({ type: 'start', props: {}, in: ['channel'] }),
    'stops trigger_never triggers.t.in',
  ],
  [
    'new members of a private chat',
    trigger({ type: 'kind', props: { kinds: ['photo', 'newMembers'] } }),
    'stops trigger_never triggers.t.props.kinds.1',
  ],
  [
    'a payment',
    trigger({ type: 'kind', props: { kinds: ['payment'] } }),
    'stops trigger_never triggers.t.props.kinds.0',
  ],
  [
    'what no key sends',
    trigger({ type: 'kind', props: { kinds: ['webAppData'] } }),
    'stops trigger_never triggers.t.props.kinds.0',
  ],
  [
    'a block in a group',
    trigger({ type: 'member', props: { changes: ['blocked'] }, in: ['group'] }),
    'stops trigger_never triggers.t.props.changes.0',
  ],
  [
    'who joins a private chat',
    trigger({ type: 'member', props: { changes: ['joined'] }, in: ['private'] }),
    'stops trigger_never triggers.t.props.changes.0',
  ],
  ['a form in a group', { ...trigger({ type: 'app', props: {}, in: ['group'] }) }, 'stops trigger_never triggers.t.in'],
  [
    'words of a group that a bot with privacy never hears',
    trigger({ type: 'text', props: { any: true }, in: ['group'] }),
    'warns group_privacy triggers.t.in',
  ],
  [
    'a fallback that goes first',
    trigger({ type: 'fallback', props: {}, interrupts: true }),
    'stops prop_unused triggers.t.interrupts',
  ],
  [
    'where a button of ours is pressed',
    { ...go({}, 'inline'), ...trigger({ type: 'button', props: { block: 'hi', button: 'b' }, in: ['group'] }) },
    'stops prop_unused triggers.t.in',
  ],
  [
    'options of a number',
    { variables: { n: { type: 'number', scope: 'bot', options: ['a'] } } },
    'stops prop_unused variables.n.options',
  ],
  [
    'the length of a number',
    { variables: { n: { type: 'number', scope: 'bot', maxChars: 5 } } },
    'stops prop_unused variables.n.maxChars',
  ],
  [
    'the default of a secret',
    { variables: { n: { type: 'text', scope: 'secret', default: 'a' } } },
    'stops prop_unused variables.n.default',
  ],
  [
    'a condition that looks at nothing',
    when({ op: 'equals', value: 1 }),
    'stops condition_open blocks.hi.props.branches.0.when',
  ],
  [
    'a condition that compares with nothing',
    when({ not: { var: 'n', op: 'greater' } }),
    'stops condition_open blocks.hi.props.branches.0.when.not',
  ],
  [
    'a comparison of what is only there',
    when({ var: 'n', op: 'isSet', value: 1 }),
    'stops prop_unused blocks.hi.props.branches.0.when.value',
  ],
  [
    'a tag of a variable',
    when({ var: 'n', op: 'hasTag', value: 'a' }),
    'stops prop_unused blocks.hi.props.branches.0.when.var',
  ],
  ['braces', spans('Hello, {{contact.firstName}}'), 'warns text_braces texts.hi.en.0'],
  ['a value in one pair of braces', { texts: { hi: 'Hello, {contact.firstName}' } }, 'warns text_braces texts.hi.en'],
  ['a tag', spans({ text: '<b>Hello</b>', bold: true }), 'warns text_markup texts.hi.en.0'],
  ['stars', { texts: { hi: 'This is **new**' } }, 'warns text_markup texts.hi.en'],
  [
    'a value in a link',
    spans({ text: 'you', link: 'tg://user?id={contact.id}' }),
    'stops link_wrong texts.hi.en.0.link',
  ],
  ['a link to a number', spans({ text: 'us', link: 'tel:+79001234567' }), 'stops link_wrong texts.hi.en.0.link'],
  ['a mark within code', spans({ text: 'x', code: true, bold: true }), 'stops prop_unused texts.hi.en.0.bold'],
  [
    'an address in place of a key',
    block('message', { text: 'hi', buttons: [[{ id: 'b', kind: 'link', label: 'hi', url: 'www.a.example' }]] }),
    'stops text_missing blocks.hi.props.buttons.0.0.url',
  ],
];

const tables = { goods: { columns: { title: { type: 'text' } } } };
const TABLES: readonly (readonly [string, Parts, Parts, string])[] = [
  [
    'a row that is put in by an order',
    { do: 'insert', set: { title: 'a' }, sort: 'title' },
    {},
    'stops prop_unused blocks.hi.props.sort',
  ],
  [
    'a row that is put in where others are',
    { do: 'insert', set: { title: 'a' }, where: [{ field: 'id', is: 1 }] },
    {},
    'stops prop_unused blocks.hi.props.where',
  ],
  [
    'a row that is found and written',
    { do: 'find', set: { title: 'a' } },
    { none: 'main' },
    'stops prop_unused blocks.hi.props.set',
  ],
  [
    'a row of which nothing is asked',
    { do: 'find', where: [{ field: 'title' }] },
    { none: 'main' },
    'stops filter_empty blocks.hi.props.where.0',
  ],
];

describe('is refused, or named', () => {
  test.each(WRONG)('%s', (_what, parts, wanted) => {
    expect(faults(parts).filter((fault) => fault.startsWith(`${wanted} |`))).toHaveLength(1);
  });

  test.each(TABLES)('%s', (_what, props, exits, wanted) => {
    const found = faults({ ...block('table', { table: 'goods', ...props }, exits), tables });
    expect(found.filter((fault) => fault.startsWith(`${wanted} |`))).toHaveLength(1);
  });

  test('a field of no form, and the fields are named', () => {
    const app = {
      start: 'p',
      pages: { p: { path: '/', title: 't', root: 'f' } },
      elements: { f: { type: 'form', props: { form: 'lead' } } },
      texts: { t: { en: 'T' } },
      forms: {
        lead: {
          fields: { name: { type: 'text', label: 't' }, phone: { type: 'phone', label: 't' } },
          order: ['name', 'phone'],
          submit: 't',
          done: 't',
        },
      },
    };
    const variables = { who: { type: 'text', scope: 'contact' } };
    const found = faults({ app, variables, ...trigger({ type: 'app', props: { into: { nmae: 'who' } } }) });
    expect(found.find((fault) => fault.includes('field_missing'))).toContain('There is "name", "phone".');
  });

  test('nothing of what acts', () => {
    expect(
      faults(block('input', { kind: 'phone', text: 'hi', own: true, share: 'hi', attempts: 2 }, { invalid: 'main' })),
    ).toEqual([]);
    expect(faults(go({ answer: 'hi', alert: true, repeats: true }, 'inline'))).toEqual([]);
    expect(faults(trigger({ type: 'start', props: { prefix: 'ref_' } }))).toEqual([]);
    expect(faults(trigger({ type: 'kind', props: { kinds: ['newMembers'] }, in: ['group'] }))).toEqual([]);
    expect(faults(spans('2 < 3, a * b * c, 5 %, {braces}', { text: 'x', link: 'https://a.example' }))).toEqual([]);
  });
});
