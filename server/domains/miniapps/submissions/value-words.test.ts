import { expect, test } from 'vitest';
import type { Form } from '../../../../contract/app/forms.ts';
import type { AppView } from '../../../../contract/app/view.ts';
import { wordsOf } from './value-words.ts';

const form = {
  fields: { when: { type: 'slot', label: 'when', booking: 'visit' } },
  order: ['when'],
  submit: 'send',
  done: 'done',
} as unknown as Form;

const told = (locale: string, timezone: string, start: string): string | undefined => {
  const view = { locale, texts: {}, bookings: { visit: { timezone } } } as unknown as AppView;
  return wordsOf(form, { when: start }, view, {}, (id) => id)['when'];
};

test('a time is told as its calendar writes it: on the clock of the booking, of 12 or 24 hours as the language has it', () => {
  expect(told('en', 'Europe/Moscow', '2026-11-30T14:00:00.000Z')).toBe('Mon, November 30 at 5:00 PM');
  expect(told('ru', 'Europe/Moscow', '2026-11-30T14:00:00.000Z')).toBe('пн, 30 ноября в 17:00');
  expect(told('en', 'America/New_York', '2026-12-01T02:30:00.000Z')).toBe('Mon, November 30 at 9:30 PM');
  expect(told('en', 'Europe/Moscow', '2026-11-30T21:05:00.000Z')).toBe('Tue, December 1 at 12:05 AM');
  expect(told('en-US', 'Asia/Tokyo', '2026-11-30T00:00:00.000Z')).toBe('Mon, November 30 at 9:00 AM');
});
