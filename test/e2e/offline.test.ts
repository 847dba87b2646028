import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { sql } from '../../kernel/sql.ts';
import { shopDocument } from '../../server/domains/miniapps/fixtures.ts';
import { startTestApp, type TestApp } from '../../server/domains/miniapps/harness.ts';
import { setSlug } from '../../server/domains/miniapps/miniapps.ts';
import { openPage, startBrowser, Wire } from '../simulator/browser.ts';
import { until } from '../support/roost.ts';

// A site whose network goes away, for real: nobody listens any more.
let browser: Browser;
let shop: TestApp;
let wire: Wire;
let site: string;
beforeAll(async () => {
  [browser, shop] = await Promise.all([startBrowser(), startTestApp()]);
  await shop.roost.db.tx((tx) => setSlug(tx, shop.project.id, 'river'));
  await until(
    async () => (await shop.get('/s/river')).status,
    (status) => status === 200,
  );
});
afterAll(async () => {
  await browser?.close();
  await shop?.close();
});
beforeEach(async () => {
  wire = new Wire(Number(new URL(shop.address).port));
  site = `${await wire.listen()}/s/river`;
  onTestFinished(() => wire.close());
});

/** Opens the first page and waits until it and what it is made of are kept. */
async function openKept(): Promise<Page> {
  const { page, close } = await openPage(browser, site, { locale: 'en-US' });
  onTestFinished(close);
  // The page, the runtime, what it draws and with what, a picture, and the chunk that keeps them.
  await expect.poll(async () => (await keptIn(page)).length).toBeGreaterThanOrEqual(6);
  return page;
}

/** The addresses of everything that is kept, once the worker stands before the page. */
const keptIn = (page: Page): Promise<string[]> =>
  page.evaluate(`navigator.serviceWorker.controller ? caches.keys()
    .then((names) => Promise.all(names.map((name) => caches.open(name).then((cache) => cache.keys()))))
    .then((all) => all.flat().map((request) => request.url)) : []`);

test('a page that was seen opens again without a network, alive and with its cart', async () => {
  const page = await openKept();
  await page.getByRole('button', { name: 'Add to cart: Honey' }).click();
  wire.cut();
  await page.reload();
  await page.getByRole('button', { name: 'Add one more: Honey' }).click();
  expect(await page.locator('output').first().textContent()).toBe('2');
});

test('a picture that comes later than everything else is kept too', async () => {
  const slow: Route[] = [];
  const pictures = async (): Promise<string[]> => (await keptIn(page)).filter((url) => asked.includes(url));
  const context = await browser.newContext({ locale: 'en-US' });
  onTestFinished(() => context.close());
  await context.route('**/_/**', async (route) => {
    if (route.request().resourceType() === 'image') slow.push(route);
    else await route.continue();
  });
  const page = await context.newPage();
  await page.goto(site);
  // The page, the runtime, what it draws and with what, and the chunk that keeps them.
  await expect.poll(async () => (await keptIn(page)).length).toBeGreaterThanOrEqual(5);
  await expect.poll(() => slow.length).toBe(1);
  const asked = slow.map((route) => route.request().url());
  expect(await pictures()).toEqual([]);
  await slow[0]?.continue();
  await expect.poll(pictures).toEqual(asked);
});

test('a page that was never seen leads to the first one', async () => {
  const page = await openKept();
  wire.cut();
  await page.goto(`${site}/visit`);
  await page.getByRole('heading', { name: 'The shop' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/s/river');
});

test('with a network nobody sees an old page', async () => {
  const page = await openKept();
  const document = shopDocument() as { app: { texts: Record<string, object> } };
  document.app.texts['home.title'] = { ru: 'Новая лавка', en: 'The new shop' };
  await shop.publish(document);
  await expect
    .poll(async () => {
      await page.reload();
      return page.getByRole('heading').first().textContent();
    })
    .toBe('The new shop');
});

test('the language stays that of the browser, though a worker stands between', async () => {
  const page = await openKept();
  await page.reload();
  await page.goto(site);
  const language = (): Promise<string | null> => page.locator('html').getAttribute('lang');
  expect(await language()).toBe('en');
  await page.getByRole('link', { name: 'русский' }).click();
  await page.waitForURL(/lang=ru/);
  // Where the server takes its time, the page that was kept is shown first.
  while ((await language()) !== 'ru') await page.reload();
});

test('other sites of the same address are none of its business', async () => {
  const page = await openKept();
  wire.cut();
  await expect(page.goto(`${site}-two`)).rejects.toThrow(/ERR_/);
});

test('what Telegram says of somebody is written nowhere', async () => {
  const address = `${new URL(site).origin}/a/${shop.app}#tgWebAppData=${encodeURIComponent(shop.initData())}`;
  const { page, close } = await openPage(browser, address);
  onTestFinished(close);
  await expect.poll(async () => (await keptIn(page)).length).toBeGreaterThanOrEqual(5);
  await page.reload();
  await page.locator('.product').first().waitFor();
  const addresses = await keptIn(page);
  expect(addresses.filter((url) => url.includes('/a/'))).toHaveLength(1);
  expect(addresses.join()).not.toContain('#');
});

test('a page that was taken away is gone offline too', async () => {
  const page = await openKept();
  await page.goto(`${site}/visit`);
  await shop.roost.db.tx((tx) => setSlug(tx, shop.project.id, null));
  await until(
    async () => (await shop.get('/s/river')).status,
    (status) => status === 404,
  );
  await page.goto(`${site}/visit`);
  await expect.poll(async () => (await keptIn(page)).filter((url) => url.endsWith('/visit'))).toEqual([]);
  wire.cut();
  await page.goto(`${site}/visit`).catch(() => {});
  expect(await page.getByText('Master').count()).toBe(0);
  await shop.roost.db.tx((tx) => setSlug(tx, shop.project.id, 'river'));
  await until(
    async () => (await shop.get('/s/river')).status,
    (status) => status === 200,
  );
});

test('a form that could not leave goes out by itself when the server is there again', async () => {
  const page = await openKept();
  wire.cut();
  await page.getByRole('textbox', { name: 'Name' }).fill('Kate');
  await page.getByRole('checkbox', { name: 'I agree' }).check();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('No connection.').waitFor();
  const leads = () => shop.roost.db.many(sql`select 1 from lead`);
  const before = (await leads()).length;
  wire.mend();
  await page.getByText('Thank you, Kate').waitFor();
  expect(await leads()).toHaveLength(before + 1);
});
