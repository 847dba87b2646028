// A shop that has every element and every field once.
import type { Element, ElementType } from '../../contract/app/elements.ts';
import type { Form, FormField } from '../../contract/app/forms.ts';
import type { AppRows, AppView } from '../../contract/app/view.ts';
import { wordsFor } from '../../miniapp/blocks/blocks.ts';
import { TEXTS } from './fixture-texts.ts';

type Elements = { [id: string]: Element };

const one = <Type extends ElementType>(type: Type, props: unknown, more: Partial<Element> = {}): Element =>
  ({ type, props, ...more }) as Element;

/** A page of each kind of element that shows. */
const HOME: Elements = {
  heading: one('heading', { text: 'home.h', level: 1 }),
  lead: one('text', { text: 'home.lead', look: 'lead' }),
  rich: one('text', { text: 'home.rich' }),
  visitor: one('text', { text: { from: 'visitor.firstName' } }, { showIf: { field: 'visitor.firstName', set: true } }),
  inTelegram: one('badge', { text: 'fresh', tone: 'good' }, { showIf: { where: 'telegram' } }),
  badge: one('badge', { text: 'fresh', tone: 'warn' }),
  image: one('image', { photo: { media: 'bread' }, alt: 'photo', ratio: '16:9', do: { go: 'goods' } }),
  gallery: one('gallery', { media: ['bread', 'bread2'], alt: 'photo', zoom: true }),
  video: one('video', { media: 'film', poster: 'bread', title: 'film' }),
  audio: one('audio', { media: 'song', title: 'song' }),
  file: one('file', { media: 'menu', title: 'paper' }),
  quote: one('quote', { text: 'said', by: 'baker' }),
  folded: one('quote', { text: 'story', look: 'folded' }),
  pull: one('quote', { text: 'said', by: 'baker', look: 'pull' }),
  code: one('code', { text: 'recipe', language: 'json' }),
  note: one('note', { text: 'print' }),
  divider: one('divider', {}),
  spacer: one('spacer', { size: 'l' }),
  list: one('list', { items: ['l1', 'l2'], look: 'check' }),
  table: one('table', { head: ['head1', 'head2'], rows: [['cell1', 'cell2']] }),
  map: one('map', { latitude: 55.75, longitude: 37.62, label: 'place' }),
  price: one('price', { amount: 'amount', before: 'amount' }),
  button: one('button', { text: 'press', do: { go: 'goods' } }),
  links: one('links', {
    items: [
      { text: 'chat', do: { chat: 'hi' } },
      { text: 'outside', do: { open: 'https://example.com/' } },
      { text: 'share', do: { share: 'home.h' } },
    ],
  }),
  contacts: one('contacts', {
    phone: 'phone',
    email: 'email',
    telegram: 'telegram',
    address: 'address',
    hours: 'hours',
  }),
  t1: one('text', { text: 'tab1text' }),
  t2: one('text', { text: 'tab2text' }),
  tabs: one('tabs', { labels: ['tab1', 'tab2'] }, { children: ['t1', 't2'] }),
  inDetails: one('text', { text: 'moreText', look: 'hint' }),
  details: one('details', { summary: 'more' }, { children: ['inDetails'] }),
  rowTitle: one('text', { text: { from: 'row.title' } }),
  each: one('each', { from: 'goods', layout: 'grid' }, { children: ['rowTitle'] }),
  none: one('each', { from: 'nothing', empty: 'empty' }, { children: ['rowTitle'] }),
  columns: one('columns', {}, { children: ['list', 'table'] }),
  profile: one('profile', {}),
  language: one('language', {}),
  cookies: one('cookies', { text: 'cookies', accept: 'yes', decline: 'no' }),
};
const HELD = new Set(['t1', 't2', 'inDetails', 'rowTitle', 'list', 'table']);

