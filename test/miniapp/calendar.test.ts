// The calendar of a booking: which days and times it offers, on whose clock, and what it says when there are none.
import type { Browser, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AppView } from '../../contract/app/view.ts';
import { startBrowser } from '../simulator/browser.ts';
import { makeView } from './fixture.ts';
import { accessible, evaluate, networkLine, visit } from './visit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

// One moment for all, so that midnight may pass.
const nowMs = Date.now();
const inDays = (days: number): string => new Date(nowMs + days * 86_400_000).toISOString().slice(0, 10);

const slot = (day: string, time = '10:00') => ({ start: `${day}T${time}:00Z`, day, time, left: 1 });

test('a free time is chosen from a calendar, of the guide that was picked', async () => {
  const asked: string[] = [];
  const slots = (query: URLSearchParams): object => {
    asked.push(`${query.get('booking')} ${query.get('each')}`);
    const day = inDays(3);
    const times = query.get('each') === '7' ? ['10:00', '12:00'] : ['15:00'];
    const all = times.map((time) => slot(day, time));
    return { ok: true, slots: all.filter((one) => one.day >= `${query.get('from')}`) };
  };
  const { page, site, troubles } = await visit(browser, '/book', { slots });
  await page.getByText('Сначала выберите выше: Кто проведёт').waitFor();
  await page.getByRole('radio', { name: 'Анна' }).check();
  await page.locator('.days button:enabled').first().click();
  await page.getByRole('radio', { name: '12:00' }).check();
  await accessible(page);
  await page.getByRole('radio', { name: 'Пётр' }).check();
  await page.getByRole('radio', { name: '15:00' }).waitFor();
  await page.getByRole('button', { name: 'Отправить' }).click();
  await page.getByText('Выберите день и время').waitFor();
  await page.getByRole('radio', { name: '15:00' }).check();
  await page.getByRole('button', { name: 'Отправить' }).click();
  // What comes after it: the first page.
  await page.getByRole('heading', { level: 1, name: 'Хлеб на закваске, каждый день' }).waitFor();
  expect(site.sent[0]?.event.values).toEqual({ guide: 9, slot: `${inDays(3)}T15:00:00Z` });
  expect(new Set(asked)).toEqual(new Set(['tour 7', 'tour 9']));
  expect(troubles).toEqual([]);
});

test('a time that somebody else has taken is offered no more', async () => {
  const day = inDays(3);
  let free = ['10:00', '12:00'];
  const slots = (query: URLSearchParams) => ({
    ok: true,
    slots: free.map((time) => slot(day, time)).filter((one) => one.day >= `${query.get('from')}`),
  });
  const { page, site } = await visit(browser, '/book', { slots });
  await page.getByRole('radio', { name: 'Анна' }).check();
  await page.locator('.days button:enabled').first().click();
  await page.getByRole('radio', { name: '12:00' }).check();
  free = ['10:00'];
  const facts = { fields: { slot: 'Это время уже заняли.' } };
  site.answers.push({ ok: false, error: { code: 'SLOT_TAKEN', message: 'Выберите другое время.', facts } });
  await page.getByRole('button', { name: 'Отправить' }).click();
  await page.getByText('Это время уже заняли.').waitFor();
  await page.getByRole('radio', { name: '12:00' }).waitFor({ state: 'detached' });
  await page.getByRole('radio', { name: '10:00' }).check();
  free = [];
  await page.getByRole('button', { name: 'Отправить' }).click();
  await page.getByRole('heading', { level: 1, name: 'Хлеб на закваске, каждый день' }).waitFor();
  await page.goBack();
  await page.getByRole('radio', { name: 'Анна' }).check();
  await page.getByText('Свободного времени пока нет.').waitFor();
});

test('a calendar says when it cannot be asked, and asks again', async () => {
  const slots = () => ({ ok: true, slots: [slot(inDays(1))] });
  const { page } = await visit(browser, '/book', { slots });
  // The calendar is there, and only its times are missing.
  await page.getByText('Сначала выберите выше').waitFor();
  await page.context().setOffline(true);
  await page.getByRole('radio', { name: 'Анна' }).check();
  await page.getByText('Нет связи. Покажем свободное время').waitFor();
  await page.context().setOffline(false);
  await page.locator('.days button:enabled').first().waitFor();
});

test('a calendar that is refused its times says so, asks once, and once more for each press', async () => {
  const slots = () => ({ ok: true, slots: [slot(inDays(1))] });
  const { page } = await visit(browser, '/book', { slots });
  let asked = 0;
  await page.route('**/slots?*', async (route) => {
    asked += 1;
    await route.fulfill({ status: 503, json: { ok: false } });
  });
  await page.getByRole('radio', { name: 'Анна' }).check();
  await page.getByText('Не получилось узнать, какое время свободно.').waitFor();
  await accessible(page);
  // Each of these draws the page, and the calendar with it.
  await page.getByRole('radio', { name: 'Анна' }).press('Space');
  await page.getByRole('radio', { name: 'Пётр' }).check();
  await expect.poll(() => asked).toBe(2);
  await page.getByRole('radio', { name: 'Анна' }).check();
  await page.getByText('Не получилось узнать, какое время свободно.').waitFor();
  expect(asked).toBe(2);
  await page.unroute('**/slots?*');
  await page.getByRole('button', { name: 'Попробовать ещё раз' }).click();
  await page.locator('.days button:enabled').first().waitFor();
  expect(await evaluate(page, "document.activeElement.closest('.calendar') !== null")).toBe(true);
});

