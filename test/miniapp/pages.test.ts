import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startBrowser } from '../simulator/browser.ts';
import { MEDIA, makeView, ROWS } from './fixture.ts';
import { openSite } from './site.ts';
import { accessible, chunksOf, evaluate, live, visit } from './visit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const PATHS = ['/', '/goods', '/item/1', '/item/2', '/order', '/ask', '/quiz'];

test('the runtime adopts what the server has sent: not a node is made, moved or taken away', async () => {
  const site = await openSite({ view: makeView(), rows: ROWS, media: MEDIA });
  onTestFinished(() => site.close());
  for (const path of PATHS) {
    const context = await browser.newContext();
    const page = await context.newPage();
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/_\/r-/, async (route) => {
      await gate;
      await route.continue();
    });
    await page.addInitScript("try { localStorage['cookies.app1'] = 'no' } catch {}");
    await page.goto(site.address + path, { waitUntil: 'commit' });
    await page.waitForSelector('#v', { state: 'attached' });
    await evaluate(
      page,
      `void (window.changes = [], new MutationObserver((list) => window.changes.push(...list.map((one) =>
      one.type + ' ' + one.target.nodeName + ' ' + (one.attributeName ?? '')))).observe(document.getElementById('r'),
      { subtree: true, childList: true, characterData: true, attributes: true }))`,
    );
    release();
    await live(page);
    expect({ path, changes: await evaluate(page, 'window.changes') }).toEqual({ path, changes: [] });
    await context.close();
  }
});

test('every content block shows what it holds', async () => {
  const { page, troubles } = await visit(browser, '/');
  expect(await page.locator('h1').textContent()).toBe('Хлеб на закваске, каждый день');
  expect(await page.locator('.stack > .lead').first().textContent()).toBe('Печём ночью.\nПривозим утром.');
  const rich = (await page.locator('p', { hasText: 'Сегодня' }).textContent()) ?? '';
  expect(rich.replace(/\s/g, ' ')).toBe('Сегодня тёплый хлеб, невчерашний. Код о нас, всего 0 ₽');
  expect(await page.locator('i b, b i').count()).toBe(1);
  expect(await page.locator('.gallery img').count()).toBe(2);
  expect(await page.locator('video').getAttribute('src')).toBe('/m/film');
  expect(await page.getByLabel('Как поёт тесто').getAttribute('src')).toBe('/m/song');
  expect(await page.getByRole('link', { name: 'Прайс в одном файле' }).getAttribute('href')).toBe('/m/menu');
  expect(await page.locator('blockquote.card p').allTextContents()).toEqual([
    'Лучший хлеб в городе.',
    '— Анна, пекарь',
  ]);
  expect(await page.locator('blockquote > .lead').textContent()).toBe('Лучший хлеб в городе.');
  const folded = page.getByText('Печь не гасили сорок лет.');
  expect(await folded.isVisible()).toBe(false);
  await page.getByText('Цитата', { exact: true }).click();
  expect(await folded.isVisible()).toBe(true);
  expect(await page.locator('pre code').textContent()).toBe('{\n  "мука": 500,\n  "вода": 350\n}');
  expect(await page.locator('small', { hasText: 'Вес указан до выпечки.' }).count()).toBe(1);
  expect(await page.locator('.check li').allTextContents()).toEqual(['мука', 'вода']);
  expect(await page.locator('tbody td').allTextContents()).toEqual(['Будни', '7:00–21:00']);
  expect(await page.locator('.badge').allTextContents()).toEqual(['Свежее']);
  expect(await page.getByText('Плюшка <b>московская</b>').count()).toBe(1);
  expect(await page.locator('.list', { hasText: 'Здесь пока пусто.' }).count()).toBe(1);
  expect(
    await page.locator('address a').evaluateAll((all) => all.map((one) => (one as unknown as { href: string }).href)),
  ).toEqual(['tel:+79001234567', 'mailto:hello@example.com', 'https://t.me/first_bread']);
  expect(await page.locator('.links a').first().getAttribute('href')).toBe('https://t.me/bread_bot?start=hi');
  expect(await page.getByRole('link', { name: 'Персональные данные' }).getAttribute('href')).toBe(
    'https://example.com/privacy',
  );
  expect(await page.locator('.profile').textContent()).toBe('Гость');
  expect(await page.locator('hr').count()).toBe(1);
  expect(troubles).toEqual([]);
});

