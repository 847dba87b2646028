import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser } from '../simulator/browser.ts';
import { makeView } from './fixture.ts';
import { evaluate, live, type Visit, visit } from './visit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const user = JSON.stringify({
  id: 5,
  first_name: 'Анна',
  last_name: 'Ёлкина',
  username: 'anna',
  photo_url: '/m/bread',
});
const initData = new URLSearchParams({ user, auth_date: '1', start_param: 'spring', hash: 'x' }).toString();
const hash = `#${new URLSearchParams({ tgWebAppData: initData, tgWebAppVersion: '9.1' })}`;

async function open(path: string, options: Parameters<typeof visit>[2] = {}): Promise<Visit> {
  const made = await visit(browser, `${path}${hash}`, { telegram: true, view: makeView('ru'), ...options });
  await made.page.waitForFunction(() => 'calls' in globalThis);
  return made;
}

const button = (visited: Visit, name: string): Promise<object> => evaluate(visited.page, `window.${name}`);
const calls = (visited: Visit): Promise<[name: string, ...args: unknown[]][]> => evaluate(visited.page, 'window.calls');

test('Telegram’s own buttons stand for the buttons of a page', async () => {
  const visited = await open('/');
  const { page } = visited;
  expect(await page.locator('.bar').count()).toBe(0);
  expect(await page.locator('footer, .name').count()).toBe(0);
  expect(await button(visited, 'MainButton')).toMatchObject({ text: 'В каталог', is_visible: true });
  expect(await button(visited, 'SecondaryButton')).toEqual({ is_visible: false });
  expect(await button(visited, 'BackButton')).toEqual({ is_visible: false });
  await evaluate(page, 'window.pressMainButton()');
  await page.getByRole('heading', { level: 1, name: 'Хлеб и булочки' }).waitFor();
  expect(page.url()).toContain('/goods#tgWebAppData');
  expect(await button(visited, 'BackButton')).toEqual({ is_visible: true });
  await evaluate(page, 'window.pressBackButton()');
  await page.getByRole('heading', { level: 1, name: 'Хлеб на закваске, каждый день' }).waitFor();
});

test('who came by a link goes back to the first page, in the same language', async () => {
  const { page, site } = await open('/ask?lang=en');
  await evaluate(page, 'window.pressBackButton()');
  await page.getByRole('heading', { level: 1, name: 'Sourdough bread, every day' }).waitFor();
  expect(page.url()).toBe(`${site.address}/?lang=en${hash}`);
});

test('the visitor has a name, and conditions know where they are', async () => {
  const { page } = await open('/');
  expect(await page.locator('.profile').textContent()).toBe('Анна Ёлкина@anna');
  expect(await page.locator('.profile img').getAttribute('src')).toBe('/m/bread');
  expect(await page.locator('p', { hasText: /^Анна$/ }).count()).toBe(1);
  expect(await page.locator('.badge.good').count()).toBe(1);
  expect(await page.locator('.cookies').count()).toBe(0);
});

test('a form goes with what Telegram has signed, the link’s parameter and a feeling in the hand', async () => {
  const visited = await open('/ask');
  const { page, site } = visited;
  await page.getByLabel('Как вас зовут').fill('Анна');
  expect((await calls(visited)).map(([name]) => name)).toContain('enableClosingConfirmation');
  await page.getByRole('button', { name: 'Взять номер из Telegram' }).click();
  await expect.poll(() => evaluate(page, 'document.querySelector("[type=tel]").value === "+79001234567"')).toBe(true);
  await page.getByRole('button', { name: 'Отправить' }).click();
  await page.getByText('Без согласия отправить нельзя').waitFor();
  await page.getByLabel('Согласен с правилами').check();
  await page.getByRole('button', { name: 'Отправить' }).click();
  await page.getByText('Спасибо. Ответим сегодня.').waitFor();
  expect(site.sent[0]).toMatchObject({
    authorization: `tma ${initData}`,
    event: { start: 'spring', values: { phone: '+79001234567', source: 'spring', fixed: 'page' } },
  });
  expect(site.asked).not.toContain('/v1/apps/app1/visitors');
  const names = (await calls(visited)).map(([name, kind]) => `${name} ${kind ?? ''}`.trim());
  expect(names).toContain('notification error');
  expect(names.slice(-2)).toEqual(['disableClosingConfirmation', 'notification success']);
});

test('the main button sends the form of its page', async () => {
  const visited = await open('/order');
  const { page, site } = visited;
  expect(await page.locator('form button').count()).toBe(0);
  await evaluate(page, 'window.pressMainButton()');
  await page.getByText('Заполните это поле').waitFor();
  await page.getByLabel('Как вас зовут').fill('Анна');
  await evaluate(page, 'window.pressMainButton()');
  await page.getByText('Спасибо. Ответим сегодня.').waitFor();
  expect(await button(visited, 'MainButton')).toMatchObject({ is_visible: false });
  expect(site.sent.length).toBe(1);
});

