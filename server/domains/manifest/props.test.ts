// Every prop of every element and field, out of the contract itself: it changes what is drawn, sent or kept, or it is
// refused. A new prop fails here until it is said what it holds.

import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { ELEMENTS } from '../../../contract/app/elements.ts';
import { type Form, fieldSchema } from '../../../contract/app/forms.ts';
import type { FlowDocument } from '../../../contract/flow.ts';
import { drawPages, wordsFor } from '../../../miniapp/blocks/blocks.ts';
import { parseDocument } from '../flow/flow.ts';
import { shopDocument } from '../miniapps/fixtures.ts';
import { readForm } from '../miniapps/submissions/values.ts';
import { customsOf } from '../readers/readers.ts';
import { checkManifest, compileApp, richPage } from './manifest.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document that is bent on purpose
type Loose = any;
type Props = { readonly [prop: string]: unknown };

const fieldShapes: { readonly [type: string]: readonly string[] } = Object.fromEntries(
  fieldSchema.options.map(({ shape }) => [shape.type.value, Object.keys(shape)]),
);
const elementShapes: { readonly [type: string]: readonly string[] } = Object.fromEntries(
  Object.entries(ELEMENTS).map(([type, schema]) => [type, Object.keys((schema as z.ZodObject).shape)]),
);

/** What an element holds where nothing else is said. */
const BASE: { readonly [type: string]: Props } = {
  stack: {},
  columns: {},
  tabs: { labels: ['a'] },
  details: { summary: 'a' },
  each: { from: 'goods' },
  heading: { text: 'a' },
  text: { text: 'a' },
  image: { photo: { media: 'cover' }, alt: 'a' },
  gallery: { media: ['cover'], alt: 'a' },
  video: { media: 'film', title: 'a' },
  audio: { media: 'song', title: 'a' },
  file: { media: 'paper', title: 'a' },
  quote: { text: 'a' },
  code: { text: 'a' },
  note: { text: 'a' },
  divider: {},
  spacer: {},
  list: { items: ['a'] },
  table: { rows: [['a']] },
  map: { latitude: 1, longitude: 1, label: 'a' },
  badge: { text: 'a' },
  price: { amount: 'a' },
  button: { text: 'a', do: { go: 'cart' } },
  links: { items: [{ text: 'a', do: { go: 'cart' } }] },
  contacts: {},
  products: {},
  product: {},
  cart: { empty: 'a' },
  summary: {},
  form: { form: 'lead' },
  quiz: { form: 'lead', results: [{ text: 'a' }] },
  profile: {},
  language: {},
  cookies: { text: 'a', accept: 'a', decline: 'a' },
};

/** Another value of each prop; by type where that matters. */
const OTHER: Props = {
  gap: 'l',
  look: 'card',
  labels: ['b'],
  summary: 'b',
  open: true,
  'products.open': 'one',
  from: 'masters',
  empty: 'b',
  layout: 'grid',
  text: 'b',
  level: 1,
  'text.look': 'lead',
  'quote.look': 'pull',
  'list.look': 'number',
  'button.look': 'quiet',
  photo: 'photo',
  'image.photo': { from: 'row.photo' },
  alt: 'b',
  ratio: '1:1',
  do: { go: 'visit' },
  media: 'other',
  'gallery.media': ['cover', 'other'],
  zoom: true,
  poster: 'cover',
  title: 'b',
  by: 'b',
  language: 'json',
  size: 'l',
  items: ['a', 'b'],
  'links.items': [{ text: 'b', do: { go: 'cart' } }],
  head: ['b'],
  rows: [['b']],
  latitude: 2,
  longitude: 2,
  label: 'b',
  tone: 'good',
  amount: 'b',
  before: 'b',
  phone: 'b',
  email: 'b',
  telegram: 'b',
  address: 'b',
  hours: 'b',
  about: 'title',
  category: 'title',
  search: true,
  missing: 'b',
  form: 'order',
  results: [{ text: 'b' }],
  accept: 'b',
  decline: 'b',
};

const FIELD_BASE: { readonly [type: string]: Props } = {
  hidden: { value: 'a' },
  ...Object.fromEntries(['select', 'radio', 'choices'].map((type) => [type, { options: [{ id: 'a', label: 'a' }] }])),
  pick: { data: 'masters', title: 'name' },
  slot: { booking: 'visit' },
};

const FIELD_OTHER: Props = {
  label: 'b',
  hint: 'b',
  required: true,
  'consent.required': false,
  showIf: { where: 'web' },
  lines: 4,
  maxChars: 3,
  placeholder: 'b',
  min: 50,
  max: 60,
  step: 7,
  'date.min': '2026-06-01',
  'date.max': '2026-06-02',
  'rating.max': 3,
  options: [{ id: 'b', label: 'b' }],
  accept: 'image',
  data: 'goods',
  title: 'about',
  about: 'about',
  photo: 'face',
  price: 'price',
  booking: 'second',
  value: 'b',
  from: 'start',
};

const SAMPLES = ['a', 'b', 'a\nb', 'word', '5', '55', '57', '5.5', true, '2026-05-01', '2026-07-01', '1', '4', ['a']];

