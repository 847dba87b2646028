// What stands inside of props of elements and fields, and of the texts of pages, out of the contract itself: it changes what is
// drawn or kept, or it is refused or named. What is new there fails here until it is said what it holds.

import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { ELEMENTS } from '../../../contract/app/elements.ts';
import { fieldSchema } from '../../../contract/app/forms.ts';
import { appSpanSchema } from '../../../contract/app/texts.ts';
import { schemaPaths } from '../../../test/support/schema-paths.ts';
import {
  ACTIONS,
  BASE,
  element,
  expectActs,
  FIELD_BASE,
  field,
  type Loose,
  make,
  type Pair,
  type Props,
  put,
} from './fixtures.ts';
import { checkManifest, richPage } from './manifest.ts';

const CONTENT: { readonly [prop: string]: Pair } = {
  from: [{ from: 'visitor.firstName' }, { from: 'visitor.lastName' }],
  format: [{ from: 'cart.total' }, { from: 'cart.total', format: 'number' }],
};
const PHOTO: { readonly [prop: string]: Pair } = {
  media: [{ media: 'cover' }, { media: 'other' }],
  from: [{ from: 'row.a' }, { from: 'row.b' }],
};
const path = 'visitor.firstName';
const CONDITIONS: { readonly [prop: string]: Pair } = {
  field: [
    { field: path, set: true },
    { field: 'visitor.lastName', set: true },
  ],
  is: [
    { field: path, is: 'a' },
    { field: path, is: 'b' },
  ],
  not: [
    { field: path, is: 'a' },
    { field: path, not: 'a' },
  ],
  over: [
    { field: path, over: 1 },
    { field: path, over: 2 },
  ],
  under: [
    { field: path, over: 1 },
    { field: path, under: 1 },
  ],
  contains: [
    { field: path, contains: 'a' },
    { field: path, contains: 'b' },
  ],
  set: [
    { field: path, empty: true },
    { field: path, set: true },
  ],
  empty: [
    { field: path, set: true },
    { field: path, empty: true },
  ],
  where: [{ where: 'web' }, { where: 'telegram' }],
  all: [{ all: [{ where: 'web' }] }, { all: [{ where: 'web' }, { field: path, set: true }] }],
  any: [{ all: [{ where: 'web' }] }, { any: [{ where: 'web' }, { field: path, set: true }] }],
};

/** The part of a path that is put in two ways, and the two ways. */
function casesOf(type: string, at: string): { readonly holder: string; readonly pair: Pair | undefined } {
  const [, kind, inside = ''] = /^(?:.*\.)?(do|showIf)\.(.*)$/.exec(at) ?? [];
  if (kind !== undefined) {
    const holder = at.slice(0, -inside.length - 1);
    return { holder, pair: kind === 'do' ? ACTIONS[inside] : CONDITIONS[inside] };
  }
  const prop = at.split('.').at(-1) ?? '';
  const holder = at.slice(0, -prop.length - 1);
  if (type === 'image' && holder === 'photo') return { holder, pair: PHOTO[prop] };
  if (prop === 'from' || prop === 'format') return { holder, pair: CONTENT[prop] };
  return { holder: at, pair: OWN[`${type}.${at}`] };
}

/** What is neither a content, an action nor a condition. */
const OWN: { readonly [at: string]: Pair } = {
  'links.items[].text': ['a', 'b'],
  'links.items[].do': [{ go: 'cart' }, { go: 'visit' }],
  'quiz.results[].text': ['a', 'b'],
  'quiz.results[].showIf': [undefined, { where: 'web' }],
  ...Object.fromEntries(
    ['select', 'radio', 'choices'].flatMap((type): [string, Pair][] => [
      [`${type}.options[].id`, ['a', 'b']],
      [`${type}.options[].label`, ['a', 'b']],
    ]),
  ),
};

