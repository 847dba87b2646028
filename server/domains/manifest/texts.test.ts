import { expect, test } from 'vitest';
import { writerOf } from './manifest.ts';

test('a moment is written on the clock of the place, of 12 or 24 hours as the language has it', () => {
  const written = (locale: string, format: string): string =>
    writerOf(locale, { timezone: 'Europe/Moscow' })('2026-11-30T14:00:00Z', format).replace(/\s/g, ' ');
  expect(written('en', 'time')).toBe('5:00 PM');
  expect(written('ru', 'time')).toBe('17:00');
  expect(written('en', 'dateTime')).toBe('November 30, 2026 at 5:00 PM');
  expect(written('ru', 'dateTime')).toBe('30 ноября 2026 г. в 17:00');
  expect(written('en', 'date')).toBe('November 30, 2026');
});

test('a sum has the sign of its currency in every language, as on the pages', () => {
  const written = (locale: string, sum: number): string =>
    writerOf(locale, { timezone: 'UTC', currency: 'RUB' })(sum, 'money').replace(/\s/g, ' ');
  expect([written('en', 3300), written('en', 149.5)]).toEqual(['₽3,300', '₽149.50']);
  expect(written('ru', 3300)).toBe('3 300 ₽');
});
