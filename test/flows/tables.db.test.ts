import { afterEach, beforeEach, expect, test } from 'vitest';
import { visitorLane } from '../../kernel/names.ts';
import { sql } from '../../kernel/sql.ts';
import { insertEvents } from '../../server/domains/inbox/inbox.ts';
import { type Roost, startRoost, until } from '../support/roost.ts';

let roost: Roost;
beforeEach(async () => {
  roost = await startRoost();
});
afterEach(() => roost.close());

const OWNER = 5_000;

/** Keeps orders and people: `/mine` tells what was stored last, a form puts a row in and tells the owner. */
const shop = {
  roost: 1,
  locales: ['en'],
  defaultLocale: 'en',
  variables: {
    phone: { type: 'phone', scope: 'contact' },
    name: { type: 'text', scope: 'contact' },
    row: { type: 'number', scope: 'conversation' },
    many: { type: 'number', scope: 'conversation' },
  },
  tables: {
    people: {
      columns: { phone: { type: 'phone', unique: true }, name: { type: 'text' }, visits: { type: 'number' } },
      rows: [{ phone: '+79000000001', name: 'Seed', visits: 1 }],
    },
  },
  triggers: {
    sent: { type: 'app', props: { form: 'lead', into: { phone: 'phone', name: 'name' } }, to: 'put' },
    mine: { type: 'command', props: { command: 'mine' }, to: 'look' },
    visit: { type: 'command', props: { command: 'visit' }, to: 'count' },
    ping: { type: 'command', props: { command: 'ping' }, to: 'pong' },
    gone: { type: 'command', props: { command: 'forget' }, to: 'forget' },
  },
  cards: {
    put: { blocks: ['insert', 'thanks', 'tell'] },
    twice: { blocks: ['known', 'tell2'] },
    look: { blocks: ['find', 'found'] },
    nobody: { blocks: ['none'] },
    pong: { blocks: ['pong1'] },
    count: { blocks: ['first', 'add', 'find2', 'found2'] },
    forget: { blocks: ['take', 'forgot'] },
  },
  blocks: {
    insert: {
      type: 'table',
      props: {
        do: 'insert',
        table: 'people',
        set: { phone: { var: 'phone' }, name: { var: 'name' }, visits: 0 },
        into: { id: 'row' },
      },
      exits: { error: 'twice' },
    },
    thanks: { type: 'message', props: { text: 'thanks' } },
    tell: { type: 'notify', props: { to: [{ chat: OWNER }], text: 'tell' } },
    known: { type: 'message', props: { text: 'known' } },
    tell2: { type: 'notify', props: { to: [{ chat: OWNER }], text: 'again' } },
    find: {
      type: 'table',
      props: {
        do: 'find',
        table: 'people',
        where: [{ field: 'phone', is: { var: 'phone' } }],
        into: { name: 'name', id: 'row' },
        count: 'many',
      },
      exits: { none: 'nobody' },
    },
    found: { type: 'message', props: { text: 'found' } },
    none: { type: 'message', props: { text: 'none' } },
    pong1: { type: 'message', props: { text: 'pong', buttons: [[{ id: 'open', kind: 'app', label: 'open' }]] } },
    first: {
      type: 'table',
      props: { do: 'find', table: 'people', into: { visits: 'many' } },
      exits: { none: 'nobody' },
    },
    add: {
      type: 'table',
      props: { do: 'update', table: 'people', where: [{ field: 'id', is: 1 }], set: { visits: { expr: 'many + 1' } } },
    },
    find2: {
      type: 'table',
      props: { do: 'find', table: 'people', into: { visits: 'many' } },
      exits: { none: 'nobody' },
    },
    found2: { type: 'message', props: { text: 'visits' } },
    take: {
      type: 'table',
      props: { do: 'delete', table: 'people', where: [{ field: 'name', contains: 'seed' }], count: 'many' },
    },
    forgot: { type: 'message', props: { text: 'forgot' } },
  },
  texts: {
    thanks: { en: ['Thank you, ', { var: 'name' }, '. Your number is ', { var: 'event.number' }] },
    tell: { en: ['Row ', { var: 'row' }, ' from ', { var: 'event.visitor' }, ': ', { var: 'event.formText' }] },
    known: { en: 'We know you' },
    again: { en: 'Sent again' },
    found: { en: [{ var: 'name' }, ', row ', { var: 'row' }, ' of ', { var: 'many' }] },
    none: { en: 'Nobody' },
    pong: { en: 'Pong' },
    open: { en: 'Open' },
    visits: { en: ['visits: ', { var: 'many' }] },
    forgot: { en: ['forgot ', { var: 'many' }] },
  },
  app: {
    start: 'home',
    pages: { home: { path: '/', title: 'home', root: 'e' } },
    elements: { e: { type: 'form', props: { form: 'lead' } } },
    texts: {
      home: { en: 'Shop' },
      phone: { en: 'Phone' },
      name: { en: 'Name' },
      send: { en: 'Send' },
      done: { en: 'Done' },
    },
    forms: {
      lead: {
        fields: { phone: { type: 'phone', label: 'phone', required: true }, name: { type: 'text', label: 'name' } },
        order: ['name', 'phone'],
        submit: 'send',
        done: 'done',
      },
    },
  },
} as const;

