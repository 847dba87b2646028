import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createSimulator, type Simulator, type SimulatorOptions } from '../../simulator/simulator.ts';
import { openPage, startBrowser } from './browser.ts';
import { startTestApp, verifyLaunch } from './test-app.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

type Button = {
  setParams(params: object): void;
  onClick(listener: () => void): void;
  show(): void;
  hide(): void;
  showProgress(): void;
};
type Done = (...answer: unknown[]) => void;

/** What the tests call inside the app's frame. */
declare const Telegram: {
  WebApp: {
    initData: string;
    colorScheme: string;
    viewportHeight: number;
    MainButton: Button;
    SecondaryButton: Button;
    BackButton: Button;
    SettingsButton: Button;
    CloudStorage: { setItem(key: string, value: string, done: Done): void; getItem(key: string, done: Done): void };
    sendData(data: string): void;
    openTelegramLink(address: string): void;
    enableClosingConfirmation(): void;
    requestContact(done: Done): void;
    showConfirm(message: string, done: Done): void;
    setHeaderColor(color: string): void;
    close(): void;
  };
};
declare const heard: [string, Record<string, unknown> | undefined][];

type Scene = {
  simulator: Simulator;
  bot: { id: number; token: string };
  user: number;
  app: string;
  api(method: string, params: object): Promise<never>;
};

