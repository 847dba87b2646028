import { describe, expect, test } from 'vitest';
import { visitorLane } from '../../../kernel/names.ts';
import { emptyState, makeDocument, release, run, runLast, said, say, startDocument, submitted } from './fixtures.ts';
import { checkDocument, type FlowDocument, type FlowState, step, toEvents } from './flow.ts';

const app = {
  start: 'home',
  pages: { home: { path: '/', title: 'home', root: 'e' }, prices: { path: '/price-list', title: 'home', root: 'e' } },
  elements: { e: { type: 'divider', props: {} } },
  texts: {
    home: { en: 'Shop' },
    name: { en: 'Name', ru: 'Имя' },
    size: { en: 'Size' },
    m: { en: 'Medium' },
    master: { en: 'Master' },
  },
  forms: {
    lead: {
      fields: {
        name: { type: 'text', label: 'name' },
        size: { type: 'choices', label: 'size', options: [{ id: 'm', label: 'm' }] },
        master: { type: 'pick', label: 'master', data: 'masters', title: 'name' },
        agree: { type: 'consent', label: 'name' },
      },
      order: ['name', 'size', 'master', 'agree'],
      submit: 'home',
      done: 'home',
    },
    other: { fields: { age: { type: 'number', label: 'name' } }, order: ['age'], submit: 'home', done: 'home' },
  },
  shop: { data: 'goods', title: 'title', price: 'price', currency: 'EUR' },
};
const variables = {
  name: { type: 'text', scope: 'conversation' },
  size: { type: 'list', scope: 'conversation' },
  master: { type: 'text', scope: 'conversation' },
  masterId: { type: 'number', scope: 'conversation' },
};

function documentOf(triggers: object, texts: object, more: object = {}): FlowDocument {
  return makeDocument({
    locales: ['en', 'ru'],
    variables,
    app,
    triggers: { start: { type: 'command', props: { command: 'start' }, to: 'hello' }, ...triggers },
    cards: { hello: { blocks: ['ask'] }, sent: { blocks: ['say', 'tell'] }, any: { blocks: ['anyone'] } },
    blocks: {
      ask: { type: 'input', props: { kind: 'text', text: 'ask' } },
      say: { type: 'message', props: { text: 'sent', typing: true } },
      tell: { type: 'notify', props: { to: [{ chat: -100 }], text: 'told' } },
      anyone: { type: 'message', props: { text: 'any' } },
    },
    texts: { ask: { en: 'Name?' }, sent: { en: 'Sent' }, told: { en: 'Told' }, any: { en: 'Any' }, ...texts },
    ...more,
  });
}

const into = { name: 'name', size: 'size', master: 'master' };
const lead = documentOf(
  { lead: { type: 'app', props: { form: 'lead', into }, to: 'sent' }, rest: { type: 'app', props: {}, to: 'any' } },
  {
    sent: { en: ['No. ', { var: 'event.number' }, ' ', { var: 'name' }, '|', { var: 'size' }, '|', { var: 'master' }] },
    told: {
      en: [
        { var: 'event.visitor' },
        '\n',
        { var: 'event.formText' },
        '\n',
        { var: 'event.orderText' },
        '\n',
        { var: 'event.total' },
      ],
    },
  },
);
const content = {
  form: 'lead',
  number: 12,
  values: { name: 'Anna', size: ['m'], master: 4, agree: true },
  words: { name: 'Anna', size: 'Medium', master: 'Olga' },
  cart: [
    { id: 1, title: 'Honey', variant: 'M', count: 2, price: 6.25 },
    { title: 'Jam', count: 1, price: 1000 },
    'x',
    {},
  ],
  total: 1012.5,
};
const sends = (result: ReturnType<typeof runLast>) =>
  result.effects.flatMap((effect) => (effect.type === 'send' ? [[effect.chat, effect.params.text]] : []));

describe('a form of the app', () => {
  test('begins its trigger, before a question that waits, with its fields in variables', () => {
    const result = runLast(release(lead), [say('/start'), submitted(content)]);
    expect(sends(result)).toEqual([
      ['here', 'No. 12 Anna|m|Olga'],
      [-100, 'Анна\nName: Anna\nSize: Medium\nMaster: Olga\nHoney (M) × 2 = €12.50\nJam × 1 = €1,000\n1,012.5'],
    ]);
    expect(result.state.conversation?.wait).toBeNull();
  });

  test('empties the variables of fields that were left empty', () => {
    const results = run(release(lead), [submitted(content), submitted({ form: 'lead', values: { name: '' } })]);
    expect(results[1]?.state.conversation).toBeNull();
  });

  test('that nobody named goes to the trigger for any, or nowhere', () => {
    expect(said(runLast(release(lead), [submitted({ form: 'other', values: {} })]))).toEqual(['Any']);
    const none = runLast(release(documentOf({}, {})), [submitted(content)]);
    expect([none.outcome, none.effects]).toEqual(['ignored', []]);
  });

  test('a number wants the row, a text its name', () => {
    const document = documentOf(
      { lead: { type: 'app', props: { form: 'lead', into: { master: 'masterId' } }, to: 'sent' } },
      {},
    );
    expect(runLast(release(document), [submitted(content)]).state.conversation?.vars).toEqual({ masterId: 4 });
  });

  test('of a visitor of the site tells others and says nothing to the visitor', () => {
    const result = runLast(release(lead), [submitted(content, visitorLane('v'))]);
    expect(sends(result).map(([chat]) => chat)).toEqual([-100]);
    expect(result.effects.map((effect) => effect.type)).toEqual(['send']);
    expect(result.trace.filter((entry) => entry.note === 'a visitor of the site has no chat')).toHaveLength(2);
  });

  test('is told by its key: an update of Telegram cannot pass for one', () => {
    const body = { roost: { kind: 'app', visitor: { id: 77 }, ...content } };
    expect(toEvents(body, { key: '17', atMs: 1 })).toMatchObject({ kind: 'unknown', app: null });
    expect(toEvents(body, { key: 'app:17', atMs: 1 })).toMatchObject({ kind: 'app', app: { form: 'lead' } });
  });

  test('that is not understood is nobody’s', () => {
    for (const odd of [submitted({ ...content, kind: 'timer' }), submitted(content, -5), submitted({ visitor: 'x' })])
      expect([odd.kind, runLast(release(lead), [odd]).outcome]).toEqual(['unknown', 'ignored']);
    const junk = submitted({ form: 5, values: [1], words: 'x', cart: { a: 1 }, total: 'many', number: null });
    expect(junk.app).toEqual({ form: '', values: {}, words: {}, number: 0, total: 0, lines: [], visitor: 'Анна' });
  });
});

