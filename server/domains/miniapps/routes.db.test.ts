import { createHash } from 'node:crypto';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AppStart } from '../../../contract/app/view.ts';
import { until } from '../../../test/support/roost.ts';
import { onePixel } from '../projects/fixtures.ts';
import { insertRow } from '../tables/tables.ts';
import { shopDocument } from './fixtures.ts';
import { startTestApp, type TestApp } from './harness.ts';
import { setDomain, setSlug } from './miniapps.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await startTestApp();
  await shop.roost.db.tx(async (tx) => {
    await setSlug(tx, shop.project.id, 'river-shop');
    await setDomain(tx, shop.project.id, 'shop.example', undefined);
  });
  await until(
    () => shop.get('/s/river-shop'),
    (response) => response.status === 200,
  );
});
afterAll(() => shop.close());

const text = async (path: string, headers: Record<string, string> = {}): Promise<string> =>
  (await shop.get(path, headers)).text();
const start = (page: string): AppStart =>
  JSON.parse(/<script type="application\/json" id="v">(.*?)<\/script>/.exec(page)?.[1] ?? '{}');

describe('a page', () => {
  test('can be read without a script, in the app and on the site', async () => {
    for (const path of [`/a/${shop.app}`, '/s/river-shop', `/a/${shop.app}/`]) {
      const page = await text(path);
      expect(page, path).toContain('Honey');
      expect(page, path).toContain('<title>Лавка – Лавка у реки</title>');
      expect(page, path).not.toContain('Secret');
      expect(page, path).not.toMatch(/<script(?![^>]*(type="application\/json"|src="\/_\/))/);
    }
  });

  test('shows a row under the number of the row, and only under one address', async () => {
    expect(await text('/s/river-shop/goods/2')).toContain('<title>Tea – Лавка у реки</title>');
    for (const path of ['/goods/3', '/goods/99', '/goods/02', '/nothing', '/goods/2/2', '//goods/2']) {
      const response = await shop.get(`/s/river-shop${path}`);
      expect(response.status, path).toBe(404);
      expect(await response.text(), path).toContain('Такой страницы нет');
    }
  });

  test('that is not there leads to the first one in the language that it speaks itself', async () => {
    const home = async (path: string, headers = {}): Promise<string | undefined> =>
      /<a href="([^"]*)" class="button main"/.exec(await text(path, headers))?.[1];
    expect(await home('/s/river-shop/nothing')).toBe('/s/river-shop');
    expect(await home('/s/river-shop/nothing?lang=en')).toBe('/s/river-shop?lang=en');
    expect(await home(`/a/${shop.app}/nothing`, { 'accept-language': 'en' })).toBe(`/a/${shop.app}?lang=en`);
  });

  test('speaks the language that was asked for, then that of the browser, then the first', async () => {
    const title = async (path: string, headers = {}): Promise<string> =>
      /<title>(.*?)<\/title>/.exec(await text(path, headers))?.[1] ?? '';
    const english = { 'accept-language': 'de, en-GB;q=0.8, ru;q=0.5' };
    expect(await title('/s/river-shop?lang=en')).toBe('The shop – River shop');
    expect(await title('/s/river-shop', english)).toBe('The shop – River shop');
    expect(await title('/s/river-shop?lang=ru', english)).toBe('Лавка – Лавка у реки');
    // From a page of ours an address without a language is a choice.
    expect(await title('/s/river-shop', { ...english, 'sec-fetch-site': 'same-origin' })).toBe('Лавка – Лавка у реки');
    // The simulated Telegram opens a frame on the same origin, and has shown no languages.
    const framed = { ...english, 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'iframe' };
    expect(await title('/s/river-shop', framed)).toBe('The shop – River shop');
    expect(await title('/s/river-shop?lang=xx')).toBe('Лавка – Лавка у реки');
  });

  test('is the one that the start parameter of a link names', async () => {
    const app = `/a/${shop.app}`;
    const facts = async (path: string): Promise<unknown[]> => {
      const page = await text(path);
      return [/<h1[^>]*>(.*?)</.exec(page)?.[1], start(page).page, start(page).address];
    };
    const [ofCart, ofHome] = [await facts(`${app}/cart`), await facts(app)];
    for (const time of ['made', 'kept'])
      expect(await facts(`${app}?tgWebAppStartParam=page_cart`), time).toEqual([...ofCart.slice(0, 2), `${app}/cart`]);
    expect(await facts(`${app}?lang=en&tgWebAppStartParam=page_cart`)).toContain(`${app}/cart?lang=en`);
    const ofTea = await facts(`${app}/goods/2`);
    for (const time of ['made', 'kept'])
      expect(await facts(`${app}?tgWebAppStartParam=page_one-2`), time).toEqual([
        ...ofTea.slice(0, 2),
        `${app}/goods/2`,
      ]);
    for (const param of ['page_one-99', 'page_one-x', 'page_home-2'])
      expect((await facts(`${app}?tgWebAppStartParam=${param}`))[2], param).toBeUndefined();
    for (const param of ['page_home', 'page_nothing', 'page_constructor', 'page_', 'ad_1', 'xpage_cart'])
      expect(await facts(`${app}?tgWebAppStartParam=${param}`), param).toEqual(ofHome);
    // Who has opened a page stays there, and a site is no Mini App.
    expect(await facts(`${app}/cart?tgWebAppStartParam=page_home`)).toEqual(ofCart);
    expect((await facts('/s/river-shop?tgWebAppStartParam=page_cart'))[1]).toBe('home');
  });

  test('has Telegram’s buttons in the colours of the project', async () => {
    expect(start(await text(`/a/${shop.app}`)).paint).toMatchObject({
      MainButtonlight: { color: '#0b6e66', text_color: '#ffffff' },
      MainButtondark: { text_color: '#17191c' },
    });
    expect(start(await text('/s/river-shop')).paint).toBeUndefined();
  });

  test('shows rows in the language that is read, where a column of it is filled in', async () => {
    expect(await text('/s/river-shop/goods/2?lang=en')).toContain('<title>Black tea – River shop</title>');
    expect(await text('/s/river-shop/goods/1?lang=en')).toContain('<title>Honey – River shop</title>');
    const rowsIn = async (lang: string): Promise<unknown> =>
      JSON.parse(await text(start(await text(`/s/river-shop?lang=${lang}`)).rows)).goods[1].title;
    expect([await rowsIn('ru'), await rowsIn('en')]).toEqual(['Tea', 'Black tea']);
  });

  test('tells search engines what it is, as a site and not as an app', async () => {
    const page = await text('/s/river-shop?lang=en');
    expect(page).toContain('<meta name="description" content="Honey &amp; &lt;tea&gt;">');
    expect(page).toContain('<link rel="canonical" href="https://shop.example/?lang=en">');
    expect(page).toContain('<link rel="alternate" hreflang="ru" href="https://shop.example/">');
    expect(page).toMatch(/<meta property="og:image" content="https:\/\/shop\.example\/_\/app_\w+\/m-[0-9a-f]{64}">/);
    expect(page).not.toContain('noindex');
    expect(await text('/s/river-shop/cart')).toContain('<meta name="robots" content="noindex">');
    expect(await text(`/a/${shop.app}`)).toContain('<meta name="robots" content="noindex">');
  });

  test('is asked for again with its tag, and is not sent twice', async () => {
    const first = await shop.get(`/a/${shop.app}`, { 'sec-fetch-site': 'none' });
    const tag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=5');
    const again = await shop.get(`/a/${shop.app}`, { 'if-none-match': tag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect(again.headers.get('content-security-policy')).toBe(first.headers.get('content-security-policy'));
  });

  test('is kept for others only where all that has chosen its language is named', async () => {
    const kept = async (path: string, headers: Record<string, string> = {}): Promise<(string | null)[]> => {
      const response = await shop.get(path, { 'accept-language': 'en', ...headers });
      await response.text();
      return ['content-language', 'cache-control', 'vary'].map((name) => response.headers.get(name));
    };
    const shared = 'public, max-age=0, s-maxage=5';
    const own = 'private, max-age=0';
    const vary = 'accept-encoding, accept-language, sec-fetch-site, sec-fetch-dest';
    const fresh = { 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document' };
    const fromHere = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document' };
    const referer = `${shop.address}/s/river-shop`;
    for (const path of ['/s/river-shop', '/s/river-shop/nothing']) {
      expect(await kept(path, fresh)).toEqual(['en', shared, vary]);
      expect(await kept(path, fromHere)).toEqual(['ru', shared, vary]);
      // The same headers may have come with another Referer, which chooses here.
      expect(await kept(path, { ...fromHere, 'sec-fetch-dest': 'iframe' })).toEqual(['en', own, vary]);
      expect(await kept(path)).toEqual(['en', own, vary]);
      expect(await kept(path, { referer })).toEqual(['ru', own, vary]);
    }
    expect(await kept('/s/river-shop?lang=en', { referer })).toEqual(['en', shared, 'accept-encoding']);
    // Nobody's cookie changes a page, so none has to be told apart.
    expect(await kept('/s/river-shop', { ...fresh, cookie: 'roost_visitor=x' })).toEqual(['en', shared, vary]);
  });

  test('comes in the form that the browser reads', async () => {
    for (const [accepted, coding] of [
      ['br, gzip', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const response = await shop.get(`/a/${shop.app}`, { 'accept-encoding': accepted });
      expect(response.headers.get('content-encoding'), accepted).toBe(coding);
      expect(await response.text(), accepted).toContain('Honey');
    }
  });
});

describe('the headers', () => {
  test('let Telegram show an app in a frame, and nobody a site', async () => {
    const policy = async (path: string): Promise<string> =>
      (await shop.get(path)).headers.get('content-security-policy') ?? '';
    expect(await policy(`/a/${shop.app}`)).toContain('frame-ancestors https://web.telegram.org https://*.telegram.org');
    expect(await policy('/s/river-shop')).toContain("frame-ancestors 'none'");
    for (const path of [`/a/${shop.app}`, '/s/river-shop', '/s/river-shop/nothing']) {
      expect(await policy(path), path).toContain("default-src 'none'");
      expect(await policy(path), path).not.toMatch(/unsafe-inline|unsafe-eval|\*(?!\.telegram)/);
    }
  });

  test('allow exactly the styles that stand in the page', async () => {
    const response = await shop.get('/s/river-shop');
    const styles = [...(await response.text()).matchAll(/<style>(.*?)<\/style>/gs)].map((match) => match[1] ?? '');
    expect(styles).toHaveLength(2);
    for (const style of styles)
      expect(response.headers.get('content-security-policy')).toContain(
        `'sha256-${createHash('sha256').update(style).digest('base64')}'`,
      );
  });

  test('keep browsers from guessing and from telling', async () => {
    const { headers } = await shop.get(`/a/${shop.app}`);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
    expect(headers.get('permissions-policy')).toContain('camera=()');
  });
});

describe('a file under the name of its content', () => {
  test('may be kept for a year: the runtime, the view, the rows', async () => {
    const page = await text(`/a/${shop.app}`);
    const { view, rows } = start(page);
    const runtime = /src="(\/_\/[^"]+\.js)"/.exec(page)?.[1] ?? '';
    for (const path of [view, rows, runtime]) {
      const response = await shop.get(path);
      expect(response.status, path).toBe(200);
      expect(response.headers.get('cache-control'), path).toBe('public, max-age=31536000, immutable');
      await response.text();
    }
    const goods = (await (await shop.get(rows)).json()) as { goods: Record<string, unknown>[] };
    expect(goods.goods.map((row) => row['title'])).toEqual(['Honey', 'Tea']);
    // What the data source does not name stays here; a photo is an address.
    expect(goods.goods[0]).not.toHaveProperty('cost');
    expect(goods.goods[0]?.['photo']).toMatch(/^\/_\/app_\w+\/m-[0-9a-f]{64}$/);
    const drawn = await text(view);
    expect(drawn).not.toContain('"where"');
    expect(drawn).not.toContain('The shop');
  });

  test('is nothing else, and not there when it is not what its name says', async () => {
    const { view, rows } = start(await text(`/a/${shop.app}`));
    for (const path of [view, rows].map((one) => one.replace(/[\w-]{22}\.json$/, `${'x'.repeat(22)}.json`)))
      expect((await shop.get(path)).status, path).toBe(404);
    for (const path of ['v-a-99-ru-', 'v-a-1-xx-', 'd-99-', 'v-q-1-ru-'])
      expect((await shop.get(`/_/${shop.app}/${path}${'x'.repeat(22)}.json`)).status, path).toBe(404);
  });

  test('a picture comes whole or in part, with nothing in it that could run', async () => {
    const path = /\/_\/app_\w+\/m-[0-9a-f]{64}/.exec(await text('/s/river-shop'))?.[0] ?? '';
    const whole = await shop.get(path);
    expect(Buffer.from(await whole.arrayBuffer())).toEqual(onePixel);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'image/png',
      'accept-ranges': 'bytes',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const part = await shop.get(path, { range: 'bytes=4-7' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 4-7/${onePixel.length}`]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(onePixel.subarray(4, 8));
    expect((await shop.get(path, { range: `bytes=${onePixel.length}-` })).status).toBe(416);
    expect((await shop.get(path, { 'if-none-match': whole.headers.get('etag') ?? '' })).status).toBe(304);
    expect((await shop.get(path.replace(/[0-9a-f]{64}$/, '0'.repeat(64)))).status).toBe(404);
  });
});

describe('a site', () => {
  const byHost = async (path: string, host = 'shop.example'): Promise<{ status: number; text: string }> => {
    const { statusCode, body } = await request(`${shop.address}${path}`, { headers: { host } });
    return { status: statusCode, text: await body.text() };
  };

  test('stands on a domain of its own, every path of it', async () => {
    expect((await byHost('/')).text).toContain('href="/goods/1"');
    expect((await byHost('/goods/1')).text).toContain('<title>Honey');
    expect((await byHost('/a/b')).status).toBe(404);
    expect((await byHost('/', 'SHOP.example.')).status).toBe(200);
    expect((await byHost('/', 'other.example')).status).toBe(404);
  });

  test('has a map for search engines, and says where it is', async () => {
    const map = (await byHost('/sitemap.xml')).text;
    expect([...map.matchAll(/<loc>(.*?)<\/loc>/g)].map((match) => match[1])).toEqual([
      'https://shop.example/',
      'https://shop.example/goods/1',
      'https://shop.example/goods/2',
      'https://shop.example/visit',
    ]);
    expect(map).toContain('hreflang="en" href="https://shop.example/visit?lang=en"');
    expect((await byHost('/robots.txt')).text).toContain('Sitemap: https://shop.example/sitemap.xml');
    expect(await text('/robots.txt')).toContain('Disallow: /a/');
    expect((await shop.get(`/a/${shop.app}/sitemap.xml`)).status).toBe(404);
  });
});

test('an address that nobody has says so in words, in the language of the browser', async () => {
  for (const path of ['/a/app_nobody', '/s/nobody', '/a/', '/s/', `/s/${shop.app}`]) {
    const response = await shop.get(path, { 'accept-language': 'ru' });
    expect(response.status, path).toBe(404);
    expect(await response.text(), path).toContain('Здесь пока ничего нет');
  }
  expect(await text('/a/app_nobody')).toContain('There is nothing here yet');
  const other = await shop.get('/nothing');
  expect([other.status, await other.json()]).toMatchObject([404, { ok: false, error: { code: 'NOT_FOUND' } }]);
});

test('an address that cannot be read is a page that is not there, for whoever looks at pages', async () => {
  for (const path of ['%', '%E0%A4', 'goods/%zz', '%/goods']) {
    for (const base of ['/s/river-shop', `/a/${shop.app}`]) {
      const response = await shop.get(`${base}/${path}`, { 'accept-language': 'en' });
      expect([response.status, response.headers.get('content-type')], path).toEqual([404, 'text/html; charset=utf-8']);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(await response.text(), path).toContain('There is no such page');
    }
    expect(await text(`/s/nobody/${path}`), path).toContain('There is nothing here yet');
    const byDomain = await request(`${shop.address}/${path}`, { headers: { host: 'shop.example' } });
    expect([byDomain.statusCode, await byDomain.body.text()], path).toEqual([
      404,
      expect.stringContaining('Такой страницы нет'),
    ]);
  }
  for (const path of ['/s/%', '/a/%']) expect(await text(path)).toContain('There is nothing here yet');
  // Programs are told as everywhere.
  for (const [method, path] of [
    ['GET', '/%'],
    ['GET', `/v1/apps/${shop.app}/%`],
    ['POST', '/s/river-shop/%'],
  ] as const) {
    const response = await fetch(`${shop.address}${path}`, { method });
    expect([response.status, await response.json()], path).toMatchObject([404, { error: { code: 'NOT_FOUND' } }]);
  }
});

test('what is published and what is changed in a table is seen, and old addresses of views go on', async () => {
  const before = start(await text(`/a/${shop.app}`));
  const { db } = shop.roost;
  const table = shopDocument()['tables'] as Record<string, never>;
  await db.tx((tx) =>
    insertRow(
      tx,
      { projectId: shop.project.id, name: 'goods', table: table['goods'] as never },
      { title: 'Jam', price: 7 },
    ),
  );
  await until(
    () => text(`/a/${shop.app}`),
    (page) => page.includes('Jam'),
  );
  const document = shopDocument() as { app: { texts: Record<string, unknown> } };
  document.app.texts['home.title'] = { ru: 'Новая лавка', en: 'New shop' };
  await shop.publish(document);
  await until(
    () => text(`/a/${shop.app}`),
    (page) => page.includes('Новая лавка'),
  );
  const old = await shop.get(before.view);
  expect(old.headers.get('cache-control')).toContain('immutable');
  expect(await old.text()).not.toContain('Новая');
  // Rows are those of the running release alone: what a mended mistake had shown is not there any more.
  for (const path of [before.rows, before.rows.replace(/[\w-]{22}\.json$/, `${'x'.repeat(22)}.json`)])
    expect((await shop.get(path)).status, path).toBe(404);
  const now = start(await text(`/a/${shop.app}`)).rows;
  const hash = /[\w-]{22}(?=\.json$)/.exec(now)?.[0] ?? '';
  expect(now).toContain(hash);
  expect((await shop.get(before.rows.replace(/[\w-]{22}\.json$/, `${hash}.json`))).status).toBe(404);
  expect((await shop.get(now)).status).toBe(200);
  // A page that left before the change, and asks for its rows after it, is led to those of now.
  const led = await shop.get(before.rows, { 'sec-fetch-site': 'same-origin' });
  expect([led.status, led.headers.get('location'), led.headers.get('cache-control')]).toEqual([307, now, 'no-store']);
});

test('an app of one language is one answer for everybody', async () => {
  await shop.publish({ ...shopDocument(), locales: ['ru'] });
  const page = await until(
    async () => {
      const response = await shop.get('/s/river-shop', { 'accept-language': 'en' });
      await response.text();
      return response;
    },
    ({ headers }) => headers.get('vary') === 'accept-encoding',
  );
  expect(page.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=5');
});
