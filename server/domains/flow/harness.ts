// Documents and events made by chance, for the properties of this domain. Documents are valid in shape, not in sense.

import fc from 'fast-check';
import { BLOCKS, type BlockType, type PropsOf } from '../../../contract/blocks/registry.ts';
import type { ButtonRows } from '../../../contract/buttons.ts';
import type { Condition } from '../../../contract/conditions.ts';
import type { Span } from '../../../contract/texts.ts';
import { makeDocument } from './fixtures.ts';
import type { FlowDocument } from './flow.ts';

const BLOCK_IDS = Array.from({ length: 12 }, (_, index) => `b${index}`);
const CARD_IDS = ['c0', 'c1', 'c2', 'c3'];
const TEXT_KEYS = ['t0', 't1', 't2', 't3', 'url', 'long'];
const BUTTON_IDS = ['x', 'y', 'z'];
export const WORDS = [
  '/start',
  '/start ref_1',
  '/go',
  'да',
  'Alpha',
  'Beta',
  '12',
  'anna@example.com',
  '+79001234567',
  '31.12.2026',
  '',
  'привет 😀',
];

const VARIABLES = {
  text: { type: 'text', scope: 'conversation' },
  number: { type: 'number', scope: 'contact' },
  items: { type: 'list', scope: 'conversation' },
  file: { type: 'file', scope: 'contact' },
  day: { type: 'date', scope: 'bot' },
  choice: { type: 'choice', scope: 'conversation', options: ['x', 'y'] },
  yes: { type: 'bool', scope: 'bot', default: true },
  place: { type: 'location', scope: 'conversation' },
  object: { type: 'object', scope: 'contact' },
};
const variable = fc.constantFrom(...Object.keys(VARIABLES));
const path = fc.oneof(
  variable,
  fc.constantFrom(
    'contact.name',
    'contact.id',
    'event.text',
    'today',
    'now',
    'chat.title',
    'contact.tags',
    'nobody',
    'object.part',
  ),
);
const expression = fc.constantFrom(
  'number + 1',
  'text + text + "x"',
  '"a" + number',
  'number > 2',
  'items + [number]',
  'items.map(x, items.map(y, x))',
  'size(items)',
  'event.text.matches("^д")',
  'number(event.text)',
  '1 / 0',
  'object.gone',
  'text.replace("a", text)',
  'known',
  'now',
  '{"a": text}',
  'contact.name',
  'nobody',
  'number +',
  'items.exists(x, x == number)',
);
const textKey = fc.constantFrom(...TEXT_KEYS, 'missing');
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined });

const condition: fc.Arbitrary<Condition> = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 2 },
    fc.record({
      var: path,
      op: fc.constantFrom(
        'equals',
        'contains',
        'greater',
        'less',
        'isSet',
        'isEmpty',
        'matches',
        'oneOf',
        'hasTag',
        'startsWith',
      ),
      value: fc.oneof(
        fc.constantFrom<string | number | boolean>('x', '(', 'да', 5, true),
        path.map((name) => ({ var: name })),
      ),
    }) as fc.Arbitrary<Condition>,
    fc.record({ expr: expression }),
    fc.record({ all: fc.array(tie('condition'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('condition'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('condition') }),
  ),
})).condition;

const buttonRows: fc.Arbitrary<ButtonRows> = fc
  .subarray(BUTTON_IDS, { minLength: 1 })
  .chain((ids) =>
    fc.tuple(
      ...ids.map((id) =>
        fc.oneof(
          fc.record({
            id: fc.constant(id),
            label: textKey,
            repeats: fc.boolean(),
            answersLater: fc.boolean(),
            answer: maybe(textKey),
            showIf: maybe(condition),
          }),
          fc.record({
            id: fc.constant(id),
            label: textKey,
            kind: fc.constant('link' as const),
            url: fc.constantFrom('url', 't0'),
          }),
          fc.record({ id: fc.constant(id), label: textKey, kind: fc.constant('copy' as const), copy: textKey }),
          fc.record({ id: fc.constant(id), label: textKey, kind: fc.constant('contact' as const) }),
          fc.record({
            id: fc.constant(id),
            label: textKey,
            kind: fc.constant('app' as const),
            page: maybe(fc.constant('gone')),
          }),
        ),
      ),
    ),
  )
  .map((buttons) => [buttons] as ButtonRows);