test('where nothing is free it says what can be done: the next month, or none', async () => {
  const { page } = await visit(browser, '/book', { slots: () => ({ ok: true, slots: [] }) });
  await page.getByRole('radio', { name: 'Анна' }).check();
  await page.getByText('Свободного времени пока нет. Загляните позже.').waitFor();
  const [back, on] = [page.locator('[data-month]').first(), page.locator('[data-month]').last()];
  expect(await on.isDisabled()).toBe(true);
  await back.click();
  await page.getByText('В этом месяце всё занято. Посмотрите следующий.').waitFor();
  await on.click();
  await page.getByText('В этом месяце всё занято, а на следующие записи ещё нет.').waitFor();
  expect(await on.isDisabled()).toBe(true);
});

test('a calendar that waits says so once it can be noticed, and a quick one does not', async () => {
  const slots = () => ({ ok: true, slots: [slot('2026-12-20')] });
  const { page, go } = await visit(browser, '/goods', { slots });
  const held: Route[] = [];
  await page.route('**/slots?*', (route) => void held.push(route));
  const ask = async (press: () => Promise<void>): Promise<void> => {
    await press();
    await page.locator('.days[aria-busy]').waitFor();
    await expect.poll(() => held.length).toBe(1);
  };
  const release = async (): Promise<void> => held.pop()?.continue();
  await page.clock.install({ time: '2026-12-10T12:00:00Z' });
  await go('/book');
  // Time stands still: whatever this machine takes, it is no time for the page.
  await page.clock.pauseAt('2026-12-10T13:00:00Z');
  await page.evaluate(WATCH_FOR_WAITING);
  await ask(() => page.getByRole('radio', { name: 'Анна' }).check());
  await release();
  await page.locator('.days:not([aria-busy]) button:enabled').waitFor();
  expect(await evaluate(page, 'window.waited')).toBe(false);

  await ask(() => page.locator('[data-month]').last().click());
  expect(await page.locator('[data-slot] [role=status]').textContent()).toBe('');
  await page.clock.runFor(200);
  await page.getByRole('status').getByText('Смотрим, какое время свободно').waitFor();
  expect(await page.locator('.days.awaited[aria-busy=true]').count()).toBe(1);
  await page.clock.resume();
  await accessible(page);
  await release();
  await page.locator('.days:not(.awaited, [aria-busy])').waitFor();
  expect(await page.getByText('Смотрим').count()).toBe(0);
});

const WATCH_FOR_WAITING = `{
  window.waited = false;
  const look = () => { window.waited ||= document.querySelector('.awaited') !== null; };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
}`;

/** The fixture with its calendars on another clock. */
function onClock(timezone: string): AppView {
  const view = makeView();
  const tour = view.bookings?.['tour'];
  return tour === undefined ? view : { ...view, bookings: { tour: { ...tour, timezone } } };
}

test.each([
  ['America/New_York', '2026-12-01T00:10:00Z', '2026-11-30', 'ноябрь'],
  ['Europe/Moscow', '2026-11-30T21:10:00Z', '2026-12-01', 'декабрь'],
  ['Pacific/Auckland', '2026-12-30T11:30:00Z', '2026-12-31', 'декабрь'],
  ['Europe/Kyiv', '2026-12-31T22:30:00Z', '2027-01-01', 'январь'],
])('in %s a calendar begins with the day that it is there', async (timezone, now, today, month) => {
  const asked: string[] = [];
  const slots = (query: URLSearchParams) => {
    asked.push(`${query.get('from')}`);
    return { ok: true, slots: [slot(today)].filter(({ day }) => day >= `${query.get('from')}`) };
  };
  const { page, go, troubles } = await visit(browser, '/goods', { view: onClock(timezone), slots });
  await page.clock.setFixedTime(now);
  await go('/book');
  await page.getByRole('radio', { name: 'Анна' }).check();
  await page.locator('.days button:enabled').click();
  await page.getByRole('radio', { name: '10:00' }).waitFor();
  expect(await page.locator('.days [aria-pressed=true]').getAttribute('data-day')).toBe(today);
  expect(await page.locator('.counter b').textContent()).toContain(month);
  expect(new Set(asked)).toEqual(new Set([today]));
  expect(troubles).toEqual([]);
});

test.each([
  ['America/New_York', '2026-12-01T00:10:00Z', '2026-11-30'],
  ['UTC', '2026-12-01T00:10:00Z', '2026-12-01'],
  ['Asia/Tokyo', '2026-11-30T20:00:00Z', '2026-12-01'],
])('in %s a field that begins today begins with the day that it is there', async (zone, now, today) => {
  const { page, go } = await visit(browser, '/goods', { zone, browser: { timezoneId: 'Asia/Vladivostok' } });
  await page.clock.setFixedTime(now);
  await go('/ask');
  await page.getByLabel('Позвоните мне').check();
  expect(await page.getByLabel('День').getAttribute('min')).toBe(today);
});

test('a calendar and the help without a network that could not be fetched come as soon as they can', async () => {
  const slots = () => ({ ok: true, slots: [slot(inDays(3))] });
  const { page, go } = await visit(browser, '/', { slots });
  const refused = new Set<string>();
  await page.route(/\/_\/[co]-\w+\.js$/, async (route) => {
    const url = route.request().url();
    if (refused.has(url)) return route.continue();
    refused.add(url);
    return route.abort();
  });
  await go('/book');
  await page.getByText('Сначала выберите выше').waitFor();
  await networkLine(page).waitFor({ state: 'attached' });
  expect(refused.size).toBe(2);
});
