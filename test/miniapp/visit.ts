// A visit to a test site in a real browser.
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { openPage, type Watched } from '../simulator/browser.ts';
import { MEDIA, makeView, ROWS } from './fixture.ts';
import { openSite, type Site, type SiteOptions } from './site.ts';

export type Visit = Watched & { site: Site; go(path: string): Promise<void> };

/**
 * Opens a page of the fixture's site and waits until the runtime has taken it over. Its worker is left out unless the test
 * asks for it: it takes the page over at some moment, and from then on no request passes a route of the test's.
 */
export async function visit(
  browser: Browser,
  path: string,
  options: Partial<SiteOptions> & { browser?: BrowserContextOptions } = {},
): Promise<Visit> {
  const { browser: context, ...more } = options;
  const site = await openSite({ view: makeView(), rows: ROWS, others: { en: makeView('en') }, media: MEDIA, ...more });
  const watched = await openPage(browser, site.address + path, { serviceWorkers: 'block', ...context });
  onTestFinished(async () => {
    await watched.close();
    await site.close();
  });
  if (context?.javaScriptEnabled !== false) await live(watched.page);
  const go = async (to: string): Promise<void> => {
    await watched.page.goto(site.address + to);
    await live(watched.page);
  };
  return { ...watched, site, go };
}

type Nodes = {
  querySelectorAll(selector: string): Iterable<{ do?: unknown }>;
  querySelector(selector: string): unknown;
};

/** Every page has something to press, and only the runtime says what that does. */
export const live = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => {
    const { document } = globalThis as unknown as { document: Nodes };
    return (
      [...document.querySelectorAll('#r *')].some((node) => node.do) ||
      !document.querySelector('#r header a, #r button')
    );
  });

/** No serious finding of axe. */
export async function accessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(
    serious.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
    ),
  ).toEqual([]);
}

/** The line that says whether there is a network: there once the chunk is that sends what had to wait. */
export const networkLine = (page: Page): Locator => page.locator('body > [role=status]');

/** Takes the network away from a page that can do without: before, its chunks could not come any more. */
export async function goOffline(page: Page): Promise<void> {
  await networkLine(page).waitFor({ state: 'attached' });
  await page.context().setOffline(true);
}

export const evaluate = <Answer>(page: Page, code: string): Promise<Answer> => page.evaluate(code) as Promise<Answer>;

/** Waits for chunks that a page has asked for, by the first letter of their names: until then a link is but a link. */
export async function chunksOf(page: Page, letters: string): Promise<void> {
  for (const letter of letters) {
    const asked = await page.waitForFunction(
      (start) => performance.getEntriesByType('resource').find(({ name }) => name.includes(start))?.name,
      `/_/${letter}-`,
    );
    await evaluate(page, `import(${JSON.stringify(await asked.jsonValue())}).then(() => {})`);
  }
}
