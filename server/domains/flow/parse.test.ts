import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { BLOCK_TYPES } from '../../../contract/blocks/registry.ts';
import { FLOW_LIMITS } from '../../../contract/limits.ts';
import { canonicalJson } from '../../../kernel/canonical.ts';
import { startDocument } from './fixtures.ts';
import { parseDocument, parsePublished } from './flow.ts';
import { upgradeDocument } from './upgrade.ts';

const base = { roost: 1, locales: ['en'], defaultLocale: 'en', triggers: {}, cards: {}, blocks: {} };
const faultsOf = (json: unknown): string[] => {
  const result = parseDocument(json);
  return result.ok ? [] : result.faults.map((fault) => `${fault.path}: ${fault.message}`);
};

test('the examples are read and keep every word', () => {
  for (const name of ['lead-form', 'quiz', 'support-menu']) {
    const json: unknown = JSON.parse(
      readFileSync(new URL(`../../../examples/${name}/flow.json`, import.meta.url), 'utf8'),
    );
    expect(parseDocument(json)).toEqual({ ok: true, document: json });
  }
});

describe('a fault is named with its place and a sentence', () => {
  test.each<[string, unknown, string]>([
    ['nothing', null, ': This must be an object.'],
    ['a text', 'flow', ': This must be an object.'],
    ['a missing part', { ...base, cards: undefined }, 'cards: Something is missing here: an object.'],
    ['an unknown field', { ...base, colour: 'red' }, ': Nothing here is called "colour".'],
    ['a wrong type', { ...base, locales: 'en' }, 'locales: This must be a list.'],
    ['too few', { ...base, locales: [] }, 'locales: This list must have at least 1 entries.'],
    [
      'a language that is none',
      { ...base, locales: ['english'] },
      'locales.0: A language is written as "ru" or "pt-BR".',
    ],
    [
      'a block of no kind',
      { ...base, blocks: { a: { type: 'teleport', props: {} } } },
      'blocks.a.type: There is no such kind.',
    ],
    [
      'a field of another block',
      { ...base, blocks: { a: { type: 'wait', props: { for: 'PT1M', text: 'x' } } } },
      'blocks.a.props: Nothing here is called "text".',
    ],
    [
      'a span of time',
      { ...base, blocks: { a: { type: 'wait', props: { for: '10 minutes' } } } },
      'blocks.a.props.for: A span of time is written as "PT10M" or "P1DT12H".',
    ],
    [
      'a button',
      { ...base, blocks: { a: { type: 'message', props: { buttons: [[{ id: 'b', label: 'l', colour: 'red' }]] } } } },
      'blocks.a.props.buttons.0.0: Nothing here is called "colour".',
    ],
    [
      'a button without a link',
      { ...base, blocks: { a: { type: 'message', props: { buttons: [[{ id: 'b', kind: 'link', label: 'l' }]] } } } },
      'blocks.a.props.buttons.0.0.url: Something is missing here: a text.',
    ],
    ['a span', { ...base, texts: { t: { en: [{ var: 'x', bold: 1 }] } } }, 'texts.t.en.0.bold: This must be "true".'],
    [
      'a condition',
      {
        ...base,
        blocks: { a: { type: 'condition', props: { branches: [{ id: 'b', when: { var: 'x', op: 'is' } }] } } },
      },
      'blocks.a.props.branches.0.when.op: This must be one of "equals", "notEquals", "contains", "notContains", "startsWith", "endsWith", "greater", "greaterOrEqual", "less", "lessOrEqual", "isSet", "isEmpty", "matches", "notMatches", "oneOf", "hasTag", "hasNoTag".',
    ],
    [
      'a button of no kind',
      { ...base, blocks: { a: { type: 'message', props: { buttons: [[{ id: 'b', label: 'l', kind: 'web' }]] } } } },
      'blocks.a.props.buttons.0.0.kind: This must be one of "go", "link", "copy", "webApp", "app", "contact", "location".',
    ],
    [
      'a chat by its name',
      { ...base, blocks: { a: { type: 'notify', props: { text: 't', to: [{ chat: '@owner' }] } } } },
      'blocks.a.props.to.0.chat: A chat is written as its number, as -1001234567890, and never as "@name": whoever writes { "var": "chat.id" } into a text of that chat reads it there.',
    ],
    [
      'an id',
      { ...base, cards: { '1st card': { blocks: [] } } },
      'cards.1st card: An id begins with a letter and holds letters, digits, "_" and "-".',
    ],
    [
      'a name that expressions have for themselves',
      { ...base, variables: { list: { type: 'text', scope: 'bot' } } },
      'variables.list: The language of expressions has this name for itself.',
    ],
    [
      'a trigger',
      { ...base, triggers: { t: { type: 'command', props: { command: 'Старт' }, to: 'c' } } },
      'triggers.t.props.command: A command holds small Latin letters, digits and "_".',
    ],
  ])('%s', (_name, json, sentence) => expect(faultsOf(json)).toContain(sentence));

  test('the kinds that exist are named where one does not', () => {
    const fixes = (json: unknown): (string | undefined)[] => {
      const result = parseDocument(json);
      return result.ok ? [] : result.faults.map((fault) => fault.fix);
    };
    expect(fixes({ ...base, blocks: { a: { type: 'teleport', props: {} } } })).toEqual([
      `Choose one of ${BLOCK_TYPES.map((type) => `"${type}"`).join(', ')}.`,
    ]);
    expect(fixes({ ...base, triggers: { a: { type: 'word', props: {}, to: 'c' } } })).toEqual([
      'Choose one of "command", "start", "text", "button", "kind", "member", "app", "fallback".',
    ]);
    const app = { start: 'p', pages: {}, elements: { e: { type: 'carousel', props: {} } }, texts: {} };
    expect(fixes({ ...base, app })[0]).toContain('"gallery"');
  });

  test('words in place of a key, however many', () => {
    const text = 'Welcome to our café. '.repeat(10);
    expect(faultsOf({ ...base, blocks: { a: { type: 'message', props: { text } } } })).toEqual([
      'blocks.a.props.text: A text is named by a key, as "hello.text": a letter first, then letters, digits, "_", "-" and dots. Its words stand under "texts", in each language.',
    ]);
  });
});

