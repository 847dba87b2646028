// Whatever a visitor looks for or stands on is in sight: the menu, the name, the focus.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AppView } from '../../contract/app/view.ts';
import { startBrowser } from '../simulator/browser.ts';
import { makeView } from './fixture.ts';
import { evaluate, visit } from './visit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** The fixture with eight pages in its menu and a name of its own. */
function crowded(name: string): AppView {
  const view = makeView();
  const titles = [
    'Главная',
    'Булочки',
    'Доставка и оплата',
    'О пекарне',
    'Вопросы и ответы',
    `Отзывы ${'о'.repeat(90)}`,
    'Контакты',
    'Заявка',
  ];
  const ids = ['home', 'goods', 'order', 'ask', 'quiz', 'book', 'item', 'last'];
  const pages = ids.map((id, at) => [
    id,
    { ...(view.pages[id] ?? { path: '/last', root: 'askRoot' }), title: `menu${at}`, menu: at + 1 },
  ]);
  const texts = { ...view.texts, site: name, ...Object.fromEntries(titles.map((title, at) => [`menu${at}`, title])) };
  return { ...view, texts, pages: Object.fromEntries(pages) };
}

test('a menu of eight pages is all to be seen beside the name, with the languages on the right', async () => {
  for (const width of [900, 1280])
    for (const name of ['Первый хлеб', 'Хлеб'.repeat(20)]) {
      const { page } = await visit(browser, '/goods', {
        view: crowded(name),
        browser: { viewport: { width, height: 700 } },
      });
      const main = await page.locator('main').boundingBox();
      const end = (main?.x ?? 0) + (main?.width ?? 0) - 16;
      const links = await page.locator('.menu a').all();
      const boxes = await Promise.all([...links, page.locator('.name')].map((one) => one.boundingBox()));
      expect(boxes.filter((box) => !box || box.x + box.width > end + 1)).toEqual([]);
      expect(
        await evaluate(
          page,
          'document.querySelector(".menu").scrollWidth <= document.querySelector(".menu").clientWidth',
        ),
      ).toBe(true);
      const other = await page.locator('header .languages').boundingBox();
      expect(Math.abs((other?.x ?? 0) + (other?.width ?? 0) - end)).toBeLessThan(2);
      // On the same line as the menu, however high that is.
      const menu = await page.locator('.menu').boundingBox();
      expect(other?.y).toBeLessThan((menu?.y ?? 0) + (menu?.height ?? 0));
    }
});

test('a name of one long word breaks inside of the header', async () => {
  for (const name of ['Хлеб'.repeat(8), 'Хлеб'.repeat(20)]) {
    const { page } = await visit(browser, '/goods', {
      view: crowded(name),
      browser: { viewport: { width: 320, height: 568 } },
    });
    expect(await evaluate(page, 'document.documentElement.scrollWidth')).toBe(320);
  }
});

test('what the place of the visitor covers of a menu fades out before its edge', async () => {
  const { page } = await visit(browser, '/last', { view: crowded('Первый хлеб') });
  const paint = (color: string) => evaluate(page, `void (document.querySelector('.menu').style.color = '${color}')`);
  // Of all these widths some end in the middle of a letter.
  for (let wide = 330; wide < 380; wide += 6) {
    await page.setViewportSize({ width: wide, height: 740 });
    const { x, y, width } = (await page.locator('.menu [aria-current]').boundingBox()) ?? { x: 0, y: 0, width: 0 };
    expect(x + width).toBeLessThanOrEqual(wide);
    const strip = () => page.screenshot({ clip: { x: Math.floor(x) - 2, y: y + 4, width: 2, height: 36 } });
    await paint('');
    const shown = await strip();
    await paint('transparent');
    expect([wide, shown.equals(await strip())]).toEqual([wide, true]);
  }
});

test('a menu that is wider than the phone fades out before the edges of the screen', async () => {
  const { page } = await visit(browser, '/goods', { view: crowded('Первый хлеб') });
  const paint = (color: string) => evaluate(page, `void (document.querySelector('.menu').style.color = '${color}')`);
  for (let wide = 330; wide < 380; wide += 6) {
    await page.setViewportSize({ width: wide, height: 740 });
    const { y } = (await page.locator('.menu').boundingBox()) ?? { y: 0 };
    const strip = () => page.screenshot({ clip: { x: wide - 1, y: y + 4, width: 1, height: 36 } });
    await paint('');
    const shown = await strip();
    await paint('transparent');
    expect([wide, shown.equals(await strip())]).toEqual([wide, true]);
  }
});

test('the question about cookies covers nothing that has the focus', async () => {
  const { page } = await visit(browser, '/', { browser: { viewport: { width: 320, height: 568 } } });
  const box = page.locator('.cookies');
  await box.getByRole('button').last().focus();
  for (let press = 0; press < 4 && !(await evaluate(page, "document.activeElement.closest('footer')")); press += 1)
    await page.keyboard.press('Tab');
  expect(await evaluate(page, "document.activeElement === document.querySelector('footer a')")).toBe(true);
  const seen = `(() => {
    const { x, y, width, height } = document.activeElement.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2) === document.activeElement;
  })()`;
  expect(await evaluate(page, seen)).toBe(true);
});

test('turning a calendar to its last month leaves the focus in it', async () => {
  const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const slots = () => ({ ok: true, slots: [{ start: `${day}T10:00:00Z`, day, time: '10:00', left: 1 }] });
  const { page } = await visit(browser, '/book', { slots });
  await page.getByRole('radio', { name: 'Анна' }).check();
  const on = page.locator('[data-month]').last();
  await page.locator('.days button:enabled').waitFor();
  await on.focus();
  for (let press = 0; press < 4 && (await on.isEnabled()); press += 1) await page.keyboard.press('Enter');
  expect(await on.isDisabled()).toBe(true);
  expect(await evaluate(page, "document.activeElement === document.querySelector('[data-month]')")).toBe(true);
  await page.keyboard.press('Enter');
  expect(await on.isEnabled()).toBe(true);
});
