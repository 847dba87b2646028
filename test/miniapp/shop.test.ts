import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser } from '../simulator/browser.ts';
import { makeView, ROWS } from './fixture.ts';
import { evaluate, goOffline, networkLine, visit } from './visit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const card = (page: Page, name: string) => page.locator('.product', { hasText: name });
const names = (page: Page): Promise<string[]> => page.locator('.product .title').allTextContents();
const text = async (page: Page, selector: string): Promise<string> =>
  ((await page.locator(selector).textContent()) ?? '').replace(/\s/g, ' ');

test('goods are found by words and by category', async () => {
  const { page } = await visit(browser, '/goods');
  expect(await names(page)).toEqual(['Ржаной с кориандром', 'Багет', 'Плюшка <b>московская</b>']);
  await page.getByRole('radio', { name: 'Булочки' }).check();
  expect(await names(page)).toEqual(['Плюшка <b>московская</b>']);
  await page.getByRole('radio', { name: 'Все' }).check();
  await page.getByRole('searchbox', { name: 'Поиск' }).fill('ХРУСТ');
  expect(await names(page)).toEqual(['Багет']);
  await page.getByRole('searchbox', { name: 'Поиск' }).fill('ананас');
  await page.getByText('Здесь пока пусто.').waitFor();
});

test('goods are found with a blank behind the word, and whichever way ё and accents are written', async () => {
  const { page } = await visit(browser, '/goods', {
    rows: {
      ...ROWS,
      goods: [
        { id: 1, title: 'Чёрная синица', price: 5 },
        { id: 2, title: 'Café', price: 5 },
      ],
    },
  });
  for (const [words, found] of [
    ['синица ', 'Чёрная синица'],
    [' Черная', 'Чёрная синица'],
    ['чёрная ', 'Чёрная синица'],
    ['cafe', 'Café'],
  ]) {
    await page.getByRole('searchbox', { name: 'Поиск' }).fill(words as string);
    expect(await names(page), words).toEqual([found]);
  }
});

test('who shops by keyboard alone keeps the place, in the catalogue, on a product’s page and in the cart', async () => {
  const { page, go } = await visit(browser, '/goods');
  const focused = (): Promise<string> =>
    evaluate(page, "document.activeElement.getAttribute('aria-label') ?? document.activeElement.localName");
  for (const path of ['/goods', '/item/1']) {
    await go(path);
    await page.getByRole('button', { name: 'В корзину: Ржаной с кориандром' }).focus();
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('Добавить: Ржаной с кориандром');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('Убрать: Ржаной с кориандром');
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('В корзину: Ржаной с кориандром');
  }
  for (const path of ['/item/1', '/item/2']) {
    await go(path);
    await page.getByRole('button', { name: 'В корзину' }).click();
  }
  await go('/order');
  await page.getByRole('button', { name: 'Убрать: Багет' }).focus();
  await page.keyboard.press('Enter');
  expect(await focused()).toBe('Добавить: Ржаной с кориандром');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Здесь пока пусто.').waitFor();
  expect(await focused()).toBe('h1');
});

test('a counter adds and takes away, and never more than there are', async () => {
  const { page } = await visit(browser, '/goods');
  const rye = card(page, 'Ржаной');
  await rye.getByRole('button', { name: 'В корзину: Ржаной с кориандром' }).click();
  const more = rye.getByRole('button', { name: 'Добавить: Ржаной с кориандром' });
  for (let press = 0; press < 6; press += 1) await more.click();
  expect(await rye.locator('output').textContent()).toBe('5');
  for (let press = 0; press < 5; press += 1)
    await rye.getByRole('button', { name: 'Убрать: Ржаной с кориандром' }).click();
  await rye.getByRole('button', { name: 'В корзину: Ржаной с кориандром' }).waitFor();
  expect(await card(page, 'Плюшка').getByRole('button').count()).toBe(0);
  expect(await card(page, 'Плюшка').textContent()).toContain('Нет в наличии');
});