describe('what could do harm is refused before anything else', () => {
  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('the name %s', (name) => {
    const json: unknown = JSON.parse(
      `{ "roost": 1, "locales": ["en"], "defaultLocale": "en", "triggers": {}, "cards": { "${name}": { "blocks": [] } }, "blocks": {} }`,
    );
    expect(faultsOf(json)).toEqual([`cards.${name}: The name "${name}" cannot be used.`]);
    expect(({} as { blocks?: unknown }).blocks).toBeUndefined();
  });

  test('endless depth', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = { all: [deep] };
    expect(faultsOf({ ...base, layout: deep })[0]).toContain('nested deeper');
  });

  test('more words than a message can be looked through for', () => {
    const words = Array.from({ length: 100 }, (_, index) => `word ${index}`);
    const triggers = Object.fromEntries(
      Array.from({ length: 51 }, (_, index) => [`t${index}`, { type: 'text', props: { keywords: words }, to: 'c' }]),
    );
    expect(faultsOf({ ...base, triggers })).toEqual(['triggers: All triggers together can have at most 5000 words.']);
  });

  test('sheer size', () => {
    expect(faultsOf({ ...base, name: 'x'.repeat(FLOW_LIMITS.documentBytes) })).toEqual([
      ': The document is larger than 2 MiB.',
    ]);
    expect(faultsOf({ ...base, texts: { t: { en: 'я'.repeat(FLOW_LIMITS.textBytes / 2) } } })[0]).toContain(
      'larger than 64 KiB',
    );
    expect(
      faultsOf({
        ...base,
        cards: Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`c${n}`, { blocks: [] }])),
      }),
    ).toEqual(['cards: There can be at most 1000 cards.']);
  });
});

