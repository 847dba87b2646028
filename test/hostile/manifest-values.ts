// Sizes, trees, colours, paths, ids, languages and numbers that a project may not have.
import { goodDocument, type HostileManifest, type Loose, place, put } from './manifests.ts';

const groups = (depth: number): Loose =>
  depth === 0 ? { field: 'visitor.firstName', set: true } : { all: [groups(depth - 1)] };

/** The good document with so many more of something. */
function many(path: string, count: number, value: (index: number, whole: Loose) => unknown): Loose {
  const whole = goodDocument();
  for (let index = 0; index < count; index += 1) put(whole, `${path}/more${index}`, value(index, whole));
  return whole;
}

function boxes(depth: number): Loose {
  const whole = many('app/elements', depth, (index) => box(index + 1 < depth ? `more${index + 1}` : 'last'));
  whole.app.elements.last = { type: 'divider', props: {} };
  whole.app.elements.home.children.push('more0');
  return whole;
}

function page(index: number, whole: Loose): Loose {
  whole.app.elements[`page${index}`] = { type: 'divider', props: {} };
  return { path: `/more-${index}`, title: 'send', root: `page${index}` };
}

const box = (...children: string[]): Loose => ({ type: 'stack', props: {}, children });
const divider = (): Loose => ({ type: 'divider', props: {} });
const words = (): Loose => ({ ru: 'а', en: 'a' });
const data = (): Loose => ({ table: 'masters', fields: ['name'] });
const form = (): Loose => ({
  fields: { a: { type: 'text', label: 'send' } },
  order: ['a'],
  submit: 'send',
  done: 'send',
});
const booking = (): Loose => ({ timezone: 'UTC', hours: { mon: [['09:00', '10:00']] }, minutes: 60, aheadDays: 3 });
/** The first two are those that a condition of the form names. */
const option = (index: number): Loose => ({ id: ['a', 'b'][index] ?? `o${index}`, label: 'send' });
const counted = (path: string, fine: number, wrong: number, value: Parameters<typeof many>[2]): HostileManifest => ({
  name: `${wrong} more in ${path}`,
  path: path.replaceAll('/', '.'),
  hostile: () => many(path, wrong, value),
  harmless: () => many(path, fine, value),
});

/** Too deep, too many, too long, and trees that are none. */
export const hostileSizes: readonly HostileManifest[] = [
  { name: 'boxes in boxes', path: 'app.elements', hostile: () => boxes(40), harmless: () => boxes(10) },
  counted('app/pages', 5, 120, page),
  counted('app/elements', 9, 2_100, divider),
  counted('app/texts', 9, 5_100, words),
  counted('app/data', 3, 60, data),
  counted('app/forms', 3, 60, form),
  counted('app/bookings', 3, 30, booking),
  ...place('app/elements/title/showIf', groups(4), groups(5), groups(12), groups(1_000)),
  ...place('app/elements/title/showIf/all', [groups(0)], [], Array(21).fill(groups(0))),
  ...place('app/elements/names/props/items', ['words'], [], Array(201).fill('words')),
  ...place('app/texts/words/ru', 'а'.repeat(8_000), 'а'.repeat(8_001), Array(201).fill('a'), ['a'.repeat(8_001)]),
  ...place('app/texts/words/ru', 'Слово\nи ещё\tодно', 'a\u0000b', 'a\u001bb', 'a\u0085b', ['a\u202eb'], 'a\ud800b'),
  ...place('app/texts/words/ru', [{ text: 'а' }], [{ text: 'a\u0000' }], [{ text: '\u202d' }], [[['a']]], {
    html: 'a',
  }),
  ...place('app/data/goods/limit', 500, 501, 0, -1, 1.5, '5'),
  ...place('app/elements/home/children/0', 'title', 'home', 'order', 'nothing', '../title', ['title'], null),
  ...place('app/pages/visit/root', 'visit', 'one', 'home', 'nothing'),
  ...place('app/forms/lead/order/0', 'name', 'nothing', 0),
  ...place(
    'app/forms/lead/fields/kind/options',
    [option(0), option(1)],
    Array.from({ length: 201 }, (_, at) => option(at)),
  ),
];

/** What would be read as CSS, as HTML or as another path. */
export const hostileMarks: readonly HostileManifest[] = [
  ...place(
    'app/theme/accent',
    '#0b6e66',
    '#fff;}body{display:none',
    '</style><script>alert(1)</script>',
    'red',
    'url(//evil.example)',
    'var(--x)',
    'expression(alert(1))',
    '#0b6e66\n',
    '#0b6e6g',
    '#0B6E66FF',
  ),
  ...place('app/theme/radius', 'm', '6px;}', 'huge', 6),
  ...place(
    'app/pages/visit/path',
    '/visit-us',
    'visit',
    '/../visit',
    '//evil.example',
    '/visit/',
    '/visit?x=1',
    '/visit#x',
    '/%2e%2e',
    '/visit"><script>',
    '/visit\n',
    '/v1/apps',
    '/_/x',
    '/robots.txt',
    '/goods/7',
    `/${'a'.repeat(100)}`,
  ),
  ...place('app/elements/title/type', 'heading', 'script', 'iframe', 'html', 'constructor', '__proto__', null),
  ...place(
    'app/elements/title/props',
    { text: 'words' },
    { text: 'words', html: '<b>' },
    { text: 'words', onclick: 'x' },
  ),
  ...place('app/elements/title', { type: 'heading', props: { text: 'words' } }, '<b>', [], { type: 'heading' }),
  ...place(
    'app/elements/press/props/do',
    { back: true },
    { run: 'x' },
    { back: 'x' },
    { back: true, open: 'https://a.b/' },
  ),
  ...place(
    'app/elements/press/props/do',
    { chat: 'summer' },
    { chat: '&x=1' },
    { chat: '"><b' },
    { chat: 'a'.repeat(65) },
  ),
  ...place('app/shop/currency', 'EUR', 'EURO', '<b>', 'eur'),
];

