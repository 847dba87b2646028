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

/** How well the words of the form's button can be told from what is behind them, all that shines through taken in. */
const readable = `(() => {
  const { color, backgroundColor, opacity } = getComputedStyle(document.querySelector('form .main'));
  const channels = (text) => text.match(/[\\d.]+/g).map(Number);
  const over = ([r, g, b, alpha = 1], below) => [r, g, b].map((one, at) => one * alpha + below[at] * (1 - alpha));
  const page = channels(getComputedStyle(document.body).backgroundColor);
  const button = over(channels(backgroundColor), page);
  const seen = (rgb) => over([...rgb, Number(opacity)], page).map((one) => one / 255);
  const light = (rgb) => seen(rgb)
    .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0);
  const [dark, bright] = [light(button), light(over(channels(color), button))].sort((one, other) => one - other);
  return (bright + 0.05) / (dark + 0.05);
})()`;

test.each(['light', 'dark'] as const)(
  'the button of a form that is being sent can be read, %s',
  async (colorScheme) => {
    const { page, go } = await visit(browser, '/goods', { browser: { colorScheme } });
    await page.getByRole('button', { name: 'В корзину' }).first().click();
    await go('/order');
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/events', async (route) => {
      await answered;
      await route.continue();
    });
    await page.getByLabel('Как вас зовут').fill('Анна');
    await evaluate(page, 'document.querySelector("form").requestSubmit()');
    await page.locator('form .main:disabled').waitFor();
    expect(await evaluate(page, readable)).toBeGreaterThan(4.5);
    answer();
    await page.locator('.done').waitFor();
  },
);

/** A page of one element, with cards of unequal content inside it. */
function cardsIn(root: Element): ReturnType<typeof makeView> {
  const view = makeView();
  const made = (type: string, props: object, more: Partial<Element> = {}): Element =>
    ({ type, props, ...more }) as Element;
  const elements = {
    ...view.elements,
    more: made('text', { text: 'moreText' }, { showIf: { field: 'row.sizes', set: true } }),
    icon: made('image', { photo: { media: 'bread' }, alt: 'photo', ratio: '1:1' }),
    rowPrice: made('price', { amount: { from: 'row.price', format: 'plain' } }),
    gridCard: made('stack', { look: 'card' }, { children: ['rowTitle', 'more', 'rowPrice'] }),
    listCard: made('stack', { look: 'card' }, { children: ['icon', 'rowTitle', 'rowPrice', 'more'] }),
    shortCard: made('stack', { look: 'card' }, { children: ['price'] }),
    longCard: made('stack', { look: 'card' }, { children: ['list', 'table'] }),
    noPicture: made('image', { photo: { from: 'row.nothing' }, alt: 'photo' }),
    homeRoot: root,
  };
  return { ...view, elements };
}
const each = (layout: string, card: string): Element =>
  ({ type: 'each', props: { from: 'goods', layout }, children: [card] }) as Element;
const columns = (...children: string[]): Element => ({ type: 'columns', props: {}, children }) as Element;
const edges = (selector: string, edge: string): string =>
  `[...document.querySelectorAll('main ${selector}')].map((one) => Math.round(one.getBoundingClientRect().${edge}))`;

test.each([
  ['columns', columns('shortCard', 'longCard'), 768],
  ['a grid', each('grid', 'gridCard'), 768],
  ['a list with pictures', each('list', 'listCard'), 1280],
])('cards beside one another in %s are equally high', async (_name, root, width) => {
  const { page } = await visit(browser, '/', { view: cardsIn(root), browser: { viewport: { width, height: 900 } } });
  const [tops, heights] = [await evaluate(page, edges('.card', 'top')), await evaluate(page, edges('.card', 'height'))];
  expect(new Set(tops as number[]).size).toBe(1);
  expect(new Set(heights as number[]).size).toBe(1);
});

test('the prices of a row of cards stand on one line, and on a tablet the cards are wide enough for their words', async () => {
  const viewport = { width: 768, height: 1024 };
  const { page } = await visit(browser, '/', { view: cardsIn(each('grid', 'gridCard')), browser: { viewport } });
  expect(new Set(await evaluate<number[]>(page, edges('.price', 'bottom'))).size).toBe(1);
  expect(Math.min(...(await evaluate<number[]>(page, edges('.card', 'width'))))).toBeGreaterThan(200);
});

test('a column with nothing in it takes no place on a wide screen', async () => {
  const { page } = await visit(browser, '/', { view: cardsIn(columns('noPicture', 'longCard')), browser: wide });
  expect(await evaluate(page, edges('.columns > :not(:empty)', 'x'))).toEqual(
    await evaluate(page, edges('.columns', 'x')),
  );
});

test('a wide page does not stretch what is small, and leaves room above its footer', async () => {
  const { page, go } = await visit(browser, '/item/1', { browser: wide });
  await page.getByRole('button', { name: 'В корзину' }).click();
  await page.locator('.one .counter').waitFor();
  expect(await evaluate(page, edges('.one .counter', 'width'))).toEqual([240]);
  await go('/');
  expect(await evaluate(page, edges('.cookies', 'width'))).toEqual([560]);
  const last = await evaluate<number[]>(page, edges('> :last-child', 'bottom'));
  const footer = await page.locator('footer').boundingBox();
  expect((footer?.y ?? 0) - (last.at(-1) ?? 0)).toBeGreaterThanOrEqual(32);
  expect(await evaluate(page, `getComputedStyle(document.querySelector('.said')).alignItems`)).toBe('baseline');
});

test('no text ends with one short word on a line of its own, and the lines of a heading are alike', async () => {
  const { page } = await visit(browser, '/');
  const style = (selector: string) =>
    evaluate(page, `getComputedStyle(document.querySelector('main ${selector}')).textWrapStyle`);
  expect([await style('p'), await style('li'), await style('h1')]).toEqual(['pretty', 'pretty', 'balance']);
});
