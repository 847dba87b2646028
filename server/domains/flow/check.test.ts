import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { makeDocument } from './fixtures.ts';
import { checkDocument, parseDocument } from './flow.ts';

type Parts = { readonly [field: string]: unknown };

/** A sound document with parts replaced; then the codes and places of what is wrong. */
function check(parts: Parts): string[] {
  const sound: Parts = {
    triggers: { start: { type: 'command', props: { command: 'start' }, to: 'main' } },
    cards: { main: { blocks: ['hi'] } },
    blocks: { hi: { type: 'message', props: { text: 'hi' } } },
    texts: { hi: 'Hi' },
  };
  return checkDocument(makeDocument({ ...sound, ...parts })).map(
    (fault) => `${fault.severity} ${fault.code} ${fault.path}`,
  );
}

const hi = { type: 'message', props: { text: 'hi' } };
const block = (type: string, props: Parts, exits?: Parts): Parts => ({
  blocks: { hi: { type, props, ...(exits ? { exits } : {}) } },
});
const button = (more: Parts, exits: Parts = { b: 'main' }, keyboard?: string): Parts =>
  block(
    'message',
    { text: 'hi', ...(keyboard ? { keyboard } : {}), buttons: [[{ id: 'b', label: 'hi', ...more }]] },
    exits,
  );
const variables = {
  n: { type: 'number', scope: 'contact', default: 1 },
  t: { type: 'text', scope: 'contact', default: 'a' },
  l: { type: 'list', scope: 'contact', default: [] },
  d: { type: 'date', scope: 'contact', default: '2026-01-01' },
  f: { type: 'file', scope: 'contact' },
  key: { type: 'text', scope: 'secret' },
  never: { type: 'text', scope: 'contact' },
};
const text = (body: unknown): Parts => ({ variables, texts: { hi: body } });
const listening = (chat: string): Parts => ({
  triggers: { start: { type: 'command', props: { command: 'start' }, to: 'main', in: [chat] } },
});
const inGroup = listening('group');
const inChannel = listening('channel');

/** So many commands that Telegram is to list. */
const listed = (count: number): Parts => ({
  triggers: Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `t${at}`,
      { type: 'command', props: { command: `c${at}`, description: 'hi' }, to: 'main' },
    ]),
  ),
});

test('a sound document has no faults, and neither have the examples', () => {
  expect(check({})).toEqual([]);
  for (const name of ['lead-form', 'quiz', 'support-menu']) {
    const parsed = parseDocument(
      JSON.parse(readFileSync(new URL(`../../../examples/${name}/flow.json`, import.meta.url), 'utf8')),
    );
    expect(parsed.ok && checkDocument(parsed.document)).toEqual([]);
  }
});

