// A project with everything that visitors can do, for the tests of this domain and of the routes.

type Json = Record<string, unknown>;

const both = (ru: string, en: string): Json => ({ ru, en });

const elements = {
  home: { type: 'stack', props: {}, children: ['title', 'goods', 'lead', 'photo'] },
  title: { type: 'heading', props: { text: 'home.title' } },
  goods: { type: 'products', props: { open: 'one' } },
  lead: { type: 'form', props: { form: 'lead' } },
  photo: { type: 'image', props: { photo: { media: 'cover' }, alt: 'home.title' } },
  one: { type: 'product', props: {} },
  cart: { type: 'stack', props: {}, children: ['lines', 'order'] },
  lines: { type: 'cart', props: { empty: 'cart.empty' } },
  order: { type: 'form', props: { form: 'order' } },
  visit: { type: 'form', props: { form: 'visit' } },
};

const pages = {
  home: { path: '/', title: 'home.title', root: 'home', menu: 1 },
  one: { path: '/goods', title: 'goods.title', root: 'one' },
  cart: { path: '/cart', title: 'cart.title', root: 'cart', hidden: true },
  visit: { path: '/visit', title: 'visit.title', root: 'visit' },
};

const texts = {
  'home.title': both('Лавка', 'The shop'),
  'goods.title': both('Товар', 'One of them'),
  'cart.title': both('Корзина', 'Cart'),
  'cart.empty': both('Пусто', 'Nothing yet'),
  'visit.title': both('Запись', 'Book a visit'),
  'site.name': both('Лавка у реки', 'River shop'),
  'site.about': both('Мёд и чай', 'Honey & <tea>'),
  'field.name': both('Имя', 'Name'),
  'field.phone': both('Телефон', 'Phone'),
  'field.why': both('Почему', 'Why'),
  'field.kind': both('Вид', 'Kind'),
  'kind.a': both('Первый', 'The first'),
  'kind.b': both('Второй', 'The second'),
  'field.file': both('Фото', 'Photo'),
  'field.agree': both('Согласен', 'I agree'),
  'field.master': both('Мастер', 'Master'),
  'field.time': both('Время', 'Time'),
  send: both('Отправить', 'Send'),
  'lead.done': {
    ru: ['Спасибо, ', { from: 'form.lead.name' }],
    en: ['Thank you, ', { from: 'form.lead.name' }],
  },
  'order.done': {
    ru: ['Заказ на ', { from: 'cart.total', format: 'money' }],
    en: ['An order of ', { from: 'cart.total', format: 'money' }],
  },
  'visit.done': both('Ждём вас', 'See you'),
};

const kinds = [
  { id: 'a', label: 'kind.a' },
  { id: 'b', label: 'kind.b' },
];

const forms = {
  lead: {
    fields: {
      name: { type: 'text', label: 'field.name', required: true, maxChars: 40 },
      phone: { type: 'phone', label: 'field.phone' },
      kind: { type: 'select', label: 'field.kind', options: kinds },
      why: { type: 'text', label: 'field.why', required: true, showIf: { field: 'form.lead.kind', is: 'b' } },
      file: { type: 'file', label: 'field.file', accept: 'image' },
      agree: { type: 'consent', label: 'field.agree' },
      from: { type: 'hidden', from: 'start' },
    },
    order: ['name', 'phone', 'kind', 'why', 'file', 'agree', 'from'],
    submit: 'send',
    done: 'lead.done',
  },
  order: {
    kind: 'order',
    fields: { name: { type: 'text', label: 'field.name', required: true } },
    order: ['name'],
    submit: 'send',
    done: 'order.done',
  },
  visit: {
    kind: 'booking',
    fields: {
      master: { type: 'pick', label: 'field.master', required: true, data: 'masters', title: 'name' },
      time: { type: 'slot', label: 'field.time', required: true, booking: 'visit' },
    },
    order: ['master', 'time'],
    submit: 'send',
    done: 'visit.done',
  },
};

const hours: [string, string][] = [['09:00', '18:00']];

const app = {
  theme: { accent: '#0b6e66' },
  start: 'home',
  pages,
  elements,
  texts,
  data: {
    goods: {
      table: 'goods',
      fields: ['title', 'price', 'stock', 'sizes', 'photo'],
      where: [{ field: 'hidden', not: true }],
    },
    masters: { table: 'masters', fields: ['name'] },
  },
  forms,
  shop: { data: 'goods', title: 'title', price: 'price', stock: 'stock', variants: 'sizes', currency: 'EUR' },
  bookings: {
    visit: {
      timezone: 'Europe/Moscow',
      hours: { mon: hours, tue: hours, wed: hours, thu: hours, fri: hours, sat: hours, sun: hours },
      minutes: 60,
      aheadDays: 30,
      places: 2,
      each: { data: 'masters', field: 'master' },
    },
  },
  site: { name: 'site.name', description: 'site.about', image: 'cover' },
};

const tables = {
  goods: {
    columns: {
      title: { type: 'text', required: true },
      title_en: { type: 'text' },
      price: { type: 'money' },
      stock: { type: 'number' },
      sizes: { type: 'text' },
      photo: { type: 'photo' },
      hidden: { type: 'bool' },
      cost: { type: 'money' },
    },
    rows: [
      { title: 'Honey', price: 12.5, stock: 10, photo: 'cover', cost: 3 },
      { title: 'Tea', title_en: 'Black tea', price: 4, stock: 3, sizes: 'S;M' },
      { title: 'Secret', price: 1, stock: 5, hidden: true },
    ],
  },
  masters: { columns: { name: { type: 'text' } }, rows: [{ name: 'Anna' }, { name: 'Boris' }] },
};

/** The whole document. Its bot says what it has heard of each form. */
export function shopDocument(): Json {
  return {
    roost: 1,
    locales: ['ru', 'en'],
    defaultLocale: 'ru',
    timezone: 'Europe/Moscow',
    triggers: { sent: { type: 'app', props: {}, to: 'heard' } },
    cards: { heard: { blocks: ['say'] } },
    blocks: { say: { type: 'message', props: { text: 'heard' } } },
    texts: {
      heard: {
        ru: [{ var: 'event.form' }, ' ', { var: 'event.number' }],
        en: [{ var: 'event.form' }, ' ', { var: 'event.number' }],
      },
    },
    media: { cover: { kind: 'photo', name: 'cover.png' } },
    tables: structuredClone(tables),
    app: structuredClone(app),
  };
}
