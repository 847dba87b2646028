// Clients of Telegram that know less of the WebApp: what they do not know is neither called nor drawn.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Page as PageOf } from '../../contract/manifest.ts';
import { startBrowser } from '../simulator/browser.ts';
import { MEDIA, makeView, ROWS } from './fixture.ts';
import { openSite } from './site.ts';
import { evaluate } from './visit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const initData = new URLSearchParams({ user: '{"id":7,"first_name":"Anna"}', auth_date: '1', hash: 'x' }).toString();

/**
 * The stand-in for Telegram's script as an older client has it: every call that came later is noted as too new, and throws,
 * as `requestContact` of the real script does.
 */
async function old(page: Page, version: string): Promise<void> {
  await page.addInitScript(`{
    const since = { openLink: 6.1, openTelegramLink: 6.1, enableClosingConfirmation: 6.2, disableClosingConfirmation: 6.2,
      requestContact: 6.9, HapticFeedback: 6.1, BackButton: 6.1, CloudStorage: 6.9, SecondaryButton: 7.1 };
    window.tooNew = [];
    const is = (version) => ${version} >= +version.replace('7.10', '7.1');
    const guarded = (name, value) => new Proxy(value, {
      get: (target, key) => (...args) => { window.tooNew.push(name + '.' + key); throw Error('WebAppMethodUnsupported'); },
      apply: () => { window.tooNew.push(name); throw Error('WebAppMethodUnsupported'); },
    });
    let telegram;
    Object.defineProperty(window, 'Telegram', {
      get: () => telegram,
      set: (value) => {
        const { WebApp } = value;
        WebApp.isVersionAtLeast = is;
        for (const name in since) if (since[name] > ${version}) WebApp[name] = guarded(name, WebApp[name]);
        telegram = value;
      },
    });
  }`);
}

describe.each(['6.0', '6.8', '7.0'])('a client with WebApp %s', (version) => {
  test('is asked for nothing that it does not know, and is shown nothing of it', async () => {
    const view = makeView();
    const home = { ...(view.pages['home'] as PageOf), secondaryButton: { text: 'press', do: { go: 'ask' } } };
    const site = await openSite({
      view: { ...view, pages: { ...view.pages, home } },
      rows: ROWS,
      media: MEDIA,
      telegram: true,
    });
    const context = await browser.newContext({ serviceWorkers: 'block', viewport: { width: 360, height: 740 } });
    onTestFinished(async () => {
      await context.close();
      await site.close();
    });
    const page = await context.newPage();
    const troubles: string[] = [];
    page.on('pageerror', (error) => troubles.push(String(error)));
    await old(page, version);
    const open = async (path: string): Promise<void> => {
      await page.goto(`${site.address}${path}#${new URLSearchParams({ tgWebAppData: initData })}`);
      await expect.poll(() => evaluate(page, 'window.MainButton !== undefined')).toBe(true);
    };
    await open('/ask');
    await expect
      .poll(() => evaluate(page, 'performance.getEntriesByType("resource").some(({ name }) => name.includes("/_/p-"))'))
      .toBe(true);
    const contact = page.getByRole('button', { name: 'Взять номер из Telegram' });
    if (version === '7.0') await contact.waitFor();
    else expect(await contact.count()).toBe(0);
    await page.getByLabel('Как вас зовут').fill('Анна');
    await page.getByLabel('Согласен с правилами').check();
    await evaluate(page, 'document.querySelector("form").requestSubmit()');
    await page.getByText('Спасибо. Ответим сегодня.').waitFor();
    await open('/');
    // The second button, which this Telegram does not have, stands on the page.
    await page.locator('.bar').getByRole('link').first().waitFor();
    expect(await evaluate(page, 'window.SecondaryButton')).toBeUndefined();
    expect(await evaluate(page, 'window.tooNew')).toEqual([]);
    expect(troubles).toEqual([]);
  });
});