/** One line a fault: what is wrong with the document, and what the check says. */
const WRONG: readonly (readonly [string, Parts, string])[] = [
  ['nothing begins it', { triggers: {} }, 'stops no_trigger triggers'],
  [
    'a card is called as a block',
    { cards: { main: { blocks: ['hi'] }, hi: { blocks: [] } } },
    'stops name_twice cards.hi',
  ],
  [
    'the default language is not spoken',
    { locales: ['ru'], texts: { hi: { ru: 'a', en: 'b' } } },
    'stops locale_unknown defaultLocale',
  ],
  ['the country does not exist', { region: { country: 'UK' } }, 'stops country_unknown region.country'],
  ['the time zone does not exist', { timezone: 'Moon/Crater' }, 'stops timezone_unknown timezone'],
  [
    'a card names a block that is not there',
    { cards: { main: { blocks: ['hi', 'gone'] } } },
    'stops block_missing cards.main.blocks.1',
  ],
  [
    'a block stands in two cards',
    { cards: { main: { blocks: ['hi'] }, more: { blocks: ['hi'] } } },
    'stops block_twice cards.more.blocks.0',
  ],
  ['a block stands in no card', { blocks: { hi, left: hi } }, 'warns block_nowhere blocks.left'],
  ['two exits have one name', button({ id: 'next' }, { next: 'main' }), 'stops exit_twice blocks.hi'],
  [
    'an exit is not one of the block',
    { blocks: { hi: { ...hi, exits: { gone: 'main' } } } },
    'stops exit_unknown blocks.hi.exits.gone',
  ],
  ['an exit that is needed is open', block('jump', {}), 'stops exit_open blocks.hi.exits.to'],
  [
    'an exit leads to nothing',
    { blocks: { hi: { ...hi, exits: { next: 'gone' } } } },
    'stops target_missing blocks.hi.exits.next',
  ],
  [
    'a trigger leads to nothing',
    { triggers: { start: { type: 'command', props: { command: 'start' }, to: 'gone' } } },
    'stops target_missing triggers.start.to',
  ],
  ['a default card is not there', { defaults: { ended: 'gone' } }, 'stops target_missing defaults.ended'],
  [
    'a card cannot be reached',
    { cards: { main: { blocks: ['hi'] }, lonely: { blocks: ['h2'] } }, blocks: { hi, h2: hi } },
    'warns card_unreachable cards.lonely',
  ],
  ['a round never waits', { blocks: { hi: { ...hi, exits: { next: 'main' } } } }, 'stops round_endless blocks.hi'],
  [
    'a round may never wait',
    {
      ...text('Hi'),
      ...block('condition', { branches: [{ id: 'y', when: { var: 'n', op: 'isSet' } }] }, { y: 'main' }),
    },
    'warns round_possible blocks.hi',
  ],
  [
    'a command is taken twice',
    {
      triggers: {
        start: { type: 'command', props: { command: 'start' }, to: 'main' },
        s2: { type: 'command', props: { command: 'start' }, to: 'main' },
      },
    },
    'stops trigger_twice triggers.s2',
  ],
  [
    'words are taken twice',
    {
      triggers: {
        a: { type: 'text', props: { keywords: ['ещё'] }, to: 'main' },
        b: { type: 'text', props: { keywords: ['Еще'] }, to: 'main' },
      },
    },
    'warns trigger_twice triggers.b',
  ],
  [
    'a trigger names a button that is not there',
    { triggers: { a: { type: 'button', props: { block: 'hi', button: 'x' }, to: 'main' } } },
    'stops button_missing triggers.a.props',
  ],
  ['a message is empty', block('message', {}), 'stops message_empty blocks.hi.props'],
  [
    'an album has buttons and no text',
    {
      ...block('message', { media: ['p', 'q'], buttons: [[{ id: 'b', label: 'hi' }]] }, { b: 'main' }),
      media: { p: file('photo'), q: file('photo') },
    },
    'stops album_buttons blocks.hi.props',
  ],
  [
    'files do not fit into one album',
    { ...block('message', { media: ['p', 'q'] }), media: { p: file('photo'), q: file('document') } },
    'warns album_mixed blocks.hi.props.media',
  ],
  [
    'a removed keyboard has buttons',
    button({}, { b: 'main' }, 'remove'),
    'stops keyboard_removed blocks.hi.props.buttons',
  ],
  ['a button leads nowhere', button({}, {}), 'stops button_nowhere blocks.hi.props.buttons.b'],
  [
    'there are too many buttons',
    block('message', {
      text: 'hi',
      buttons: Array.from({ length: 26 }, (_, row) =>
        Array.from({ length: 4 }, (_unused, at) => ({ id: `b${row}x${at}`, label: 'hi' })),
      ),
    }),
    'stops buttons_many blocks.hi.props.buttons',
  ],
  [
    'a link stands in a reply keyboard',
    button({ kind: 'link', url: 'hi' }, {}, 'reply'),
    'stops button_kind blocks.hi.props.buttons.b',
  ],
  [
    'a contact is asked for under a message',
    button({ kind: 'contact' }, {}),
    'stops button_kind blocks.hi.props.buttons.b',
  ],
  [
    'an answer is never shown',
    button({ answer: 'hi', answersLater: true }),
    'warns answer_unused blocks.hi.props.buttons.b',
  ],
  ['an edit changes nothing', block('edit', { target: 'pressed' }), 'stops block_idle blocks.hi.props'],
  ['a tag block does nothing', block('tag', { add: [] }), 'warns block_idle blocks.hi'],
  ['an answer block has nothing to answer', block('answer', { text: 'hi' }), 'warns block_idle blocks.hi'],
  [
    'there is nothing to choose from',
    block('input', { kind: 'choice', text: 'hi' }),
    'stops choices_missing blocks.hi.props',
  ],
  [
    'choices have no question',
    block('input', { kind: 'choice', choices: [{ id: 'a', label: 'hi' }] }),
    'stops question_missing blocks.hi.props.text',
  ],
  [
    'choices are never shown',
    block('input', { kind: 'text', text: 'hi', choices: [{ id: 'a', label: 'hi' }] }),
    'stops prop_unused blocks.hi.props.choices',
  ],
  [
    'a text cannot be shared',
    block('input', { kind: 'text', text: 'hi', share: 'hi' }),
    'stops prop_unused blocks.hi.props.share',
  ],
  [
    'a bound is not a date',
    block('input', { kind: 'date', min: '31.12.2026' }),
    'stops bound_wrong blocks.hi.props.min',
  ],
  [
    'bounds are turned round',
    block('input', { kind: 'number', min: 5, max: 1 }),
    'stops bound_wrong blocks.hi.props.min',
  ],
  [
    'nothing is planned for a failure',
    block('membership', { chat: '@garden_club' }, { stranger: 'main' }),
    'warns error_unplanned blocks.hi.exits.error',
  ],
  ['a file is missing', block('message', { media: ['gone'] }), 'stops media_missing blocks.hi.props.media.0'],
  ['a file is not used', { media: { p: file('photo') } }, 'warns media_unused media.p'],
  [
    'no message has that name',
    block('delete', { target: { ref: 'gone' } }),
    'stops ref_unknown blocks.hi.props.target',
  ],
  [
    'a default is of another type',
    { variables: { n: { type: 'number', scope: 'bot', default: 'many' } } },
    'stops type_mismatch variables.n.default',
  ],
  ['a variable is not declared', text([{ var: 'nobody' }]), 'stops variable_unknown texts.hi.en.0.var'],
  [
    'a known value is not known',
    text(['a', { expr: 'contact.shoeSize + 1' }]),
    'stops variable_unknown texts.hi.en.1.expr',
  ],
  ['a secret would be shown', text(['a', { var: 'key' }]), 'stops secret_shown texts.hi.en.1.var'],
  [
    'a secret would be shown by an expression',
    text(['a', { expr: 'key + "!"' }]),
    'stops secret_shown texts.hi.en.1.expr',
  ],
  [
    'a secret would be changed',
    { variables, ...block('set', { set: [{ into: 'key', value: 'x' }] }) },
    'stops secret_set blocks.hi.props.set.0.into',
  ],
  ['a variable is never set', text(['a', { var: 'never' }]), 'warns variable_never_set texts.hi.en.1.var'],
  [
    'a value does not fit',
    { variables, ...block('set', { set: [{ into: 'n', value: 'many' }] }) },
    'stops type_mismatch blocks.hi.props.set.0.into',
  ],
  [
    'an answer does not fit',
    { variables, ...block('input', { kind: 'location', into: 'n', text: 'hi' }) },
    'stops type_mismatch blocks.hi.props.into',
  ],
  [
    'a result does not fit',
    { variables, ...block('set', { set: [{ into: 'l', expr: 'n + 1' }] }) },
    'stops type_mismatch blocks.hi.props.set.0.expr',
  ],
  [
    'a text is used as a file',
    { variables, ...block('message', { media: [{ var: 't' }] }) },
    'stops type_mismatch blocks.hi.props.media.0',
  ],
  ['an expression is wrong', text(['a', { expr: 'n +' }]), 'stops expression_wrong texts.hi.en.1.expr'],
  [
    'an expression is neither true nor false',
    { variables, ...block('condition', { branches: [{ id: 'y', when: { expr: 'n + 1' } }] }) },
    'stops type_mismatch blocks.hi.props.branches.0.when.expr',
  ],
  [
    'a pattern is wrong',
    { triggers: { a: { type: 'text', props: { pattern: '(' }, to: 'main' } } },
    'stops pattern_wrong triggers.a.props.pattern',
  ],
  ['a text is missing', { texts: {} }, 'stops text_missing blocks.hi.props.text'],
  [
    'a text is missing in the default language',
    { locales: ['en', 'ru'], texts: { hi: { ru: 'Привет' } } },
    'stops text_missing texts.hi.en',
  ],
  ['a text is not translated', { locales: ['en', 'ru'] }, 'warns text_untranslated texts.hi.ru'],
  ['a text is empty', { texts: { hi: '' } }, 'stops text_empty texts.hi.en'],
  ['a message is long', { texts: { hi: 'x'.repeat(5_000) } }, 'warns text_long texts.hi.en'],
  ['a message is long with the longest values', text(['x'.repeat(3_500), { var: 't' }]), 'warns text_long texts.hi.en'],
  [
    'a caption is long',
    {
      ...block('message', { text: 'hi', media: ['p'] }),
      media: { p: file('photo') },
      texts: { hi: 'x'.repeat(1_500) },
    },
    'warns text_long texts.hi.en',
  ],
  [
    'an answer to a press is too long',
    { ...button({ answer: 'long' }), texts: { hi: 'Hi', long: 'x'.repeat(201) } },
    'stops text_long texts.long.en',
  ],
  [
    'the description of a command varies',
    { ...listed(1), texts: { hi: [{ var: 'contact.name' }] } },
    'stops description_varies texts.hi.en',
  ],
  ['more commands than a menu holds', listed(101), 'stops commands_many triggers'],
  [
    'a menu in a language of three letters',
    { ...listed(1), locales: ['en', 'fil'] },
    'warns commands_language locales',
  ],
  [
    'a key varies',
    { ...button({}, { b: 'main' }, 'reply'), ...text([{ var: 'contact.name' }]) },
    'stops label_varies texts.hi.en',
  ],
  [
    'an answer varies',
    { ...button({ answer: 'a' }), variables, texts: { hi: 'Hi', a: [{ var: 't' }] } },
    'stops answer_varies texts.a.en',
  ],
  [
    'a link is none',
    { ...button({ kind: 'link', url: 'u' }, {}), texts: { hi: 'Hi', u: 'example' } },
    'stops link_wrong texts.u.en',
  ],
  ...['tel:+79001234567', 'mailto:a@a.example', 'https://localhost/', 'javascript:a'].map(
    (u) =>
      [
        `Telegram takes no button with ${u}`,
        { ...button({ kind: 'link', url: 'u' }, {}), texts: { hi: 'Hi', u } },
        'stops link_wrong texts.u.en',
      ] as const,
  ),
  [
    'a link is to a person, who may not want it',
    { ...button({ kind: 'link', url: 'u' }, {}), texts: { hi: 'Hi', u: 'tg://user?id=5' } },
    'warns link_person texts.u.en',
  ],
  [
    'a Mini App has no TLS',
    { ...button({ kind: 'webApp', url: 'u' }, {}), texts: { hi: 'Hi', u: 'http://a.example' } },
    'stops link_wrong texts.u.en',
  ],
  [
    'only a simulator opens a Mini App',
    { ...button({ kind: 'webApp', url: 'u' }, {}), texts: { hi: 'Hi', u: 'http://localhost:1/a' } },
    'warns link_wrong texts.u.en',
  ],
  [
    'a Mini App is opened in a group',
    { ...button({ kind: 'webApp', url: 'u' }, {}), ...inGroup, texts: { hi: 'Hi', u: 'https://a.example' } },
    'warns part_left_out blocks.hi.props.buttons.b',
  ],
  [
    'a group is asked for a phone number by a key',
    { ...block('input', { kind: 'phone', text: 'hi', share: 'hi' }), ...inGroup },
    'warns part_left_out blocks.hi.props.share',
  ],
  [
    'keys are shown in a channel',
    { ...button({}, { b: 'main' }, 'reply'), ...inChannel },
    'warns part_left_out blocks.hi.props.keyboard',
  ],
  [
    'keys are taken away in a channel',
    { ...block('message', { text: 'hi', keyboard: 'remove' }), ...inChannel },
    'warns part_left_out blocks.hi.props.keyboard',
  ],
];

