import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Db } from '../../../../kernel/db.ts';
import { sql } from '../../../../kernel/sql.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { type BotsDeps, disconnectBot, setMenuText } from '../bots.ts';
import { insertBot, insertProject, type TestBot, type TestKit } from '../fixtures.ts';
import { type FakeTelegram, openBots, refusal } from '../harness.ts';
import { attendMenu } from './menu.ts';
import * as watchStatements from './sql.ts';

let database: TestDatabase;
let db: Db;
let kit: TestKit;
let fake: FakeTelegram;
let deps: BotsDeps;
let projectId: number;
let bot: TestBot;
/** The menu button as Telegram has it. */
let button: object;

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.close());
beforeEach(async () => {
  ({ kit, fake, deps } = await openBots(db, 'https://r.example'));
  const project = await insertProject(db, 'shop');
  projectId = project.id;
  bot = await insertBot(db, project, { botId: 1 });
  fake.bots.set(bot.token, { id: 1, username: 'bot1', first_name: 'Bot', is_bot: true });
  button = { type: 'commands' };
  fake.answer('getChatMenuButton', () => ({ body: { ok: true, result: button } }));
  fake.answer('setChatMenuButton', (call) => {
    button = call.params['menu_button'] as object;
    return { body: { ok: true, result: true } };
  });
});

const addressOf = (): string => 'https://r.example/a/x';
const attend = (appAddress: () => string | undefined = addressOf) => attendMenu(deps, appAddress);
const want = (text: string | null) => db.tx((tx) => setMenuText(tx, projectId, text));
const sets = () => fake.methods().filter((method) => method === 'setChatMenuButton').length;
const shop = (text = 'Shop') => ({ type: 'web_app', text, web_app: { url: addressOf() } });

test('a release with an app gets its menu button, one without loses it, and nothing is asked in between', async () => {
  expect(await attend()).toBe(false);
  await want('Shop');
  expect([await attend(), button]).toEqual([true, shop()]);
  await want('Shop');
  expect(await attend()).toBe(false);
  await want('Our shop');
  await attend();
  expect(button).toEqual(shop('Our shop'));
  await want(null);
  await attend();
  expect([button, await attend(), sets()]).toEqual([{ type: 'default' }, false, 3]);
});

test('a button set by hand is replaced once and then left alone', async () => {
  await want('Shop');
  await attend();
  const byHand = { type: 'web_app', text: 'Mine', web_app: { url: 'https://mine.example' } };
  button = byHand;
  await want('Shop 2');
  await attend();
  expect([button, kit.eventsOf('bot.menu_replaced').length]).toEqual([shop('Shop 2'), 1]);
  button = byHand;
  await want('Shop 3');
  await attend();
  expect([button, kit.eventsOf('bot.menu_left').length]).toEqual([byHand, 1]);
  await want(null);
  await attend();
  expect(button).toEqual(byHand);
});

test('where the app has no address that Telegram opens there is no button', async () => {
  await want('Shop');
  await attend(() => undefined);
  expect([button, await attend()]).toEqual([{ type: 'commands' }, false]);
  // The address came with another start of the server.
  await watchStatements.recallMenus(db);
  await attend();
  expect(button).toEqual(shop());
});

test('the address is that of the bot as it stands in the table, whether anybody knows of it or not', async () => {
  await want('Shop');
  const asked: object[] = [];
  await attendMenu(deps, (of) => void asked.push(of));
  const { public_id: publicId } = (await db.one<{ public_id: string }>(
    sql`select public_id from project where id = ${projectId}`,
  )) as { public_id: string };
  expect(asked).toEqual([{ botId: 1, webhookBase: null, project: { publicId } }]);
});

test('trouble is tried again later, a refusal is not', async () => {
  await want('Shop');
  fake.answer('setChatMenuButton', () => ({ status: 502, body: '<html>' }));
  expect(await attend()).toBe(true);
  expect(await attend()).toBe(false);
  const row = () =>
    db.one<{ menu_due: boolean; menu_told: string | null }>(
      sql`select menu_due, menu_told from integration where id = ${bot.id}`,
    );
  expect(await row()).toEqual({ menu_due: true, menu_told: null });
  await db.run(sql`update integration set menu_retry_at = null`);
  fake.answer('setChatMenuButton', () => refusal(400, 'Bad Request: BUTTON_URL_INVALID'));
  await attend();
  expect(await row()).toEqual({ menu_due: false, menu_told: null });
});

test('a bot that is disconnected leaves no button behind', async () => {
  await want('Shop');
  await attend();
  await disconnectBot(deps, bot.publicId);
  expect(button).toEqual({ type: 'default' });
});
