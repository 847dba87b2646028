// The commands of a project as people see them: published here, told by the webhook watch, shown by the simulated Telegram.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { realKit } from '../../../kernel/kit.ts';
import { createLog } from '../../../kernel/log.ts';
import type { Loop } from '../../../kernel/loop.ts';
import { sql } from '../../../kernel/sql.ts';
import { createSimulator } from '../../../simulator/simulator.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { type BotsDeps, connectBot, createTokenWatch, createVault, disconnectBot } from '../bots/bots.ts';
import { createReconciler } from '../bots/worker.ts';
import { createTelegram, type Telegram } from '../telegram/telegram.ts';
import { sampleDocument } from './fixtures.ts';
import { importProject, publish, rollback } from './projects.ts';

let database: TestDatabase;
let simulator: ReturnType<typeof createSimulator>;
let telegram: Telegram;
let deps: BotsDeps;
let watch: Loop;
let projectId: number;
let events: string[];
let bot: { id: number; token: string };

const log = createLog({ level: 'info', sink: { write: (line) => void events.push(JSON.parse(line).msg) } });
const kit = realKit(log);

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  events = [];
  await database.db.run(sql`truncate project, integration, notice, inbox restart identity cascade`);
  await database.db.run(sql`update webhook_watch set lease_until = '-infinity'`);
  simulator = createSimulator({ speed: 50 });
  const apiRootDefault = await simulator.listen();
  telegram = createTelegram(kit);
  const vault = createVault({ master: Buffer.alloc(32, 7) });
  // Polled, so that the watch has the menu alone to see to.
  deps = { kit, db: database.db, telegram, vault, apiRootDefault, publicUrl: undefined };
  watch = createReconciler(deps, createTokenWatch(deps));
  bot = simulator.createBot();
  projectId = (await released({ start: { en: 'Begin' } }, { into: false })).id;
});
afterEach(async () => {
  await watch.stop();
  await telegram.close();
  await simulator.close();
});

type Words = { readonly [locale: string]: string };

/** A release whose commands have these descriptions. */
async function released(
  described: { readonly [command: string]: Words },
  options: { into?: boolean; locales?: readonly string[] } = {},
): Promise<{ id: number }> {
  const { into = true, locales = ['en'] } = options;
  const whole = sampleDocument();
  const triggers = Object.fromEntries(
    Object.keys({ start: 1, ...described }).map((name) => [
      name,
      {
        type: 'command',
        props: { command: name, ...(described[name] ? { description: `d.${name}` } : {}) },
        to: 'welcome',
      },
    ]),
  );
  const texts = Object.fromEntries(Object.entries(described).map(([name, words]) => [`d.${name}`, words]));
  const document = { ...whole, locales, triggers, texts: { ...(whole['texts'] as object), ...texts } };
  return database.db.tx(async (tx) => {
    const { project } = await importProject(tx, { name: 'Shop', bundle: { document, files: new Map() }, into });
    await publish(tx, project.id);
    return project;
  });
}

const connect = () => connectBot(deps, { project: 'Shop', token: bot.token });
const address = () => ({ token: bot.token, apiRoot: deps.apiRootDefault });

/** What the bot lists, as `command description`. */
async function shown(language?: 'ru' | 'de'): Promise<string[]> {
  const outcome = await telegram.call(address(), 'getMyCommands', language ? { language_code: language } : {});
  if (outcome.kind !== 'ok') throw new Error(JSON.stringify(outcome));
  return outcome.result.map(({ command, description }) => `${command} ${description}`);
}

