import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../../kernel/sql.ts';
import { until } from '../../../test/support/roost.ts';
import { shopDocument } from './fixtures.ts';
import { type Answer, freshKey, startTestApp, type TestApp } from './harness.ts';
import { listLeads } from './miniapps.ts';

// Who reads what: visitors the language of their page, the owner and the tables that of the project, and the chat goes on
// in the language of the page.
let shop: TestApp;
beforeAll(async () => {
  shop = await startTestApp(bilingual());
});
afterAll(() => shop.close());

/** The fixture with masters of two names, a text for the web, a bot that greets, and one that tells the owner. */
function bilingual(): object {
  const document = shopDocument() as Answer;
  document.tables.masters = {
    columns: { name: { type: 'text' }, name_en: { type: 'text' } },
    rows: [{ name: 'Анна', name_en: 'Anne' }],
  };
  document.tables.visits = { columns: { master: { type: 'text' }, all: { type: 'text' } } };
  document.variables = { master: { type: 'text', scope: 'conversation' } };
  document.app.forms.visit.doneWeb = 'visit.web';
  document.app.texts['visit.web'] = { ru: 'Сохраните страницу', en: 'Keep this page' };
  document.triggers.start = { type: 'command', props: { command: 'start' }, to: 'hello' };
  document.triggers.visited = { type: 'app', props: { form: 'visit', into: { master: 'master' } }, to: 'visited' };
  document.cards.hello = { blocks: ['greet'] };
  document.cards.visited = { blocks: ['thank', 'note', 'tell'] };
  document.blocks.greet = { type: 'message', props: { text: 'hello' } };
  document.blocks.thank = { type: 'message', props: { text: 'thanks' } };
  document.blocks.tell = { type: 'notify', props: { to: [{ chat: owner }], text: 'told' } };
  document.blocks.note = {
    type: 'table',
    props: { do: 'insert', table: 'visits', set: { master: { var: 'master' }, all: { var: 'event.formText' } } },
  };
  document.texts.hello = { ru: 'Привет', en: 'Hello' };
  document.texts.thanks = { ru: ['Мастер ', { var: 'master' }], en: ['Stylist ', { var: 'master' }] };
  const told = [{ var: 'master' }, '; ', { var: 'event.formText' }];
  document.texts.told = { ru: ['Запись: ', ...told], en: ['Booking: ', ...told] };
  return document;
}

const owner = 900_001;
const heard = (chat: number): string[] =>
  shop.roost.calls({ chat, method: 'sendMessage' }).map((call) => JSON.parse(call.params ?? '{}').text);

async function meet(
  language: string,
): Promise<{ id: number; headers: Record<string, string>; say(text: string): void }> {
  const { people } = shop.roost.simulator;
  const { id } = people.create({ first_name: 'Kate', language_code: language });
  const say = (text: string): void => void people.text({ user: id, bot: shop.bot.id, text });
  say('/start');
  await until(
    () => heard(id),
    (texts) => texts.length === 1,
  );
  const user = { id, first_name: 'Kate', language_code: language };
  return { id, headers: { authorization: `tma ${shop.initData(user)}` }, say };
}

async function freeTime(): Promise<string> {
  const slots = await shop.get(`/v1/apps/${shop.app}/slots?booking=visit&each=1`);
  return ((await slots.json()) as Answer).slots[0].start;
}

const booking = async (locale: string) => ({
  key: freshKey(),
  form: 'visit',
  values: { master: 1, time: await freeTime() },
  locale,
});

test('a booking in English is thanked in English, and the owner, the list and the table read the project’s language', async () => {
  const { people } = shop.roost.simulator;
  people.create({ id: owner, first_name: 'Owner', language_code: 'ru' });
  people.text({ user: owner, bot: shop.bot.id, text: '/start' });
  const kate = await meet('en');
  const event = await booking('en');
  const { body } = await shop.send(event, kate.headers);
  const [number, master, time] = body.sent;
  expect([number.label, master]).toEqual(['Number', { id: 2, label: 'Master', value: 'Anne' }]);
  expect([time.label, /[A-Z][a-z]+ \d/.test(time.value)]).toEqual(['Time', true]);
  expect((await shop.send(event, kate.headers)).body).toEqual({ ...body, duplicate: true });

  const [lead] = await listLeads(shop.roost.db, shop.project.id, { limit: 1 });
  expect(lead?.words['master']).toBe('Анна');
  expect(lead?.words['time']).toMatch(/[а-я]/);
  await until(
    () => heard(kate.id),
    (texts) => texts.includes('Stylist Anne'),
  );
  const told = await until(
    () => heard(owner).find((text) => text.startsWith('Запись')),
    (text) => text !== undefined,
  );
  expect(told).toMatch(/^Запись: Анна; Мастер: Анна\nВремя: .*[а-я]/);
  const rows = await shop.roost.db.many<{ values: { master: string; all: string } }>(
    sql`select values from record where table_name = 'visits'`,
  );
  expect(rows[0]?.values.master).toBe('Анна');
  expect(rows[0]?.values.all).toMatch(/^Мастер: Анна\n/);
});

test('whoever has no chat reads the text for the web', async () => {
  const response = await fetch(`${shop.address}/v1/apps/${shop.app}/visitors`, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  });
  const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  expect((await shop.send(await booking('en'), { cookie })).body.done).toBe('Keep this page');
  const kate = await meet('en');
  expect((await shop.send(await booking('en'), kate.headers)).body.done).toBe('See you');
});

test('the language chosen in the app is the chat’s, with or without a form', async () => {
  const kate = await meet('en');
  expect(heard(kate.id)).toEqual(['Hello']);
  const chosen = await fetch(`${shop.address}/v1/apps/${shop.app}/visitors`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...kate.headers },
    body: JSON.stringify({ locale: 'ru' }),
  });
  expect([chosen.status, chosen.headers.get('set-cookie')]).toEqual([200, null]);
  kate.say('/start');
  await until(
    () => heard(kate.id),
    (texts) => texts.at(-1) === 'Привет',
  );
  await shop.send(await booking('en'), kate.headers);
  await until(
    () => heard(kate.id),
    (texts) => texts.at(-1) === 'Stylist Anne',
  );
  kate.say('/start');
  await until(
    () => heard(kate.id),
    (texts) => texts.at(-1) === 'Hello',
  );
});