describe('a button that opens the app', () => {
  const button = (more: object) =>
    release(
      startDocument(
        {
          m: { type: 'message', props: { text: 'hi', buttons: [[{ id: 'b', kind: 'app', label: 'open', ...more }]] } },
        },
        { app, texts: { hi: 'Hi', open: 'Open' } },
      ),
    );
  const bot = { vars: {}, username: 'shop_bot', app: { address: 'https://r.example/a/x' } };
  const group = { id: -200, type: 'supergroup', title: 'G' };
  const markupOf = (more: object, event = say('/start'), state: FlowState = { ...emptyState, bot }) => {
    const result = step(button(more), state, { ...event, random: 0 });
    const [send] = result.effects.flatMap((effect) => (effect.type === 'send' ? [effect] : []));
    return { markup: send?.params.reply_markup, trace: result.trace };
  };

  test.each([
    [{}, 'https://r.example/a/x'],
    [{ page: 'home' }, 'https://r.example/a/x'],
    [{ page: 'prices', start: 'ad_1' }, 'https://r.example/a/x/price-list?start_param=ad_1'],
  ])('in a private chat %j', (more, url) => {
    expect(markupOf(more).markup).toEqual({ inline_keyboard: [[{ text: 'Open', web_app: { url } }]] });
  });

  test.each([
    [{}, 'https://t.me/shop_bot?startapp'],
    [{ page: 'prices' }, 'https://t.me/shop_bot?startapp=page_prices'],
    [{ page: 'prices', start: 'ad_1' }, 'https://t.me/shop_bot?startapp=ad_1'],
  ])('in a group %j is a link', (more, url) => {
    expect(markupOf(more, say('/start', group)).markup).toEqual({ inline_keyboard: [[{ text: 'Open', url }]] });
  });

  test('is left out where the app has no address, and the trace says so', () => {
    const { markup, trace } = markupOf({}, say('/start'), emptyState);
    expect(markup).toBeUndefined();
    expect(trace).toContainEqual({ at: 'm', what: 'button', exit: 'b', note: 'there is no https address for the app' });
  });
});

describe('the checks name', () => {
  const faultsOf = (document: FlowDocument) => checkDocument(document).map((fault) => `${fault.path} ${fault.code}`);
  const trigger = (props: object) => faultsOf(documentOf({ t: { type: 'app', props, to: 'sent' } }, {}));

  test('forms, fields and variables that there are not, and types', () => {
    expect(trigger({ form: 'gone' })).toContain('triggers.t.props.form form_missing');
    expect(trigger({ form: 'lead', into: { age: 'name' } })).toContain('triggers.t.props.into.age field_missing');
    expect(trigger({ into: { age: 'name' } })).not.toContain('triggers.t.props.into.age field_missing');
    expect(trigger({ form: 'lead', into: { name: 'nobody' } })).toContain(
      'triggers.t.props.into.name variable_unknown',
    );
    expect(trigger({ form: 'lead', into: { name: 'masterId' } })).toContain('triggers.t.props.into.name type_mismatch');
  });

  test('two triggers for one form', () => {
    const twice = {
      a: { type: 'app', props: { form: 'lead' }, to: 'sent' },
      b: { type: 'app', props: { form: 'lead' }, to: 'any' },
    };
    expect(faultsOf(documentOf(twice, {}))).toContain('triggers.b trigger_twice');
  });

  test('an app that there is not, and pages', () => {
    const open = (page?: string) => ({
      blocks: {
        m: { type: 'message', props: { text: 'hi', buttons: [[{ id: 'b', kind: 'app', label: 'hi', page }]] } },
      },
    });
    const without = startDocument(open().blocks, { texts: { hi: 'Hi' } });
    expect(faultsOf(without)).toContain('blocks.m.props.buttons.b app_missing');
    expect(faultsOf(startDocument(open('gone').blocks, { app, texts: { hi: 'Hi' } }))).toContain(
      'blocks.m.props.buttons.b page_missing',
    );
    const headless = makeDocument({ ...lead, app: undefined });
    expect(faultsOf(headless)).toContain('triggers.lead app_missing');
  });
});

test('the person is answered in the language of Telegram', () => {
  const document = documentOf(
    { lead: { type: 'app', props: { form: 'lead' }, to: 'sent' } },
    { sent: { en: 'Sent', ru: 'Принято' } },
  );
  expect(said(runLast(release(document), [submitted(content)]))).toEqual(['Принято']);
});