test('a bar that leads to the cart covers nothing while the cart is empty', async () => {
  const { page } = await visit(browser, '/goods', { browser: { viewport: { width: 320, height: 568 } } });
  const bar = page.locator('.bar');
  expect(await bar.count()).toBe(0);
  await card(page, 'Ржаной').getByRole('button').click();
  await bar.getByRole('link', { name: 'Заказ' }).waitFor();
  await card(page, 'Ржаной').getByRole('button', { name: 'Убрать' }).click();
  await bar.waitFor({ state: 'detached' });
});

test('each variant has a count of its own, and the cart adds them up', async () => {
  const { page } = await visit(browser, '/goods');
  await card(page, 'Багет').getByRole('link', { name: 'Выбрать' }).click();
  await page.getByRole('heading', { level: 1, name: 'Багет' }).waitFor();
  await page.getByRole('button', { name: 'В корзину: Багет' }).click();
  await page.getByRole('radio', { name: 'L' }).check();
  await page.getByRole('button', { name: 'В корзину: Багет' }).click();
  await page.getByRole('button', { name: 'Добавить: Багет' }).click();
  await page.getByRole('navigation', { name: 'Меню' }).getByRole('link', { name: 'Заказ' }).click();
  const lines = page.locator('.bill').first().locator('.line');
  expect((await lines.allTextContents()).map((line) => line.replace(/\s/g, ' '))).toEqual([
    'Багет, S−1+149,50 ₽',
    'Багет, L−2+299 ₽',
    'Итого448,50 ₽',
  ]);
  expect(await page.getByText('Принимаем заказы от').count()).toBe(0);
  await lines.nth(1).getByRole('button', { name: 'Убрать: Багет' }).click();
  await lines.nth(1).getByRole('button', { name: 'Убрать: Багет' }).click();
  expect(await text(page, '.bill >> nth=0')).toContain('Принимаем заказы от 300 ₽');
});

test('the cart is there after a reload, and what is not for sale any more is not', async () => {
  const { page, go } = await visit(browser, '/goods');
  await card(page, 'Ржаной').getByRole('button').click();
  await evaluate(
    page,
    "localStorage['cart.app1'] = JSON.stringify({ ...JSON.parse(localStorage['cart.app1']), 99: 4, constructor: 2 })",
  );
  await go('/order');
  expect(await page.locator('.bill').first().locator('.line').count()).toBe(2);
  expect(await text(page, '.total >> nth=0')).toBe('Итого290 ₽');
});

test('a cart that somebody has spoilt is an empty one', async () => {
  const { page, go } = await visit(browser, '/goods');
  for (const spoilt of ['{', 'null', '[]', '"x"', '{"1":"many"}', '{"__proto__":{"x":1}}']) {
    await evaluate(page, `void (localStorage['cart.app1'] = ${JSON.stringify(spoilt)})`);
    await go('/order');
    await page.getByText('Здесь пока пусто.').waitFor();
    await go('/goods');
    await card(page, 'Ржаной').getByRole('button').first().click();
  }
});

test('goods without a price that is one are looked at only, and a cart that has them still comes to a sum', async () => {
  const goods = [
    ...(ROWS['goods'] ?? []),
    { id: 4, title: 'Без цены', stock: 5 },
    { id: 5, title: 'Дешевле даром', price: -10, stock: 5 },
    { id: 6, title: 'Даром', price: 0, stock: 5 },
  ];
  const { page, go } = await visit(browser, '/goods', { rows: { ...ROWS, goods } });
  for (const name of ['Без цены', 'Дешевле даром']) {
    expect(await card(page, name).locator('.price, button').count(), name).toBe(0);
    await card(page, name).getByRole('link').click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    expect(await page.locator('.one').locator('.price, button').count(), name).toBe(0);
    await page.goBack();
  }
  await card(page, 'Даром').getByRole('button', { name: 'В корзину: Даром' }).click();
  await card(page, 'Ржаной').getByRole('button').click();
  await evaluate(
    page,
    "localStorage['cart.app1'] = JSON.stringify({ ...JSON.parse(localStorage['cart.app1']), 4: 1, 5: 2 })",
  );
  await go('/order');
  const bill = page.locator('.bill').first();
  const lines = async () => (await bill.locator('.line').allTextContents()).map((line) => line.replace(/\s/g, ' '));
  const good = ['Ржаной с кориандром−1+290 ₽', 'Даром−1+0 ₽'];
  expect((await lines()).sort()).toEqual(
    [...good, 'Без цены−1+Нет в наличии', 'Дешевле даром−2+Нет в наличии', 'Итого290 ₽'].sort(),
  );
  // Only without them does the server take the order.
  await bill.getByRole('button', { name: 'Убрать: Без цены' }).click();
  for (let press = 0; press < 2; press += 1) await bill.getByRole('button', { name: 'Убрать: Дешевле даром' }).click();
  expect(await lines()).toEqual([...good, 'Итого290 ₽']);
});

