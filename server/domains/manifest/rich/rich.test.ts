// Pages as rich messages: what becomes what, what is left out, and where Telegram's limits cut.
import type { InputRichMessage } from '@grammyjs/types';
import { expect, test } from 'vitest';
import { ELEMENTS } from '../../../../contract/app/elements.ts';
import { RICH_BLOCKS, RICH_LIMITS } from '../../../../contract/app/rich-blocks.ts';
import type { FlowDocument } from '../../../../contract/flow.ts';
import type { Manifest } from '../../../../contract/manifest.ts';
import { richPage } from './rich.ts';
import { sizeOf } from './size.ts';
import type { RichBlock, RichMessage, RichPlace } from './types.ts';

type Elements = { readonly [id: string]: object };
/** Does not compile where a message is none for Telegram: files apart, which the outbox puts in. */
const forTelegram = (message: RichMessage): InputRichMessage<{ media: string }> => message;

const TEXTS: Manifest['texts'] = {
  title: { ru: 'Цены', en: 'Prices' },
  hello: { ru: 'Здравствуйте', en: 'Hello' },
  marked: {
    en: [
      'a',
      { text: 'b', bold: true, strike: true },
      { text: 'c', link: 'https://example.com/' },
      { text: 'd', link: 'tel:+79001234567' },
    ],
  },
  visitor: { en: ['Hello, ', { from: 'visitor.firstName' }] },
  phone: { en: '+7 900 123-45-67' },
  mail: { en: ' anna@example.com ' },
  name: { en: 'https://t.me/cafe' },
  street: { en: 'Baker street 3' },
  none: { en: '' },
};

const root = (...children: string[]) => ({ type: 'stack', props: {}, children });
const element = (type: string, props: object, more: object = {}) => ({ type, props, ...more });

function documentOf(elements: Elements, page: Partial<Manifest['pages'][string]> = {}): FlowDocument {
  const pages = {
    prices: { path: '/', title: 'title', root: 'root', ...page },
    order: { path: '/order', title: 'title', root: 'other' },
  };
  const kinds = { photo: 'photo', film: 'video', loop: 'animation', song: 'audio', voice: 'voice', paper: 'document' };
  const media = Object.entries(kinds).map(([id, kind]) => [id, { kind, name: id, sha256: '0'.repeat(64) }]);
  return {
    roost: 1,
    locales: ['en', 'ru'],
    defaultLocale: 'en',
    triggers: {},
    cards: {},
    blocks: {},
    media: Object.fromEntries(media),
    app: { start: 'prices', pages, elements, texts: TEXTS },
  } as FlowDocument;
}

const PLACE: RichPlace = { bot: 'cafe_bot', open: (page) => ({ web_app: { url: `https://example.com/${page}` } }) };
const open = (text: string) => ({
  type: 'buttons',
  buttons: [{ text, style: 'primary', web_app: { url: 'https://example.com/prices' } }],
});
const OPEN = open('Open in the app');

/** The blocks of a page that holds these elements, one below the other. */
function blocksOf(elements: Elements, options: { locale?: string; place?: RichPlace } = {}): RichBlock[] {
  const document = documentOf({ root: root(...Object.keys(elements)), ...elements });
  const message = richPage(document, 'prices', options.locale ?? 'en', options.place ?? PLACE);
  return message === undefined ? [] : (forTelegram(message) as RichMessage).blocks;
}

/** One element beside a heading, so that the page is never empty. */
const made = (type: string, props: object, more: object = {}): readonly RichBlock[] => {
  const [first, ...others] = blocksOf({ head: element('heading', { text: 'hello' }), one: element(type, props, more) });
  expect(first).toEqual({ type: 'heading', text: 'Hello', size: 2 });
  return others;
};

const paragraph = (text: unknown) => ({ type: 'paragraph', text });
const cell = (text: string) => ({ text, align: 'left', valign: 'top' });

