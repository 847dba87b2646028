// A page of the app as an answer in the chat.
import { expect, test } from 'vitest';
import { emptyState, message, release, say, startDocument } from '../fixtures.ts';
import { checkDocument, type FlowDocument, step } from '../flow.ts';
import { runScripts } from '../script.ts';

const app = {
  start: 'prices',
  pages: {
    prices: { path: '/', title: 'h', root: 'root', mainButton: { text: 'ask', do: { go: 'request' } } },
    request: { path: '/request', title: 'h', root: 'form' },
  },
  elements: {
    root: { type: 'stack', props: {}, children: ['head', 'table', 'photo', 'more', 'quote'] },
    head: { type: 'heading', props: { text: 'h', level: 1 } },
    table: { type: 'table', props: { head: ['what', 'cost'], rows: [['tube', 'tubeCost']] } },
    photo: { type: 'image', props: { photo: { media: 'cover' }, alt: 'h' } },
    more: { type: 'details', props: { summary: 'what' }, children: ['list'] },
    list: { type: 'list', props: { items: ['tube', 'cost'], look: 'number' } },
    quote: { type: 'quote', props: { text: 'tube', by: 'cost' } },
    form: { type: 'form', props: { form: 'lead' } },
  },
  texts: {
    h: { en: 'Prices', ru: 'Цены' },
    ask: { en: 'Ask', ru: 'Спросить' },
    what: { en: 'Work', ru: 'Работа' },
    cost: { en: 'Cost', ru: 'Цена' },
    tube: { en: 'Tube', ru: 'Камера' },
    tubeCost: { en: '€5', ru: '500 ₽' },
  },
  forms: { lead: { fields: { name: { type: 'text', label: 'what' } }, order: ['name'], submit: 'ask', done: 'ask' } },
};

const documentOf = (props: object = {}, more: object = {}): FlowDocument =>
  startDocument(
    {
      page: {
        type: 'page',
        props: { page: 'prices', ...props },
        ...('buttons' in props && { exits: { more: 'told' } }),
      },
      after: { type: 'message', props: { text: 'after' } },
    },
    {
      locales: ['en', 'ru'],
      ...('buttons' in props && {
        cards: { told: { blocks: ['form'] } },
        blocks: { form: { type: 'page', props: { page: 'request' } } },
      }),
      texts: { after: { en: 'Anything else?', ru: 'Что-нибудь ещё?' }, more: { en: 'More', ru: 'Ещё' } },
      media: { cover: { kind: 'photo', name: 'cover.jpg', sha256: '0'.repeat(64) } },
      app,
      ...more,
    },
  );

test('a page is an answer in the person’s language, its button works, and the next block follows', () => {
  const chat = `
=== in English
person: Ann, en
user: /start
bot:  Prices
      | Work · Cost
      | Tube · €5
      | <photo>
      | Work
      | 1. Tube
      | 2. Cost
      | Tube
      | — Cost
      | [Ask]  [More]
bot:  Anything else?
user: taps More
bot:  Prices
      | [Open in the app]

=== in Russian
person: Анна, ru
user: /start
bot:  Цены
      | Работа · Цена
      | Камера · 500 ₽
      | <photo>
      | Работа
      | 1. Камера
      | 2. Цена
      | Камера
      | — Цена
      | [Спросить]  [Ещё]
bot:  Что-нибудь ещё?
user: taps Ещё
bot:  Цены
      | [Открыть в приложении]
`;
  expect(runScripts(documentOf({ buttons: [[{ id: 'more', label: 'more' }]] }), chat).failures).toEqual([]);
});

const sent = (document: FlowDocument, event: ReturnType<typeof say>, bot: object) => {
  const { effects } = step(release(document), { ...emptyState, bot: { vars: {}, ...bot } }, { ...event, random: 0 });
  return effects.flatMap((effect) => (effect.type === 'send' && effect.method === 'sendRichMessage' ? [effect] : []));
};
const lastBlock = (effects: ReturnType<typeof sent>) => effects[0]?.params.rich_message?.blocks.at(-1);

test('what opens the app is a Mini App in private, a link in a group, and nothing where there is no address', () => {
  const document = documentOf();
  const group = message(
    { text: '/start@shop_bot', entities: [{ type: 'bot_command', offset: 0, length: 15 }] },
    { id: -5, type: 'group', title: 'Club' },
  );
  const place = { username: 'shop_bot', app: { address: 'https://example.com/a/x' } };
  const button = (target: object) => ({ type: 'buttons', buttons: [{ text: 'Ask', style: 'primary', ...target }] });
  expect(lastBlock(sent(document, say('/start'), place))).toEqual(
    button({ web_app: { url: 'https://example.com/a/x/request?lang=en' } }),
  );
  expect(lastBlock(sent(document, group, place))).toEqual(
    button({ url: 'https://t.me/shop_bot?startapp=page_request' }),
  );
  expect(lastBlock(sent(document, say('/start'), {}))).toMatchObject({ type: 'blockquote' });
});

test('a message of a page may be silent and protected', () => {
  const [effect] = sent(documentOf({ silent: true, protect: true }), say('/start'), {});
  expect(effect?.params).toMatchObject({ disable_notification: true, protect_content: true });
});

test('a page that there is not, and a button without a way, are told before publishing', () => {
  const faults = (props: object, more: object = {}) =>
    checkDocument(documentOf(props, more)).map(({ code, path }) => `${code} ${path}`);
  expect(faults({})).toEqual([]);
  expect(faults({ page: 'nowhere' })).toContain('page_missing blocks.page.props.page');
  expect(faults({}, { app: undefined })).toContain('app_missing blocks.page.props.page');
  expect(faults({ buttons: [[{ id: 'lost', label: 'more' }]] })).toContain(
    'button_nowhere blocks.page.props.buttons.lost',
  );
  expect(faults({ buttons: [[{ id: 'a', label: 'more', kind: 'app', page: 'nowhere' }]] })).toContain(
    'page_missing blocks.page.props.buttons.a',
  );
});
