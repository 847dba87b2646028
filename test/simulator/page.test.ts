import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createSimulator, type Simulator } from '../../simulator/simulator.ts';
import { openPage, seen, startBrowser, type Watched, Wire } from './browser.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

type Bot = ReturnType<Simulator['createBot']>;
type Scene = { simulator: Simulator; bot: Bot; user: number; api(method: string, params: object): Promise<never> };

async function scene(): Promise<Scene> {
  const simulator = createSimulator({ limits: false, seed: 5 });
  await simulator.listen();
  onTestFinished(() => simulator.close());
  const bot = simulator.createBot({ first_name: 'Пекарня' });
  const user = simulator.people.create({ first_name: 'Анна', language_code: 'ru' }).id;
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
  return { simulator, bot, user, api };
}

async function open(address: string, options: object = {}): Promise<Watched> {
  const watched = await openPage(browser, address, options);
  onTestFinished(() => watched.close());
  return watched;
}

function bubble(page: Page, text: string): ReturnType<Page['locator']> {
  return page.locator('.bubble', { hasText: text });
}

/** Updates of one kind that the bot has not seen yet. */
async function updates<Kind extends string>(api: Scene['api'], kind: Kind): Promise<Record<string, unknown>[]> {
  const found: Record<string, Record<string, unknown>>[] = await api('getUpdates', {});
  return found.flatMap((update) => (update[kind] ? [update[kind]] : []));
}

test('a person starts the bot, presses a button, sees the toast, the edit and the deletion', async () => {
  const { simulator, bot, user, api } = await scene();
  const { page, troubles } = await open(simulator.page);
  await page.getByRole('button', { name: 'Начать' }).click();
  await bubble(page, '/start').waitFor();
  await api('sendChatAction', { chat_id: user, action: 'typing' });
  await seen(page, 'печатает…');
  const reply_markup = { inline_keyboard: [[{ text: 'Два', callback_data: '2', style: 'success' }]] };
  const { message_id }: { message_id: number } = await api('sendMessage', {
    chat_id: user,
    text: 'Сколько?',
    reply_markup,
  });
  await page.getByRole('button', { name: 'Два' }).click();
  await page.locator('.key[aria-busy]').waitFor();
  const presses = (): Promise<Record<string, unknown>[]> => updates(api, 'callback_query');
  // The button says so before its press has arrived.
  await expect.poll(async () => (await presses()).length).toBe(1);
  const [press] = await presses();
  await api('answerCallbackQuery', { callback_query_id: press?.id, text: 'Записали' });
  await seen(page, 'Записали');
  expect(await page.locator('.key[aria-busy]').count()).toBe(0);
  await api('editMessageText', { chat_id: user, message_id, text: 'Два хлеба' });
  await bubble(page, 'Два хлеба').waitFor();
  expect(await page.locator('.key').count()).toBe(0);
  await api('deleteMessage', { chat_id: user, message_id });
  await bubble(page, 'Два хлеба').waitFor({ state: 'detached' });
  await page.getByRole('textbox', { name: 'Сообщение' }).fill('спасибо');
  await page.getByRole('button', { name: 'Отправить' }).click();
  await bubble(page, 'спасибо').waitFor();
  expect((await updates(api, 'message')).map(({ text }) => text)).toEqual(['/start', 'спасибо']);
  expect(bot.queue.pending.size).toBeGreaterThan(0);
  expect(troubles).toEqual([]);
});

test('an open chat shows the commands that a bot has set meanwhile, and not those that it has taken away', async () => {
  const { simulator, bot, user, api } = await scene();
  simulator.people.start({ user, bot: bot.id });
  const { page, troubles } = await open(simulator.page);
  const commands = page.getByRole('button', { name: 'Команды' });
  await page.getByRole('textbox', { name: 'Сообщение' }).waitFor();
  expect(await commands.isVisible()).toBe(false);
  await api('setMyCommands', { commands: [{ command: 'menu', description: 'Меню дня' }] });
  await commands.click();
  await page.getByRole('menuitem', { name: '/menu' }).click();
  await bubble(page, '/menu').waitFor();
  await api('setMyCommands', { commands: [{ command: 'menu', description: 'Меню недели' }] });
  await expect
    .poll(async () => {
      await commands.click();
      const shown = await page.getByRole('menuitem').allTextContents();
      await page.keyboard.press('Escape');
      return shown.join();
    })
    .toContain('Меню недели');
  await api('deleteMyCommands', {});
  await commands.waitFor({ state: 'hidden' });
  expect(troubles).toEqual([]);
});