test('content becomes the block that the table of counterparts names', () => {
  const cases: readonly (readonly [type: keyof typeof ELEMENTS, props: object, blocks: object[]])[] = [
    ['heading', { text: 'hello', level: 1 }, [{ type: 'heading', text: 'Hello', size: 1 }]],
    ['text', { text: 'hello', look: 'lead' }, [paragraph('Hello')]],
    ['image', { photo: { media: 'photo' }, alt: 'hello' }, [photo()]],
    ['gallery', { media: ['photo', 'photo'], alt: 'hello' }, [{ type: 'slideshow', blocks: [photo(), photo()] }]],
    ['gallery', { media: ['photo'], alt: 'hello' }, [photo()]],
    ['video', { media: 'film', title: 'hello' }, [fileOf('video', 'film')]],
    ['video', { media: 'loop', title: 'hello' }, [fileOf('animation', 'loop')]],
    ['audio', { media: 'voice', title: 'hello' }, [fileOf('voice_note', 'voice')]],
    [
      'audio',
      { media: 'song', title: 'hello' },
      [{ type: 'audio', audio: { type: 'audio', media: { media: 'song' }, title: 'Hello' } }],
    ],
    ['file', { media: 'paper', title: 'hello' }, [fileOf('document', 'paper')]],
    ['quote', { text: 'hello', by: 'street' }, [{ type: 'blockquote', blocks: [paragraph('Hello')], credit: STREET }]],
    ['quote', { text: 'hello', look: 'folded' }, [{ type: 'expandable_blockquote', text: 'Hello' }]],
    ['quote', { text: 'hello', look: 'pull', by: 'street' }, [{ type: 'pullquote', text: 'Hello', credit: STREET }]],
    ['code', { text: 'hello', language: 'json' }, [{ type: 'pre', text: 'Hello', language: 'json' }]],
    ['note', { text: 'hello' }, [{ type: 'footer', text: 'Hello' }]],
    ['divider', {}, [{ type: 'divider' }]],
    ['list', { items: ['hello'] }, [{ type: 'list', items: [{ blocks: [paragraph('Hello')] }] }]],
    [
      'list',
      { items: ['hello'], look: 'check' },
      [{ type: 'list', items: [{ blocks: [paragraph('Hello')], has_checkbox: true, is_checked: true }] }],
    ],
    [
      'list',
      { items: ['hello'], look: 'number' },
      [{ type: 'list', items: [{ blocks: [paragraph('Hello')], value: 1, type: '1' }] }],
    ],
    [
      'table',
      { head: ['hello', 'none'], rows: [['street', 'hello']] },
      [
        {
          type: 'table',
          cells: [
            [
              { ...cell('Hello'), is_header: true },
              { is_header: true, align: 'left', valign: 'top' },
            ],
            [cell(STREET), cell('Hello')],
          ],
          is_bordered: true,
        },
      ],
    ],
    [
      'map',
      { latitude: 1, longitude: 2, label: 'street' },
      [
        {
          type: 'map',
          location: { latitude: 1, longitude: 2 },
          zoom: 15,
          width: 600,
          height: 400,
          caption: { text: STREET },
        },
      ],
    ],
    ['badge', { text: 'hello' }, [paragraph({ type: 'marked', text: 'Hello' })]],
    [
      'price',
      { amount: 'hello', before: 'street' },
      [paragraph([{ type: 'bold', text: 'Hello' }, ' ', { type: 'strikethrough', text: STREET }])],
    ],
    [
      'contacts',
      { phone: 'phone', email: 'mail', telegram: 'name', address: 'street', hours: 'hello' },
      [
        paragraph({ type: 'phone_number', text: '+7 900 123-45-67', phone_number: '+79001234567' }),
        paragraph({ type: 'email_address', text: ' anna@example.com ', email_address: 'anna@example.com' }),
        paragraph({ type: 'url', text: 'https://t.me/cafe', url: 'https://t.me/cafe' }),
        paragraph(STREET),
        paragraph('Hello'),
      ],
    ],
  ];
  for (const [type, props, blocks] of cases) {
    expect([type, ELEMENTS[type].safeParse(props).success]).toEqual([type, true]);
    expect([type, made(type, props)]).toEqual([type, blocks]);
    const types = Object.entries(RICH_BLOCKS).filter(([, from]) => 'includes' in from && from.includes(type as never));
    expect([type, types.map(([name]) => name)]).toEqual([type, expect.arrayContaining([(blocks[0] as Named).type])]);
  }
});

type Named = { readonly type: string };
const STREET = 'Baker street 3';
const photo = () => ({ type: 'photo', photo: { type: 'photo', media: { media: 'photo' } } });
const fileOf = (type: string, media: string) => ({
  type,
  [type]: { type, media: { media } },
  caption: { text: 'Hello' },
});

