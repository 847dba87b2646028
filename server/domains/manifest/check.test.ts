import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Fault, FlowDocument } from '../../../contract/flow.ts';
import { parseDocument } from '../flow/flow.ts';
import { shopDocument } from '../miniapps/fixtures.ts';
import { contrast, GROUNDS, readable } from './colours.ts';
import { checkManifest, chooseLocale, compileApp } from './manifest.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document that is bent on purpose
type Loose = any;

/** The whole document, changed in one place. */
function document(change: (app: Loose, whole: Loose) => void = () => {}): FlowDocument {
  const whole = shopDocument() as Loose;
  whole.media.cover.sha256 = '0'.repeat(64);
  const { order } = whole.app.forms;
  order.fields.phone = { type: 'phone', label: 'field.phone', required: true, showIf: { where: 'web' } };
  order.fields.agree = { type: 'consent', label: 'field.agree' };
  order.order.push('phone', 'agree');
  for (const [at, id] of ['cart', 'visit'].entries()) whole.app.pages[id].menu = at + 2;
  change(whole.app, whole);
  const parsed = parseDocument(whole);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults, undefined, 2));
  return parsed.document;
}

const faults = (change: (app: Loose, whole: Loose) => void): Fault[] => checkManifest(document(change));

const deep = (count: number): Loose =>
  count === 0 ? { field: 'visitor.firstName', set: true } : { all: [deep(count - 1)] };

/** A button in place of the title of the first page. */
const pressing =
  (act: Loose): ((app: Loose) => void) =>
  (app) => {
    app.elements.title = { type: 'button', props: { text: 'home.title', do: act } };
  };

/** What is understood and does nothing, or leads nowhere. */
const nowhere: [code: string, path: string, change: (app: Loose, whole: Loose) => void][] = [
  ['row_nowhere', 'elements.title.props.do.cart', pressing({ cart: 'add' })],
  ['row_nowhere', 'elements.title.props.do.cart', pressing({ cart: 'remove' })],
  [
    'row_nowhere',
    'elements.home.props.do.cart',
    (app) => {
      app.elements.all = { type: 'each', props: { from: 'masters' }, children: ['home'] };
      app.elements.home = { type: 'button', props: { text: 'home.title', do: { cart: 'add' } } };
      app.pages.home.root = 'all';
    },
  ],
  [
    'row_nowhere',
    'pages.home.mainButton.do.cart',
    (app) => (app.pages.home.mainButton = { text: 'send', do: { cart: 'add' } }),
  ],
  ['form_elsewhere', 'elements.title.props.do.submit', pressing({ submit: 'order' })],
  [
    'form_elsewhere',
    'pages.home.secondaryButton.do.submit',
    (app) => (app.pages.home.secondaryButton = { text: 'send', do: { submit: 'visit' } }),
  ],
  ['link_here', 'elements.title.props.do.go', pressing({ go: 'home' })],
  ['chat_unheard', 'elements.title.props.do.chat', pressing({ chat: 'help' })],
  [
    'prop_unused',
    'elements.title.props.do.language',
    (app, whole) => {
      whole.locales = ['ru'];
      pressing({ language: 'ru' })(app);
    },
  ],
  [
    'element_empty',
    'elements.title',
    (app, whole) => {
      whole.locales = ['ru'];
      app.elements.title = { type: 'language', props: {} };
    },
  ],
  ['element_empty', 'elements.title', (app) => (app.elements.title = { type: 'contacts', props: {} })],
  [
    'prop_unused',
    'forms.lead.fields.from.from',
    (app) => (app.forms.lead.fields.from = { type: 'hidden', from: 'start', value: 'site' }),
  ],
  ['prop_unused', 'forms.lead.fields.agree.required', (app) => (app.forms.lead.fields.agree.required = false)],
  [
    'condition_never',
    'forms.lead.fields.why.showIf.any.0.is',
    (app) => (app.forms.lead.fields.why.showIf = { any: [{ field: 'form.lead.kind', is: 'z' }] }),
  ],
  [
    'condition_never',
    'elements.title.showIf.not',
    (app) => (app.elements.title.showIf = { field: 'form.lead.kind', not: 'z' }),
  ],
  [
    'condition_never',
    'forms.lead.fields.why.showIf',
    (app) => (app.forms.lead.fields.why.showIf = { field: 'form.lead.why', set: true }),
  ],
  ['column_type', 'elements.goods.props.photo', (app) => (app.elements.goods.props.photo = 'stock')],
  ['column_type', 'elements.photo.props.photo.from', (app) => (app.elements.photo.props.photo = { from: 'row.price' })],
  [
    'column_type',
    'forms.visit.fields.master.price',
    (app, whole) => {
      whole.tables.masters.columns.since = { type: 'date' };
      app.data.masters.fields.push('since');
      app.forms.visit.fields.master.price = 'since';
    },
  ],
  ['row_nowhere', 'elements.one.props', (app) => (app.pages.one.data = 'masters')],
  [
    'prop_unused',
    'pages.home.menu',
    (app) => {
      delete app.pages.cart.menu;
      delete app.pages.visit.menu;
    },
  ],
  ['page_nowhere', 'pages.visit', (app) => delete app.pages.visit.menu],
  [
    'page_nowhere',
    'pages.visit',
    (app) => {
      // Two pages that lead to each other alone.
      delete app.pages.visit.menu;
      delete app.pages.cart.menu;
      app.pages.visit.mainButton = { text: 'send', do: { go: 'cart' } };
      app.pages.cart.mainButton = { text: 'send', do: { go: 'visit' } };
    },
  ],
  ['booking_nowhere', 'bookings.other', (app) => (app.bookings.other = structuredClone(app.bookings.visit))],
];

