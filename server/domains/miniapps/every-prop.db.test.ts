// Every prop of an app beside its elements, texts and fields (they have tests of their own: manifest/props.test.ts), out of the
// contract itself: another value changes what visitors see, are offered or are answered, or it is refused. What is new there
// fails here until it is said what it holds.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AppRows, AppView } from '../../../contract/app/view.ts';
import type { Fault, FlowDocument } from '../../../contract/flow.ts';
import { manifestSchema } from '../../../contract/manifest.ts';
import { Refusal } from '../../../kernel/errors.ts';
import { realKit } from '../../../kernel/kit.ts';
import { createLog } from '../../../kernel/log.ts';
import { drawPages, firstState, pageRow, renderPage, toHtml, wordsFor } from '../../../miniapp/blocks/blocks.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { schemaPaths } from '../../../test/support/schema-paths.ts';
import { ACTIONS, expectActs, type Loose, make, type Pair, put } from '../manifest/fixtures.ts';
import { compileApp } from '../manifest/manifest.ts';
import { sha256Of } from '../projects/files.ts';
import { onePixel } from '../projects/fixtures.ts';
import { importProject, publish } from '../projects/projects.ts';
import { shopDocument } from './fixtures.ts';
import { headOf } from './serving/head.ts';
import { buttonPaint, themeCss } from './serving/html.ts';
import { type AppRelease, createAppReleases } from './serving/releases.ts';
import { readAllRows } from './serving/rows.ts';
import { sitemapXml } from './serving/site-map.ts';
import { freeSlots } from './submissions/booking.ts';
import { submit } from './submissions/submit.ts';
import type { Visitor } from './visitors/visitor.ts';

// A Monday at noon in Moscow.
const NOW = Date.parse('2026-06-01T09:00:00Z');
const kit = { ...realKit(createLog({ level: 'silent' })), now: () => NOW };
const otherPixel = Buffer.concat([onePixel, Buffer.from(' ')]);
const files = new Map([onePixel, otherPixel].map((bytes) => [sha256Of(bytes), bytes]));

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** A shop of which every part is in use. */
function scene(): Loose {
  const whole = shopDocument() as Loose;
  const { app, media, tables } = whole;
  media.cover.sha256 = sha256Of(onePixel);
  media.other = { kind: 'photo', name: 'other.png', sha256: sha256Of(otherPixel) };
  Object.assign(tables.goods.columns, { note: { type: 'text' }, rank: { type: 'number' }, made: { type: 'date' } });
  tables.goods.rows = [
    { title: 'Honey', price: 12.5, stock: 10, rank: 2, note: 'x', photo: 'cover', made: '2026-01-01' },
    {
      title: 'Tea',
      title_en: 'Black tea',
      price: 4,
      stock: 3,
      rank: 1,
      sizes: 'S;M',
      note: 'L;XL',
      made: '2026-02-01',
    },
    { title: 'Secret', price: 1, stock: 5, rank: 3, hidden: true },
  ];
  tables.tools = structuredClone(tables.goods);
  tables.tools.rows[0].title = 'Hammer';
  app.data.goods.fields.push('note', 'rank');
  app.data.tools = { table: 'tools', fields: app.data.goods.fields };
  app.data.rooms = { table: 'masters', fields: ['name'], limit: 1 };
  app.forms.visit.fields.room = { type: 'pick', label: 'field.master', data: 'masters', title: 'name' };
  app.forms.visit.order.push('room');
  app.pages.list = { path: '/list', title: 'cart.title', root: 'list', data: 'goods' };
  app.elements.list = { type: 'text', props: { text: { from: 'row.title' } } };
  // What a case may take.
  app.elements.more = { type: 'heading', props: { text: 'cart.title' } };
  app.elements.spare = { type: 'stack', props: {}, children: ['spareText'] };
  app.elements.spareText = { type: 'text', props: { text: 'cart.title' } };
  app.elements.goods.props.photo = 'photo';
  app.elements.one.props.photo = 'photo';
  return whole;
}