test('marks are objects around their words, and a link is one only where it is safe', () => {
  expect(made('text', { text: 'marked' })).toEqual([
    paragraph([
      'a',
      { type: 'strikethrough', text: { type: 'bold', text: 'b' } },
      { type: 'url', text: 'c', url: 'https://example.com/' },
      { type: 'phone_number', text: 'd', phone_number: '+79001234567' },
    ]),
  ]);
  const document = documentOf({ root: element('text', { text: 'bad' }) });
  const texts = { ...TEXTS, bad: { en: [{ text: '<b>x</b>', link: 'javascript:alert(1)' }] } };
  const bent = { ...document, app: { ...document.app, texts } } as FlowDocument;
  expect(richPage(bent, 'prices', 'en', PLACE)).toEqual({ blocks: [paragraph('<b>x</b>')] });
});

test('stacks and columns are what they hold; tabs and details open', () => {
  const elements = {
    one: element('columns', {}, { children: ['a', 'b'] }),
    a: element('text', { text: 'hello' }),
    b: element('text', { text: 'street' }),
    tabs: element('tabs', { labels: ['hello', 'street'] }, { children: ['c', 'd'] }),
    c: element('text', { text: 'phone' }),
    d: element('text', { text: 'mail' }),
    more: element('details', { summary: 'hello' }, { children: ['e'] }),
    e: element('divider', {}),
  };
  const document = documentOf({ root: root('one', 'tabs', 'more'), ...elements });
  expect(richPage(document, 'prices', 'en', PLACE)?.blocks).toEqual([
    paragraph('Hello'),
    paragraph(STREET),
    { type: 'details', summary: 'Hello', blocks: [paragraph('+7 900 123-45-67')], is_open: true },
    { type: 'details', summary: STREET, blocks: [paragraph(' anna@example.com ')] },
    { type: 'details', summary: 'Hello', blocks: [{ type: 'divider' }] },
  ]);
});

test('buttons lead to addresses, to the chat and into the app; a number to call is words', () => {
  const button = (action: object, look?: string) =>
    made('button', { text: 'hello', do: action, ...(look && { look }) });
  const row = (target: object) => [{ type: 'buttons', buttons: [{ text: 'Hello', style: 'primary', ...target }] }];
  expect(button({ open: 'https://example.com/' })).toEqual(row({ url: 'https://example.com/' }));
  expect(button({ openFrom: 'name' })).toEqual(row({ url: 'https://t.me/cafe' }));
  expect(button({ chat: 'help' })).toEqual(row({ url: 'https://t.me/cafe_bot?start=help' }));
  expect(button({ go: 'order' })).toEqual(row({ web_app: { url: 'https://example.com/order' } }));
  expect(button({ open: 'tel:+79001234567' })).toEqual([
    paragraph({ type: 'phone_number', text: 'Hello', phone_number: '+79001234567' }),
  ]);
  expect(button({ open: 'mailto:anna@example.com?subject=x' })).toEqual([
    paragraph({ type: 'email_address', text: 'Hello', email_address: 'anna@example.com' }),
  ]);
  expect(button({ back: true })).toEqual([]);
  for (const action of [{ submit: 'order' }, { cart: 'add' }, { go: 'order', item: true }, { openFrom: 'hello' }])
    expect(button(action)).toEqual([OPEN]);
  expect(button({ open: 'https://example.com/' }, 'quiet')).toEqual([
    { type: 'buttons', buttons: [{ text: 'Hello', url: 'https://example.com/' }] },
  ]);
  const page = { mainButton: { text: 'hello', do: { go: 'order' } } } as const;
  const document = documentOf({ root: element('text', { text: 'street' }) }, page);
  expect(richPage(document, 'prices', 'en', PLACE)?.blocks[1]).toEqual(
    row({ web_app: { url: 'https://example.com/order' } })[0],
  );
});

test('a button of the page stands once, where an element does the same', () => {
  const page = { mainButton: { text: 'street', do: { go: 'order' } } } as const;
  const elements = { root: root('a', 'b'), a: element('text', { text: 'hello' }) };
  const own = element('button', { text: 'hello', do: { go: 'order' }, look: 'quiet' });
  const blocks = richPage(documentOf({ ...elements, b: own }, page), 'prices', 'en', PLACE)?.blocks;
  expect(blocks?.map((block) => (block.type === 'buttons' ? block.buttons[0]?.text : block.type))).toEqual([
    'paragraph',
    'Hello',
  ]);
});