/** Each: the code, where it is told, and what makes it so. */
const cases: [code: string, path: string, change: (app: Loose, whole: Loose) => void][] = [
  ['page_missing', 'start', (app) => (app.start = 'nowhere')],
  ['start_path', 'pages.cart.path', (app) => (app.start = 'cart')],
  ['path_twice', 'pages.visit.path', (app) => (app.pages.visit.path = '/cart')],
  ['path_taken', 'pages.visit.path', (app) => (app.pages.visit.path = '/v1')],
  ['path_number', 'pages.visit.path', (app) => (app.pages.visit.path = '/goods/7')],
  ['page_missing', 'elements.goods.props.open', (app) => (app.elements.goods.props.open = 'nowhere')],
  ['element_missing', 'pages.home.root', (app) => (app.pages.home.root = 'nothing')],
  ['element_missing', 'elements.home.children.0', (app) => (app.elements.home.children[0] = 'nothing')],
  ['element_twice', 'pages.visit.root', (app) => (app.pages.visit.root = 'order')],
  ['element_twice', 'elements.home.children.0', (app) => (app.elements.home.children[0] = 'home')],
  ['element_nowhere', 'elements.title', (app) => app.elements.home.children.shift()],
  ['children_refused', 'elements.title.children', (app) => (app.elements.title.children = ['lead'])],
  [
    'tabs_uneven',
    'elements.home.children',
    (app) => (app.elements.home = { ...app.elements.home, type: 'tabs', props: { labels: ['home.title'] } }),
  ],
  ['text_missing', 'pages.home.title', (app) => (app.pages.home.title = 'nothing')],
  ['text_missing', 'texts.send.ru', (app) => (app.texts.send = { en: 'Send' })],
  ['text_untranslated', 'texts.send.en', (app) => (app.texts.send = { ru: 'Отправить' })],
  ['text_unused', 'texts.nobody', (app) => (app.texts.nobody = { ru: 'а', en: 'a' })],
  ['media_missing', 'elements.photo.props.photo.media', (app) => (app.elements.photo.props.photo.media = 'nothing')],
  ['media_kind', 'site.image', (_app, whole) => (whole.media.cover.kind = 'video')],
  [
    'media_kind',
    'elements.title.props.media',
    (app) => (app.elements.title = { type: 'audio', props: { media: 'cover', title: 'home.title' } }),
  ],
  [
    'media_kind',
    'elements.title.props.media',
    (app) => (app.elements.title = { type: 'file', props: { media: 'cover', title: 'home.title' } }),
  ],
  [
    'text_missing',
    'elements.title.props.by',
    (app) => (app.elements.title = { type: 'quote', props: { text: 'home.title', by: 'nobody' } }),
  ],
  ['form_missing', 'elements.lead.props.form', (app) => (app.elements.lead.props.form = 'nothing')],
  ['form_nowhere', 'forms.lead', (app) => (app.elements.lead.props.form = 'order')],
  ['table_missing', 'data.goods.table', (app) => (app.data.goods.table = 'nothing')],
  ['column_missing', 'data.goods.fields.0', (app) => (app.data.goods.fields[0] = 'nothing')],
  ['column_missing', 'data.goods.where.0.field', (app) => (app.data.goods.where[0].field = 'nothing')],
  ['filter_empty', 'data.goods.where.0', (app) => (app.data.goods.where = [{ field: 'title' }])],
  ['filter_type', 'data.goods.where.0.is', (app) => (app.data.goods.where = [{ field: 'price', is: 'dear' }])],
  ['data_missing', 'shop.data', (app) => (app.shop.data = 'nothing')],
  ['column_type', 'shop.price', (app) => (app.shop.price = 'title')],
  ['field_missing', 'shop.stock', (app) => (app.data.goods.fields = ['title', 'price', 'sizes', 'photo'])],
  ['field_missing', 'elements.one.props.about', (app) => (app.elements.one.props.about = 'cost')],
  ['shop_missing', 'elements.goods.props', (app) => delete app.shop],
  ['page_data', 'elements.goods.props.open', (app) => (app.pages.one.data = 'masters')],
  ['data_missing', 'bookings.visit.each.data', (app) => (app.bookings.visit.each.data = 'nothing')],
  ['timezone_unknown', 'bookings.visit.timezone', (app) => (app.bookings.visit.timezone = 'Mars/Base')],
  ['booking_minutes', 'bookings.visit.minutes', (app) => (app.bookings.visit.minutes = 47)],
  ['booking_closed', 'bookings.visit.hours', (app) => (app.bookings.visit.hours = { mon: [] })],
  ['hours_order', 'bookings.visit.hours.mon.0', (app) => (app.bookings.visit.hours.mon = [['18:00', '09:00']])],
  ['hours_step', 'bookings.visit.hours.mon.0', (app) => (app.bookings.visit.hours.mon = [['09:01', '18:00']])],
  ['field_missing', 'forms.lead.order.0', (app) => (app.forms.lead.order[0] = 'nothing')],
  ['field_unasked', 'forms.lead.fields.name', (app) => app.forms.lead.order.shift()],
  ['field_twice', 'forms.lead.order.1', (app) => (app.forms.lead.order[1] = 'name')],
  ['option_twice', 'forms.lead.fields.kind.options', (app) => (app.forms.lead.fields.kind.options[1].id = 'a')],
  [
    'range_empty',
    'forms.lead.fields.age',
    (app) => {
      app.forms.lead.fields.age = { type: 'number', label: 'field.name', min: 2, max: 1 };
      app.forms.lead.order.push('age');
    },
  ],
  ['hidden_empty', 'forms.lead.fields.from', (app) => (app.forms.lead.fields.from = { type: 'hidden' })],
  ['booking_missing', 'forms.visit.fields.time.booking', (app) => (app.forms.visit.fields.time.booking = 'nothing')],
  ['booking_pick', 'forms.visit.fields.time', (app) => (app.bookings.visit.each.field = 'time')],
  ['slot_missing', 'forms.order.kind', (app) => (app.forms.order.kind = 'booking')],
  ['slot_kind', 'forms.visit.kind', (app) => delete app.forms.visit.kind],
  ['slot_optional', 'forms.visit.fields', (app) => delete app.forms.visit.fields.time.required],
  [
    'consent_missing',
    'forms.lead.fields',
    (app) => {
      delete app.forms.lead.fields.agree;
      app.forms.lead.order.splice(5, 1);
    },
  ],
  ['contact_optional', 'forms.order.fields', (app) => delete app.forms.order.fields.phone.required],
  ['cart_nowhere', 'elements.goods', (app) => app.elements.cart.children.shift()],
  ['order_nowhere', 'elements.goods', (app) => app.elements.cart.children.pop()],
  [
    'quiz_open',
    'elements.lead.props.results',
    (app) => {
      app.elements.lead = { type: 'quiz', props: { form: 'lead', results: [{ showIf: deep(0), text: 'send' }] } };
    },
  ],
  [
    'quiz_unreachable',
    'elements.lead.props.results.1',
    (app) => {
      app.elements.lead = { type: 'quiz', props: { form: 'lead', results: [{ text: 'send' }, { text: 'send' }] } };
    },
  ],
  ['condition_deep', 'elements.title.showIf.all.0.all.0.all.0.all.0', (app) => (app.elements.title.showIf = deep(5))],
  [
    'row_nowhere',
    'texts.home.title.ru.0.from',
    (app) => {
      delete app.shop;
      app.texts['home.title'].ru = [{ from: 'row.title' }];
    },
  ],
  ['field_missing', 'texts.goods.title.ru.0.from', (app) => (app.texts['goods.title'].ru = [{ from: 'row.cost' }])],
  ['value_unknown', 'texts.home.title.ru.0.from', (app) => (app.texts['home.title'].ru = [{ from: 'visitor.age' }])],
  ['form_missing', 'texts.home.title.ru.0.from', (app) => (app.texts['home.title'].ru = [{ from: 'form.no.name' }])],
  [
    'locale_unknown',
    'elements.title.props.do.language',
    (app) => {
      app.elements.title = { type: 'button', props: { text: 'home.title', do: { language: 'de' } } };
    },
  ],
  ...nowhere,
  ['contrast_low', 'theme.accent', (app) => (app.theme.accent = '#ffcc00')],
  ['contrast_low', 'theme.accentDark', (app) => (app.theme.accentDark = '#222222')],
];

