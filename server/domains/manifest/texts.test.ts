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