test('what only the page can show is left out, and a button leads there, in both languages', () => {
  const lost: readonly (readonly [type: string, props: object])[] = [
    ['form', { form: 'x' }],
    ['products', {}],
    ['cart', { empty: 'hello' }],
    ['profile', {}],
    ['text', { text: 'visitor' }],
    ['text', { text: { from: 'row.title' } }],
    ['table', { rows: [['hello', 'visitor']] }],
    ['price', { amount: { from: 'row.price' } }],
    ['image', { photo: { from: 'row.photo' }, alt: 'hello' }],
    ['quote', { text: 'hello', by: 'visitor' }],
  ];
  for (const [type, props] of lost) expect([type, made(type, props)]).toEqual([type, [OPEN]]);
  expect(made('list', { items: ['hello', 'visitor'] })).toEqual([
    { type: 'list', items: [{ blocks: [paragraph('Hello')] }] },
    OPEN,
  ]);
  for (const type of ['spacer', 'language']) expect(made(type, {})).toEqual([]);
  const form = { one: element('text', { text: 'hello' }), form: element('form', { form: 'x' }) };
  expect(blocksOf(form, { locale: 'ru' })).toEqual([paragraph('Здравствуйте'), open('Открыть в приложении')]);
  const nowhere = { bot: '', open: () => undefined };
  expect(blocksOf(form, { place: nowhere })).toEqual([paragraph('Hello')]);
});

test('a page of which nothing is left has its title and the button', () => {
  expect(blocksOf({ form: element('form', { form: 'x' }) })).toEqual([
    { type: 'heading', text: 'Prices', size: 1 },
    OPEN,
  ]);
  expect(richPage(documentOf({}), 'nowhere', 'en', PLACE)).toBeUndefined();
  expect(richPage(documentOf({}), 'toString', 'en', PLACE)).toBeUndefined();
});

test('a condition counts where a message can know it', () => {
  const shown = (showIf: object) => made('text', { text: 'street' }, { showIf });
  const known = { where: 'telegram' };
  const unknown = { field: 'visitor.username', set: true };
  expect(shown(known)).toEqual([paragraph(STREET)]);
  expect(shown({ where: 'web' })).toEqual([]);
  expect(shown({ field: 'page.id', is: 'prices' })).toEqual([paragraph(STREET)]);
  expect(shown(unknown)).toEqual([OPEN]);
  expect(shown({ all: [unknown, { where: 'web' }] })).toEqual([]);
  expect(shown({ any: [unknown, known] })).toEqual([paragraph(STREET)]);
  expect(shown({ all: [unknown, known] })).toEqual([OPEN]);
});

test('Telegram’s limits cut at a block, and then comes the button', () => {
  const many = (count: number, type: string, props: object): Elements =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`e${at}`, element(type, props)]));
  const cut = (elements: Elements, kept: number) => {
    const blocks = blocksOf(elements);
    expect(blocks).toHaveLength(kept + 1);
    expect(blocks.at(-1)).toEqual(OPEN);
    const size = sizeOf(blocks);
    for (const name of ['chars', 'blocks', 'depth', 'media'] as const)
      expect(size[name]).toBeLessThanOrEqual(RICH_LIMITS[name]);
  };
  cut(many(600, 'divider', {}), 499);
  // A list of 100 counts as 201 blocks.
  cut(many(5, 'list', { items: Array(100).fill('hello') }), 2);
  cut(many(60, 'image', { photo: { media: 'photo' }, alt: 'hello' }), 50);
  cut(many(3, 'gallery', { media: Array(20).fill('photo'), alt: 'hello' }), 2);
  const long = documentOf({ root: root(...'abcdef'), ...fromLetters('abcdef') });
  const texts = { ...TEXTS, long: { en: 'x'.repeat(8_000) } };
  const blocks = richPage({ ...long, app: { ...long.app, texts } } as FlowDocument, 'prices', 'en', PLACE)?.blocks;
  expect(blocks?.map(({ type }) => type)).toEqual([...Array(4).fill('paragraph'), 'buttons']);
  const deep = Object.fromEntries(
    Array.from({ length: 17 }, (_, at) => [
      at === 0 ? 'root' : `d${at}`,
      at === 16
        ? element('text', { text: 'hello' })
        : element('details', { summary: 'hello' }, { children: [`d${at + 1}`] }),
    ]),
  );
  expect(richPage(documentOf(deep), 'prices', 'en', PLACE)?.blocks.map(({ type }) => type)).toEqual(['buttons']);
});

const fromLetters = (letters: string): Elements =>
  Object.fromEntries([...letters].map((letter) => [letter, element('text', { text: 'long' })]));