const visitor = (kind: Visitor['kind']): Visitor => ({
  kind,
  id: kind === 'web' ? 'web:1' : '77',
  lane: 77,
  profile: { id: '', firstName: 'Anna', lastName: '', username: '', languageCode: '', photoUrl: '' },
  start: undefined,
  sinceMs: undefined,
});

type Place = { readonly release: AppRelease; readonly projectId: number };
type Outcome = { readonly said: string; readonly refused: readonly Fault[] };

let projects = 0;
async function place(document: object): Promise<Place | readonly Fault[]> {
  const name = `Shop ${(projects += 1)}`;
  try {
    return await database.db
      .tx(async (tx) => {
        const { project } = await importProject(tx, { name, bundle: { document, files } });
        const { release } = await publish(tx, project.id);
        return { projectId: project.id, number: release.number };
      })
      .then(async ({ projectId, number }) => {
        const release = await createAppReleases(database.db, { bytesMax: 1e7 }).get(projectId, number);
        return { projectId, release: release as AppRelease };
      });
  } catch (error) {
    if (error instanceof Refusal && error.code === 'DOCUMENT_WRONG') return error.facts['faults'] as Fault[];
    throw error;
  }
}

function viewOf(release: AppRelease, locale: string): AppView {
  const media = Object.fromEntries(Object.keys(release.photos).map((id) => [id, { src: `/m-${id}` }]));
  const document = { ...release.document, app: release.app } as FlowDocument;
  return compileApp(document, locale, { app: 'app_x', base: '', bot: 'b_bot', media, words: wordsFor(locale) });
}

/** Everything that is shown: pages of the web and inside Telegram, with a row and without, and what is said of them. */
function shown(view: AppView, rows: AppRows): unknown {
  const drawn = drawPages(view);
  // The shop and the bookings go out as they stand; whether they act is to be seen elsewhere.
  const { shop: _shop, bookings: _bookings, ...pages } = drawn;
  const facts = { site: 'https://shop.example', isSite: true };
  const each = Object.keys(view.pages).flatMap((page) =>
    [undefined, 1, 2].flatMap((item) => {
      const states = [true, false].map((telegram) => firstState({ page, item, telegram, zone: 'UTC' }));
      const [state] = states;
      const row = state && pageRow(drawn, rows, state);
      return [headOf(view, { page, row, ...facts }), ...states.map((one) => toHtml(renderPage(drawn, rows, one)))];
    }),
  );
  return [pages, each, themeCss(view), buttonPaint(view) ?? null, sitemapXml(view, rows, facts.site)];
}

let sent = 0;
const SAMPLES: readonly (readonly [form: string, values: object, cart?: { [item: string]: number }])[] = [
  ['lead', { name: 'Anna', agree: true }],
  ['order', { name: 'Anna' }, { '1': 1 }],
  ['order', { name: 'Anna' }, { '2:S': 1 }],
  ['order', { name: 'Anna' }, { '2:L': 1 }],
  ['order', { name: 'Anna' }, { '1': 6, '3': 1 }],
  ['order', { name: 'Anna' }, { '1': 6 }],
  ['visit', { master: 1, time: '2026-06-08T06:00:00.000Z' }],
  ['visit', { master: 1, time: '2026-06-08T06:00:00.000Z' }],
  ['visit', { master: 1, time: '2026-06-08T06:00:00.000Z' }],
  ['visit', { master: 2, time: '2026-06-08T06:00:00.000Z' }],
  ['visit', { master: 1, room: 2, time: '2026-06-08T06:00:00.000Z' }],
];

/** What visitors are answered who send each of the samples. */
async function answers({ release, projectId }: Place): Promise<unknown[]> {
  const entry = { publicId: 'app_x', kind: 'bot', projectId, projectPublicId: 'prj_x' } as const;
  const app = { ...entry, releaseNumber: release.number, bot: undefined, site: undefined };
  const deps = { kit, db: database.db, eventsStored() {}, rowsChanged() {}, fileAddress: (id: string) => id };
  const [view, projectView] = [viewOf(release, 'en'), viewOf(release, 'ru')];
  const all: unknown[] = [];
  for (const kind of ['telegram', 'web'] as const)
    for (const [form, values, cart] of SAMPLES) {
      const key = `key-${(sent += 1)}`;
      const event = { key, form, values: values as { [field: string]: string }, cart, locale: 'en' };
      all.push(await told(submit(deps, { app, release, view, projectView, visitor: visitor(kind), event })));
    }
  return all;
}