const SELLING: Elements = {
  goodsTitle: one('heading', { text: 'goods', level: 1 }),
  products: one('products', {
    photo: 'photo',
    about: 'about',
    category: 'kind',
    open: 'item',
    search: true,
    empty: 'empty',
  }),
  goodsRoot: one('stack', {}, { children: ['goodsTitle', 'products'] }),
  product: one('product', { photo: 'photo', about: 'about', missing: 'missing' }),
  shareProduct: one('button', { text: 'share', do: { share: 'home.h' }, look: 'quiet' }),
  productRoot: one('stack', {}, { children: ['product', 'shareProduct'] }),
  cart: one('cart', { empty: 'empty' }),
  orderTitle: one('heading', { text: 'order', level: 1 }),
  summary: one('summary', { title: 'order' }),
  orderForm: one('form', { form: 'order' }),
  orderRoot: one('stack', { gap: 'l' }, { children: ['orderTitle', 'cart', 'summary', 'orderForm'] }),
};

const ASKING: Elements = {
  askTitle: one('heading', { text: 'ask', level: 1 }),
  askForm: one('form', { form: 'ask' }),
  askRoot: one('stack', {}, { children: ['askTitle', 'askForm'] }),
  quizTitle: one('heading', { text: 'quiz', level: 1 }),
  quiz: one('quiz', {
    form: 'quiz',
    results: [{ showIf: { field: 'form.quiz.taste', is: 'sour' }, text: 'dark' }, { text: 'light' }],
  }),
  quizRoot: one('stack', {}, { children: ['quizTitle', 'quiz'] }),
  bookTitle: one('heading', { text: 'book', level: 1 }),
  bookForm: one('form', { form: 'book' }),
  bookRoot: one('stack', {}, { children: ['bookTitle', 'bookForm'] }),
};

const sizes = [
  { id: 'small', label: 'small' },
  { id: 'big', label: 'big' },
];
const FIELDS: { [id: string]: FormField } = {
  name: { type: 'text', label: 'name', required: true, maxChars: 40, placeholder: 'site' },
  wish: { type: 'text', label: 'label', lines: 3 },
  phone: { type: 'phone', label: 'tel', hint: 'hint' },
  email: { type: 'email', label: 'mail' },
  count: { type: 'number', label: 'count', min: 1, max: 9 },
  size: { type: 'select', label: 'size', options: sizes },
  shape: { type: 'radio', label: 'label', options: sizes },
  extras: { type: 'choices', label: 'extras', options: sizes },
  call: { type: 'checkbox', label: 'call' },
  day: { type: 'date', label: 'day', min: 'today', showIf: { field: 'form.ask.call', is: true } },
  time: { type: 'time', label: 'time' },
  picture: { type: 'file', label: 'picture', accept: 'image' },
  stars: { type: 'rating', label: 'stars' },
  guide: { type: 'pick', label: 'guide', data: 'guides', title: 'title', about: 'about', photo: 'photo' },
  consent: { type: 'consent', label: 'consent' },
  source: { type: 'hidden', from: 'start' },
  fixed: { type: 'hidden', value: 'page' },
};

const FORMS: { [id: string]: Form } = {
  ask: { fields: FIELDS, order: Object.keys(FIELDS), submit: 'send', done: 'done' },
  order: {
    kind: 'order',
    fields: { name: { type: 'text', label: 'name', required: true } },
    order: ['name'],
    submit: 'sendOrder',
    done: 'done',
  },
  quiz: {
    fields: {
      taste: {
        type: 'radio',
        label: 'q1',
        required: true,
        options: [
          { id: 'sour', label: 'sour' },
          { id: 'sweet', label: 'sweet' },
        ],
      },
      crust: { type: 'checkbox', label: 'q2', showIf: { field: 'form.quiz.taste', is: 'sour' } },
      name: { type: 'text', label: 'name', required: true },
    },
    order: ['taste', 'crust', 'name'],
    submit: 'send',
    done: 'done',
  },
  book: {
    kind: 'booking',
    fields: {
      guide: { type: 'pick', label: 'guide', data: 'guides', title: 'title' },
      slot: { type: 'slot', label: 'slot', booking: 'tour', required: true },
    },
    order: ['guide', 'slot'],
    submit: 'send',
    done: 'done',
    after: { go: 'home' },
  },
};