const given = fc.oneof(
  fc.constantFrom<string | number | boolean>('x', 5, true, ''),
  path.map((name) => ({ var: name })),
  fc.record({ expr: expression }),
);

const target = fc.oneof(fc.constant('pressed' as const), fc.record({ ref: fc.constantFrom('r1', 'r2') }));
const duration = fc.constantFrom('PT1S', 'PT10M', 'P1D', 'P9999W');

const PROPS: { readonly [Type in BlockType]: fc.Arbitrary<PropsOf<Type>> } = {
  message: fc.record({
    text: maybe(textKey),
    media: maybe(
      fc.array(fc.oneof(fc.constantFrom('p', 'd', 'v', 'gone'), fc.constant({ var: 'file' })), {
        minLength: 1,
        maxLength: 10,
      }),
    ),
    buttons: maybe(buttonRows),
    keyboard: maybe(fc.constantFrom('inline', 'reply', 'remove')),
    ref: maybe(fc.constantFrom('r1', 'r2')),
    typing: maybe(fc.boolean()),
    reply: maybe(fc.boolean()),
    placeholder: maybe(textKey),
    preview: maybe(fc.boolean()),
  }),
  page: fc.record({ page: fc.constantFrom('gone', 'home'), buttons: maybe(buttonRows) }),
  edit: fc.record({
    target,
    text: maybe(textKey),
    buttons: maybe(buttonRows),
    otherwise: maybe(fc.constantFrom('send', 'skip')),
  }),
  delete: fc.record({ target }),
  answer: fc.record({ text: maybe(textKey), alert: maybe(fc.boolean()) }),
  input: fc.record({
    kind: fc.constantFrom('text', 'number', 'email', 'phone', 'date', 'choice', 'contact', 'location', 'file'),
    into: maybe(variable),
    text: maybe(textKey),
    retry: maybe(textKey),
    attempts: maybe(fc.integer({ min: 1, max: 3 })),
    timeout: maybe(duration),
    min: maybe(fc.constantFrom<number | string>(1, '2026-01-01')),
    pattern: maybe(fc.constantFrom('\\d+', '(')),
    choices: maybe(fc.constant(BUTTON_IDS.map((id) => ({ id, label: 't0' })))),
    share: maybe(textKey),
    own: maybe(fc.boolean()),
    columns: maybe(fc.integer({ min: 1, max: 8 })),
    ref: maybe(fc.constant('r1')),
  }),
  condition: fc.record({
    branches: fc
      .array(condition, { minLength: 1, maxLength: 3 })
      .map((conditions) => conditions.map((when, index) => ({ id: BUTTON_IDS[index] ?? 'x', when }))),
  }),
  set: fc.record({
    set: fc.array(
      fc.oneof(
        fc.record({ into: variable, expr: expression }),
        fc.record({ into: variable, value: fc.constantFrom('x', 5, true, [1], { a: 'b' }) }),
        fc.record({ into: variable, clear: fc.constant(true as const) }),
        fc.record({ into: fc.constant('contact.locale' as const), value: fc.constantFrom('ru', 'xx') }),
      ),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  random: fc.constant({
    branches: [
      { id: 'x', weight: 1 },
      { id: 'y', weight: 2 },
    ],
  }),
  jump: fc.constant({}),
  subflow: fc.constant({}),
  wait: fc.record({ for: duration }),
  tag: fc.record({
    add: maybe(fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 })),
    remove: maybe(fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 })),
  }),
  notify: fc.record({
    to: fc.array(fc.oneof(fc.constant({ chat: -100 }), fc.constant({ var: 'number' })), { minLength: 1, maxLength: 2 }),
    text: textKey,
  }),
  membership: fc.record({ chat: fc.oneof(fc.constantFrom('@garden', -100), fc.constant({ var: 'text' })) }),
  table: fc.record({
    do: fc.constantFrom('find', 'insert', 'update', 'delete'),
    table: fc.constantFrom('goods', 'gone'),
    where: maybe(
      fc.array(fc.record({ field: fc.constantFrom('id', 'title'), is: maybe(given) }), { minLength: 1, maxLength: 2 }),
    ),
    set: maybe(fc.dictionary(fc.constantFrom('title', 'price'), given, { maxKeys: 2 })),
    into: maybe(fc.dictionary(fc.constantFrom('id', 'title'), variable, { maxKeys: 2 })),
    count: maybe(variable),
  }),
  end: fc.record({ what: maybe(fc.constantFrom('conversation', 'subflow')) }),
};

