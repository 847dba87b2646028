// Documents that want more than a project may have: each a good one, changed in one place, and beside it the harmless
// change of the same shape, so that it is the malice which is refused and not the place.
import { shopDocument } from '../../server/domains/miniapps/fixtures.ts';
import { HOSTILE_ADDRESSES } from './addresses.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document that is bent on purpose
export type Loose = any;

export type HostileManifest = {
  readonly name: string;
  /** Where the fault is told, or something around it or in it. */
  readonly path: string;
  readonly hostile: () => Loose;
  readonly harmless: () => Loose;
};

/** A good document with a button, a link in a text and a table of links beside the shop. */
export function goodDocument(): Loose {
  const whole = shopDocument() as Loose;
  const { app } = whole;
  app.elements.home.children.push('press', 'links', 'words', 'names', 'place');
  app.elements.press = { type: 'button', props: { text: 'send', do: { open: 'https://example.com/' } } };
  app.elements.links = { type: 'links', props: { items: [{ text: 'send', do: { open: 'https://example.com/' } }] } };
  app.elements.words = { type: 'text', props: { text: 'words' } };
  app.elements.names = { type: 'list', props: { items: ['words'] } };
  app.elements.place = { type: 'map', props: { latitude: 1, longitude: 2, label: 'words' } };
  app.elements.photo.props.do = { open: 'https://example.com/' };
  app.texts.words = { ru: ['Слово'], en: [{ text: 'Word', link: 'https://example.com/' }] };
  app.site.privacy = 'https://example.com/';
  whole.tables.goods.columns.more = { type: 'link' };
  whole.tables.goods.rows[0].more = 'https://example.com/';
  return whole;
}

/** Sets what stands at a path, also under a name that an object would take for its prototype. */
export function put(whole: Loose, path: string, value: unknown): Loose {
  const names = path.split('/');
  const last = names.pop() ?? '';
  const holder = names.reduce((at: Loose, name) => (at[name] ??= {}), whole);
  Object.defineProperty(holder, last, { value, enumerable: true, configurable: true, writable: true });
  return whole;
}

const told = (path: string): string => path.replaceAll('/', '.');
const changed = (path: string, value: unknown) => (): Loose => put(goodDocument(), path, value);

/** One place, and what must not and may stand there. */
export function place(path: string, harmless: unknown, ...hostile: unknown[]): HostileManifest[] {
  return hostile.map((value) => ({
    name: `${told(path)} = ${(JSON.stringify(value) ?? String(value)).slice(0, 60)}`,
    path: told(path),
    hostile: changed(path, value),
    harmless: changed(path, harmless),
  }));
}

/** Every place of a document where an address can stand. */
const ADDRESS_PLACES = [
  'app/texts/words/en/0/link',
  'app/elements/press/props/do/open',
  'app/elements/links/props/items/0/do/open',
  'app/elements/photo/props/do/open',
  'app/pages/home/mainButton/do/open',
  'app/pages/home/secondaryButton/do/open',
  'app/forms/lead/after/open',
  'app/site/privacy',
  'tables/goods/rows/0/more',
];

function withButtons(whole: Loose): Loose {
  for (const name of ['mainButton', 'secondaryButton'])
    whole.app.pages.home[name] = { text: 'send', do: { open: 'https://example.com/' } };
  return whole;
}

export const hostileAddresses: readonly HostileManifest[] = ADDRESS_PLACES.flatMap((path) =>
  HOSTILE_ADDRESSES.map((address) => ({
    name: `${told(path)} = ${JSON.stringify(address).slice(0, 60)}`,
    path: told(path),
    hostile: () => put(withButtons(goodDocument()), path, address),
    harmless: () => put(withButtons(goodDocument()), path, 'https://example.com/a?b=%3Cc%3E#d'),
  })),
);

const OBJECT_NAMES = ['__proto__', 'constructor', 'prototype', 'toString', '__defineGetter__'];
/** Every map of the pages, and something of its own that may stand in it under another name. */
const MAPS: readonly (readonly [path: string, value: (whole: Loose) => unknown])[] = [
  ['app/pages', (whole) => ({ ...whole.app.pages.visit, path: '/again', root: 'again' })],
  ['app/elements', () => ({ type: 'divider', props: {} })],
  ['app/texts', () => ({ ru: 'Слово', en: 'Word' })],
  ['app/data', (whole) => whole.app.data.masters],
  ['app/forms', (whole) => whole.app.forms.order],
  ['app/bookings', (whole) => whole.app.bookings.visit],
  ['app/forms/lead/fields', () => ({ type: 'hidden', value: 'a' })],
  ['tables', (whole) => whole.tables.masters],
  ['media', (whole) => whole.media.cover],
];

function named(path: string, name: string, value: (whole: Loose) => unknown): Loose {
  const whole = goodDocument();
  if (path === 'app/pages') whole.app.elements.again = { type: 'divider', props: {} };
  if (path === 'app/forms/lead/fields') whole.app.forms.lead.order.push(name);
  return put(whole, `${path}/${name}`, value(whole));
}

export const hostileNames: readonly HostileManifest[] = MAPS.flatMap(([path, value]) =>
  OBJECT_NAMES.map((name) => ({
    name: `${told(path)}.${name}`,
    path: `${told(path)}.${name}`,
    hostile: () => named(path, name, value),
    harmless: () => named(path, 'another', value),
  })),
);