export const ROWS: AppRows = {
  goods: [
    {
      id: 1,
      title: 'Ржаной с кориандром',
      about: 'Долгая закваска',
      kind: 'Хлеб',
      price: 290,
      stock: 5,
      photo: '/m/bread',
    },
    {
      id: 2,
      title: 'Багет',
      about: 'Хрустит',
      kind: 'Хлеб',
      price: 149.5,
      stock: 2,
      sizes: 'S; L',
      photo: '/m/bread2',
    },
    { id: 3, title: 'Плюшка <b>московская</b>', about: 'С сахаром', kind: 'Булочки', price: 90, stock: 0 },
  ],
  guides: [
    { id: 7, title: 'Анна', about: 'Пекарь', photo: '/m/bread' },
    { id: 9, title: 'Пётр', about: 'Мельник' },
  ],
  nothing: [],
};

/** One grey pixel. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAMzMzP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');
export const MEDIA = Object.fromEntries(
  ['bread', 'bread2', 'film', 'song', 'menu'].map((id) => [`/m/${id}`, { type: 'image/gif', body: pixel }]),
);

export function makeView(locale: 'ru' | 'en' = 'ru', more: Partial<AppView> = {}): AppView {
  const texts = Object.fromEntries(Object.entries(TEXTS).map(([key, both]) => [key, both[locale === 'ru' ? 0 : 1]]));
  const page = (path: string, title: string, root: string) => ({ path, title, root });
  return {
    app: 'app1',
    locale,
    locales: ['ru', 'en'],
    base: '',
    bot: 'bread_bot',
    start: 'home',
    pages: {
      home: { ...page('/', 'home.title', 'homeRoot'), menu: 1, mainButton: { text: 'press', do: { go: 'goods' } } },
      goods: {
        ...page('/goods', 'goods', 'goodsRoot'),
        menu: 2,
        mainButton: { text: 'order', do: { go: 'order' } },
      },
      item: page('/item', 'item', 'productRoot'),
      order: {
        ...page('/order', 'order', 'orderRoot'),
        menu: 3,
        mainButton: { text: 'sendOrder', do: { submit: 'order' } },
      },
      ask: { ...page('/ask', 'ask', 'askRoot'), secondaryButton: { text: 'press', do: { back: true } } },
      quiz: page('/quiz', 'quiz', 'quizRoot'),
      book: page('/book', 'book', 'bookRoot'),
    },
    elements: {
      ...HOME,
      ...SELLING,
      ...ASKING,
      homeRoot: one('stack', {}, { children: Object.keys(HOME).filter((id) => !HELD.has(id)) }),
    },
    texts,
    media: Object.fromEntries(
      ['bread', 'bread2', 'film', 'song', 'menu'].map((id) => [id, { src: `/m/${id}`, width: 4, height: 3 }]),
    ),
    data: {
      goods: { table: 'goods', fields: ['title'] },
      guides: { table: 'guides', fields: ['title'] },
      nothing: { table: 'nothing', fields: ['title'] },
    },
    forms: FORMS,
    shop: {
      data: 'goods',
      title: 'title',
      price: 'price',
      stock: 'stock',
      variants: 'sizes',
      currency: 'RUB',
      minimumTotal: 300,
    },
    bookings: {
      tour: {
        timezone: 'Europe/Moscow',
        hours: {},
        minutes: 60,
        aheadDays: 60,
        each: { data: 'guides', field: 'guide' },
      },
    },
    site: { name: 'site', description: 'home.lead', privacy: 'https://example.com/privacy' },
    words: wordsFor(locale),
    ...more,
  };
}