describe('versions', () => {
  test('a newer document or block is refused, not guessed at', () => {
    expect(faultsOf({ ...base, roost: 2 })).toEqual([
      'roost: This was made by a newer version of Roost (2); this one understands up to 1.',
    ]);
    expect(faultsOf({ ...base, blocks: { a: { type: 'wait', version: 7, props: { for: 'PT1M' } } } })[0]).toContain(
      'blocks.a.version',
    );
  });

  test('an older document is brought up step by step', () => {
    const upgraded = upgradeDocument(
      { ...base, roost: -1 },
      { [-1]: (document) => ({ ...document, one: true }), 0: (document) => ({ ...document, two: document['one'] }) },
    );
    expect(upgraded).toMatchObject({ document: { roost: 1, one: true, two: true } });
    expect(faultsOf({ ...base, roost: 0 })).toEqual(['roost: This must be "1".']);
  });
});

describe('a document that was published', () => {
  const app = { start: 'home', pages: {}, elements: {}, texts: {} };
  const text = (body: unknown) => ({ ...base, app: { ...app, texts: { t: { en: body } } } });
  const field = (min: string) => ({ type: 'date', label: 'l', min });
  const form = (min: string) => ({ kind: 'lead', fields: { day: field(min) }, order: ['day'], submit: 's', done: 'd' });

  test.each<[string, unknown]>([
    ['words', text('a\u202eb')],
    ['words in a list', text([{ text: 'a\u0007b' }])],
    ['an address', text([{ text: 'a', link: 'https://anna@example.com/' }])],
    ['a day', { ...base, app: { ...app, forms: { f: form('2026-02-31') } } }],
    ['a name', { ...base, cards: { '1st card': { blocks: [] } } }],
    ['a number', { ...base, app: { ...app, pages: { p: { path: '/', title: 't', root: 'r', menu: 101 } } } }],
    ['sheer size', { ...base, texts: { t: { en: 'я'.repeat(FLOW_LIMITS.textBytes) } } }],
    ['the size of the whole', { ...base, name: 'x'.repeat(FLOW_LIMITS.documentBytes) }],
  ])('is read again as it stands, whatever rule came for %s', (_name, json) => {
    expect(parseDocument(json).ok).toBe(false);
    expect(parsePublished(json)).toEqual({ ok: true, document: json });
  });

  test.each<[string, unknown]>([
    ['a block of no kind', { ...base, blocks: { a: { type: 'teleport', props: {} } } }],
    ['something else than a text', text([{ text: 5 }])],
    ['an unknown mark', text([{ text: 'a', blink: true }])],
    ['a missing part', { ...base, cards: undefined }],
    ['a newer version', { ...base, roost: 2 }],
    ['the name of a prototype', JSON.parse('{ "roost": 1, "cards": { "__proto__": {} } }')],
    ['a colour that is none', { ...base, app: { ...app, theme: { accent: 'red}*{color:red' } } }],
  ])('is refused for %s', (_name, json) => {
    expect(parsePublished(json).ok).toBe(false);
  });
});

test('one document has one canonical text, whatever the order of its keys', () => {
  const document = startDocument({ a: { type: 'wait', props: { for: 'PT1M' } } });
  const turned = Object.fromEntries(Object.entries(document).toReversed()) as typeof document;
  expect(Object.keys(turned)).not.toEqual(Object.keys(document));
  expect(canonicalJson(turned)).toBe(canonicalJson(document));
  expect(canonicalJson({ ...document, name: undefined })).toBe(canonicalJson(document));
  expect(canonicalJson({ ...document, name: 'x' })).not.toBe(canonicalJson(document));
  expect(JSON.parse(canonicalJson(document))).toEqual(document);
});

test('a name that no shape of an action has is told with the names of all of them', () => {
  const app = {
    start: 'p',
    pages: { p: { path: '/', title: 't', root: 'b' } },
    elements: { b: { type: 'button', props: { text: 't', do: { url: 'https://a.example' } } } },
    texts: { t: { en: 'T' } },
  };
  const parsed = parseDocument({
    roost: 1,
    locales: ['en'],
    defaultLocale: 'en',
    triggers: {},
    cards: {},
    blocks: {},
    app,
  });
  const fault = parsed.ok ? undefined : parsed.faults[0];
  expect([fault?.code, fault?.path]).toEqual(['unknown_field', 'app.elements.b.props.do']);
  for (const name of ['go', 'openFrom', 'submit', 'close']) expect(fault?.fix).toContain(`"${name}"`);
});