type Params = { text?: string };
const heard = (chat: number, count: number): Promise<string[]> =>
  until(
    () =>
      roost
        .calls({ chat, method: 'sendMessage' })
        .filter((call) => call.accepted)
        .map((call) => (JSON.parse(call.params ?? '{}') as Params).text ?? ''),
    (found) => found.length >= count,
  );

/** A bot may write to whoever has written to it. */
function meetOwner(bot: number): void {
  roost.simulator.people.create({ id: OWNER });
  roost.simulator.people.text({ user: OWNER, bot, text: 'hello' });
}

/** What the app's own address does once a form was taken: the event stands in the visitor's lane. */
async function submit(publicId: string, lane: number, key: string, content: object): Promise<void> {
  const bot = await roost.db.one<{ id: number; bucket: number }>(
    sql`select id, bucket from integration where public_id = ${publicId}`,
  );
  const body = JSON.stringify({ roost: { kind: 'app', ...content } });
  await insertEvents(roost.db, [
    { integrationId: bot?.id ?? 0, bucket: bot?.bucket ?? 0, lane, key: `app:${key}`, body },
  ]);
}

const rows = () =>
  roost.db.many<{ id: number; values: object }>(sql`select r.id, r.values from record r order by r.id`);

test('a form of the app puts a row in, answers in the chat and tells the owner, once', async () => {
  const bot = await roost.bot(shop);
  const anna = roost.simulator.people.create({ first_name: 'Anna' });
  meetOwner(bot.id);
  roost.simulator.people.text({ user: anna.id, bot: bot.id, text: '/mine' });
  await heard(anna.id, 1);
  const content = {
    form: 'lead',
    number: 12,
    values: { phone: '+79001234567', name: 'Anna B' },
    visitor: { id: anna.id, firstName: 'Anna', languageCode: 'en' },
  };
  await submit(bot.publicId, anna.id, 'k1', content);
  await submit(bot.publicId, anna.id, 'k1', content);
  expect(await heard(anna.id, 2)).toEqual(['Nobody', 'Thank you, Anna B. Your number is 12']);
  expect(await heard(OWNER, 1)).toEqual(['Row 2 from Anna: Name: Anna B\nPhone: +79001234567']);
  roost.simulator.people.text({ user: anna.id, bot: bot.id, text: '/mine' });
  expect((await heard(anna.id, 3)).at(-1)).toBe('Anna B, row 2 of 1');
  // The same number cannot stand in the table twice.
  await submit(bot.publicId, anna.id, 'k2', content);
  expect((await heard(anna.id, 4)).at(-1)).toBe('We know you');
  expect((await rows()).map((row) => row.id)).toEqual([1, 2]);
});

