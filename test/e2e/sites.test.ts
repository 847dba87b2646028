import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { goOffline } from '../miniapp/visit.ts';
import { openPage } from '../simulator/browser.ts';
import { demoOf, expectAccessible, expectNoSideways, expectWholeWords } from './app.ts';
import { useHouse } from './house.ts';

// The same pages as web sites: outside Telegram, on phones and desks, without script and without a network.
const house = useHouse();

async function open(
  example: string,
  path: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; troubles: string[] }> {
  const address = new URL(`/s/${demoOf(example).site}${path}`, house.product.address).href;
  const watched = await openPage(house.browser, address, options);
  onTestFinished(() => watched.close());
  return watched;
}

/** Each example's pages, and what somebody reads on them: `first` on the first page, `goods` on the one of its rows. */
const sites = [
  {
    example: 'shop',
    pages: ['', '/item/1', '/cart', '/order', '/about'],
    first: ['Посуда из каменной глины', 'Stoneware for every day'],
    goods: ['', 'Чайник «Грач»', 'Teapot "Rook"'],
  },
  {
    example: 'booking',
    pages: ['', '/book', '/about'],
    first: ['Студия «Линия»', 'Linia hair studio'],
    goods: ['/book', 'Укладка', 'Blow-dry'],
  },
  {
    example: 'lead-site',
    pages: ['', '/prices', '/contacts', '/request'],
    first: ['Чиним велосипеды с 2011 года', 'We have mended bicycles since 2011'],
    goods: ['/request', 'Зимнее хранение', 'Winter storage'],
  },
  {
    example: 'portfolio',
    pages: ['', '/series/1', '/prices', '/quiz', '/about'],
    first: ['Елизавета Преображенская-Соколова, фотограф', 'Elizaveta Preobrazhenskaya-Sokolova, photographer'],
    goods: ['', 'Воздушный змей', 'The kite'],
  },
] as const;

describe.each(sites)('the site of $example', ({ example, pages, first: [ru, en], goods: [where, nameRu, nameEn] }) => {
  test.each([
    ['ru', 320, 'light'],
    ['en', 320, 'dark'],
    ['ru', 390, 'dark'],
    ['ru', 1280, 'dark'],
    ['en', 1280, 'light'],
  ] as const)('in %s, %i px wide, %s: fits and can be read by everybody', async (language, width, colorScheme) => {
    const options = { locale: language, colorScheme, viewport: { width, height: 800 } };
    for (const path of pages) {
      const { page, troubles } = await open(example, path, options);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await expectNoSideways(page);
      await expectWholeWords(page);
      await expectAccessible(page);
      expect(troubles, path).toEqual([]);
    }
  });

  test('speaks the language that is asked for, its rows too', async () => {
    const { page } = await open(example, '?lang=en');
    await page.getByRole('heading', { name: en, level: 1 }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    await page.goto(new URL(`/s/${demoOf(example).site}${where}?lang=en`, house.product.address).href);
    await page.getByText(nameEn).first().waitFor();
    expect(await page.getByText(nameRu).count()).toBe(0);
  });

  test('can be read, and walked through, without script', async () => {
    const { page } = await open(example, '', { javaScriptEnabled: false });
    await page.getByRole('heading', { name: ru, level: 1 }).waitFor();
    const links = page.getByRole('navigation', { name: 'Меню' }).getByRole('link');
    for (const name of await links.allTextContents()) {
      await links.filter({ hasText: name }).click();
      await page.locator('[aria-current]', { hasText: name }).waitFor();
      await page.getByRole('heading', { level: 1 }).first().waitFor();
    }
    await page.goto(new URL(`/s/${demoOf(example).site}${where}`, house.product.address).href);
    await page.getByText(nameRu).first().waitFor();
  });
});

test('the dark is dark', async () => {
  for (const { example } of sites) {
    const { page } = await open(example, '', { colorScheme: 'dark' });
    const shade: number = await page.evaluate(
      `Math.max(...getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number))`,
    );
    expect(shade, example).toBeLessThan(80);
  }
});

test('without a network the cart goes on, and the order leaves when it is back', async () => {
  const { page, troubles } = await open('shop', '');
  const jug = page.getByRole('article').filter({ hasText: 'Молочник «Синица»' });
  await jug.getByRole('button', { name: 'В корзину' }).click();
  await jug.getByRole('button', { name: 'Добавить' }).waitFor();
  expect(troubles).toEqual([]);

  await goOffline(page);
  await jug.getByRole('button', { name: 'Добавить' }).click();
  await page.getByRole('navigation', { name: 'Меню' }).getByRole('link', { name: 'Корзина' }).click();
  const bill = page.locator('.bill');
  await bill.getByText('Молочник «Синица»').waitFor();
  expect(await bill.locator('output').textContent()).toBe('2');
  await page.getByRole('link', { name: 'Оформить' }).click();
  await page.getByRole('textbox', { name: 'Как к вам обращаться' }).fill('Анна');
  await page.getByRole('textbox', { name: 'Телефон' }).fill('+7 900 123-45-67');
  await page.getByRole('radio', { name: 'Заберу сам' }).check();
  await page.getByRole('checkbox', { name: 'Даю согласие' }).check();
  await page.getByRole('button', { name: 'Отправить заказ' }).click();
  await page.getByText('Нет связи.').waitFor();

  const elsewhere = await page.context().newPage();
  await page.context().setOffline(false);
  await page.getByText('Спасибо, заказ принят').waitFor();
  await elsewhere.goto(new URL(`/s/${demoOf('shop').site}/cart`, house.product.address).href);
  await elsewhere.getByText('Здесь пока пусто').waitFor();
});

test('a cart is kept for the next visit', async () => {
  const { page } = await open('shop', '');
  await page.getByRole('button', { name: 'В корзину: Молочник «Синица»' }).click();
  await page.getByRole('button', { name: 'Добавить: Молочник «Синица»' }).waitFor();
  await page.goto('about:blank');
  await page.goto(new URL(`/s/${demoOf('shop').site}/cart`, house.product.address).href);
  await page.locator('.bill').getByText('Молочник «Синица»').waitFor();
});