/** Ids of what is not there or belongs to somebody else, languages and values that there are not. */
export const hostileIds: readonly HostileManifest[] = [
  ...place('media/cover/sha256', undefined, 'f'.repeat(64), '../../etc/passwd', 'F'.repeat(64)).map((one) => ({
    ...one,
    path: 'media.cover',
  })),
  ...place(
    'app/elements/photo/props/photo',
    { media: 'cover' },
    { media: 'other' },
    { media: 'https://evil.example/a.png' },
    { src: 'a.png' },
  ),
  ...place(
    'app/elements/photo/props/photo/from',
    'visitor.photoUrl',
    'javascript:alert(1)',
    'visitor.photoUrl."><script>',
    'visitor.__proto__',
    'row.constructor',
    'cart.constructor.name',
  ).map((one) => ({
    ...one,
    path: 'app.elements.photo.props.photo',
    hostile: () => onlyFrom(one.hostile()),
    harmless: () => onlyFrom(one.harmless()),
  })),
  ...place('app/data/masters/table', 'masters', 'app_visitor', 'lead; drop table lead'),
  ...place('app/data/goods/fields/0', 'title', 'cost)--', 'nothing', 'constructor'),
  ...place(
    'app/data/goods/where/0',
    { field: 'hidden', not: true },
    { field: "hidden' or '1'='1", not: true },
    { field: 'hidden' },
    { field: 'hidden', like: '%' },
    { field: 'constructor', is: 'a' },
  ),
  ...place('app/elements/lead/props/form', 'lead', 'nothing', 'lead.fields'),
  ...place('app/start', 'home', 'nothing', 'constructor'),
  ...place('app/bookings/visit/each/data', 'masters', 'nothing'),
  ...place('app/bookings/visit/timezone', 'Europe/Moscow', 'Mars/Base', '../../etc/passwd', ''),
  ...place('app/elements/press/props/do', { language: 'en' }, { language: 'de' }, { language: '"><b' }),
  ...place(
    'app/elements/press/props/do',
    { openFrom: { from: 'row.title' } },
    { openFrom: 'script' },
    { openFrom: { from: 'javascript:x' } },
  ).map((one) => ({ ...one, hostile: () => withScript(one.hostile()), harmless: () => withScript(one.harmless()) })),
  ...['<b>', 'EN', 'en_US', '../en', '__proto__'].map((locale) => ({
    name: `a language called ${locale}`,
    path: 'app.texts.words',
    hostile: () => speaking(locale),
    harmless: () => speaking('de'),
  })),
  ...place('locales', ['ru', 'en'], [], ['<b>'], ['ru', 'ru', 'x'], 'ru'),
];

function speaking(locale: string): Loose {
  const whole = goodDocument();
  Object.defineProperty(whole.app.texts.words, locale, { value: 'a', enumerable: true });
  return whole;
}

function onlyFrom(whole: Loose): Loose {
  delete whole.app.elements.photo.props.photo.media;
  return whole;
}

/** A text that is an address and runs. */
function withScript(whole: Loose): Loose {
  whole.app.texts.script = { ru: 'javascript:alert(1)', en: 'javascript:alert(1)' };
  return whole;
}

/** Numbers that are words, below nothing, without an end or no numbers at all. */
export const hostileNumbers: readonly HostileManifest[] = [
  ...place('app/elements/place/props/latitude', -90, 91, '1', Number.POSITIVE_INFINITY, Number.NaN, null),
  ...place('app/elements/place/props/longitude', 180, -181, '2', 1e308),
  ...place('app/pages/home/menu', 1, 0, -1, 1.5, '1', 1e21),
  ...place('app/bookings/visit/minutes', 60, -60, 0, 7, '60', 1e9),
  ...place('app/bookings/visit/places', 2, 0, -1, 1.5, '2', 1e9),
  ...place('app/bookings/visit/aheadDays', 30, 0, -1, 1e9, '30'),
  ...place(
    'app/bookings/visit/hours/mon',
    [['09:00', '18:00']],
    [['18:00', '09:00']],
    [['9:00', '25:00']],
    [['09:00']],
    'all day',
  ),
  ...place('app/bookings/visit/daysOff', ['2026-12-31'], ['2026-02-30'], ['tomorrow'], [20261231]),
  ...place('app/shop/minimumTotal', 5, -5, '5', Number.POSITIVE_INFINITY, Number.NaN),
  ...place('app/forms/lead/fields/name/maxChars', 40, 0, -1, 1e6, '40', 1.5),
  ...place('app/forms/lead/fields/name/lines', 3, 0, -3, 1e6, '3'),
  ...place('app/elements/title/props/level', 2, 0, 7, '2', -1),
];
