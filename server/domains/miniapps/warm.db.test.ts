import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '../../../kernel/db.ts';
import { createHttp } from '../../../kernel/http.ts';
import { createDirectory, createVault } from '../bots/bots.ts';
import { startTestApp, type TestApp } from './harness.ts';
import { createMiniapps, type Miniapps } from './miniapps.ts';
import { miniappRoutes } from './routes.ts';
import { bodyOf } from './serving/compressed.ts';

let shop: TestApp;
let miniapps: Miniapps;
const app = createHttp({
  log: console as never,
  now: Date.now,
  monotonicMs: () => performance.now(),
  random: Math.random,
});
const asked = { count: 0, isAway: false };

/** Counts every statement and every transaction, and can be away. */
function counting(db: Db): Db {
  const counted =
    <Arguments extends unknown[], Result>(call: (...given: Arguments) => Result) =>
    (...given: Arguments): Result => {
      asked.count += 1;
      if (asked.isAway) throw Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
      return call(...given);
    };
  return { ...db, many: counted(db.many), one: counted(db.one), run: counted(db.run), tx: counted(db.tx) } as Db;
}

beforeAll(async () => {
  shop = await startTestApp();
  const { kit } = shop.roost;
  const db = counting(shop.roost.db);
  const vault = createVault({ master: Buffer.alloc(32, 7) });
  const directory = createDirectory(kit, db, { vault, apiRootDefault: 'https://api.telegram.org' });
  await directory.refresh();
  const runtime = await bodyOf('text/javascript', 'run()');
  miniapps = createMiniapps({
    kit,
    db,
    directory,
    assets: {
      runtime: '/_/r-1.js',
      css: 'b{}',
      desk: '/_/d.css',
      worker: '',
      byName: (name) => (name === 'r-1.js' ? runtime : undefined),
    },
    publicUrl: 'https://bots.example',
    telegramOf: () => ({ script: 'https://telegram.org/js/telegram-web-app.js', keys: ['production'] }),
    visitorKey: Buffer.alloc(32, 1),
    fileKey: Buffer.alloc(32, 2),
    cacheBytesMax: 16 * 1024 * 1024,
    eventsStored: () => {},
    pause: async () => {},
    accepts: () => true,
  });
  // Its loops stay still, so that whatever is counted was asked by a request.
  await miniapps.deps.apps.start();
  await miniapps.deps.apps.stop();
  miniappRoutes(app, miniapps.deps);
  await app.ready();
});
afterAll(async () => {
  await app.close();
  await shop.close();
});

test('without the database a page that is not in memory says so in the visitor’s words, and opens when it is back', async () => {
  const get = (language: string) => app.inject({ url: `/a/${shop.app}`, headers: { 'accept-language': language } });
  asked.isAway = true;
  for (const [language, words] of [
    ['ru', 'Страница пока не открывается'],
    ['en', 'The page does not open right now'],
  ] as const) {
    const { statusCode, headers, body } = await get(language);
    const { 'content-type': type, 'cache-control': cache } = headers;
    expect([statusCode, type, cache]).toEqual([503, 'text/html; charset=utf-8', 'no-store']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(body).toContain(`<h1>${words}</h1>`);
  }
  asked.isAway = false;
  expect((await get('en')).statusCode).toBe(200);
});

test('a page and its files that were asked for before are answered without the database', async () => {
  const get = (url: string) => app.inject({ url, headers: { 'accept-encoding': 'br' } });
  const paths = [
    `/a/${shop.app}`,
    `/a/${shop.app}/goods/1`,
    `/a/${shop.app}?lang=en`,
    `/a/${shop.app}/nothing`,
    '/_/r-1.js',
  ];
  const page = (await app.inject({ url: `/a/${shop.app}` })).body;
  const start = JSON.parse(/id="v">(.*?)<\/script>/.exec(page)?.[1] ?? '{}') as { view: string; rows: string };
  paths.push(start.view, start.rows, /\/_\/app_\w+\/m-[0-9a-f]{64}/.exec(page)?.[0] ?? '');
  for (const path of paths) await get(path);
  const made = (): number => Object.values(miniapps.cache()).reduce((sum, { misses }) => sum + misses, 0);
  const [before, madeBefore] = [asked.count, made()];
  for (let round = 0; round < 3; round += 1)
    for (const path of paths) expect((await get(path)).statusCode, path).toBe(path.endsWith('/nothing') ? 404 : 200);
  expect(asked.count).toBe(before);
  expect(made()).toBe(madeBefore);
  expect(miniapps.cache()['page']?.hits).toBeGreaterThanOrEqual(9);
  expect(miniapps.cache()['picture']).toMatchObject({ entries: 1, misses: 1 });
});

test('nobody is answered as a program at the addresses where pages begin', async () => {
  for (const url of ['/s', '/a', '/s/', '/a/nobody']) {
    const { statusCode, headers } = await app.inject({ url });
    expect([statusCode, headers['content-type']], url).toEqual([404, 'text/html; charset=utf-8']);
  }
});
