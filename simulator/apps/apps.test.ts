import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { verifyLaunch } from '../../test/simulator/test-app.ts';
import { control, ok, refusal, startSimulator } from '../harness.ts';
import { createSimulator, type Simulator, type SimulatorOptions, type Spoil } from '../simulator.ts';
import { launchAddress } from './address.ts';
import { readTelegramLink } from './links.ts';

const URL_OK = 'https://shop.example/app';

type Scene = { simulator: Simulator; bot: { id: number; token: string }; user: number };

async function scene(options: SimulatorOptions = {}): Promise<Scene> {
  const simulator = await startSimulator({ limits: false, ...options });
  const bot = simulator.createBot({ username: 'bakery_bot', main_app: URL_OK, apps: { shop: `${URL_OK}/shop` } });
  const user = simulator.people.create({ first_name: 'Анна / +', language_code: 'ru' }).id;
  simulator.people.start({ user, bot: bot.id });
  return { simulator, bot, user };
}

const inline = (url: string): object => ({ inline_keyboard: [[{ text: 'a', web_app: { url } }]] });
const keys = (url: string): object => ({ keyboard: [[{ text: 'a', web_app: { url } }]] });

test('addresses of apps are refused in the words of Telegram', async () => {
  const { simulator, bot, user } = await scene();
  const send = (markup: object, chat = user): Promise<string> =>
    refusal(simulator, bot, 'sendMessage', { chat_id: chat, text: 'a', reply_markup: markup });
  const https = "URL 'http://shop.example' is invalid: Only HTTPS links are allowed";
  expect(await send(inline('http://shop.example'))).toBe(`Bad Request: inline keyboard button Web App ${https}`);
  expect(await send(keys('http://shop.example'))).toBe(`Bad Request: keyboard button Web App ${https}`);
  expect(await send(inline('https://shop'))).toContain('Wrong HTTP URL');
  const menu = { type: 'web_app', text: 'a', web_app: { url: 'http://shop.example' } };
  expect(await refusal(simulator, bot, 'setChatMenuButton', { menu_button: menu })).toBe(
    `Bad Request: menu button Web App ${https}`,
  );
  const group = simulator.people.createGroup({ creator: user, bots: [bot.id] });
  expect(await send(inline(URL_OK), group.id)).toBe('Bad Request: BUTTON_TYPE_INVALID');
  expect(await send(keys(URL_OK), group.id)).toBe('Bad Request: web App buttons can be used in private chats only');
  await ok(simulator, bot, 'sendMessage', {
    chat_id: user,
    text: 'a',
    reply_markup: inline('http://127.0.0.1:8420/a'),
  });
  simulator.set({ appsOverHttp: 'none' });
  expect(await send(inline('http://127.0.0.1:8420/a'))).toContain('Only HTTPS links are allowed');
  simulator.set({ appsOverHttp: 'any' });
  await ok(simulator, bot, 'sendMessage', { chat_id: user, text: 'a', reply_markup: inline('http://shop.example') });
});

test('a menu button is the chat’s, else the bot’s, else the commands', async () => {
  const { simulator, bot, user } = await scene();
  const read = (chat?: number): Promise<object> =>
    ok(simulator, bot, 'getChatMenuButton', chat === undefined ? {} : { chat_id: chat });
  const button = (text: string): object => ({ type: 'web_app', text, web_app: { url: URL_OK } });
  expect(await read(user)).toEqual({ type: 'commands' });
  await ok(simulator, bot, 'setChatMenuButton', { menu_button: button('all') });
  await ok(simulator, bot, 'setChatMenuButton', { chat_id: user, menu_button: button('one') });
  expect([await read(user), await read()]).toEqual([button('one'), button('all')]);
  await ok(simulator, bot, 'setChatMenuButton', { chat_id: user, menu_button: { type: 'default' } });
  expect(await read(user)).toEqual(button('all'));
  const view = await control<{ menu_button: object }>(simulator, 'GET', `/chats/${bot.id}:${user}?limit=0`);
  expect(view.menu_button).toEqual(button('all'));
  expect((await ok<{ has_main_web_app: boolean }>(simulator, bot, 'getMe')).has_main_web_app).toBe(true);
});

test('a launch is signed both ways, and every spoiled one fails where it should', async () => {
  const { simulator, bot, user } = await scene();
  const { public_key: publicKeyHex } = await control<{ public_key: string }>(simulator, 'GET', '/app-key');
  expect(publicKeyHex).toBe(simulator.appPublicKey);
  const check = (wish: object): ReturnType<typeof verifyLaunch> =>
    verifyLaunch(simulator.people.initData({ user, bot: bot.id, ...wish }), { token: bot.token, publicKeyHex });
  const good = check({ query_id: 'q1' });
  expect(good).toMatchObject({ hash: true, signature: true });
  expect(good.fields['user']).toContain('"first_name":"Анна \\/ +"');
  expect(check({ start_param: 'cake' }).fields).toMatchObject({ start_param: 'cake', chat_type: 'sender' });
  const stale = check({ age_seconds: 90_000 });
  expect(stale).toMatchObject({ hash: true, signature: true });
  expect(Number(good.fields['auth_date']) - Number(stale.fields['auth_date'])).toBeGreaterThanOrEqual(89_990);
  const expected: [Spoil, boolean, boolean][] = [
    ['user', false, false],
    ['hash', false, true],
    ['signature', true, false],
    ['no-hash', false, true],
    ['no-signature', true, false],
    ['other-token', false, true],
    ['other-bot', true, false],
    ['twice', false, false],
  ];
  for (const [spoil, hash, signature] of expected)
    expect([spoil, check({ spoil })]).toMatchObject([spoil, { hash, signature }]);
});