describe('the checks', () => {
  test('find nothing in a document that is right, and nothing to check in one without pages', () => {
    expect(checkManifest(document())).toEqual([]);
    expect(checkManifest(document((_app, whole) => delete whole.app))).toEqual([]);
  });

  test('find nothing in the examples', () => {
    for (const name of ['shop', 'booking', 'lead-site', 'portfolio']) {
      const path = join(import.meta.dirname, '..', '..', '..', 'examples', name, 'flow.json');
      const text = JSON.parse(readFileSync(path, 'utf8')) as Loose;
      for (const media of Object.values(text.media ?? {}) as Loose[]) media.sha256 ??= '0'.repeat(64);
      const parsed = parseDocument(text);
      expect(parsed, name).toMatchObject({ ok: true });
      if (parsed.ok) expect(checkManifest(parsed.document), name).toEqual([]);
    }
  });

  test.each(cases)('tell %s at %s, in a sentence', (code, path, change) => {
    const found = faults(change);
    const fault = found.find((one) => one.code === code && one.path === `app.${path}`);
    expect(fault, JSON.stringify(found, undefined, 2)).toBeDefined();
    expect(fault?.message).toMatch(/^["\p{Lu}#\d].*\.$/u);
    if (fault?.fix !== undefined) expect(fault.fix).toMatch(/\.$/);
  });

  test('take what acts', () => {
    const found = faults((app, whole) => {
      whole.triggers.begin = { type: 'start', props: { prefix: 'help' }, to: 'heard' };
      whole.blocks.say.props.buttons = [[{ id: 'b', kind: 'app', label: 'heard', page: 'visit' }]];
      delete app.pages.visit.menu;
      app.pages.home.mainButton = { text: 'send', do: { submit: 'lead' } };
      app.pages.one.mainButton = { text: 'send', do: { cart: 'add' } };
      app.elements.all = { type: 'each', props: { from: 'goods' }, children: ['put'] };
      app.elements.put = { type: 'button', props: { text: 'send', do: { cart: 'add' } } };
      app.elements.ask = { type: 'button', props: { text: 'send', do: { chat: 'help_me' } } };
      app.elements.clear = { type: 'button', props: { text: 'send', do: { cart: 'clear' } } };
      app.elements.home.children.push('all', 'ask', 'clear');
      app.forms.lead.fields.agree.required = true;
      app.forms.lead.fields.why.showIf = {
        any: [
          { field: 'form.lead.kind', is: '' },
          { field: 'form.lead.kind', is: 'a' },
        ],
      };
    });
    expect(found).toEqual([]);
  });

  test('do not speak of a cart where nothing is sold', () => {
    const found = faults((app) => {
      app.elements.home.children = ['title'];
      app.elements.one = { type: 'heading', props: { text: 'home.title' } };
      app.elements.cart.children = [];
    });
    expect(found.map(({ code }) => code)).not.toContain('cart_nowhere');
    expect(found.map(({ code }) => code)).not.toContain('order_nowhere');
  });

  test('say of a word in place of a key where it belongs', () => {
    const [fault] = faults((app) => (app.elements.title.props.text = 'Coffee'));
    expect([fault?.message, fault?.fix]).toEqual([
      'There is no text with the key "Coffee".',
      'Write its words under "app.texts", as "Coffee": { "ru": "..." }.',
    ]);
  });

  test('put what stops before what warns', () => {
    const found = faults((app) => {
      app.texts.send = { ru: 'Отправить' };
      app.pages.home.title = 'nothing';
    });
    expect(found.map((fault) => fault.severity)).toEqual([...found.map((fault) => fault.severity)].sort());
  });

  test('end whatever the tree of elements looks like', () => {
    const ids = ['a', 'b', 'c', 'd'];
    const children = fc.array(fc.constantFrom(...ids), { maxLength: 4 });
    fc.assert(
      fc.property(fc.tuple(children, children, children, children), fc.constantFrom(...ids), (lists, root) => {
        checkManifest(
          document((app) => {
            ids.forEach((id, index) => {
              app.elements[id] = { type: 'stack', props: {}, children: lists[index] };
            });
            app.pages.home.root = root;
          }),
        );
      }),
    );
  });
});

test('the nearest colour that can be read is the same one, darker or lighter', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 1);
  expect(readable('#0b6e66', GROUNDS.light)).toBe('#0b6e66');
  for (const colour of ['#ffcc00', '#ffffff', '#00ff00', '#0000ff', '#123456', '#000000'])
    for (const ground of Object.values(GROUNDS))
      expect(contrast(readable(colour, ground), ground), `${colour} on ${ground}`).toBeGreaterThanOrEqual(4.5);
  const [fault] = faults((app) => (app.theme.accent = '#ffcc00'));
  expect(fault?.fix).toMatch(/^Take #[0-9a-f]{6}, the nearest colour/);
});

test('one language is made of it, without what only the server needs', () => {
  const facts = { app: 'app_x', base: '/a/app_x', bot: 'shop_bot', media: {}, words: {} as never };
  const view = compileApp(
    document((app) => {
      delete app.texts['kind.b'].en;
      delete app.theme.accentDark;
    }),
    'en',
    facts,
  );
  expect(view.texts['send']).toBe('Send');
  expect(view.texts['kind.b']).toBe('Второй');
  expect(view.data?.['goods']).not.toHaveProperty('where');
  expect(view.locales).toEqual(['ru', 'en']);
  expect(contrast(view.theme?.accentDark ?? '', GROUNDS.dark)).toBeGreaterThanOrEqual(4.5);
});

test('a language is chosen by wish, then by the browser, then by the maker', () => {
  const speaks = { locales: ['ru', 'en', 'pt-BR'], defaultLocale: 'ru' };
  const chosen = (asked?: string, accepted?: string): string => chooseLocale(speaks, { asked, accepted });
  expect(chosen('en', 'ru')).toBe('en');
  expect(chosen('de', 'en')).toBe('en');
  expect(chosen(undefined, 'de, pt;q=0.9, en;q=0.8')).toBe('pt-BR');
  expect(chosen(undefined, 'de;q=1, en;q=0')).toBe('ru');
  expect(chosen(undefined, '*')).toBe('ru');
  expect(chosen(undefined, `${'x'.repeat(10_000)},en`)).toBe('ru');
  expect(chosen()).toBe('ru');
});