function file(kind: string): Parts {
  return { kind, sha256: 'a'.repeat(64), name: `${kind}.bin` };
}

describe('the checks say so when', () => {
  test.each(WRONG)('%s', (_name, parts, fault) => expect(check(parts)).toContain(fault));
});

test('every code that the checks know has its line above', () => {
  const folder = new URL('./checks/', import.meta.url);
  const sources = ['blocks', 'chats', 'reach', 'structure', 'texts', 'triggers', 'values']
    .map((name) => readFileSync(new URL(`${name}.ts`, folder), 'utf8'))
    .join('\n');
  const codes = new Set([...sources.matchAll(/\b(?:stop|warn)\(\s*'([a-z_]+)'/g)].map((match) => match[1]));
  const tested = new Set(WRONG.map(([, , fault]) => fault.split(' ')[1]));
  expect([...codes].filter((code) => !tested.has(code))).toEqual([]);
});

test('what stops comes first, and every fault speaks to a person', () => {
  const faults = checkDocument(
    makeDocument({
      cards: { c: { blocks: ['a'] } },
      blocks: { a: { type: 'message', props: {} }, b: hi },
      texts: { hi: 'Hi' },
    }),
  );
  expect(faults.map((fault) => fault.severity)).toEqual(['stops', 'stops', 'warns']);
  for (const { message } of faults) expect(message).toMatch(/^[A-Z"].*\.$/);
});
