// What the tests of single props of pages act in.

import { expect } from 'vitest';
import type { Form } from '../../../contract/app/forms.ts';
import type { FlowDocument } from '../../../contract/flow.ts';
import { drawPages, wordsFor } from '../../../miniapp/blocks/blocks.ts';
import { parseDocument } from '../flow/flow.ts';
import { shopDocument } from '../miniapps/fixtures.ts';
import { readForm } from '../miniapps/submissions/values.ts';
import { customsOf } from '../readers/readers.ts';
import { checkManifest, compileApp, richPage } from './manifest.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document that is bent on purpose
export type Loose = any;
export type Props = { readonly [prop: string]: unknown };

/** Two values of the part that stands before the last name of a path, by that name. */
export type Pair = readonly [unknown, unknown];

/** Every action, by its props. */
export const ACTIONS: { readonly [prop: string]: Pair } = {
  go: [{ go: 'cart' }, { go: 'visit' }],
  item: [{ go: 'one' }, { go: 'one', item: true }],
  back: [{ go: 'cart' }, { back: true }],
  open: [{ open: 'https://a.example' }, { open: 'https://b.example' }],
  openFrom: [{ openFrom: 'a' }, { openFrom: 'b' }],
  'openFrom.from': [{ openFrom: { from: 'visitor.firstName' } }, { openFrom: { from: 'visitor.lastName' } }],
  'openFrom.format': [{ openFrom: { from: 'cart.total' } }, { openFrom: { from: 'cart.total', format: 'number' } }],
  chat: [{ chat: 'a' }, { chat: 'b' }],
  submit: [{ submit: 'lead' }, { submit: 'order' }],
  cart: [{ go: 'cart' }, { cart: 'clear' }],
  share: [{ share: 'a' }, { share: 'b' }],
  contact: [{ go: 'cart' }, { contact: true }],
  language: [{ language: 'en' }, { language: 'ru' }],
  close: [{ go: 'cart' }, { close: true }],
};

/** The props with a value put where a path leads: `items[].do` is the first of the items. */
export function put(props: Props, at: string, value: unknown): Props {
  const whole = structuredClone(props) as Loose;
  const names = at.replaceAll('[]', '.0').split('.');
  const last = names.pop() ?? '';
  let holder = whole;
  for (const [index, name] of names.entries()) {
    holder[name] ??= (names[index + 1] ?? last) === '0' ? [] : {};
    holder = holder[name];
  }
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return whole;
}

/** What an element holds where nothing else is said. */
export const BASE: { readonly [type: string]: Props } = {
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

/** The same of the fields of forms. */
export const FIELD_BASE: { readonly [type: string]: Props } = {
  hidden: { value: 'a' },
  ...Object.fromEntries(['select', 'radio', 'choices'].map((type) => [type, { options: [{ id: 'a', label: 'a' }] }])),
  pick: { data: 'masters', title: 'name' },
  slot: { booking: 'visit' },
};

const SAMPLES = ['a', 'b', 'a\nb', 'word', '5', '55', '57', '5.5', true, '2026-05-01', '2026-07-01', '1', '4', ['a']];

/** The shop of the tests with one element and one field to try things at. */
export function make(change: (app: Loose) => void): ReturnType<typeof parseDocument> {
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
/** Its one element. */
export const element = (type: string, props: Props): ReturnType<typeof parseDocument> =>
  make((app) => {
    app.elements.one = { type, props, ...(HOLDERS.includes(type) ? { children: ['kid'] } : {}) };
  });
/** The one field of its form. */
export const field = (type: string, props: Props): ReturnType<typeof parseDocument> =>
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

export type Made = ReturnType<typeof parseDocument>;
/** A change of a document changes what comes of it, or is refused in this place. */
export function expectActs(without: Made, given: Made, at: string): void {
  if (!without.ok || !given.ok) throw new Error(JSON.stringify([without, given]));
  if (outcome(without.document) !== outcome(given.document)) return;
  const refused = checkManifest(given.document).filter(({ severity, path }) => severity === 'stops' && path === at);
  expect(refused, `${at} changes nothing and is not refused`).toHaveLength(1);
  expect(refused[0]?.fix).toMatch(/"/);
}