/** An answer, or what a refusal says. */
const told = (answer: Promise<unknown>): Promise<unknown> =>
  answer.catch((error) => {
    if (error instanceof Refusal) return [error.code, error.message, error.facts];
    throw error;
  });

const known = new Map<string, Promise<Outcome>>();
function outcome(document: object): Promise<Outcome> {
  const key = JSON.stringify(document);
  const before = known.get(key);
  const made = before ?? makeOutcome(document);
  known.set(key, made);
  return made;
}

async function makeOutcome(document: object): Promise<Outcome> {
  const at = await place(document);
  if (!('release' in at)) return { said: '', refused: at };
  const { release } = at;
  const said: unknown[] = [];
  for (const locale of ['ru', 'en']) {
    const rows = await readAllRows(database.db, release, { locale, address: (id) => `/m-${id}` });
    said.push(rows, shown(viewOf(release, locale), rows));
  }
  for (const each of [undefined, 1, 2])
    said.push(await told(freeSlots(database.db, release, { booking: 'visit', each, days: 42 }, NOW)));
  said.push(await answers(at), await readAllRows(database.db, release, { locale: 'ru' }));
  return { said: JSON.stringify(said), refused: [] };
}

const day = [['09:00', '18:00']];
const filter = (more: object): object[] => [{ field: 'price', ...more }];
const main = { text: 'send', do: { go: 'visit' } };

/** What is refused in all but one way, and where that is told. */
const REFUSED_AT: { readonly [at: string]: string } = {
  start: 'app.pages.cart.path',
  // Each form that offers its times lets the row be picked.
  'bookings{}.each.data': 'app.forms.visit.fields.time',
};

