// What is laid over a page: pictures as large as the screen, the list of maps.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser } from '../simulator/browser.ts';
import { MEDIA } from './fixture.ts';
import { accessible, chunksOf, evaluate, visit } from './visit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const place = 'Пекарня на Преображенской';
const openers: readonly (readonly [what: string, open: (page: Page) => Promise<void>])[] = [
  ['a picture', (page) => page.locator('.gallery a').nth(1).click()],
  ['the list of maps', (page) => page.getByText(place, { exact: true }).click()],
];

for (const [what, open] of openers)
  test(`Back closes ${what} and leaves the page alone; so do Escape and the button, and the next Back is the page’s`, async () => {
    const { page, troubles } = await visit(browser, '/goods');
    await page.getByRole('navigation', { name: 'Меню' }).getByRole('link').first().click();
    const home = page.getByRole('heading', { level: 1, name: 'Хлеб на закваске, каждый день' });
    await home.waitFor();
    await chunksOf(page, 'zm');
    const dialog = page.getByRole('dialog');
    const length = () => evaluate<number>(page, 'history.length');
    const before = await length();
    const ways = [
      () => page.goBack(),
      () => page.keyboard.press('Escape'),
      () => dialog.getByRole('button', { name: 'Закрыть' }).click(),
    ];
    for (const close of ways) {
      await open(page);
      await dialog.waitFor();
      await close();
      await page.locator('dialog').waitFor({ state: 'detached' });
      expect(await home.count()).toBe(1);
      expect(await page.title()).toContain('Пекарня');
    }
    expect(await length()).toBe(before + 1);
    expect(await evaluate(page, 'document.activeElement.localName')).toBe('a');
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Хлеб и булочки' }).waitFor();
    expect(troubles).toEqual([]);
  });

test('inside Telegram its Back is there while something lies over the first page', async () => {
  const hash = `#${new URLSearchParams({ tgWebAppData: 'user=%7B%22id%22%3A5%7D&hash=x' })}`;
  const { page } = await visit(browser, `/${hash}`, { telegram: true });
  await page.waitForFunction(() => 'pressBackButton' in globalThis);
  expect(await evaluate(page, 'BackButton.is_visible')).toBe(false);
  await chunksOf(page, 'zm');
  for (const [what, open] of openers) {
    await open(page);
    await page.getByRole('dialog').waitFor();
    expect(await evaluate(page, 'BackButton.is_visible'), what).toBe(true);
    // The page below is drawn again, for whatever reason.
    await evaluate(page, 'onthemeChanged()');
    // What the chunk does after a drawing it does a moment later.
    expect(await evaluate(page, 'Promise.resolve().then(() => BackButton.is_visible)'), what).toBe(true);
    await evaluate(page, 'pressBackButton()');
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(await evaluate(page, 'BackButton.is_visible'), what).toBe(false);
    expect(new URL(page.url()).pathname).toBe('/');
  }
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`a picture is as wide as a phone, and the list of maps has one left edge, ${colorScheme}`, async () => {
    const wide =
      '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><rect width="400" height="300"/></svg>';
    const media = { ...MEDIA, '/m/bread2': { type: 'image/svg+xml', body: wide } };
    for (const width of [320, 390]) {
      const { page } = await visit(browser, '/', { media, browser: { viewport: { width, height: 740 }, colorScheme } });
      await chunksOf(page, 'zm');
      await page.locator('.gallery a').nth(1).click();
      const picture = page.getByRole('dialog').locator('img').nth(1);
      await evaluate(page, "Promise.all([...document.querySelectorAll('dialog img')].map((one) => one.decode()))");
      expect(await picture.boundingBox()).toMatchObject({ x: 0, width });
      await accessible(page);
      // On the picture, then beside it.
      await page.mouse.click(width / 2, 370);
      expect(await page.getByRole('dialog').count()).toBe(1);
      await page.mouse.click(width / 2, 40);
      await page.locator('dialog').waitFor({ state: 'detached' });
      await page.getByText(place, { exact: true }).click();
      const edges = await evaluate<number[]>(
        page,
        `[...document.querySelectorAll('dialog h2, dialog a, dialog button')].map((one) => one.getBoundingClientRect().x)`,
      );
      expect([edges.length, new Set(edges).size]).toEqual([7, 1]);
      expect(
        await evaluate(page, "getComputedStyle(document.querySelector('dialog'), '::backdrop').backgroundColor"),
      ).toBe('rgba(0, 0, 0, 0.667)');
      await accessible(page);
    }
  });

test('two steps back at once lead to the page before, with nothing over it', async () => {
  const { page } = await visit(browser, '/goods');
  await page.getByRole('navigation', { name: 'Меню' }).getByRole('link').first().click();
  await page.getByRole('heading', { level: 1, name: 'Хлеб на закваске, каждый день' }).waitFor();
  await chunksOf(page, 'z');
  await page.locator('.gallery a').first().click();
  await page.getByRole('dialog').waitFor();
  await evaluate(page, 'history.go(-2)');
  await page.getByRole('heading', { level: 1, name: 'Хлеб и булочки' }).waitFor();
  expect(await page.locator('dialog').count()).toBe(0);
});
