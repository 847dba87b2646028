// A person who opens an example's Mini App from its bot's chat.
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, FrameLocator, Locator, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { demos } from '../../server/commands/demo.ts';
import { openPage, type Watched } from '../simulator/browser.ts';
import type { Product } from './product.ts';

type Language = 'ru' | 'en';

const people = {
  ru: {
    person: { first_name: 'Анна', language_code: 'ru' },
    locale: 'ru-RU',
    start: 'Начать',
    close: 'Закрыть приложение',
  },
  en: { person: { first_name: 'Kate', language_code: 'en' }, locale: 'en-GB', start: 'Start', close: 'Close the app' },
} as const;

/** Whoever talks to the bot of an example: its chat, and the sheet over it. */
type Visitor = Watched & {
  /** Presses the bot's button and waits for this heading of the page that it opens. */
  openApp(button: string, heading: string): Promise<FrameLocator>;
  closeApp(): Promise<void>;
  /** A button that the app has Telegram draw below it. */
  telegramButton(name: string): Locator;
  /** The bot's message with these words, spaces made plain. */
  told(words: string): Promise<string>;
};

export const demoOf = (example: string): (typeof demos)[number] => {
  const found = demos.find((demo) => demo.example === example);
  if (found === undefined) throw new Error(`No demo shows "${example}".`);
  return found;
};

/** Begins the chat as somebody new. */
export async function talk(
  browser: Browser,
  { address, key }: Pick<Product, 'address' | 'key'>,
  { example, language, ...options }: BrowserContextOptions & { example: string; language: Language },
): Promise<Visitor> {
  const { person, locale, start, close: closeLabel } = people[language];
  const answer = await fetch(`${address}control/users`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(person),
  });
  const { id } = (await answer.json()) as { id: number };
  const watched = await openPage(browser, `${address}?user=${id}&chat=${demoOf(example).botId}:#key=${key}`, {
    locale,
    ...options,
  });
  onTestFinished(() => watched.close());
  const { page } = watched;
  await page.getByRole('button', { name: start, exact: true }).click();
  return {
    ...watched,
    async openApp(button, heading) {
      await page.locator('.keys').getByRole('button', { name: button }).last().click();
      const app = page.frameLocator('.mini-frame');
      await app.getByRole('heading', { name: heading, level: 1 }).waitFor();
      return app;
    },
    async closeApp() {
      await page.getByRole('button', { name: closeLabel }).click();
      await page.locator('.mini').waitFor({ state: 'detached' });
    },
    telegramButton: (name) => page.locator('.mini').getByRole('button', { name: asWritten(name) }),
    told: async (words) => {
      const message = page
        .locator('.bubble .text')
        .filter({ hasText: asWritten(words) })
        .last();
      return plain((await message.textContent()) ?? '');
    },
  };
}

/** The days of a calendar that knows which of them are free. One that still waits says so, and may turn by itself. */
const SHOWN = '[data-slot] .days:not([aria-busy])';

/**
 * Turns the calendar to the last free day that it offers, and presses it; answers with its date. Weeks lie between that
 * day and whatever hour, weekday or end of a month the test runs at, so it is free from its first time to its last.
 */
export async function chooseLastDay(app: FrameLocator): Promise<string> {
  const calendar = app.locator('[data-slot]');
  const [back, on] = [calendar.locator('[data-month]').first(), calendar.locator('[data-month]').last()];
  const shown = app.locator(SHOWN);
  await shown.waitFor();
  while (await on.isEnabled()) {
    await on.click();
    await shown.waitFor();
  }
  const days = calendar.locator('[data-day]:enabled');
  // The last days before the end may be days off.
  if ((await days.count()) === 0) {
    await back.click();
    await days.first().waitFor();
  }
  const day = (await days.last().getAttribute('data-day')) ?? '';
  await days.last().click();
  return day;
}

/** Turns the calendar on to a day, and presses it. */
export async function chooseDay(app: FrameLocator, day: string): Promise<void> {
  const calendar = app.locator('[data-slot]');
  const shown = app.locator(SHOWN);
  await shown.waitFor();
  while ((await calendar.locator(`[data-day="${day}"]`).count()) === 0) {
    await calendar.locator('[data-month]').last().click();
    await shown.waitFor();
  }
  await calendar.locator(`[data-day="${day}"]`).click();
}

/** Sums have spaces that do not break. */
const plain = (text: string): string => text.replace(/\s+/g, ' ');

/** A pattern for words whatever their spaces are. */
export const asWritten = (words: string): RegExp =>
  new RegExp(words.replace(/[^\p{L}\p{N}\s]/gu, '\\$&').replace(/\s/g, '\\s'));

/** No serious finding of axe, in the page and its frames. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(serious.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}

/** Words in sight that stand on two lines, wherever a browser would put a hyphen. */
const torn = `(() => {
  document.body.style.hyphens = 'manual';
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode())
    for (const { index, 0: word } of text.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const hidden = text.parentElement.closest('.sr');
      if (!hidden && new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size > 1) found.push(word);
    }
  return found;
})()`;

/** No word of the page is torn in two. */
export async function expectWholeWords(page: Page): Promise<void> {
  expect(await page.evaluate(torn), page.url()).toEqual([]);
}

const fits = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth';

/** Nothing in the page, nor in the app on its sheet, is wider than they are. */
export async function expectNoSideways(page: Page): Promise<void> {
  for (const frame of page.frames()) expect(await frame.evaluate(fits), frame.url()).toBe(true);
}
