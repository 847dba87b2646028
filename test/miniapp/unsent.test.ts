// A form that was refused where the way out leads away from the page: what was written is there afterwards, and goes once.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBrowser } from '../simulator/browser.ts';
import { makeView } from './fixture.ts';
import { accessible, evaluate, live, networkLine, type Visit, visit } from './visit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const DAY_MS = 86_400_000;
const kept = 'Закройте приложение и откройте заново: написанное будет на месте.';
const copy = 'Скопируйте написанное.';
const refusal = (code: string) => ({
  ok: false,
  error: { code, message: copy, facts: { fields: { $kept: kept } } },
});
const stale = refusal('UNKNOWN_VISITOR');
const unsent = 'Форма заполнена, но ещё не отправлена.';

let launches = 0;

/** What Telegram says when somebody opens the app: something else each time. */
function launch(id: number, start?: string): string {
  const user = JSON.stringify({ id, first_name: 'Анна' });
  const data = { user, auth_date: '1', hash: `seal${(launches += 1)}`, ...(start && { start_param: start }) };
  return new URLSearchParams(data).toString();
}

type Opened = Visit & { again(path: string, data: string): Promise<void> };

async function open(path: string, data: string, options: Parameters<typeof visit>[2] = {}): Promise<Opened> {
  const made = await visit(browser, `${path}#${new URLSearchParams({ tgWebAppData: data })}`, {
    telegram: true,
    ...options,
  });
  const { page, site } = made;
  await networkLine(page).waitFor({ state: 'attached' });
  return {
    ...made,
    async again(to, next) {
      // Another hash alone would be no load.
      await page.goto('about:blank');
      await page.goto(`${site.address}${to}#${new URLSearchParams({ tgWebAppData: next })}`);
      await live(page);
      await networkLine(page).waitFor({ state: 'attached' });
    },
  };
}

const send = (page: Page) => page.getByRole('button', { name: 'Отправить' }).click();
const name = (page: Page) => page.getByLabel('Как вас зовут');
const notes = (page: Page): Promise<string[]> =>
  evaluate(page, `Object.keys(localStorage).filter((name) => name.startsWith('unsent '))`);

async function fill(page: Page, called = 'Анна'): Promise<void> {
  await name(page).fill(called);
  await page.getByLabel('Согласен с правилами').check();
}

test('a form from an app that was open for too long is there when it is opened again, and goes once', async () => {
  const old = launch(5, 'spring');
  const { page, site, again, troubles } = await open('/ask', old);
  await fill(page);
  await page.getByLabel('Поле', { exact: true }).first().fill('две\nстроки');
  await page.getByLabel('Размер').selectOption('big');
  await page.getByRole('radio', { name: 'Маленький' }).check();
  await page.getByRole('checkbox', { name: 'Большой' }).check();
  await page.getByLabel('Позвоните мне').check();
  await page.getByLabel('День').fill(new Date(Date.now() + DAY_MS).toISOString().slice(0, 10));
  await page.getByRole('radiogroup', { name: 'Оценка' }).getByRole('radio', { name: '4' }).check();
  await page.getByRole('radio', { name: 'Пётр' }).check();
  await page.getByLabel('Снимок').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('png') });
  site.answers.push(stale);
  await send(page);
  await page.getByText(kept).waitFor();
  expect(await page.getByText(copy).count()).toBe(0);
  expect(await page.getByText(unsent).count()).toBe(0);
  // Closing the app now loses nothing, so nobody is asked.
  expect(await evaluate(page, 'window.calls.at(-1)[0]')).toBe('disableClosingConfirmation');
  const stored = await evaluate<string>(page, 'JSON.stringify([localStorage, sessionStorage])');
  for (const secret of ['seal', 'auth_date', 'first_name']) expect(stored).not.toContain(secret);

  const fresh = launch(5);
  await again('/', fresh);
  await page.getByText(`${unsent} Файлы выберите заново.`).waitFor();
  await accessible(page);
  await page.getByRole('link', { name: 'Открыть форму' }).click();
  await live(page);
  await expect.poll(() => name(page).inputValue()).toBe('Анна');
  expect(await page.getByRole('link', { name: 'Открыть форму' }).count()).toBe(0);
  await send(page);
  await page.getByText('Спасибо. Ответим сегодня.').waitFor();
  expect(await page.getByText(unsent).count()).toBe(0);
  const [refused, taken] = site.sent;
  expect(site.sent.length).toBe(2);
  expect([refused?.authorization, taken?.authorization]).toEqual([`tma ${old}`, `tma ${fresh}`]);
  const { picture, ...written } = refused?.event.values ?? {};
  expect(picture).toBeDefined();
  expect(written).toMatchObject({ size: 'big', extras: ['big'], call: true, stars: 4, guide: 9, source: 'spring' });
  expect(taken?.event).toMatchObject({ values: written, start: 'spring' });
  expect(await notes(page)).toEqual([]);

  await again('/ask', launch(5));
  expect(await name(page).inputValue()).toBe('');
  expect(await page.getByText(unsent).count()).toBe(0);
  expect(troubles).toEqual([]);
});