const place = fc.constantFrom(...BLOCK_IDS, ...CARD_IDS);

const block = fc.constantFrom(...(Object.keys(BLOCKS) as BlockType[])).chain((type) =>
  fc.record({
    type: fc.constant(type),
    props: PROPS[type] as fc.Arbitrary<object>,
    exits: fc.dictionary(
      fc.constantFrom(
        'next',
        'timeout',
        'invalid',
        'error',
        'blocked',
        'else',
        'call',
        'to',
        'member',
        'stranger',
        'found',
        'none',
        ...BUTTON_IDS,
      ),
      place,
      { maxKeys: 6 },
    ),
  }),
);

const trigger = fc.oneof(
  fc.record({
    type: fc.constant('command'),
    props: fc.constantFrom({ command: 'start' }, { command: 'go', into: 'text' }),
    to: place,
  }),
  fc.record({
    type: fc.constant('start'),
    props: fc.constantFrom({}, { prefix: 'ref_', into: 'text' }, { equals: 'ref_1' }),
    to: place,
  }),
  fc.record({
    type: fc.constant('text'),
    props: fc.constantFrom(
      { any: true },
      { keywords: ['да'] },
      { keywords: ['а'], match: 'contains' },
      { pattern: '(\\d+)', into: 'number' },
      { pattern: '(' },
    ),
    to: place,
    interrupts: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('button'),
    props: fc.constantFrom({ data: 'token' }, { block: 'b0', button: 'x' }),
    to: place,
  }),
  fc.record({ type: fc.constant('kind'), props: fc.constant({ kinds: ['photo', 'album'] }), to: place }),
  fc.record({
    type: fc.constant('app'),
    props: fc.constantFrom({}, { form: 'lead', into: { name: 'text', age: 'number', tags: 'items' } }),
    to: place,
  }),
  fc.record({ type: fc.constant('member'), props: fc.constant({ changes: ['blocked', 'joined'] }), to: place }),
  fc.record({
    type: fc.constant('fallback'),
    props: fc.constant({}),
    to: place,
    in: fc.constant(['private', 'group', 'channel']),
  }),
);

const span: fc.Arbitrary<Span> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.record({
    text: fc.constantFrom('a', '😀', ' '),
    bold: fc.constant(true as const),
    quote: fc.constant('folded' as const),
  }),
  fc.record({ var: path, italic: fc.constant(true as const) }),
  fc.record({ expr: expression }),
  fc.record({ plural: path, forms: fc.constant({ one: '# a', other: '# b' }) }),
);

const file = (kind: string): object => ({ kind, sha256: 'c'.repeat(64), name: 'f' });