test('keys, commands, a reply, a file and a contact go to the bot', async () => {
  const { simulator, bot, user, api } = await scene();
  simulator.people.start({ user, bot: bot.id });
  await api('setMyCommands', { commands: [{ command: 'menu', description: 'Меню дня' }] });
  await api('sendMessage', { chat_id: user, text: 'Выберите', reply_markup: { keyboard: [['Хлеб']] } });
  const { page, troubles } = await open(simulator.page);
  await page.locator('.reply-keys').getByRole('button', { name: 'Хлеб' }).click();
  await bubble(page, 'Хлеб').waitFor();
  await page.getByRole('button', { name: 'Команды' }).click();
  await page.getByRole('menuitem', { name: '/menu' }).click();
  await bubble(page, '/menu').waitFor();
  await page.getByRole('button', { name: 'Прикрепить' }).click();
  await page.getByRole('menuitem', { name: 'Мой контакт' }).click();
  await bubble(page, '+79990000000').waitFor();
  await page
    .locator('.bottom input[type=file]')
    .setInputFiles({ name: 'список.txt', mimeType: 'text/plain', buffer: Buffer.from('хлеб') });
  await bubble(page, 'список.txt').waitFor();
  await page.locator('.message', { hasText: 'Выберите' }).getByRole('button', { name: 'Действия' }).click();
  await page.getByRole('menuitem', { name: 'Ответить' }).click();
  await page.getByRole('textbox', { name: 'Сообщение' }).fill('этот');
  await page.getByRole('button', { name: 'Отправить' }).click();
  await page.locator('.bubble .quote', { hasText: 'Выберите' }).waitFor();
  const messages = await updates(api, 'message');
  expect(messages.map((message) => message.text ?? Object.keys(message).at(-1))).toEqual([
    '/start',
    'Хлеб',
    '/menu',
    'contact',
    'document',
    'этот',
  ]);
  expect(messages.at(-1)).toMatchObject({ reply_to_message: { text: 'Выберите' } });
  expect(troubles).toEqual([]);
});

test('whatever a message says, it stays text', async () => {
  const { simulator, bot, user, api } = await scene();
  simulator.people.start({ user, bot: bot.id });
  const bad = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
  await api('sendMessage', {
    chat_id: user,
    text: `${bad} сюда`,
    entities: [
      { type: 'text_link', offset: bad.length + 1, length: 4, url: 'javascript:document.title=3' },
      { type: 'bold', offset: 0, length: bad.length },
    ],
    reply_markup: { inline_keyboard: [[{ text: bad, callback_data: 'x' }]] },
  });
  simulator.people.media({
    user,
    bot: bot.id,
    kind: 'document',
    name: bad,
    bytes: Buffer.from('<script>document.title=4</script>'),
    mime: 'text/html',
  });
  simulator.people.create({ first_name: bad });
  const { page, troubles } = await open(simulator.page);
  await bubble(page, 'сюда').first().waitFor();
  expect(await bubble(page, 'сюда').first().locator('strong').textContent()).toBe(bad);
  expect(await page.locator('main img, main script, main [onerror], a[href^="javascript:"]').count()).toBe(0);
  const href = await page.locator('a.card').getAttribute('href');
  const file = await fetch(`${simulator.address}/${href}`);
  expect(file.headers.get('content-security-policy')).toContain('sandbox');
  expect(file.headers.get('content-disposition')).toMatch(/^attachment/);
  expect(await page.title()).toBe('Roost · Симулятор');
  expect(troubles).toEqual([]);
});

test('a lost connection is said, and what was missed comes', async () => {
  const { simulator, bot, user, api } = await scene();
  simulator.people.start({ user, bot: bot.id });
  const wire = new Wire(Number(new URL(simulator.address).port));
  const address = `${await wire.listen()}/#key=${simulator.controlKey}`;
  onTestFinished(() => wire.close());
  const { page } = await open(address);
  await bubble(page, '/start').waitFor();
  wire.cut();
  await page.getByText('Связь потеряна, пробуем снова').waitFor();
  await api('sendMessage', { chat_id: user, text: 'пока вас не было' });
  expect(await bubble(page, 'пока вас не было').count()).toBe(0);
  wire.mend();
  await bubble(page, 'пока вас не было').waitFor();
  await page.getByText('Связь потеряна').waitFor({ state: 'hidden' });
});

test('a simulator that was started anew is shown as it is now', async () => {
  const { simulator, bot, user } = await scene();
  simulator.people.start({ user, bot: bot.id });
  const { page } = await open(simulator.page);
  await bubble(page, '/start').waitFor();
  const port = Number(new URL(simulator.address).port);
  await simulator.close();
  const fresh = createSimulator({ seed: 6, controlKey: simulator.controlKey });
  fresh.createBot({ first_name: 'Другой бот' });
  fresh.people.create({ first_name: 'Борис' });
  await fresh.listen({ port });
  onTestFinished(() => fresh.close());
  await page.getByRole('heading', { name: 'Другой бот' }).waitFor();
  await page.getByRole('button', { name: 'Начать' }).waitFor();
});

