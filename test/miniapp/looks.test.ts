// How pages look where it was wrong once: measured in a browser.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Element } from '../../contract/app/elements.ts';
import { startBrowser } from '../simulator/browser.ts';
import { makeView } from './fixture.ts';
import { evaluate, visit } from './visit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const signed = new URLSearchParams({ user: '{"id":5,"first_name":"Anna"}', auth_date: '1', hash: 'x' });
const launch = `#${new URLSearchParams({ tgWebAppData: `${signed}` })}`;
const wide = { viewport: { width: 1280, height: 800 } };
const widths = 'Array.from(document.querySelectorAll(".menu a"), (one) => [one.offsetLeft, one.offsetWidth])';

test('a row without a photo draws no picture, and no link around one', async () => {
  const view = makeView();
  const image = { type: 'image', props: { photo: { from: 'row.nothing' }, alt: 'photo', do: { go: 'goods' } } };
  const elements = { ...view.elements, image: image as Element };
  const { page } = await visit(browser, '/', { view: { ...view, elements } });
  expect(await page.locator('main img:not([src]), main img[src=""], main .picture').count()).toBe(0);
});

test('a cart has the pictures of its goods', async () => {
  const { page } = await visit(browser, '/goods');
  await page.getByRole('button', { name: 'В корзину' }).first().click();
  await evaluate(page, 'document.querySelector(".add") && 1');
  await page.locator('.menu a', { hasText: 'Заказ' }).or(page.locator('a[href="/order"]')).first().click();
  await page.locator('.bill .line img').first().waitFor();
});

test('the menu stands where it stood, whichever page is open', async () => {
  for (const viewport of [{ width: 360, height: 740 }, wide.viewport]) {
    const { page, go } = await visit(browser, '/', { browser: { viewport } });
    const first = await evaluate(page, widths);
    await go('/goods');
    expect(await evaluate(page, widths)).toEqual(first);
  }
});

test('on a wide screen a form stands beside what it is about, and no button lies over the page', async () => {
  const { page, go } = await visit(browser, '/ask', { browser: wide });
  const top = await page.locator('main h1, main h2, main p').first().boundingBox();
  const form = await page.locator('main > .stack > form').boundingBox();
  expect(form?.x).toBeGreaterThan((top?.x ?? 0) + 300);
  expect(Math.abs((form?.y ?? 0) - (top?.y ?? 0))).toBeLessThan(60);
  await go('/');
  expect(
    await evaluate(page, '[...document.querySelectorAll(".bar")].map((bar) => getComputedStyle(bar).position)'),
  ).not.toContain('sticky');
});

test('what is wrong comes into sight, of the whole form too', async () => {
  const { page, site } = await visit(browser, '/ask', { browser: { viewport: { width: 360, height: 480 } } });
  const isInSight = `(() => {
    const { top, bottom } = document.querySelector('.error:not(:empty)').getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  })()`;
  await page.getByRole('button', { name: 'Отправить' }).click();
  expect(await evaluate(page, isInSight)).toBe(true);
  await page.getByLabel('Как вас зовут').fill('Анна');
  await page.getByLabel('Согласен с правилами').check();
  site.answers.push({ ok: false, error: { code: 'SLOT_TAKEN', message: 'Это время уже заняли.' } });
  await evaluate(page, 'document.querySelector("form").requestSubmit(); scrollTo(0, 0)');
  await page.getByText('Это время уже заняли.').waitFor();
  await expect.poll(() => evaluate(page, isInSight)).toBe(true);
  expect(await evaluate(page, 'document.activeElement.matches("input")')).toBe(false);
});

test('of a question that was left out no answer looks chosen', async () => {
  const { page } = await visit(browser, '/quiz');
  await page.getByRole('button', { name: 'Дальше' }).press('Enter');
  await page.getByText('Выберите один из вариантов').waitFor();
  const rings = `Array.from(document.querySelectorAll('.chip span'), (one) => getComputedStyle(one).outlineStyle)`;
  expect(new Set(await evaluate<string[]>(page, rings))).toEqual(new Set(['none']));
  expect(await evaluate(page, `getComputedStyle(document.querySelector('.wrong')).outlineStyle`)).toBe('solid');
});

test('the lines of a received order stand where its words do, and no button breaks its words', async () => {
  const { page } = await visit(browser, `/order${launch}`, {
    telegram: true,
    browser: { viewport: { width: 320, height: 568 } },
  });
  await page.getByLabel('Как вас зовут').fill('Анна');
  await evaluate(page, 'document.querySelector("form").requestSubmit()');
  await page.locator('.done').waitFor();
  const left = (selector: string) => evaluate(page, `document.querySelector('${selector}').getBoundingClientRect().x`);
  expect(await left('.done .rows')).toBe(await left('.done > p'));
  expect(await evaluate(page, `getComputedStyle(document.querySelector('.done .rows')).padding`)).toBe('0px');
  const heights = `Array.from(document.querySelectorAll('.done .buttons > *'), (one) => one.offsetHeight)`;
  expect(await evaluate<number[]>(page, heights)).toEqual([44, 44]);
});

test('what is wrong with a number stands right below it, and the ring around a question leaves its words room', async () => {
  const { page } = await visit(browser, `/ask${launch}`, { telegram: true });
  const contact = page.getByRole('button', { name: 'Взять номер из Telegram' });
  await contact.waitFor();
  await page.getByLabel('Телефон').fill('звоните');
  await evaluate(page, 'document.querySelector("form").requestSubmit()');
  const error = await page.getByText('Напишите номер цифрами').boundingBox();
  expect(error?.y).toBeLessThan((await contact.boundingBox())?.y ?? 0);
  const { page: quiz } = await visit(browser, '/quiz');
  await quiz.getByRole('button', { name: 'Дальше' }).press('Enter');
  await quiz.getByText('Выберите один из вариантов').waitFor();
  expect(await evaluate(quiz, `getComputedStyle(document.querySelector('.wrong')).outlineOffset`)).toBe('8px');
});

test('a placeholder can be read on dark ground', async () => {
  const { page } = await visit(browser, '/ask', { browser: { colorScheme: 'dark' } });
  const look = `(({ color, opacity }) => [color, opacity])(getComputedStyle(document.querySelector('[placeholder]'), '::placeholder'))`;
  expect(await evaluate(page, look)).toEqual(['rgb(236, 238, 240)', '0.7']);
});