/** Any document of a dozen blocks, led anywhere. */
export const anyDocument: fc.Arbitrary<FlowDocument> = fc
  .record({
    blocks: fc
      .tuple(...BLOCK_IDS.map(() => block))
      .map((blocks) => Object.fromEntries(blocks.map((one, index) => [BLOCK_IDS[index], one]))),
    cards: fc
      .shuffledSubarray(BLOCK_IDS, { minLength: 6 })
      .map((ids) =>
        Object.fromEntries(
          CARD_IDS.map((id, index) => [id, { blocks: ids.filter((_, at) => at % CARD_IDS.length === index) }]),
        ),
      ),
    triggers: fc
      .array(trigger, { minLength: 1, maxLength: 6 })
      .map((triggers) =>
        Object.fromEntries([
          ['start', { type: 'command', props: { command: 'start' }, to: 'c0' }],
          ...triggers.map((one, index) => [`t${index}`, one]),
        ]),
      ),
    texts: fc.tuple(...TEXT_KEYS.slice(0, 4).map(() => fc.array(span, { maxLength: 4 }))).map((bodies) => ({
      ...Object.fromEntries(bodies.map((body, index) => [TEXT_KEYS[index], { en: body, ru: body }])),
      url: { en: 'https://a.example/x' },
      long: { en: ['слово '.repeat(1_500), { var: 'text' }] },
    })),
    defaults: fc.record({
      wentWrong: maybe(fc.constantFrom(...CARD_IDS)),
      nothingMatched: maybe(fc.constantFrom(...CARD_IDS)),
      ended: maybe(fc.constantFrom(...CARD_IDS)),
    }),
    groups: maybe(fc.constantFrom('person', 'chat')),
  })
  .map((parts) =>
    makeDocument({
      locales: ['en', 'ru'],
      variables: VARIABLES,
      media: { p: file('photo'), d: file('document'), v: file('video') },
      app: APP,
      ...(JSON.parse(JSON.stringify(parts)) as object),
    }),
  );

/** A page with something that a message holds, and something that it does not. */
const APP = {
  start: 'home',
  pages: { home: { path: '/', title: 'hello', root: 'root', mainButton: { text: 'hello', do: { go: 'home' } } } },
  elements: {
    root: { type: 'stack', props: {}, children: ['a', 'b'] },
    a: { type: 'text', props: { text: 'hello' } },
    b: { type: 'text', props: { text: { from: 'visitor.firstName' } } },
  },
  texts: { hello: { en: 'Hello' } },
};

/** What somebody does next; the test turns it into an event that fits the present state. */
export type Doing =
  | { readonly what: 'say'; readonly words: string }
  | {
      readonly what: 'press';
      readonly block: string;
      readonly button: string;
      readonly use: 'first' | 'again' | 'foreign';
    }
  | { readonly what: 'timer' | 'staleTimer' | 'photo' | 'contact' | 'leave' }
  | { readonly what: 'answer'; readonly ok: boolean; readonly status: string }
  | { readonly what: 'blocked'; readonly block: string }
  | { readonly what: 'submit'; readonly visitor: number };

export const anyDoings: fc.Arbitrary<Doing[]> = fc.array(
  fc.oneof<fc.Arbitrary<Doing>[]>(
    fc.record({
      what: fc.constant('say' as const),
      words: fc.oneof(fc.constantFrom(...WORDS), fc.string({ unit: 'binary', maxLength: 30 })),
    }),
    fc.record({
      what: fc.constant('press' as const),
      block: fc.constantFrom(...BLOCK_IDS, 'gone', 'constructor'),
      button: fc.constantFrom(...BUTTON_IDS, '__proto__'),
      use: fc.constantFrom('first', 'again', 'foreign'),
    }),
    fc.record({ what: fc.constantFrom('timer', 'staleTimer', 'photo', 'contact', 'leave') }),
    fc.record({
      what: fc.constant('answer' as const),
      ok: fc.boolean(),
      status: fc.constantFrom('member', 'left', 'ghost'),
    }),
    fc.record({ what: fc.constant('blocked' as const), block: fc.constantFrom(...BLOCK_IDS) }),
    fc.record({ what: fc.constant('submit' as const), visitor: fc.constantFrom(77, -(2 ** 52)) }),
  ),
  { minLength: 1, maxLength: 12 },
);