/** Runs the watch until no menu is due. Polls the database: what is waited for is a row. */
async function told(): Promise<void> {
  await watch.start();
  for (;;) {
    watch.nudge();
    if ((await database.db.one(sql`select 1 from integration where menu_due`)) === undefined) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Runs the watch until it has said this so many times. */
async function said(event: string, times: number): Promise<void> {
  await watch.start();
  while (events.filter((each) => each === event).length < times) {
    watch.nudge();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
const retryNow = () => database.db.run(sql`update integration set menu_retry_at = null`);
const byHand = (...names: string[]) =>
  telegram.call(address(), 'setMyCommands', { commands: names.map((command) => ({ command, description: 'Mine' })) });

test('a bot that is connected after the release lists its commands, and follows the next release and the way back', async () => {
  expect(await shown()).toEqual([]);
  await connect();
  await told();
  expect(await shown()).toEqual(['start Begin']);
  await released({ start: { en: 'Begin' }, help: { en: 'Help' } });
  await told();
  expect(await shown()).toEqual(['start Begin', 'help Help']);
  await database.db.tx((tx) => rollback(tx, projectId, 1));
  await told();
  expect(await shown()).toEqual(['start Begin']);
  await released({});
  await told();
  expect([await shown(), events.filter((each) => each.startsWith('bot.commands_'))]).toEqual([
    [],
    ['bot.commands_set', 'bot.commands_set', 'bot.commands_set', 'bot.commands_removed'],
  ]);
});

test('a second language has its own list, which goes with it', async () => {
  await connect();
  await released({ start: { en: 'Begin', ru: 'Начать' } }, { locales: ['en', 'ru'] });
  await told();
  expect([await shown(), await shown('ru'), await shown('de')]).toEqual([['start Begin'], ['start Начать'], []]);
  const person = simulator.people.create({ first_name: 'Анна', language_code: 'ru' });
  simulator.people.text({ user: person.id, bot: bot.id, text: '/start' });
  const view = await fetch(`${simulator.address}/control/chats/${bot.id}:${person.id}?limit=0`, {
    headers: { authorization: `Bearer ${simulator.controlKey}` },
  });
  expect(await view.json()).toMatchObject({ commands: [{ command: 'start', description: 'Начать' }] });
  await released({ start: { en: 'Begin' } });
  await told();
  expect([await shown(), await shown('ru')]).toEqual([['start Begin'], []]);
});

test('nothing is asked of Telegram while nothing has changed here', async () => {
  await connect();
  await told();
  const asked = simulator.calls.byMethod.get('getMyCommands');
  await released({ start: { en: 'Begin' } });
  await database.db.run(sql`update integration set menu_due = true`);
  await told();
  expect(simulator.calls.byMethod.get('getMyCommands')).toBe(asked);
});

test('a list set by hand is replaced once, then left, also when the bot is disconnected', async () => {
  await byHand('own');
  const { bot: connected } = await connect();
  await told();
  expect([await shown(), events.includes('bot.commands_replaced')]).toEqual([['start Begin'], true]);
  await byHand('own');
  await released({ start: { en: 'Go' } });
  await told();
  expect([await shown(), events.includes('bot.commands_left')]).toEqual([['own Mine'], true]);
  await disconnectBot(deps, connected.publicId);
  expect(await shown()).toEqual(['own Mine']);
});

test('a bot of which no release has described a command keeps what it lists', async () => {
  await released({});
  await byHand('own');
  const { bot: connected } = await connect();
  await told();
  await disconnectBot(deps, connected.publicId);
  expect(await shown()).toEqual(['own Mine']);
});

test('a bot that is disconnected lists none of ours any more', async () => {
  await released({ start: { en: 'Begin', ru: 'Начать' } }, { locales: ['en', 'ru'] });
  const { bot: connected } = await connect();
  await told();
  expect([await shown(), await shown('ru')]).toEqual([['start Begin'], ['start Начать']]);
  await disconnectBot(deps, connected.publicId);
  expect([await shown(), await shown('ru')]).toEqual([[], []]);
});

test('trouble is tried again and ends well; what Telegram refuses for good waits for a change', async () => {
  await released({ start: { en: 'Begin', ru: 'Начать' } }, { locales: ['en', 'ru'] });
  await connect();
  simulator.faults.add({ kind: '429', method: 'setMyCommands', times: 1, retry_after: 900 });
  await said('bot.commands_failed', 1);
  expect([await shown(), await due()]).toEqual([[], true]);
  await retryNow();
  simulator.faults.add({ kind: 'lost', method: 'setMyCommands', times: 1 });
  await told();
  expect([await shown(), await shown('ru')]).toEqual([['start Begin'], ['start Начать']]);
  simulator.faults.add({
    kind: '5xx',
    status: 400,
    description: 'Bad Request: BOT_COMMAND_DESCRIPTION_INVALID',
    method: 'setMyCommands',
    times: 1,
  });
  await released({ start: { en: 'Go' } });
  await said('bot.commands_failed', 2);
  // The other list went its way all the same.
  expect([await shown(), await shown('ru'), await due()]).toEqual([['start Begin'], [], false]);
  await released({ start: { en: 'Begin again' } });
  await told();
  expect([await shown(), await shown('ru')]).toEqual([['start Begin again'], []]);
});
const due = async (): Promise<boolean> =>
  (await database.db.one<{ menu_due: boolean }>(sql`select menu_due from integration`))?.menu_due === true;