/** Where each prop is tried, and with what. */
const CASES: { readonly [at: string]: readonly [place: string, ...Pair] } = {
  theme: ['theme', undefined, { accent: '#0b6e66' }],
  'theme.accent': ['theme.accent', '#0b6e66', '#7a1f1f'],
  'theme.accentDark': ['theme.accentDark', undefined, '#ffd0d0'],
  'theme.radius': ['theme.radius', undefined, 'l'],
  start: ['start', 'home', 'cart'],
  pages: ['pages.more', undefined, { path: '/more', title: 'cart.title', root: 'more' }],
  'pages{}.path': ['pages.visit.path', '/visit', '/book'],
  'pages{}.title': ['pages.visit.title', 'visit.title', 'cart.title'],
  'pages{}.root': ['pages.visit.root', 'visit', 'spare'],
  'pages{}.data': ['pages.list.data', 'goods', 'tools'],
  'pages{}.mainButton': ['pages.home.mainButton', undefined, main],
  'pages{}.mainButton.text': ['pages.home.mainButton', main, { ...main, text: 'kind.a' }],
  'pages{}.mainButton.do': ['pages.home.mainButton', main, { ...main, do: { go: 'cart' } }],
  'pages{}.secondaryButton': ['pages.home.secondaryButton', undefined, main],
  'pages{}.secondaryButton.text': ['pages.home.secondaryButton', main, { ...main, text: 'kind.a' }],
  'pages{}.secondaryButton.do': ['pages.home.secondaryButton', main, { ...main, do: { go: 'cart' } }],
  'pages{}.menu': ['pages.visit.menu', undefined, 2],
  'pages{}.description': ['pages.visit.description', undefined, 'cart.title'],
  'pages{}.hidden': ['pages.visit.hidden', undefined, true],
  data: ['data.tools', { table: 'tools', fields: ['title'] }, { table: 'tools', fields: ['price'] }],
  'data{}.table': ['data.tools.table', 'tools', 'goods'],
  'data{}.fields': ['data.tools.fields', ['title'], ['title', 'price']],
  'data{}.where': ['data.goods.where', undefined, filter({ over: 5 })],
  'data{}.where[].field': ['data.goods.where', filter({ over: 5 }), [{ field: 'stock', over: 5 }]],
  'data{}.where[].is': ['data.goods.where', filter({ is: 4 }), filter({ is: 12.5 })],
  'data{}.where[].not': ['data.goods.where', filter({ not: 4 }), filter({ not: 12.5 })],
  'data{}.where[].over': ['data.goods.where', filter({ over: 0 }), filter({ over: 5 })],
  'data{}.where[].under': ['data.goods.where', filter({ under: 20 }), filter({ under: 5 })],
  'data{}.where[].contains': [
    'data.goods.where',
    [{ field: 'title', contains: 'o' }],
    [{ field: 'title', contains: 'TE' }],
  ],
  'data{}.sort': ['data.goods.sort', undefined, 'rank'],
  'data{}.descending': ['data.goods.descending', undefined, true],
  'data{}.limit': ['data.goods.limit', undefined, 1],
  forms: ['forms.lead.fields.name', { type: 'text', label: 'field.name' }, { type: 'text', label: 'field.why' }],
  'forms{}.kind': ['forms.order.kind', undefined, 'order'],
  'forms{}.order': [
    'forms.lead.order',
    ['name', 'phone', 'kind', 'why', 'file', 'agree', 'from'],
    ['phone', 'name', 'kind', 'why', 'file', 'agree', 'from'],
  ],
  'forms{}.submit': ['forms.lead.submit', 'send', 'kind.a'],
  'forms{}.done': ['forms.lead.done', 'lead.done', 'visit.done'],
  'forms{}.doneWeb': ['forms.lead.doneWeb', undefined, 'visit.done'],
  'forms{}.after': ['forms.lead.after', undefined, { go: 'visit' }],
  shop: ['shop.title', 'title', 'note'],
  'shop.data': ['shop.data', 'goods', 'tools'],
  'shop.title': ['shop.title', 'title', 'note'],
  'shop.price': ['shop.price', 'price', 'rank'],
  'shop.stock': ['shop.stock', undefined, 'stock'],
  'shop.variants': ['shop.variants', 'sizes', 'note'],
  'shop.currency': ['shop.currency', 'EUR', 'USD'],
  'shop.minimumTotal': ['shop.minimumTotal', undefined, 10],
  bookings: ['bookings.visit.minutes', 60, 30],
  'bookings{}.timezone': ['bookings.visit.timezone', 'Europe/Moscow', 'Asia/Tokyo'],
  'bookings{}.hours': ['bookings.visit.hours', { mon: day }, { tue: day }],
  ...Object.fromEntries(
    ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((name): [string, readonly [string, ...Pair]] => [
      `bookings{}.hours.${name}`,
      [`bookings.visit.hours.${name}`, day, [['10:00', '18:00']]],
    ]),
  ),
  'bookings{}.minutes': ['bookings.visit.minutes', 60, 30],
  'bookings{}.noticeMinutes': ['bookings.visit.noticeMinutes', undefined, 600],
  'bookings{}.aheadDays': ['bookings.visit.aheadDays', 30, 10],
  'bookings{}.places': ['bookings.visit.places', undefined, 2],
  'bookings{}.daysOff': ['bookings.visit.daysOff', undefined, ['2026-06-10']],
  'bookings{}.each': ['bookings.visit.each', undefined, { data: 'masters', field: 'master' }],
  'bookings{}.each.data': [
    'bookings.visit.each',
    { data: 'masters', field: 'master' },
    { data: 'rooms', field: 'master' },
  ],
  'bookings{}.each.field': [
    'bookings.visit.each',
    { data: 'masters', field: 'master' },
    { data: 'masters', field: 'room' },
  ],
  site: ['site', undefined, { name: 'site.name', description: 'site.about' }],
  'site.name': ['site.name', 'site.name', 'cart.title'],
  'site.description': ['site.description', 'site.about', 'cart.title'],
  'site.image': ['site.image', 'cover', 'other'],
  'site.privacy': ['site.privacy', undefined, 'https://a.example/rules'],
};