test('the first visitor is a guest; no bots, another person, the other language', async () => {
  const simulator = createSimulator();
  await simulator.listen();
  onTestFinished(() => simulator.close());
  const { page, troubles } = await open(simulator.page, { viewport: { width: 1280, height: 860 } });
  await page.getByText('Ботов пока нет').waitFor();
  await page.getByRole('button', { name: 'Гость' }).click();
  await page.getByRole('textbox', { name: 'Новый человек' }).fill('Вера Ильинична');
  await page.getByRole('button', { name: 'Добавить' }).click();
  await page.getByRole('button', { name: 'Вера Ильинична' }).waitFor();
  simulator.createBot({ first_name: 'Первый' });
  await page.locator('.row', { hasText: 'Первый' }).waitFor();
  await page.getByRole('button', { name: 'EN' }).click();
  await page.getByText('Choose a chat').waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('en');
  const people = [...simulator.world.users.values()].map((user) => [user.first_name, user.last_name]);
  expect(people).toEqual([
    ['Гость', undefined],
    ['Вера', 'Ильинична'],
  ]);
  expect(troubles).toEqual([]);
});

test('by keyboard: Start leads on into the field, and the choice of a person can be left', async () => {
  const { simulator } = await scene();
  const { page, troubles } = await open(simulator.page, { viewport: { width: 1280, height: 860 } });
  await page.getByRole('button', { name: 'Начать' }).focus();
  await page.keyboard.press('Enter');
  await bubble(page, '/start').waitFor();
  await page.getByRole('textbox', { name: 'Сообщение' }).waitFor();
  await page.keyboard.type('дальше');
  await page.keyboard.press('Enter');
  await bubble(page, 'дальше').waitFor();
  await page.getByRole('button', { name: 'Анна' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Отмена' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(troubles).toEqual([]);
});

test('no press is lost because a message comes at that moment: beside the chat, or of a key below it', async () => {
  const { simulator, bot, user, api } = await scene();
  simulator.people.start({ user, bot: bot.id });
  await api('sendMessage', { chat_id: user, text: 'Выберите', reply_markup: { keyboard: [['Хлеб']] } });
  const { page, troubles } = await open(simulator.page, { viewport: { width: 1280, height: 860 } });
  /** Presses, and lets go only when a message has come and everything that shows it has changed. */
  const pressDuring = async (button: Locator, text: string): Promise<void> => {
    const box = await button.boundingBox();
    await page.mouse.move((box?.x ?? 0) + 10, (box?.y ?? 0) + 10);
    await page.mouse.down();
    const state = page.waitForResponse((response) => response.url().endsWith('?limit=0'));
    await api('sendMessage', { chat_id: user, text });
    await (await state).finished();
    await page.locator('.chats .row', { hasText: text }).waitFor();
    await page.mouse.up();
  };
  await page.locator('.chats .row', { hasText: 'Выберите' }).waitFor();
  await pressDuring(page.getByRole('button', { name: 'Анна' }), 'первое');
  await page.getByRole('dialog').getByRole('button', { name: 'Отмена' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await pressDuring(page.locator('.reply-keys').getByRole('button', { name: 'Хлеб' }), 'второе');
  await bubble(page, 'Хлеб').waitFor();
  expect(troubles).toEqual([]);
});

test('on a narrow screen a long draft has room, and a short message needs one line', async () => {
  const { simulator, bot, user, api } = await scene();
  simulator.people.start({ user, bot: bot.id });
  await api('setMyCommands', { commands: [{ command: 'menu', description: 'Меню' }] });
  await api('sendMessage', { chat_id: user, text: 'да', reply_markup: { keyboard: [['Хлеб']] } });
  await api('sendMessage', { chat_id: user, text: 'Слово за словом, и вот уже вторая строка, и третья' });
  const { page } = await open(simulator.page, { viewport: { width: 320, height: 640 } });
  const heightOf = async (text: string): Promise<number> => (await bubble(page, text).boundingBox())?.height ?? 0;
  await bubble(page, 'да').waitFor();
  expect(await heightOf('да'), 'words and time in one line').toBeLessThan(50);
  expect(await heightOf('третья')).toBeGreaterThan(70);
  const field = page.getByRole('textbox', { name: 'Сообщение' });
  const widthOf = async (): Promise<number> => (await field.boundingBox())?.width ?? 0;
  const narrow = await widthOf();
  await field.fill('Здравствуйте! Хочу заказать два хлеба и пирог с капустой на субботу, к десяти утра, если можно.');
  expect(await widthOf()).toBeGreaterThan(280);
  const send = await page.getByRole('button', { name: 'Отправить' }).boundingBox();
  expect((send?.x ?? 0) + (send?.width ?? 0)).toBeLessThanOrEqual(320);
  await page.getByRole('button', { name: 'Отправить' }).click();
  await bubble(page, 'пирог').waitFor();
  expect(await widthOf()).toBe(narrow);
});

test.each([
  ['ru-RU', 'light', 360],
  ['en-GB', 'dark', 360],
  ['ru-RU', 'dark', 1280],
  ['en-GB', 'light', 1280],
] as const)('everybody can use it: %s, %s, %i px wide', async (locale, colorScheme, width) => {
  const { simulator, bot, user, api } = await scene();
  simulator.people.start({ user, bot: bot.id });
  simulator.people.media({ user, bot: bot.id, kind: 'photo', caption: 'вид' });
  simulator.people.location({ user, bot: bot.id });
  const styles = ['primary', 'success', 'danger', undefined].map((style) => ({
    text: style ?? 'plain',
    callback_data: 'x',
    ...(style ? { style } : {}),
  }));
  await api('sendMessage', {
    chat_id: user,
    text: '<b>Жирно</b> <code>x</code> <tg-spoiler>тайна</tg-spoiler> /go https://a.example',
    parse_mode: 'HTML',
    reply_markup: { inline_keyboard: styles.map((style) => [style]) },
  });
  await api('sendMessage', { chat_id: user, text: 'ключи', reply_markup: { keyboard: [['Раз']] } });
  const { page } = await open(simulator.page, { locale, colorScheme, viewport: { width, height: 740 } });
  await bubble(page, 'ключи').waitFor();
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
  await page.getByRole('button', { name: /^(Прикрепить|Attach)$/ }).click();
  const menu = await new AxeBuilder({ page }).include('.menu').analyze();
  expect(menu.violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
});

test('a rich message is shown block by block, and a button inside of it works', async () => {
  const { simulator, bot, user, api } = await scene();
  simulator.people.start({ user, bot: bot.id });
  const pixel = 'R0lGODlhAQABAIAAAMzMzP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==';
  const form = new FormData();
  form.append('chat_id', String(user));
  form.append('photo', new Blob([Buffer.from(pixel, 'base64')], { type: 'image/gif' }), 'one.gif');
  const sent = await fetch(`${simulator.address}/bot${bot.token}/sendPhoto`, { method: 'POST', body: form });
  const { result } = (await sent.json()) as { result: { photo: { file_id: string }[] } };
  const photo = { type: 'photo', photo: { type: 'photo', media: result.photo.at(-1)?.file_id } };
  const paragraph = (text: unknown) => ({ type: 'paragraph', text });
  const buttons = { type: 'buttons', buttons: [{ text: 'Беру', callback_data: 'take', style: 'success' }] };
  const item = (text: unknown) => ({ blocks: [paragraph(text)], has_checkbox: true, is_checked: true });
  const mark = { type: 'phone_number', text: 'Звоните', phone_number: '+79001234567' };
  await api('sendRichMessage', {
    chat_id: user,
    rich_message: {
      blocks: [
        { type: 'heading', text: 'Хлеб <b>', size: 1 },
        { type: 'slideshow', blocks: [photo, photo] },
        { type: 'list', items: [item('Ржаной'), item({ type: 'strikethrough', text: 'Белый' })] },
        { type: 'pullquote', text: 'Вкусно', credit: 'Анна' },
        paragraph(mark),
        { type: 'details', summary: 'Ещё', blocks: [buttons] },
      ],
    },
  });
  const { page, troubles } = await open(
    `${simulator.address}/?user=${user}&chat=${bot.id}:#key=${simulator.controlKey}`,
  );
  const rich = page.locator('.rich');
  await rich.getByRole('heading', { name: 'Хлеб <b>' }).waitFor();
  expect(await rich.locator('img').count()).toBe(2);
  expect(await rich.locator('li').allTextContents()).toEqual(['☑ Ржаной', '☑ Белый']);
  expect(await rich.locator('s').textContent()).toBe('Белый');
  expect(await rich.locator('blockquote').textContent()).toBe('ВкусноАнна');
  expect(await rich.getByRole('link', { name: 'Звоните' }).getAttribute('href')).toBe('tel:+79001234567');
  await rich.getByText('Ещё').click();
  await rich.getByRole('button', { name: 'Беру' }).click();
  await expect.poll(async () => (await updates(api, 'callback_query')).map(({ data }) => data)).toContain('take');
  const { violations } = await new AxeBuilder({ page }).include('.rich').analyze();
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
  expect(troubles).toEqual([]);
});
