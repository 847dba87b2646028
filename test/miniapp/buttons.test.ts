// The buttons of a page: each thing to do has one, in Telegram its own, on the web one in the page or in the bar.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Element } from '../../contract/app/elements.ts';
import type { AppView } from '../../contract/app/view.ts';
import { startBrowser } from '../simulator/browser.ts';
import { makeView } from './fixture.ts';
import { evaluate, type Visit, visit } from './visit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const hash = `#${new URLSearchParams({ tgWebAppData: 'user=%7B%22id%22%3A5%7D&auth_date=1&hash=x' })}`;

async function inTelegram(path: string, view: AppView): Promise<Visit> {
  const made = await visit(browser, `${path}${hash}`, { telegram: true, view });
  await made.page.waitForFunction(() => 'calls' in globalThis);
  return made;
}

const telegram = ({ page }: Visit): Promise<[main: object, second: object]> =>
  evaluate(page, '[window.MainButton, window.SecondaryButton]');
const press = ({ page }: Visit, name: 'Main' | 'Secondary') => evaluate(page, `window.press${name}Button()`);

/** The fixture with other buttons on one of its pages. */
function withButtons(id: string, buttons: object, elements: { [id: string]: Element } = {}): AppView {
  const view = makeView();
  const page = { ...view.pages[id], ...buttons } as AppView['pages'][string];
  return { ...view, pages: { ...view.pages, [id]: page }, elements: { ...view.elements, ...elements } };
}

const selling = withButtons('item', {
  mainButton: { text: 'press', do: { cart: 'add' } },
  secondaryButton: { text: 'order', do: { go: 'order' } },
});
const hidden = { is_visible: false };
const adding = { is_visible: true, text: 'В каталог' };
const ordering = { is_visible: true, text: 'Заказ' };

test('in Telegram its main button fills the cart, and leads there once the thing is in it', async () => {
  const visited = await inTelegram('/item/1', selling);
  const { page } = visited;
  expect(await telegram(visited)).toMatchObject([adding, hidden]);
  expect(await page.locator('.one button, .bar').count()).toBe(0);
  await press(visited, 'Main');
  await page.locator('.counter').waitFor();
  expect(await telegram(visited)).toMatchObject([ordering, hidden]);
  await press(visited, 'Main');
  await page.getByRole('heading', { level: 1, name: 'Заказ' }).waitFor();
});

test('with something in the cart the way to it is the second button beside the one that adds', async () => {
  const visited = await inTelegram('/item/2', selling);
  await press(visited, 'Main');
  await visited.page.getByRole('radio', { name: 'L' }).check();
  expect(await telegram(visited)).toMatchObject([adding, ordering]);
  await press(visited, 'Secondary');
  await visited.page.getByRole('heading', { level: 1, name: 'Заказ' }).waitFor();
});

test('what cannot be had has no button that adds it', async () => {
  for (const path of ['/item/3', '/item/99', '/item']) {
    const visited = await inTelegram(path, selling);
    expect(await telegram(visited), path).toMatchObject([hidden, hidden]);
  }
});

test('on the web the page itself has the strong button, and the bar only the way to the cart', async () => {
  const { page } = await visit(browser, '/item/1', { view: selling });
  const add = page.getByRole('button', { name: 'В корзину: Ржаной с кориандром' });
  expect(await add.getAttribute('class')).toContain('main');
  expect(await page.locator('.bar').count()).toBe(0);
  await add.click();
  const link = page.locator('.bar').getByRole('link', { name: 'Заказ' });
  await link.waitFor();
  expect(await link.getAttribute('class')).toContain('main');
  expect(await page.locator('.bar > *').count()).toBe(1);
});

test('a button of the page that leads where Telegram’s does is there on the web alone', async () => {
  const own = { name: 'В каталог', exact: true };
  const { page } = await visit(browser, '/');
  await page.getByRole('link', own).waitFor();
  expect(await page.locator('.bar').count()).toBe(0);
  const visited = await inTelegram('/', makeView());
  expect(await telegram(visited)).toMatchObject([adding, hidden]);
  expect(await visited.page.getByRole('link', own).count()).toBe(0);
});

test('where the page does not show its own, the bar of the web has it', async () => {
  const button: Element = {
    type: 'button',
    props: { text: 'press', do: { go: 'goods' } },
    showIf: { field: 'cart.count', over: 0 },
  };
  const { page } = await visit(browser, '/', { view: withButtons('home', {}, { button }) });
  await page.locator('.bar').getByRole('link', { name: 'В каталог' }).waitFor();
});

test('a form has its button on the web, and in Telegram none while it is not in sight', async () => {
  const main = { mainButton: { text: 'sendOrder', do: { submit: 'order' } } };
  const orderForm: Element = { type: 'form', props: { form: 'order' }, showIf: { field: 'cart.count', over: 0 } };
  const view = withButtons('order', main, { orderForm });
  const visited = await inTelegram('/order', view);
  expect(await telegram(visited)).toMatchObject([hidden, hidden]);
  const { page } = await visit(browser, '/order');
  await page.locator('form').getByRole('button', { name: 'Оформить заказ' }).waitFor();
  expect(await page.locator('.bar').count()).toBe(0);
});

test('in a quiz Telegram’s button goes on to the next question, and sends the last one', async () => {
  const view = withButtons('quiz', { mainButton: { text: 'send', do: { submit: 'quiz' } } });
  const visited = await inTelegram('/quiz', view);
  const { page } = visited;
  expect(await telegram(visited)).toMatchObject([{ text: 'Дальше' }, hidden]);
  await page.locator('[name="form.quiz.taste"]').last().check();
  await press(visited, 'Main');
  await page.locator('[name="form.quiz.name"]').fill('Анна');
  expect(await telegram(visited)).toMatchObject([{ text: 'Отправить' }, hidden]);
  expect(await page.locator('form .main').count()).toBe(0);
  await press(visited, 'Main');
  await page.locator('.done').waitFor();
  expect(await telegram(visited)).toMatchObject([hidden, hidden]);
});