test('the cart lives in Telegram’s cloud', async () => {
  const visited = await open('/goods');
  const { page, go } = visited;
  await page.getByRole('button', { name: 'В корзину: Ржаной с кориандром' }).click();
  expect(await evaluate(page, 'window.cloud.cart')).toBe('{"1":1}');
  await evaluate(page, 'localStorage.clear()');
  await go(`/order${hash}`);
  await page.locator('.bill').first().waitFor();
  expect((await calls(visited)).map(([name]) => name)).not.toContain('impact');
});

test('a cart that was ordered on another device is empty here too', async () => {
  const visited = await open('/goods');
  const { page } = visited;
  await page.getByRole('button', { name: 'В корзину: Ржаной с кориандром' }).click();
  await evaluate(page, "sessionStorage.cloud = JSON.stringify({ cart: '{}' })");
  await page.reload();
  // What the server has drawn has an empty cart; the device's one is shown next, and then the cloud's.
  await live(page);
  await page.getByRole('button', { name: 'В корзину: Ржаной с кориандром' }).waitFor();
  expect(await page.locator('output').count()).toBe(0);
});

test('two who share a browser have a cart each', async () => {
  const { page, go } = await open('/goods');
  await page.getByRole('button', { name: 'В корзину: Ржаной с кориандром' }).click();
  await page.locator('output').first().waitFor();
  await evaluate(page, 'sessionStorage.clear()');
  const other = new URLSearchParams({ user: user.replace(/"id":\d+/, '"id":999'), auth_date: '1', hash: 'y' });
  await go('/ask');
  await go(`/goods#${new URLSearchParams({ tgWebAppData: String(other) })}`);
  await page.getByRole('button', { name: 'В корзину: Ржаной с кориандром' }).waitFor();
  expect(await page.locator('output').count()).toBe(0);
});

test('links lead out by Telegram’s own ways', async () => {
  const visited = await open('/');
  const { page } = visited;
  await page.getByRole('link', { name: 'Написать в чат' }).click();
  await page.getByRole('link', { name: 'На сайт' }).click();
  await page.getByRole('button', { name: 'Рассказать' }).click();
  await expect
    .poll(() => evaluate(page, 'window.calls.filter(([name]) => name.startsWith("open")).length === 3'))
    .toBe(true);
  const out = (await calls(visited)).filter(([name]) => name.startsWith('open'));
  expect(out.slice(0, 2)).toEqual([
    ['openTelegramLink', 'https://t.me/bread_bot?start=hi'],
    ['openLink', 'https://example.com/'],
  ]);
  expect(out[2]?.[0]).toBe('openTelegramLink');
  expect(String(out[2]?.[1])).toMatch(
    /^https:\/\/t\.me\/share\/url\?url=https%3A%2F%2Ft\.me%2Fbread_bot%3Fstartapp%3Dpage_home&text=/,
  );
  const product = await open('/item/2');
  await product.page.getByRole('button', { name: 'Рассказать' }).click();
  await expect
    .poll(() => evaluate(product.page, 'window.calls.some(([name]) => name === "openTelegramLink")'))
    .toBe(true);
  expect(String((await calls(product)).findLast(([name]) => name === 'openTelegramLink')?.[1])).toContain(
    'bread_bot%3Fstartapp%3Dpage_item-2&',
  );
});

test('colours follow Telegram’s theme, and its buttons have those of the project', async () => {
  const paint = {
    MainButtonlight: { color: '#9a4a2b', text_color: '#ffffff' },
    MainButtondark: { color: '#e5a07f', text_color: '#17191c' },
  };
  const visited = await open('/', { paint });
  const { page } = visited;
  const theme = (): Promise<string> => evaluate(page, 'document.documentElement.dataset.theme');
  const ground = (): Promise<string> => evaluate(page, 'getComputedStyle(document.body).backgroundColor');
  expect(await theme()).toBe('light');
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await ground(), `${colorScheme} around it`).toBe('rgb(255, 255, 255)');
  }
  expect(await button(visited, 'MainButton')).toMatchObject({ ...paint.MainButtonlight, text: 'В каталог' });
  await evaluate(page, `Telegram.WebApp.colorScheme = 'dark', window.onthemeChanged()`);
  expect(await theme()).toBe('dark');
  expect(await ground()).toBe('rgb(23, 25, 28)');
  expect(await button(visited, 'MainButton')).toMatchObject({ ...paint.MainButtondark, text: 'В каталог' });
});