test('an order is sent with the cart, which is empty then', async () => {
  const { page, site } = await visit(browser, '/goods');
  await card(page, 'Ржаной').getByRole('button').click();
  await page.getByRole('link', { name: 'Заказ' }).last().click();
  await page.getByLabel('Как вас зовут').fill('Анна');
  await page.getByRole('button', { name: 'Оформить заказ' }).click();
  await page.getByText('Спасибо. Ответим сегодня.').waitFor();
  expect(site.sent[0]?.event).toMatchObject({
    form: 'order',
    values: { name: 'Анна' },
    cart: { '1': 1 },
    locale: 'ru',
  });
  await page.getByText('Здесь пока пусто.').waitFor();
  expect(await page.getByRole('button', { name: 'Оформить заказ' }).count()).toBe(0);
  // Another order can be made after another look at the shop.
  await page.getByRole('navigation', { name: 'Меню' }).getByRole('link', { name: 'Хлеб и булочки' }).click();
  await page.getByRole('navigation', { name: 'Меню' }).getByRole('link', { name: 'Заказ' }).click();
  await page.getByRole('button', { name: 'Оформить заказ' }).waitFor();
});

test('without a network the shop goes on, and the order leaves when it is back', async () => {
  const { page, site } = await visit(browser, '/goods');
  await goOffline(page);
  await card(page, 'Ржаной').getByRole('button').click();
  await page.getByRole('link', { name: 'Заказ' }).last().click();
  await page.getByLabel('Как вас зовут').fill('Анна');
  await page.getByRole('button', { name: 'Оформить заказ' }).click();
  await page.getByText('Нет связи.').waitFor();
  expect(await page.getByLabel('Как вас зовут').inputValue()).toBe('Анна');
  expect(site.sent).toEqual([]);
  await page.context().setOffline(false);
  await page.getByText('Спасибо. Ответим сегодня.').waitFor();
  expect(site.sent.length).toBe(1);
});

test('an order form that only a full cart shows still thanks, when the cart is empty again', async () => {
  const view = makeView();
  const orderForm = { ...view.elements['orderForm'], showIf: { field: 'cart.count', over: 0 } };
  const elements = { ...view.elements, orderForm } as typeof view.elements;
  const { page } = await visit(browser, '/goods', { view: { ...view, elements } });
  await page.getByRole('navigation', { name: 'Меню' }).getByRole('link', { name: 'Заказ' }).click();
  expect(await page.getByLabel('Как вас зовут').count()).toBe(0);
  await page.goBack();
  await card(page, 'Ржаной').getByRole('button').click();
  await page.getByRole('navigation', { name: 'Меню' }).getByRole('link', { name: 'Заказ' }).click();
  await page.getByLabel('Как вас зовут').fill('Анна');
  await page.getByRole('button', { name: 'Оформить заказ' }).click();
  await page.getByText('Спасибо. Ответим сегодня.').waitFor();
  expect(await page.locator('.bill output').count()).toBe(0);
});

test('what was taken out of the shop since is not ordered', async () => {
  const { page, site, go } = await visit(browser, '/goods');
  await card(page, 'Ржаной').getByRole('button').click();
  await evaluate(page, "void (localStorage['cart.app1'] = JSON.stringify({ 1: 1, 99: 4, '98:M': 1 }))");
  await go('/order');
  // By then the cart has been looked through.
  await networkLine(page).waitFor({ state: 'attached' });
  await page.getByLabel('Как вас зовут').fill('Анна');
  await page.getByRole('button', { name: 'Оформить заказ' }).click();
  await page.getByText('Спасибо. Ответим сегодня.').waitFor();
  expect(site.sent[0]?.event.cart).toEqual({ 1: 1 });
});