function make(change: (app: Loose) => void): ReturnType<typeof parseDocument> {
  const whole = shopDocument() as Loose;
  const { app, media, tables } = whole;
  const file = (kind: string): Loose => ({ kind, sha256: '0'.repeat(64), name: 'f' });
  Object.assign(media, { cover: file('photo'), film: file('video'), song: file('audio'), paper: file('document') });
  media.other = file('photo');
  app.texts.a = { en: 'One', ru: 'Один' };
  app.texts.b = { en: 'Two', ru: 'Два' };
  Object.assign(tables.masters.columns, { about: { type: 'text' }, face: { type: 'photo' }, price: { type: 'money' } });
  app.data.masters.fields.push('about', 'face', 'price');
  app.bookings.second = structuredClone(app.bookings.visit);
  app.elements.home = { type: 'stack', props: {}, children: ['one'] };
  app.elements.kid = { type: 'text', props: { text: 'a' } };
  app.elements.shop = { type: 'stack', props: {}, children: ['product'] };
  app.elements.product = { type: 'product', props: { photo: 'photo' } };
  app.pages.one.root = 'shop';
  change(app);
  return parseDocument(whole);
}

const HOLDERS = ['stack', 'columns', 'tabs', 'details', 'each'];
const element = (type: string, props: Props): ReturnType<typeof parseDocument> =>
  make((app) => {
    app.elements.one = { type, props, ...(HOLDERS.includes(type) ? { children: ['kid'] } : {}) };
  });
const field = (type: string, props: Props): ReturnType<typeof parseDocument> =>
  make((app) => {
    app.forms.lead.fields = { one: { type, ...(type === 'hidden' ? {} : { label: 'a' }), ...props } };
    app.forms.lead.order = ['one'];
    app.elements.one = { type: 'form', props: { form: 'lead' } };
  });

/** What comes of a document: pages, a message, what a form keeps. */
function outcome(document: FlowDocument): string {
  const media = Object.fromEntries(Object.keys(document.media ?? {}).map((id) => [id, { src: `/media/${id}` }]));
  const view = compileApp(document, 'en', { app: 'x', base: '', bot: 'b_bot', media, words: wordsFor('en') });
  const place = { open: () => undefined } as unknown as Parameters<typeof richPage>[3];
  const form = document.app?.forms?.['lead'] as Form;
  const customs = customsOf({ defaultLocale: 'en' });
  const facts = { locale: 'en', today: '2026-06-01', customs, start: 'link', isShown: () => true };
  const kept = SAMPLES.map((given) => readForm(form, { one: given }, facts));
  const message = document.app?.elements['one']?.type === 'code' ? richPage(document, 'home', 'en', place) : undefined;
  return JSON.stringify([drawPages(view), message, kept]);
}

type Made = ReturnType<typeof parseDocument>;
function expectActs(without: Made, given: Made, at: string): void {
  if (!without.ok || !given.ok) throw new Error(JSON.stringify([without, given]));
  if (outcome(without.document) !== outcome(given.document)) return;
  const refused = checkManifest(given.document).filter(({ severity, path }) => severity === 'stops' && path === at);
  expect(refused, `${at} changes nothing and is not refused`).toHaveLength(1);
  expect(refused[0]?.fix).toMatch(/"/);
}

const pairs = (shapes: { readonly [type: string]: readonly string[] }): [string, string][] =>
  Object.entries(shapes).flatMap(([type, props]) => props.map((prop): [string, string] => [type, prop]));
const own = (table: Props, type: string, prop: string): unknown => {
  const value = table[`${type}.${prop}`] ?? table[prop];
  expect(value, `say in this test what "${prop}" of "${type}" may hold`).toBeDefined();
  return value;
};

describe('a prop acts, or is refused', () => {
  test.each(pairs(elementShapes))('of the element %s: %s', (type, prop) => {
    const base = BASE[type] ?? {};
    const given = element(type, { ...base, [prop]: own(OTHER, type, prop) });
    expectActs(element(type, base), given, `app.elements.one.props.${prop}`);
  });

  test.each(pairs(fieldShapes).filter(([, prop]) => prop !== 'type'))('of the field %s: %s', (type, prop) => {
    const base = FIELD_BASE[type] ?? {};
    const given = field(type, { ...base, [prop]: own(FIELD_OTHER, type, prop) });
    expectActs(field(type, base), given, `app.forms.lead.fields.one.${prop}`);
  });
});

describe('what a type does not have is refused, and what it has is named', () => {
  const foreign = (shapes: { readonly [type: string]: readonly string[] }, type: string): string[] =>
    [...new Set(Object.values(shapes).flat())].filter((prop) => !shapes[type]?.includes(prop));
  const expectNamed = (made: Made, props: readonly string[], known: readonly string[]): void => {
    if (made.ok) throw new Error('it was taken');
    const fault = made.faults.find(({ code }) => code === 'unknown_field');
    for (const prop of props) expect(fault?.message).toContain(`"${prop}"`);
    for (const prop of known) expect(fault?.fix).toContain(`"${prop}"`);
  };
  const filled = (props: readonly string[]): Props => Object.fromEntries(props.map((prop) => [prop, 1]));

  test.each(Object.keys(elementShapes))('by the element %s', (type) => {
    const props = foreign(elementShapes, type);
    const made = element(type, { ...BASE[type], ...filled(props) });
    expectNamed(made, props, elementShapes[type] ?? []);
  });

  test.each(Object.keys(fieldShapes))('by the field %s', (type) => {
    const props = foreign(fieldShapes, type);
    expectNamed(field(type, { ...FIELD_BASE[type], ...filled(props) }), props, fieldShapes[type] ?? []);
  });
});