test('refused once more it is kept once more, as it was written last', async () => {
  const { page, site, again } = await open('/ask', launch(5));
  await fill(page);
  for (const called of ['Анна', 'Анна Ёлкина']) {
    site.answers.push(stale);
    await name(page).fill(called);
    await send(page);
    await page.getByText(kept).waitFor();
    await again('/ask', launch(5));
    await page.getByText(unsent).waitFor();
    expect(await name(page).inputValue()).toBe(called);
  }
  await send(page);
  await page.getByText('Спасибо. Ответим сегодня.').waitFor();
  expect(site.sent.map(({ event }) => event.values['name'])).toEqual(['Анна', 'Анна Ёлкина', 'Анна Ёлкина']);
  expect(await notes(page)).toEqual([]);
});

test('what may have been received without an answer goes under the same key from the app opened again', async () => {
  const { page, site, again } = await open('/ask', launch(5, 'spring'));
  await fill(page);
  await page.route('**/events', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await send(page);
  await page.getByText('Нет связи.').waitFor();
  await page.unroute('**/events');
  site.answers.push(stale);
  await send(page);
  await page.getByText(kept).waitFor();
  await again('/ask?lang=en', launch(5));
  await page.getByLabel('Your name').waitFor();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Спасибо. Ответим сегодня.').waitFor();
  const [first, , last] = site.sent;
  expect([last?.event.key, last?.event.values]).toEqual([first?.event.key, first?.event.values]);
});

test('somebody else who opens the app sees nothing of it, and takes nothing away', async () => {
  const { page, site, again } = await open('/ask', launch(5));
  await fill(page);
  site.answers.push(stale);
  await send(page);
  await page.getByText(kept).waitFor();
  await again('/ask', launch(999));
  expect(await name(page).inputValue()).toBe('');
  expect(await page.getByText(unsent).count()).toBe(0);
  await fill(page, 'Пётр');
  await send(page);
  await page.getByText('Спасибо. Ответим сегодня.').waitFor();
  await again('/ask', launch(5));
  await page.getByText(unsent).waitFor();
  expect(await name(page).inputValue()).toBe('Анна');
});

test('an app of another project on the same address sees nothing of it', async () => {
  const one = await open('/ask', launch(5));
  await fill(one.page);
  one.site.answers.push(stale);
  await send(one.page);
  await one.page.getByText(kept).waitFor();
  const [note] = await notes(one.page);
  expect(note).toBe('unsent app1 5 ask');
  await evaluate(one.page, `localStorage['unsent app2 5 ask'] = localStorage['unsent app1 5 ask']`);
  await evaluate(one.page, `localStorage.removeItem('unsent app1 5 ask')`);
  await one.again('/ask', launch(5));
  expect(await name(one.page).inputValue()).toBe('');
  expect(await notes(one.page)).toEqual(['unsent app2 5 ask']);
});

describe.each([
  [
    'a browser without room',
    `Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }`,
  ],
  [
    'a browser that forbids it',
    `Object.defineProperty(window, 'localStorage', { get: () => { throw new DOMException('no', 'SecurityError'); } })`,
  ],
])('in %s', (_what, script) => {
  test('what was written stays on the page, and the words say to copy it', async () => {
    const { page, site, again, troubles } = await open('/goods', launch(5));
    await page.addInitScript(script);
    await again('/ask', launch(5));
    await fill(page);
    site.answers.push(stale);
    await send(page);
    await page.getByText(copy).waitFor();
    expect(await page.getByText(kept).count()).toBe(0);
    expect(await name(page).inputValue()).toBe('Анна');
    await again('/ask', launch(5));
    expect(await name(page).inputValue()).toBe('');
    expect(troubles).toEqual([]);
  });
});

test('whoever does not want it any more deletes it', async () => {
  const { page, site, again } = await open('/ask', launch(5));
  await fill(page);
  site.answers.push(stale);
  await send(page);
  await page.getByText(kept).waitFor();
  await again('/ask', launch(5));
  await page.getByRole('button', { name: 'Удалить написанное' }).click();
  expect(await page.getByText(unsent).count()).toBe(0);
  expect(await name(page).inputValue()).toBe('');
  expect(await page.getByLabel('Согласен с правилами').isChecked()).toBe(false);
  expect(await notes(page)).toEqual([]);
});

test('what is too old or too much is forgotten, whoever’s it is', async () => {
  const { page, site, again } = await open('/goods', launch(5));
  await evaluate(
    page,
    `{ const put = (name, days) => (localStorage['unsent ' + name] = JSON.stringify({ atMs: Date.now() - days * ${DAY_MS} }));
    put('app2 7 lead', 8);
    put('app2 8 lead', -8);
    localStorage['unsent app2 9 lead'] = 'no note of ours';
    for (let id = 1; id <= 12; id += 1) put('app3 ' + id + ' lead', id / 2); }`,
  );
  await again('/ask', launch(5));
  expect((await notes(page)).length).toBe(10);
  await fill(page);
  site.answers.push(stale);
  await send(page);
  await page.getByText(kept).waitFor();
  expect((await notes(page)).sort()).toEqual(
    ['unsent app1 5 ask', ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((id) => `unsent app3 ${id} lead`)].sort(),
  );
});

test('a site whose page has changed has what was written after a load of the page, in this tab alone', async () => {
  const { page, site, troubles } = await visit(browser, '/ask');
  await networkLine(page).waitFor({ state: 'attached' });
  await fill(page);
  site.answers.push(refusal('APP_OUTDATED'));
  await send(page);
  await page.getByText(kept).waitFor();
  expect(await notes(page)).toEqual([]);
  await page.reload();
  await page.getByText(unsent).waitFor();
  expect(await name(page).inputValue()).toBe('Анна');
  await send(page);
  await page.getByText('Спасибо. Ответим сегодня.').waitFor();
  await page.reload();
  await networkLine(page).waitFor({ state: 'attached' });
  expect(await name(page).inputValue()).toBe('');
  expect(troubles).toEqual([]);
});

test('a chosen time is shown where it is, and one that is over or taken is none', async () => {
  const far = new Date();
  far.setUTCMonth(far.getUTCMonth() + 1, 15);
  const day = far.toISOString().slice(0, 10);
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
  const slot = (of: string, time: string) => ({ start: `${of}T${time}:00Z`, day: of, time, left: 1 });
  let free = [slot(day, '10:00'), slot(day, '12:00')];
  const slots = (query: URLSearchParams) => ({
    ok: true,
    slots: free.filter((one) => one.day.slice(0, 7) === query.get('from')?.slice(0, 7)),
  });
  const { page, site, again } = await open('/book', launch(5), { slots, view: makeView() });
  await page.getByRole('radio', { name: 'Анна' }).check();
  await page.locator('.days button:enabled').first().click();
  await page.getByRole('radio', { name: '12:00' }).check();
  site.answers.push(stale);
  await send(page);
  await page.getByText(kept).waitFor();
  // Sooner than what was chosen.
  free.push(slot(tomorrow, '09:00'));
  await again('/book', launch(5));
  await page.getByRole('radio', { name: '12:00' }).waitFor();
  expect(await page.getByRole('radio', { name: '12:00' }).isChecked()).toBe(true);
  free = [slot(day, '10:00')];
  await again('/book', launch(5));
  await page.locator('.days button:enabled').first().click();
  await page.getByRole('radio', { name: '10:00' }).waitFor();
  await send(page);
  await page.getByText('Выберите день и время').waitFor();
  expect(site.sent.length).toBe(1);
});
