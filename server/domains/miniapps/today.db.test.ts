import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { shopDocument } from './fixtures.ts';
import { type Answer, freshKey, startTestApp } from './harness.ts';

// Only what the day is: timers and the database go on by their own clocks. A server that starts takes this one's `now`.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-12-01T00:10:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

test('today on a page that is kept is the day where the project is, as it is when somebody sends it', async () => {
  const document = { ...shopDocument(), timezone: 'America/New_York' } as Answer;
  const { fields, order } = document.app.forms.lead;
  fields.day = { type: 'date', label: 'field.time', required: true, min: 'today' };
  order.push('day');
  const shop = await startTestApp(document);
  onTestFinished(() => shop.close());
  const page = async (): Promise<string> => (await shop.get(`/a/${shop.app}`)).text();
  const least = async (): Promise<string | undefined> => /type="date" min="([^"]*)"/.exec(await page())?.[1];
  const send = async (day: string): Promise<unknown> => {
    const values = { name: 'Anna', phone: '+7 900 123-45-67', agree: true, day };
    const { status, body } = await shop.send({ key: freshKey(), form: 'lead', values, locale: 'en' });
    return status === 200 ? 'sent' : body.error.facts.fields;
  };

  expect(await least()).toBe('2026-11-30');
  expect(await page()).toContain('"zone":"America/New_York"');
  expect(await send('2026-11-29')).toEqual({ day: 'Not before November 30, 2026' });
  expect(await send('2026-11-30')).toBe('sent');
  vi.setSystemTime('2026-12-01T04:59:00Z');
  expect(await least()).toBe('2026-11-30');
  vi.setSystemTime('2026-12-01T05:00:00Z');
  expect(await least()).toBe('2026-12-01');
  expect(await send('2026-11-30')).toEqual({ day: 'Not before December 1, 2026' });
});