const props = schemaPaths(manifestSchema).filter((at) => !/^(elements|texts|forms\{\}\.fields)/.test(at));
const ofAction = /^(pages\{\}\.mainButton\.do|pages\{\}\.secondaryButton\.do|forms\{\}\.after)\.(.+)$/;

describe('a prop acts, or is refused', () => {
  test('what changes nothing is seen to change nothing', async () => {
    const [one, other] = await Promise.all([scene(), { ...scene(), layout: { x: { x: 1, y: 1 } } }].map(outcome));
    expect(one?.said === other?.said).toBe(true);
    expect(one?.said.length).toBeGreaterThan(100_000);
  });

  test('there is something to try', () => {
    expect(props).toEqual(expect.arrayContaining(['data{}.where[].is', 'bookings{}.each.field', 'site.privacy']));
  });

  test.each(props.filter((at) => !ofAction.test(at)))('of an app: %s', async (at) => {
    const one = CASES[at];
    expect(one, `say in this test what "${at}" may hold`).toBeDefined();
    const [where, before, after] = one ?? ['', undefined, undefined];
    const documentWith = (value: unknown): object => put(scene(), `app.${where}`, value) as object;
    const [without, given] = await Promise.all([outcome(documentWith(before)), outcome(documentWith(after))]);
    expect(without.refused).toEqual([]);
    if (given.refused.length === 0)
      expect(without.said === given.said ? `app.${where} changes nothing and is not refused` : '').toBe('');
    else expect(given.refused.map(({ path }) => path)).toContainEqual(expect.stringContaining(REFUSED_AT[at] ?? at));
  });

  test.each(props.filter((at) => ofAction.test(at)))('of an app: %s', (at) => {
    const [, holder = '', prop = ''] = ofAction.exec(at) ?? [];
    const pair = ACTIONS[prop];
    expect(pair, `say in manifest/fixtures.ts what "${prop}" of an action may hold`).toBeDefined();
    const place = holder.replace('pages{}', 'pages.home').replace('forms{}', 'forms.lead');
    const [without, given] = (pair ?? []).map((action) =>
      make((app) => {
        app.elements.one = { type: 'form', props: { form: 'lead' } };
        const button = /^(.*)\.do$/.exec(place)?.[1];
        const value = button === undefined ? action : { text: 'a', do: action };
        Object.assign(app, put(app, button ?? place, value));
      }),
    );
    if (without && given) expectActs(without, given, `app.${place}.${prop}`);
  });
});

describe('what can never work is refused', () => {
  const NEVER: readonly (readonly [what: string, place: string, value: unknown, at: string, says: string])[] = [
    [
      'a day that is none',
      'data.goods.where',
      [{ field: 'made', is: 'soon' }],
      'data.goods.where.0.is',
      'is not a day',
    ],
    ['a sum in words', 'data.goods.where', [{ field: 'made', over: 5 }], 'data.goods.where.0.over', 'dates'],
    ['more than a word', 'data.goods.where', [{ field: 'title', under: 5 }], 'data.goods.where.0.under', '"price"'],
    ['hours that are too short', 'bookings.visit.minutes', 600, 'bookings.visit.minutes', '540'],
    [
      'a notice beyond the last day',
      'bookings.visit.noticeMinutes',
      43_200,
      'bookings.visit.noticeMinutes',
      '"aheadDays"',
    ],
  ];
  test.each(NEVER)('%s', async (_what, where, value, at, says) => {
    const whole = scene();
    whole.app.bookings.visit.aheadDays = 20;
    const { refused } = await outcome(put(whole, `app.${where}`, value));
    const found = refused.filter(({ path }) => path === `app.${at}`);
    expect(found).toHaveLength(1);
    expect(`${found[0]?.message} ${found[0]?.fix}`).toContain(says);
  });
});