const nestedOf = (shapes: readonly (readonly [string, z.ZodType])[]): [string, string][] =>
  shapes.flatMap(([type, schema]) =>
    schemaPaths(schema)
      .filter((at) => /[.[]/.test(at))
      .map((at): [string, string] => [type, at]),
  );
const concrete = (at: string): string => at.replaceAll('[]', '.0');

describe('what stands inside of a prop acts, or is refused', () => {
  test.each(nestedOf(Object.entries(ELEMENTS)))('of the element %s: %s', (type, at) => {
    const { holder, pair } = casesOf(type, at);
    expect(pair, `say in this test what "${at}" of "${type}" may hold`).toBeDefined();
    const [without, given] = (pair ?? []).map((value) => element(type, put(BASE[type] ?? {}, holder, value)));
    if (without && given) expectActs(without, given, `app.elements.one.props.${concrete(at)}`);
  });

  const fields = fieldSchema.options.map((schema) => [schema.shape.type.value, schema] as const);
  test.each(nestedOf(fields))('of the field %s: %s', (type, at) => {
    const { holder, pair } = casesOf(type, at);
    expect(pair, `say in this test what "${at}" of "${type}" may hold`).toBeDefined();
    const [without, given] = (pair ?? []).map((value) => field(type, put(FIELD_BASE[type] ?? {}, holder, value)));
    if (without && given) expectActs(without, given, `app.forms.lead.fields.one.${concrete(at)}`);
  });
});

describe('a part of a text acts, or is named', () => {
  const VALUES: Props = { link: 'https://a.example' };
  const SPANS: { readonly [prop: string]: Pair } = {
    text: [{ text: 'x' }, { text: 'y' }],
    from: CONTENT['from'] as Pair,
    format: CONTENT['format'] as Pair,
    ...Object.fromEntries(
      ['bold', 'italic', 'underline', 'strike', 'code', 'link'].map((mark): [string, Pair] => [
        mark,
        [{ text: 'x' }, { text: 'x', [mark]: VALUES[mark] ?? true }],
      ]),
    ),
  };
  const spelled = (span: unknown, type: string, props: Props) =>
    make((app) => {
      app.texts.m = { en: ['a', span] };
      const holds = type === 'details' || type === 'tabs' ? { children: ['kid'] } : {};
      app.elements.one = { type, props, ...holds };
    });
  test.each(schemaPaths(appSpanSchema))('in a paragraph: %s', (at) => {
    const pair = SPANS[at];
    expect(pair, `say in this test what "${at}" may hold`).toBeDefined();
    const [without, given] = (pair ?? []).map((span) => spelled(span, 'text', { text: 'm' }));
    if (without && given) expectActs(without, given, `app.texts.m.en.1.${at}`);
  });

  const namedIn = (made: ReturnType<typeof make>): string[] => {
    if (!made.ok) throw new Error(JSON.stringify(made.faults));
    return checkManifest(made.document).flatMap(({ code, path: place }) =>
      code === 'marks_lost' ? [`${code} ${place}`] : [],
    );
  };

  /** Where nothing can be bold or pressed. */
  const PLAIN: readonly (readonly [string, Props])[] = [
    ['button', { text: 'm', do: { go: 'cart' } }],
    ['links', { items: [{ text: 'm', do: { go: 'cart' } }] }],
    ['image', { photo: { media: 'cover' }, alt: 'm' }],
    ['gallery', { media: ['cover'], alt: 'm' }],
    ['video', { media: 'film', title: 'm' }],
    ['audio', { media: 'song', title: 'm' }],
    ['file', { media: 'paper', title: 'm' }],
    ['details', { summary: 'm' }],
    ['map', { latitude: 1, longitude: 1, label: 'm' }],
    ['price', { amount: 'm' }],
    ['contacts', { phone: 'm' }],
    ['quote', { text: 'a', by: 'm', look: 'folded' }],
    ['cookies', { text: 'a', accept: 'm', decline: 'a' }],
    ['button', { text: 'a', do: { share: 'm' } }],
  ];
  const marked = { text: 'x', bold: true, link: 'https://a.example' };
  test.each(PLAIN)('marks are named in %s %j', (type, props) => {
    expect(namedIn(spelled(marked, type, props))).toEqual(['marks_lost app.texts.m.en.1.bold']);
  });

  const inMessage = (span: unknown, type: string, props: Props): string => {
    const made = spelled(span, type, props);
    if (!made.ok) throw new Error(JSON.stringify(made.faults));
    return JSON.stringify(richPage(made.document, 'home', 'en', { open: () => undefined, bot: '' }));
  };
  test.each([...PLAIN, ['tabs', { labels: ['m'] }] as const, ['price', { amount: 'a', before: 'm' }] as const])(
    'a message shows plain words too in %s %j',
    (type, props) => {
      const plain = inMessage({ text: 'x' }, type, props);
      expect(inMessage({ text: 'x', bold: true, link: 'https://t.me/a' }, type, props)).toBe(plain);
    },
  );
  test.each([
    ['text', { text: 'm' }],
    ['contacts', { hours: 'm' }],
    ['quote', { text: 'a', by: 'm' }],
  ])('a message has the marks of a page in %s %j', (type, props) => {
    expect(inMessage({ text: 'x', bold: true }, type, props)).toContain('{"type":"bold","text":"x"}');
  });

  const ELSEWHERE: readonly (readonly [string, (app: Loose) => void])[] = [
    ['a title', (app) => (app.pages.home.title = 'm')],
    ['a description', (app) => (app.pages.home.description = 'm')],
    ['a main button', (app) => (app.pages.home.mainButton = { text: 'm', do: { go: 'cart' } })],
    ['what sends a form', (app) => (app.forms.lead.submit = 'm')],
    ['what is said when it came', (app) => (app.forms.lead.done = 'm')],
  ];
  test.each(ELSEWHERE)('marks are named in %s', (_what, change) => {
    const made = make((app) => {
      app.texts.m = { en: ['a', marked] };
      change(app);
    });
    expect(namedIn(made)).toEqual(['marks_lost app.texts.m.en.1.bold']);
  });
});

describe('money without a shop is refused with the way out', () => {
  const faults = (change: (app: Loose) => void): (readonly [string, string])[] => {
    const whole = make((app) => {
      delete app.shop;
      change(app);
    });
    if (!whole.ok) throw new Error(JSON.stringify(whole.faults));
    return checkManifest(whole.document).flatMap(({ code, path: place, fix }) =>
      code === 'currency_missing' ? [[place, fix ?? ''] as const] : [],
    );
  };
  test('in a text, in a content, and not with a shop', () => {
    const content = { from: 'visitor.id', format: 'money' };
    const inText = faults((app) => {
      app.texts.m = { en: ['a', content] };
      app.elements.one = { type: 'text', props: { text: 'm' } };
    });
    expect(inText.map(([place]) => place)).toContain('app.texts.m.en.1.format');
    expect(inText[0]?.[1]).toContain('"format": "number"');
    const inPlace = faults((app) => (app.elements.one = { type: 'badge', props: { text: content } }));
    expect(inPlace.map(([place]) => place)).toContain('app.elements.one.props.text.format');
    const sold = make((app) => (app.elements.one = { type: 'badge', props: { text: content } }));
    expect(sold.ok && checkManifest(sold.document).some(({ code }) => code === 'currency_missing')).toBe(false);
  });
});