test('a visitor of the site has no chat: the owner hears, the row is there, and the trace says why', async () => {
  const bot = await roost.bot(shop);
  meetOwner(bot.id);
  const lane = visitorLane('a visitor');
  await submit(bot.publicId, lane, 'w1', {
    form: 'lead',
    number: 1,
    values: { phone: '+79001234567', name: 'Web' },
    visitor: { id: lane },
  });
  expect(await heard(OWNER, 1)).toEqual(['Row 2 from Web: Name: Web\nPhone: +79001234567']);
  const trace = await roost.db.one<{ trace: string }>(sql`select trace from inbox where key = 'app:w1'`);
  expect(trace?.trace).toContain('a visitor of the site has no chat');
  expect(await roost.db.one(sql`select kind from contact where contact_id = ${lane}`)).toEqual({ kind: 'visitor' });
  expect(roost.calls().filter((call) => Number(call.chat_id) < 0)).toEqual([]);
});

test('what one turn writes it reads again, and thirty people at once count right', async () => {
  const bot = await roost.bot(shop);
  const people = Array.from({ length: 30 }, () => roost.simulator.people.create());
  for (const person of people) roost.simulator.people.text({ user: person.id, bot: bot.id, text: '/visit' });
  const said = await Promise.all(people.map(async (person) => (await heard(person.id, 1))[0]));
  expect(said.map((text) => Number(text?.replace('visits: ', ''))).toSorted((a, b) => a - b)).toEqual(
    people.map((_, index) => index + 2),
  );
  roost.simulator.people.text({ user: people[0]?.id ?? 0, bot: bot.id, text: '/forget' });
  expect((await heard(people[0]?.id ?? 0, 2)).at(-1)).toBe('forgot 1');
  expect(await rows()).toEqual([]);
});

test('what is not understood is ignored', async () => {
  const bot = await roost.bot(shop);
  for (const [index, content] of [
    {},
    { visitor: { id: 'x' } },
    { visitor: { id: -5 } },
    { form: 7, visitor: { id: 9 } },
  ].entries())
    await submit(bot.publicId, 9, `x${index}`, content);
  const states = await until(
    () => roost.db.many<{ state: number }>(sql`select state from inbox order by seq`),
    (found) => found.length === 4 && found.every((row) => row.state !== 0),
  );
  expect(states.map((row) => row.state)).toEqual([4, 4, 4, 4]);
});

test('a table that somebody holds delays only those who want it', async () => {
  const bot = await roost.bot(shop);
  const [anna, boris] = [roost.simulator.people.create(), roost.simulator.people.create()];
  await roost.db.tx(async (tx) => {
    await tx.run(sql`select 1 from record_table for update`);
    roost.simulator.people.text({ user: anna.id, bot: bot.id, text: '/visit' });
    await until(
      () => roost.log.filter((line) => line.includes('turns.postponed')).length,
      (count) => count > 0,
    );
    roost.simulator.people.text({ user: boris.id, bot: bot.id, text: '/ping' });
    expect(await heard(boris.id, 1)).toEqual(['Pong']);
  });
  expect(await heard(anna.id, 1)).toEqual(['visits: 2']);
  // Waiting counts as no attempt.
  expect(await roost.db.many(sql`select attempts from inbox where attempts > 0`)).toEqual([]);
});

test('a button and the menu button open the app of the bot', async () => {
  const bot = await roost.bot(shop);
  const anna = roost.simulator.people.create();
  roost.simulator.people.text({ user: anna.id, bot: bot.id, text: '/ping' });
  await heard(anna.id, 1);
  const [sent] = roost.calls({ chat: anna.id, method: 'sendMessage' });
  const { reply_markup: markup } = JSON.parse(sent?.params ?? '{}') as {
    reply_markup: { inline_keyboard: { web_app: { url: string } }[][] };
  };
  const url = markup.inline_keyboard[0]?.[0]?.web_app.url ?? '';
  expect(url).toMatch(new RegExp(`^${roost.running.address}/a/app_\\w+$`));
  const [menu] = await until(
    () => roost.calls({ bot: bot.id, method: 'setChatMenuButton' }),
    (calls) => calls.length > 0,
  );
  expect(JSON.parse(menu?.params ?? '{}')).toEqual({
    menu_button: { type: 'web_app', text: 'Shop', web_app: { url } },
  });
});