async function scene(options: SimulatorOptions = {}): Promise<Scene> {
  const simulator = createSimulator({ limits: false, seed: 5, ...options });
  await simulator.listen();
  onTestFinished(() => simulator.close());
  const app = await startTestApp(simulator.appScript);
  const bot = simulator.createBot({
    first_name: 'Пекарня',
    username: 'bakery_bot',
    main_app: app,
    apps: { shop: app },
  });
  const user = simulator.people.create({ first_name: 'Анна', language_code: 'ru' }).id;
  simulator.people.start({ user, bot: bot.id });
  const api = async (method: string, params: object): Promise<never> => {
    const response = await fetch(`${simulator.address}/bot${bot.token}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(params),
    });
    const body = (await response.json()) as { ok: boolean; result: never };
    if (!body.ok) throw new Error(`${method}: ${JSON.stringify(body)}`);
    return body.result;
  };
  return { simulator, bot, user, app, api };
}

async function open(address: string, options: object = {}): Promise<{ page: Page; troubles: string[] }> {
  const watched = await openPage(browser, address, options);
  onTestFinished(() => watched.close());
  return watched;
}

/** The open app's frame, when its own code has run. */
async function frameOf(page: Page): Promise<Frame> {
  await page.frameLocator('.mini-frame').locator('#who:not(:empty)').waitFor();
  const frame = await (await page.locator('.mini-frame').elementHandle())?.contentFrame();
  if (!frame) throw new Error('no app is open');
  return frame;
}

const initData = (frame: Frame): Promise<string> => frame.evaluate(() => Telegram.WebApp.initData);

async function closeApp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Закрыть приложение' }).click();
  await page.locator('.mini').waitFor({ state: 'detached' });
}

async function withButton({ api, user, app }: Scene): Promise<void> {
  await api('sendMessage', {
    chat_id: user,
    text: 'Меню дня',
    reply_markup: { inline_keyboard: [[{ text: 'Меню', web_app: { url: app } }]] },
  });
}

/** A page of a phone with the app open by the button under a message. */
async function openedApp(options: object = {}): Promise<Scene & { page: Page; frame: Frame; troubles: string[] }> {
  const scenery = await scene();
  await withButton(scenery);
  const { page, troubles } = await open(scenery.simulator.page, options);
  await page.locator('.key', { hasText: 'Меню' }).click();
  return { ...scenery, page, troubles, frame: await frameOf(page) };
}

test('every way opens the app with what Telegram would say of it', async () => {
  const scenery = await scene();
  const { simulator, bot, user, app, api } = scenery;
  await withButton(scenery);
  await api('setChatMenuButton', { menu_button: { type: 'web_app', text: 'Открыть', web_app: { url: app } } });
  await api('sendMessage', {
    chat_id: user,
    text: 'https://t.me/bakery_bot?startapp=cake https://t.me/bakery_bot/shop?startapp=bread',
    reply_markup: { keyboard: [[{ text: 'Заказать', web_app: { url: app } }]] },
  });
  const { page, troubles } = await open(simulator.page);
  const launch = async (): Promise<ReturnType<typeof verifyLaunch>> =>
    verifyLaunch(await initData(await frameOf(page)), { token: bot.token, publicKeyHex: simulator.appPublicKey });
  const ways = [
    [page.locator('.key', { hasText: 'Меню' }), ['query_id', 'user']],
    [page.getByRole('button', { name: 'Открыть' }), ['query_id', 'user']],
    [page.getByRole('link', { name: 'startapp=cake' }), ['user', 'chat_instance', 'chat_type', 'start_param']],
    [page.getByRole('link', { name: 'startapp=bread' }), ['user', 'chat_instance', 'chat_type', 'start_param']],
  ] as const;
  for (const [way, names] of ways) {
    await way.click();
    const { hash, signature, fields } = await launch();
    expect([hash, signature]).toEqual([true, true]);
    expect(Object.keys(fields)).toEqual([...names, 'auth_date', 'signature', 'hash']);
    expect(JSON.parse(fields['user'] ?? '')).toMatchObject({ id: user, first_name: 'Анна', allows_write_to_pm: true });
    await closeApp(page);
  }
  await page.getByRole('button', { name: 'Заказать' }).click();
  const frame = await frameOf(page);
  expect(await initData(frame)).toBe('');
  await frame.evaluate(() => Telegram.WebApp.sendData('{"loaves":2}'));
  await page.locator('.mini').waitFor({ state: 'detached' });
  await page.locator('.messages').getByText('{"loaves":2}').waitFor();
  const updates: { message?: { web_app_data?: object } }[] = await api('getUpdates', {});
  expect(updates.at(-1)?.message?.web_app_data).toEqual({ data: '{"loaves":2}', button_text: 'Заказать' });
  expect(troubles).toEqual([]);
});

const attempt = (call: string): string =>
  `(() => { try { Telegram.WebApp.${call}; return 'done'; } catch (error) { return error.message; } })()`;

test.each([
  ['6.0', ['showAlert("a")', 'requestContact()', 'CloudStorage.getKeys()', 'requestFullscreen()'], false],
  ['6.8', ['requestContact()', 'CloudStorage.getKeys()', 'requestWriteAccess()', 'hideKeyboard()'], true],
])('a client of version %s throws and passes over what came later', async (version, later, hasBack) => {
  const scenery = await scene({ appVersion: version });
  await withButton(scenery);
  const { page } = await open(scenery.simulator.page);
  await page.locator('.key', { hasText: 'Меню' }).click();
  const frame = await frameOf(page);
  expect(await frame.evaluate('Telegram.WebApp.version')).toBe(version);
  for (const call of later)
    expect([call, await frame.evaluate(attempt(call))]).toEqual([call, 'WebAppMethodUnsupported']);
  // The main button is of every version; what is drawn after the others shows that they were heard, and not drawn.
  const passed = [
    'BackButton.show()',
    'SecondaryButton.show()',
    'setHeaderColor("#ff0000")',
    'enableClosingConfirmation()',
  ];
  for (const call of [...passed, 'MainButton.setText("Готово").show()'])
    expect([call, await frame.evaluate(attempt(call))]).toEqual([call, 'done']);
  await page.locator('.mini').getByRole('button', { name: 'Готово' }).waitFor();
  expect(await page.locator('.mini-header button').first().isVisible()).toBe(hasBack);
  expect(await page.locator('.mini').getByRole('button', { name: 'Cancel' }).count()).toBe(0);
});

test('a link from outside opens the app at once, and links inside of it lead to chats and apps', async () => {
  const { simulator, user } = await scene();
  const link = encodeURIComponent('https://t.me/bakery_bot/shop?startapp=bread');
  const { page } = await open(`${simulator.address}/?link=${link}#key=${simulator.controlKey}`);
  const frame = await frameOf(page);
  expect(new URL(frame.url()).searchParams.get('tgWebAppStartParam')).toBe('bread');
  expect(await initData(frame)).toContain('chat_type=sender');
  await frame.evaluate(() => Telegram.WebApp.openTelegramLink('https://t.me/bakery_bot?startapp=cake'));
  await expect.poll(async () => initData(await frameOf(page))).toContain('start_param=cake');
  await (await frameOf(page)).evaluate(() =>
    Telegram.WebApp.openTelegramLink('https://t.me/share/url?url=https%3A%2F%2Fa.example&text=Хлеб'),
  );
  await page.getByRole('dialog', { name: 'Отправить в чат' }).getByRole('button', { name: 'Пекарня' }).click();
  await (await frameOf(page)).evaluate(() => Telegram.WebApp.openTelegramLink('https://t.me/bakery_bot?start=order'));
  await page.locator('.mini').waitFor({ state: 'detached' });
  await page.locator('.bubble', { hasText: '/start order' }).waitFor();
  const { messages } = simulator.people.chat({ user, bot: simulator.world.bots.keys().next().value ?? 0 });
  await expect.poll(() => [...messages.values()].map(({ text }) => text)).toContain('https://a.example\nХлеб');
});

test('the main, secondary, back and settings buttons are drawn and pressed', async () => {
  const { page, frame, troubles } = await openedApp();
  await frame.evaluate(() => {
    const { MainButton: main, SecondaryButton: second, BackButton: back, SettingsButton: settings } = Telegram.WebApp;
    main.setParams({ text: 'Заказать за 120 ₽', is_visible: true });
    second.setParams({ text: 'Позже', is_visible: true, position: 'right' });
    main.onClick(() => heard.push(['main', undefined]));
    second.onClick(() => heard.push(['second', undefined]));
    back.onClick(() => heard.push(['back', undefined]));
    back.show();
    settings.show();
  });
  await page.getByRole('button', { name: 'Заказать за 120 ₽' }).click();
  await page.getByRole('button', { name: 'Позже' }).click();
  await page.getByRole('button', { name: 'Назад в приложении' }).click();
  await page.getByRole('button', { name: 'Меню приложения' }).click();
  await page.getByRole('menuitem', { name: 'Настройки' }).click();
  const pressed = (): Promise<string[]> =>
    frame.evaluate(() => heard.map(([name]) => name).filter((name) => !name.endsWith('Changed')));
  await expect.poll(pressed).toEqual(['main', 'second', 'back', 'settingsButtonClicked']);
  await frame.evaluate(() => Telegram.WebApp.MainButton.showProgress());
  await page.locator('.mini-main[aria-busy="true"][aria-disabled="true"]').click({ force: true });
  await frame.evaluate(() => Telegram.WebApp.MainButton.hide());
  await page.locator('.mini-main').waitFor({ state: 'hidden' });
  expect(await pressed()).toHaveLength(4);
  expect(troubles).toEqual([]);
});

test('an app that asks for it is closed only after a question', async () => {
  const { page, frame } = await openedApp();
  await frame.evaluate(() => Telegram.WebApp.enableClosingConfirmation());
  await page.getByRole('button', { name: 'Закрыть приложение' }).click();
  await page.getByRole('button', { name: 'Остаться' }).click();
  await page.getByRole('button', { name: 'Закрыть приложение' }).click();
  await page.getByRole('dialog', { name: 'Закрыть приложение?' }).getByRole('button', { name: 'Закрыть' }).click();
  await page.locator('.mini').waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Меню');
});

test('a contact is shared only when the person says so, and then the bot has it too', async () => {
  const { page, frame, api, bot, simulator } = await openedApp();
  const ask = (): Promise<unknown> =>
    frame.evaluate(() => new Promise((done) => Telegram.WebApp.requestContact((yes, got) => done([yes, got]))));
  const refused = ask();
  await page.getByRole('button', { name: 'Отмена' }).click();
  expect(await refused).toEqual([false, { status: 'cancelled' }]);
  const given = ask();
  await page.getByRole('button', { name: 'Поделиться' }).click();
  const [yes, event] = (await given) as [boolean, { response: string; responseUnsafe: { contact: object } }];
  expect(yes).toBe(true);
  expect(event.responseUnsafe.contact).toMatchObject({ phone_number: '+79990000000', first_name: 'Анна' });
  const known = { token: bot.token, publicKeyHex: simulator.appPublicKey };
  expect(verifyLaunch(event.response, known)).toMatchObject({ hash: true });
  const updates: { message?: { contact?: object } }[] = await api('getUpdates', {});
  expect(updates.filter(({ message }) => message?.contact)).toHaveLength(1);
});

test('what an app keeps for a person survives closing, for that person and bot alone', async () => {
  const { page, frame, simulator, user, bot } = await openedApp();
  await frame.evaluate(() => new Promise((done) => Telegram.WebApp.CloudStorage.setItem('cart', '[1,2]', done)));
  await closeApp(page);
  await page.locator('.key', { hasText: 'Меню' }).click();
  const again = await frameOf(page);
  const read = await again.evaluate(
    () => new Promise((done) => Telegram.WebApp.CloudStorage.getItem('cart', (...answer: unknown[]) => done(answer))),
  );
  expect(read).toEqual([null, '[1,2]']);
  const bad = await again.evaluate(
    () => new Promise((done) => Telegram.WebApp.CloudStorage.setItem('no key', '1', done)),
  );
  expect(bad).toBe('KEY_INVALID');
  const other = simulator.people.create().id;
  const keys = (person: number): unknown =>
    simulator.people.customMethod({ user: person, bot: bot.id, method: 'getStorageKeys' });
  expect([keys(user), keys(other)]).toEqual([['cart'], []]);
});

test('popups answer, and leaving one is an answer too', async () => {
  const { page, frame } = await openedApp();
  const confirm = (): Promise<unknown> =>
    frame.evaluate(() => new Promise((done) => Telegram.WebApp.showConfirm('Удалить корзину?', done)));
  const yes = confirm();
  await page.getByText('Удалить корзину?').waitFor();
  await page.getByRole('button', { name: 'Понятно' }).click();
  expect(await yes).toBe(true);
  const left = confirm();
  await page.getByText('Удалить корзину?').waitFor();
  await page.keyboard.press('Escape');
  expect(await left).toBe(false);
});

test('the app follows light and dark, and sees its size', async () => {
  const { page, frame } = await openedApp({ colorScheme: 'light' });
  const ground = (): Promise<string> => frame.evaluate('getComputedStyle(document.body).backgroundColor');
  expect([await frame.evaluate(() => Telegram.WebApp.colorScheme), await ground()]).toEqual([
    'light',
    'rgb(255, 255, 255)',
  ]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => frame.evaluate(() => Telegram.WebApp.colorScheme)).toBe('dark');
  await expect.poll(ground).toBe('rgb(23, 31, 30)');
  const height = (): Promise<unknown> => frame.evaluate(() => Telegram.WebApp.viewportHeight);
  const before = await height();
  await frame.evaluate(() => Telegram.WebApp.MainButton.show());
  await expect.poll(async () => Number(before) - Number(await height())).toBeGreaterThan(40);
  await frame.evaluate(() => Telegram.WebApp.setHeaderColor('#103050'));
  await expect
    .poll(() => page.evaluate("getComputedStyle(document.querySelector('.mini-header')).backgroundColor"))
    .toBe('rgb(16, 48, 80)');
});

test('a page that the frame went on to is not heard', async () => {
  const { page, frame, app } = await openedApp();
  const away = app.replace('127.0.0.1', 'localhost');
  await frame.evaluate(`location.assign(${JSON.stringify(away)})`);
  await expect.poll(async () => (await frameOf(page)).url()).toContain('localhost');
  const stranger = await frameOf(page);
  await stranger.evaluate(() => Telegram.WebApp.MainButton.setParams({ text: 'Чужая', is_visible: true }));
  await stranger.evaluate(() => Telegram.WebApp.close());
  await page.getByRole('button', { name: 'Меню приложения' }).click();
  expect(await page.locator('.mini-main').isHidden()).toBe(true);
});

test.each([
  ['ru-RU', 'light', 320],
  ['en-GB', 'dark', 360],
  ['ru-RU', 'dark', 1280],
  ['en-GB', 'light', 1280],
] as const)('everybody can use an open app: %s, %s, %i px wide', async (locale, colorScheme, width) => {
  const scenery = await scene();
  const { simulator, app, api } = scenery;
  await withButton(scenery);
  await api('setMyCommands', { commands: [{ command: 'menu', description: 'Меню дня' }] });
  const text = 'Открыть меню пекарни';
  await api('setChatMenuButton', { menu_button: { type: 'web_app', text, web_app: { url: app } } });
  const { page } = await open(simulator.page, {
    locale,
    colorScheme,
    viewport: { width, height: 740 },
  });
  const faults = async (): Promise<unknown[]> => {
    const { violations } = await new AxeBuilder({ page }).analyze();
    return violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]);
  };
  await page.getByRole('button', { name: text }).waitFor();
  expect(await faults()).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  await page.getByRole('button', { name: text }).focus();
  await page.keyboard.press('Enter');
  const frame = await frameOf(page);
  await frame.evaluate(() => {
    Telegram.WebApp.MainButton.setParams({ text: 'Заказать', is_visible: true });
    Telegram.WebApp.SecondaryButton.setParams({ text: 'Отложить до завтра', is_visible: true });
    Telegram.WebApp.BackButton.show();
  });
  await page.getByRole('button', { name: 'Отложить до завтра' }).waitFor();
  expect(await faults()).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  await frame.evaluate(() => Telegram.WebApp.BackButton.hide());
  await page.locator('.mini-header .back').waitFor({ state: 'hidden' });
  await page.locator('.mini-header .icon-button').last().focus();
  await page.keyboard.press('Escape');
  await page.locator('.mini').waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.className')).toContain('menu-button');
});