test('what the phone and Telegram cover of a full screen stays free', async () => {
  const visited = await open('/', { browser: { viewport: { width: 390, height: 844 } } });
  const { page } = visited;
  const padding = (): Promise<string> => evaluate(page, 'getComputedStyle(document.body).padding');
  expect(await padding()).toBe('0px');
  // As its script sets them.
  const insets = { 'safe-area-inset-top': 59, 'safe-area-inset-bottom': 34, 'content-safe-area-inset-top': 46 };
  for (const [name, pixels] of Object.entries(insets))
    await evaluate(page, `document.documentElement.style.setProperty('--tg-${name}', '${pixels}px')`);
  expect(await padding()).toBe('105px 0px 34px');
  expect(await page.locator('header').boundingBox()).toMatchObject({ x: 0, y: 105, width: 390 });
  // A page shorter than the screen is not scrolled for them.
  await evaluate(page, "document.querySelector('main').textContent = ''");
  expect(await evaluate(page, 'document.documentElement.scrollHeight')).toBe(844);
});

test('a button to the cart is there while something is in it', async () => {
  const visited = await open('/goods');
  expect(await button(visited, 'MainButton')).toEqual({ is_visible: false });
  await visited.page.getByRole('button', { name: 'В корзину: Ржаной с кориандром' }).click();
  expect(await button(visited, 'MainButton')).toMatchObject({ text: 'Заказ', is_visible: true });
});

test('a page that a link has named stands under its own address, and the way back leads to the first one', async () => {
  const visited = await visit(browser, `/?tgWebAppStartParam=page_ask${hash}`, { telegram: true, meant: 'ask' });
  const { page } = visited;
  await page.waitForFunction(() => 'calls' in globalThis);
  expect(page.url()).toBe(`${visited.site.address}/ask${hash}`);
  await page.getByRole('navigation', { name: 'Меню' }).getByRole('link', { name: 'Хлеб и булочки' }).click();
  await evaluate(page, 'window.pressBackButton()');
  await page.getByLabel('Как вас зовут').waitFor();
  await evaluate(page, 'window.pressBackButton()');
  await page.getByRole('heading', { level: 1, name: 'Хлеб на закваске, каждый день' }).waitFor();
});

test('when Telegram’s script cannot be had, the page has its buttons itself, and sends what the address has', async () => {
  const visited = await visit(browser, '/goods', { telegram: true });
  const { page, site } = visited;
  await page.route('**/telegram.js', (route) => route.abort());
  await page.goto(`${site.address}/ask${hash}`);
  await live(page);
  await page.locator('.bar').waitFor();
  await page.getByLabel('Как вас зовут').fill('Анна');
  await page.getByLabel('Согласен с правилами').check();
  await page.getByRole('button', { name: 'Отправить' }).click();
  await page.getByText('Спасибо. Ответим сегодня.').waitFor();
  expect(site.sent[0]?.authorization).toBe(`tma ${initData}`);
});

test('outside Telegram its script is never asked for, though the address is that of the Mini App', async () => {
  const { page, site } = await visit(browser, '/ask', { telegram: true });
  await page.locator('.bar').waitFor();
  expect(site.asked).not.toContain('/telegram.js');
  expect(await page.locator('.name').count()).toBe(1);
});

test('a parameter in the address, of the bot’s button or of a link to the site, comes along too', async () => {
  const unsigned = new URLSearchParams({ user, auth_date: '1', hash: 'x' });
  for (const hash of [`#${new URLSearchParams({ tgWebAppData: String(unsigned) })}`, '']) {
    const { page, site } = await visit(browser, `/ask?start_param=flyer${hash}`, { telegram: hash !== '' });
    await page.getByLabel('Как вас зовут').fill('Анна');
    await page.getByLabel('Телефон').fill('+79001234567');
    await page.getByLabel('Согласен с правилами').check();
    await page.getByRole('button', { name: 'Отправить' }).click();
    await page.getByText('Спасибо. Ответим сегодня.').waitFor();
    expect(site.sent[0]?.event).toMatchObject({ start: 'flyer', values: { source: 'flyer' } });
  }
});

test('a parameter in the address stays through other pages and into another language', async () => {
  const start = 'осень & co';
  const { page, site } = await visit(browser, `/?start_param=${encodeURIComponent(start)}`);
  await page.getByRole('navigation', { name: 'Меню' }).getByRole('link', { name: 'Хлеб и булочки' }).click();
  await page.getByRole('navigation', { name: 'Язык' }).getByRole('link', { name: 'English' }).click();
  await page.getByRole('heading', { level: 1, name: 'Bread and rolls' }).waitFor();
  await live(page);
  expect(new URL(page.url()).search).toBe(
    `?${new URLSearchParams({ lang: 'en', start_param: start })}`.replaceAll('+', '%20'),
  );
  await page.locator('.product').first().getByRole('button').click();
  await page.getByRole('link', { name: 'Order' }).last().click();
  await page.getByLabel('Your name').fill('Anna');
  await page.getByRole('button', { name: 'Place the order' }).click();
  await page.getByText('Спасибо. Ответим сегодня.').waitFor();
  expect(site.sent[0]?.event).toMatchObject({ start, locale: 'en' });
});