test('tabs show one panel at a time, by press and by arrow', async () => {
  const { page } = await visit(browser, '/');
  const second = page.getByText('Улица Пекарей, 3.');
  expect(await second.isVisible()).toBe(false);
  await page.getByRole('radio', { name: 'Самовывоз' }).check();
  await second.waitFor({ state: 'visible' });
  expect(await page.getByText('Привезём к семи утра.').isVisible()).toBe(false);
  await page.keyboard.press('ArrowLeft');
  await page.getByText('Привезём к семи утра.').waitFor({ state: 'visible' });
});

test('details that the visitor has opened stay open when the page is drawn again', async () => {
  const { page } = await visit(browser, '/');
  await page.getByText('Состав').click();
  await page.getByRole('radio', { name: 'Самовывоз' }).check();
  await page.getByText('Улица Пекарей, 3.').waitFor({ state: 'visible' });
  expect(await page.getByText('Мука, вода, соль.').isVisible()).toBe(true);
});

test('pages change without a load; back, forward, title and focus follow', async () => {
  const { page, site } = await visit(browser, '/');
  const menu = page.getByRole('navigation', { name: 'Меню' });
  await menu.getByRole('link', { name: 'Хлеб и булочки' }).click();
  await page.getByRole('heading', { level: 1, name: 'Хлеб и булочки' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/goods');
  expect(await page.title()).toBe('Хлеб и булочки – Первый хлеб');
  expect(await evaluate(page, 'document.activeElement.textContent')).toBe('Хлеб и булочки');
  expect(await menu.locator('[aria-current=page]').textContent()).toBe('Хлеб и булочки');
  await page.locator('.product a').first().click();
  await page.getByRole('heading', { level: 1, name: 'Ржаной с кориандром' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/item/1');
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Хлеб и булочки' }).waitFor();
  await page.goForward();
  await page.getByRole('heading', { level: 1, name: 'Ржаной с кориандром' }).waitFor();
  // The second time it is asked for to be kept for when there is no network.
  const pages = site.asked.filter((path) => path === '/' || path === '/goods' || path.startsWith('/item'));
  expect(new Set(pages)).toEqual(new Set(['/']));
});

test('languages are links, and every address keeps the chosen one', async () => {
  const { page } = await visit(browser, '/goods');
  const languages = page.getByRole('navigation', { name: 'Язык' }).getByRole('link');
  expect(await languages.allTextContents()).toEqual(['English']);
  await languages.click();
  await page.getByRole('heading', { level: 1, name: 'Bread and rolls' }).waitFor();
  await live(page);
  await page.getByRole('link', { name: 'Order' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Order' }).waitFor();
  expect(page.url()).toContain('/order?lang=en');
});

test('the visitor is asked about cookies once', async () => {
  const { page, go } = await visit(browser, '/');
  await page.getByRole('button', { name: 'Не надо' }).click();
  await page.locator('.cookies').waitFor({ state: 'detached' });
  await go('/');
  expect(await page.locator('.cookies').count()).toBe(0);
});

test('who wants nothing kept on the device has a cart for this visit only', async () => {
  const { page, go } = await visit(browser, '/goods');
  await page.getByRole('button', { name: 'В корзину: Ржаной с кориандром' }).click();
  expect(await evaluate(page, "localStorage['cart.app1']")).toBe('{"1":1}');
  await page.getByRole('navigation', { name: 'Меню' }).getByRole('link').first().click();
  await page.getByRole('button', { name: 'Не надо' }).click();
  // What this press does comes with a chunk of its own.
  await expect.poll(() => evaluate(page, "localStorage['cart.app1']")).toBe('{}');
  await page.getByRole('navigation', { name: 'Меню' }).getByRole('link', { name: 'Хлеб и булочки' }).click();
  await page.getByRole('button', { name: 'Добавить: Ржаной с кориандром' }).click();
  expect(await page.locator('output').textContent()).toBe('2');
  expect(await evaluate(page, "localStorage['cart.app1']")).toBe('{}');
  await go('/goods');
  await page.getByRole('button', { name: 'В корзину: Ржаной с кориандром' }).click();
  expect(await evaluate(page, "localStorage['cart.app1']")).toBe('{}');
});

test('pictures are looked at large, and a place is opened in a map of one’s own', async () => {
  const { page, troubles } = await visit(browser, '/');
  await chunksOf(page, 'zm');
  await page.locator('.gallery a').nth(1).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.locator('img').count()).toBe(2);
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.getByText('Пекарня на Преображенской', { exact: true }).click();
  expect(await dialog.getByRole('link').allTextContents()).toContain('Яндекс Карты');
  await accessible(page);
  await dialog.getByRole('button', { name: 'Закрыть' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(troubles).toEqual([]);
});

test('without a script everything is there to read and links lead on', async () => {
  const { page } = await visit(browser, '/', { browser: { javaScriptEnabled: false } });
  expect(await page.getByText('Привезём к семи утра.').isVisible()).toBe(true);
  await page.getByText('Состав').click();
  expect(await page.getByText('Мука, вода, соль.').isVisible()).toBe(true);
  await page.getByRole('navigation', { name: 'Меню' }).getByRole('link', { name: 'Хлеб и булочки' }).click();
  expect(await page.locator('.product').count()).toBe(3);
  await page.locator('.product a').first().click();
  expect(await page.locator('h1').textContent()).toBe('Ржаной с кориандром');
});

test('what looks like markup, a prototype or a script in names and rows stays text', async () => {
  const evil = '<img src=x onerror="window.evil=1"><script>window.evil=1</script>';
  const rows = {
    ...ROWS,
    goods: [{ id: 1, title: evil, about: evil, kind: evil, price: 1, photo: 'javascript:window.evil=1' }],
  };
  const texts = Object.fromEntries(Object.keys(makeView().texts).map((key) => [key, `${evil} \u0000\u202e __proto__`]));
  const site = { rows, view: makeView('ru', { texts }) };
  for (const path of ['/', '/goods', '/item/1', '/ask']) {
    const { page } = await visit(browser, path, site);
    expect(await evaluate(page, 'window.evil')).toBeUndefined();
    expect(await page.locator('#r script, #r img[src^=javascript], #r img[src=x]').count()).toBe(0);
    expect(await evaluate(page, '({}).evil')).toBeUndefined();
  }
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`nobody is shut out, ${colorScheme}: axe finds nothing serious`, async () => {
    const { page, go } = await visit(browser, '/', { browser: { colorScheme } });
    await accessible(page);
    for (const path of PATHS.slice(1)) {
      await go(path);
      await accessible(page);
    }
  });

test('320 px are enough: nothing makes the page scroll sideways', async () => {
  const { page, go } = await visit(browser, '/', { browser: { viewport: { width: 320, height: 568 } } });
  for (const path of PATHS) {
    await go(path);
    expect([path, await evaluate(page, 'document.documentElement.scrollWidth')]).toEqual([path, 320]);
  }
});

test('on the narrowest phone the name breaks between words only, and the menu shows where the visitor is', async () => {
  const texts = { ...makeView().texts, site: 'Елизавета Преображенская-Соколова' };
  const { page, go } = await visit(browser, '/order', {
    view: makeView('ru', { texts }),
    browser: { viewport: { width: 320, height: 568 } },
  });
  const broken = `[...document.querySelector('.name').firstChild.data.matchAll(/[^\\s-]+/g)].filter((word) => {
    const range = document.createRange();
    range.setStart(document.querySelector('.name').firstChild, word.index);
    range.setEnd(range.startContainer, word.index + word[0].length);
    return range.getClientRects().length > 1;
  }).map(String)`;
  for (const path of ['/order', '/goods', '/']) {
    await go(path);
    expect(await evaluate(page, broken), path).toEqual([]);
    const { x, width } = (await page.locator('.menu [aria-current]').boundingBox()) ?? { x: -1, width: 0 };
    expect([path, x >= 0 && x + width <= 320 + 1]).toEqual([path, true]);
  }
});

test('a list of links looks alike, whatever pressing one of them does', async () => {
  const { page } = await visit(browser, '/');
  const looks = await evaluate<string[]>(
    page,
    `[...document.querySelector('.links').children].map((one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      const { color, fontWeight, fontSize } = getComputedStyle(one);
      return [color, fontWeight, fontSize, range.getBoundingClientRect().x, one.offsetWidth].join(' ');
    })`,
  );
  expect(looks.length).toBe(3);
  expect(new Set(looks).size).toBe(1);
});

test('what is pressed is 44 px high at least', async () => {
  const { page, go } = await visit(browser, '/');
  for (const path of PATHS) {
    await go(path);
    const small = await evaluate(
      page,
      `[...document.querySelectorAll('#r button, #r .button, #r nav a, #r select, #r input:not([type=checkbox]):not(.trap), #r summary')]
      .filter((one) => one.offsetParent && one.getBoundingClientRect().height < 43.5).map((one) => one.outerHTML)`,
    );
    expect([path, small]).toEqual([path, []]);
  }
});