test('a link opened in a group names the group, and the same place by the same number', async () => {
  const { simulator, bot, user } = await scene();
  const group = simulator.people.createGroup({ type: 'supergroup', creator: user, bots: [bot.id] });
  const open = (place: object): URLSearchParams => {
    const link = 't.me/bakery_bot/shop?startapp=x';
    return new URLSearchParams(simulator.people.openApp({ user, by: 'link', link, ...place }).init_data);
  };
  const [there, again, here] = [open({ chat: group.id }), open({ chat: group.id }), open({})];
  expect(there.get('chat_type')).toBe('supergroup');
  expect(here.get('chat_type')).toBe('sender');
  expect(there.get('chat_instance')).toBe(again.get('chat_instance'));
  expect(there.get('chat_instance')).not.toBe(here.get('chat_instance'));
  const away = { user, by: 'link', link: 'https://t.me/bakery_bot/none' } as const;
  expect(() => simulator.people.openApp(away)).toThrow('@bakery_bot has no such app');
  expect(simulator.people.follow({ user, link: 'https://t.me/durov' })).toEqual({
    to: 'away',
    link: 'https://t.me/durov',
  });
});

test('a bot answers the query of an open app once, in the person’s name', async () => {
  const { simulator, bot, user } = await scene();
  await ok(simulator, bot, 'sendMessage', { chat_id: user, text: 'a', reply_markup: inline(URL_OK) });
  const { query_id: query } = simulator.people.openApp({ user, bot: bot.id, by: 'button' });
  const result = {
    type: 'article',
    id: '1',
    title: 't',
    input_message_content: { message_text: '<b>2</b> хлеба', parse_mode: 'HTML' },
  };
  const params = { web_app_query_id: query, result };
  expect(await ok(simulator, bot, 'answerWebAppQuery', params)).toEqual({});
  expect(await refusal(simulator, bot, 'answerWebAppQuery', params)).toContain('query is too old');
  const updates = await ok<{ message: object }[]>(simulator, bot, 'getUpdates');
  expect(updates.at(-1)?.message).toMatchObject({ text: '2 хлеба', from: { id: user }, via_bot: { id: bot.id } });
});

test('apps are named over HTTP as @BotFather names them', async () => {
  const { simulator, bot } = await scene();
  const apps = { main: URL_OK, named: { menu: URL_OK } };
  expect(await control(simulator, 'PATCH', `/bots/${bot.id}`, { apps: { shop: null, menu: URL_OK } })).toMatchObject({
    apps,
  });
  expect(await control(simulator, 'PATCH', `/bots/${bot.id}`, { main_app: 'http://shop.example' })).toEqual({
    error: "Web App URL 'http://shop.example' is invalid: Only HTTPS links are allowed",
  });
});

test('the key and what apps keep survive a stop', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'roost-apps-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const first = createSimulator();
  await first.keepIn(folder);
  const bot = first.createBot().id;
  const user = first.people.create().id;
  first.people.customMethod({ user, bot, method: 'saveStorageValue', params: { key: 'cart', value: '[1]' } });
  const key = first.appPublicKey;
  await first.close();
  const second = createSimulator();
  onTestFinished(() => second.close());
  await second.keepIn(folder);
  expect(second.appPublicKey).toBe(key);
  expect(
    second.people.customMethod({ user, bot, method: 'getStorageValues', params: { keys: ['cart', 'x'] } }),
  ).toEqual({
    cart: '[1]',
    x: '',
  });
});

test('the script is one classic script that stands alone', async () => {
  const simulator = await startSimulator();
  const response = await fetch(simulator.appScript);
  const text = await response.text();
  expect(response.headers.get('content-type')).toContain('text/javascript');
  expect(text).not.toMatch(/^(import|export) /m);
  expect(() => new Function(text)).not.toThrow();
});

test('links are read as Telegram reads them', () => {
  expect(readTelegramLink('https://t.me/bakery_bot?startapp')).toEqual({ username: 'bakery_bot', app: {} });
  expect(readTelegramLink('tg://resolve?domain=bakery_bot&appname=shop&startapp=a-b')).toEqual({
    username: 'bakery_bot',
    app: { name: 'shop', startParam: 'a-b' },
  });
  expect(readTelegramLink('t.me/bakery_bot?start=x')).toEqual({ username: 'bakery_bot', start: 'x' });
  for (const link of [
    'https://t.me.evil.example/bakery_bot',
    'https://t.me/a/b/c',
    't.me/bakery_bot?startapp=a%20b',
    'x',
  ])
    expect(readTelegramLink(link)).toBeUndefined();
});

test('an address keeps its own query and fragment', () => {
  const facts = {
    initData: 'user=%7B%7D&hash=1',
    platform: 'ios',
    version: '9.6',
    themeParams: { bg_color: '#fff' },
    startParam: 'x',
  };
  const url = new URL(launchAddress('https://a.example/?b=1#/page', facts));
  expect(url.search).toBe('?b=1&tgWebAppStartParam=x');
  expect(url.hash.startsWith('#/page?tgWebAppData=user%3D%257B%257D%26hash%3D1&tgWebAppVersion=')).toBe(true);
  expect(new URLSearchParams(url.hash.split('?')[1]).get('tgWebAppThemeParams')).toBe('{"bg_color":"#fff"}');
});
