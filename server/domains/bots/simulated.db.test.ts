// The bots against the simulated Telegram, which judges the calls and delivers as Telegram does.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { realKit } from '../../../kernel/kit.ts';
import { createLog } from '../../../kernel/log.ts';
import { sql } from '../../../kernel/sql.ts';
import { createSimulator } from '../../../simulator/simulator.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { createTelegram, type Telegram } from '../telegram/telegram.ts';
import {
  type BotsDeps,
  checkSecret,
  connectBot,
  createDirectory,
  createTokenWatch,
  type Directory,
  disconnectBot,
  rotateSecret,
  rotateToken,
  setMenuText,
  showBot,
} from './bots.ts';
import { emptyTables, gate, insertProject, testVault } from './fixtures.ts';
import { attendMenu } from './watch/menu.ts';
import { createPoller, createReconciler } from './worker.ts';

const kit = realKit(createLog({ level: 'silent' }));
let database: TestDatabase;
let simulator: ReturnType<typeof createSimulator>;
let telegram: Telegram;
let directory: Directory;
let deps: BotsDeps;
let server: Server;
let publicUrl: string;
let received: { passes: boolean; body: { update_id: number; message?: { text?: string } } }[];
let arrived: () => void;
const running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await emptyTables(database.db);
  await insertProject(database.db, 'shop');
  simulator = createSimulator({ speed: 50 });
  const apiRootDefault = await simulator.listen();
  telegram = createTelegram(kit);
  directory = createDirectory(kit, database.db, { vault: testVault(), apiRootDefault });
  await directory.refresh();
  received = [];
  arrived = () => {};
  server = createServer(async (request, response) => {
    const entry = directory.byPublicId(request.url?.split('/').at(-1) ?? '');
    const secret = request.headers['x-telegram-bot-api-secret-token'];
    received.push({
      passes: checkSecret(entry, secret as string | undefined, kit.now()),
      body: JSON.parse(await text(request)),
    });
    response.end('{}');
    arrived();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  deps = { kit, db: database.db, telegram, vault: testVault(), apiRootDefault, publicUrl, directory };
});
afterEach(async () => {
  for (const each of running.splice(0).reverse()) await each.stop();
  await telegram.close();
  await simulator.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function next(): Promise<void> {
  const came = gate();
  arrived = came.open;
  await came.opened;
}

test('a connected bot gets what people write, with its secret, before and after that is changed, until it is disconnected', async () => {
  const bot = simulator.createBot();
  const anna = simulator.people.create({ first_name: 'Анна' });
  const { bot: connected } = await connectBot(deps, { project: 'shop', token: bot.token });
  let delivery = next();
  simulator.people.text({ user: anna.id, bot: bot.id, text: 'один' });
  await delivery;
  await rotateSecret(deps, connected.publicId);
  delivery = next();
  simulator.people.text({ user: anna.id, bot: bot.id, text: 'два' });
  await delivery;
  expect(received.map((each) => [each.passes, each.body.message?.text])).toEqual([
    [true, 'один'],
    [true, 'два'],
  ]);
  await disconnectBot(deps, connected.publicId);
  expect(await telegram.call({ token: bot.token, apiRoot: deps.apiRootDefault }, 'getWebhookInfo')).toMatchObject({
    result: { url: '' },
  });
});

const mine = { type: 'web_app', text: 'Mine', web_app: { url: 'https://mine.example/' } } as const;
// Where there is no button, people see the commands.
const bare = { type: 'commands' } as const;
test.each([
  ['that is ours goes', undefined, bare],
  ['that was set by hand since stays', mine, mine],
  ['that was taken away by hand stays away', bare, bare],
])('of a bot that is disconnected, the menu button %s', async (_what, byHand, left) => {
  const { token } = simulator.createBot();
  const address = { token, apiRoot: deps.apiRootDefault };
  const { bot: connected } = await connectBot(deps, { project: 'shop', token });
  await database.db.tx(async (tx) => {
    const project = await tx.one<{ id: number }>(sql`select id from project`);
    await setMenuText(tx, project?.id ?? 0, 'Shop');
  });
  await attendMenu(deps, () => 'https://r.example/a/x');
  const present = async (): Promise<unknown> =>
    ((await telegram.call(address, 'getChatMenuButton', {})) as { result?: unknown }).result;
  expect(await present()).toMatchObject({ type: 'web_app', text: 'Shop' });
  if (byHand) await telegram.call(address, 'setChatMenuButton', { menu_button: byHand });
  await disconnectBot(deps, connected.publicId);
  expect(await present()).toEqual(left);
});

test('a foreign webhook is left alone, and the watch finds nothing to mend on a bot that is as it should be', async () => {
  const bot = simulator.createBot();
  const address = { token: bot.token, apiRoot: deps.apiRootDefault };
  const foreign = `${publicUrl}/somewhere/else`;
  await telegram.call(address, 'setWebhook', { url: foreign });
  await expect(
    connectBot({ ...deps, publicUrl: 'http://127.0.0.1:1' }, { project: 'shop', token: bot.token }),
  ).rejects.toMatchObject({ code: 'BOT_FOREIGN_WEBHOOK' });
  expect(await telegram.call(address, 'getWebhookInfo')).toMatchObject({ result: { url: foreign } });
  const { bot: connected } = await connectBot(deps, {
    project: 'shop',
    token: bot.token,
    replaceForeignWebhook: true,
    allowedUpdates: ['poll'],
  });
  const watch = createReconciler(deps, createTokenWatch(deps));
  running.push(watch);
  await watch.start();
  await watch.stop();
  expect(await showBot(deps, connected.publicId)).toMatchObject({
    status: 'active',
    webhookProblem: null,
    pendingCount: 0,
  });
});

test('a bot whose token was revoked gets the new one and goes on', async () => {
  const bot = simulator.createBot();
  const anna = simulator.people.create({ first_name: 'Anna' });
  const { bot: connected } = await connectBot(deps, { project: 'shop', token: bot.token });
  const fresh = simulator.world.revokeToken(bot);
  const delivery = next();
  await rotateToken(deps, connected.publicId, fresh);
  simulator.people.text({ user: anna.id, bot: bot.id, text: 'still there?' });
  await delivery;
  expect(received.at(-1)).toMatchObject({ passes: true, body: { message: { text: 'still there?' } } });
});

test('without a public address what people write is fetched, once', async () => {
  deps = { ...deps, publicUrl: undefined };
  const bot = simulator.createBot();
  const anna = simulator.people.create({ first_name: 'Anna' });
  await connectBot(deps, { project: 'shop', token: bot.token });
  const texts: unknown[] = [];
  let came = gate();
  const poller = createPoller(deps, {
    directory,
    tokenWatch: createTokenWatch(deps),
    owns: () => true,
    store: async (_bot, updates) => {
      for (const update of updates) texts.push(JSON.parse(update.body.toString()).message.text);
      came.open();
    },
  });
  running.push(poller);
  await poller.start();
  for (const word of ['one', 'two']) {
    came = gate();
    simulator.people.text({ user: anna.id, bot: bot.id, text: word });
    await came.opened;
  }
  await poller.stop();
  expect(texts).toEqual(['one', 'two']);
});
