import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { shopDocument } from '../../server/domains/miniapps/fixtures.ts';
import { startTestApp, type TestApp } from '../../server/domains/miniapps/harness.ts';
import { setSlug } from '../../server/domains/miniapps/miniapps.ts';
import { openPage, startBrowser, Wire } from '../simulator/browser.ts';
import { until } from '../support/roost.ts';

// A site whose network goes away, for real: nobody listens any more.
const patient = { timeout: 60_000 };
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
  // The page, the runtime, what it draws from and where, and the chunk that keeps them.
  const kept = `caches.open('roost-app').then((cache) => cache.keys()).then((keys) =>
    navigator.serviceWorker.controller ? keys.length : 0)`;
  await expect.poll(() => page.evaluate(kept), patient).toBeGreaterThanOrEqual(5);
  return page;
}

test('a page that was seen opens again without a network, alive and with its cart', async () => {
  const page = await openKept();
  await page.getByRole('button', { name: 'Add to cart: Honey' }).click();
  wire.cut();
  await page.reload();
  await page.getByRole('button', { name: 'Add one more: Honey' }).click();
  expect(await page.locator('output').first().textContent()).toBe('2');
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
    }, patient)
    .toBe('The new shop');
});

test('the language stays that of the browser, though a worker stands between', async () => {
  const page = await openKept();
  await page.reload();
  await page.goto(site);
  expect(await page.locator('html').getAttribute('lang')).toBe('en');
  await page.getByRole('link', { name: 'русский' }).click();
  await page.locator('html[lang=ru]').waitFor();
});

test('other sites of the same address are none of its business', async () => {
  const page = await openKept();
  wire.cut();
  await expect(page.goto(`${site}-two`)).rejects.toThrow(/ERR_/);
});
