import { createServer } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startBrowser } from '../simulator/browser.ts';
import { freePort } from '../support/cluster.ts';
import { makeView } from './fixture.ts';
import { accessible, evaluate, networkLine as line, visit } from './visit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** A page that the worker has kept with everything it needs. */
async function kept(page: Page): Promise<void> {
  await evaluate(
    page,
    `(async () => {
      const wanted = [location.href, document.querySelector('script[src]').src];
      const isKept = async () => (await Promise.all(wanted.map((one) => caches.match(one, { ignoreVary: true })))).every(Boolean);
      await navigator.serviceWorker.ready;
      while (!(await isKept())) await new Promise(requestAnimationFrame);
    })()`,
  );
}

for (const [locale, words] of [
  ['ru', 'Нет сети. Страница могла устареть.'],
  ['en', 'Offline. This page may be out of date.'],
] as const)
  test(`a line says that there is no network, and goes when it is back: ${locale}`, async () => {
    const { page } = await visit(browser, '/goods', {
      view: makeView(locale),
      browser: { viewport: { width: 320, height: 568 }, serviceWorkers: 'allow' },
    });
    await line(page).waitFor({ state: 'attached' });
    await kept(page);
    expect(await line(page).textContent()).toBe('');
    expect((await line(page).boundingBox())?.height).toBe(0);
    await page.context().setOffline(true);
    await page.getByText(words).waitFor();
    // One line, in sight however far one reads.
    await page.locator('.product').last().scrollIntoViewIfNeeded();
    expect(await line(page).boundingBox()).toMatchObject({ x: 0, y: 0, width: 320, height: 29 });
    await accessible(page);
    await page.reload();
    await page.getByText(words).waitFor();
    await page.context().setOffline(false);
    await page.getByText(words).waitFor({ state: 'detached' });
  });

test('a kept page says so too when only the server is gone, until it answers again', async () => {
  const { page, site } = await visit(browser, '/goods', {
    port: await freePort(),
    browser: { serviceWorkers: 'allow' },
  });
  await kept(page);
  await page.reload();
  await line(page).waitFor({ state: 'attached' });
  expect(await line(page).textContent()).toBe('');
  await site.close();
  await page.reload();
  const words = page.getByText('Нет сети. Страница могла устареть.');
  await words.waitFor();
  const again = createServer((_request, response) => response.end());
  await new Promise<void>((resolve) => again.listen(Number(new URL(site.address).port), '127.0.0.1', resolve));
  onTestFinished(() => void again.close());
  await words.waitFor({ state: 'detached' });
});
