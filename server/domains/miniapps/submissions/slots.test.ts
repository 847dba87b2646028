import { expect, test, vi } from 'vitest';
import type { Booking } from '../../../../contract/app/forms.ts';
import { dayIn, offeredSlots, slotAt } from './slots.ts';

const hours: [string, string][] = [
  ['09:00', '11:00'],
  ['14:00', '15:30'],
];
const booking = (more: Partial<Booking> = {}): Booking => ({
  timezone: 'Europe/Moscow',
  hours: { mon: hours, tue: hours },
  minutes: 60,
  aheadDays: 10,
  ...more,
});
// A Sunday, 12:00 in Moscow.
const nowMs = Date.parse('2026-11-29T09:00:00Z');
const starts = (one: Booking, from: string, days = 1, now = nowMs): string[] =>
  offeredSlots(one, { from, days, nowMs: now }).map(
    ({ startMs, time }) => `${time} ${new Date(startMs).toISOString()}`,
  );

test('slots fill the hours of their weekday, by the clock of the place', () => {
  expect(starts(booking(), '2026-11-30')).toEqual([
    '09:00 2026-11-30T06:00:00.000Z',
    '10:00 2026-11-30T07:00:00.000Z',
    '14:00 2026-11-30T11:00:00.000Z',
  ]);
  expect(starts(booking(), '2026-12-02')).toEqual([]);
  expect(starts(booking({ hours: { mon: [['22:00', '24:00']] } }), '2026-11-30')).toHaveLength(2);
});

test('nothing is offered too soon, too far ahead, or on a day off', () => {
  const monday = Date.parse('2026-11-30T06:30:00Z');
  expect(starts(booking(), '2026-11-30', 1, monday)).toHaveLength(2);
  expect(starts(booking({ noticeMinutes: 300 }), '2026-11-30', 1, monday)).toEqual([]);
  expect(starts(booking({ daysOff: ['2026-11-30'] }), '2026-11-30')).toEqual([]);
  expect(starts(booking({ aheadDays: 1 }), '2026-11-30', 30)).toHaveLength(3);
});

test('a slot is known by its moment alone', () => {
  const at = Date.parse('2026-11-30T07:00:00Z');
  expect(slotAt(booking(), at, nowMs)?.time).toBe('10:00');
  expect(slotAt(booking(), at + 60_000, nowMs)).toBeUndefined();
  expect(slotAt(booking(), at, at + 1)).toBeUndefined();
});

test('an hour that clocks leave out is not offered, and one that comes twice is offered once', () => {
  const night = booking({ timezone: 'Europe/Berlin', hours: { sun: [['01:00', '05:00']] }, aheadDays: 366 });
  expect(starts(night, '2027-03-28').map((slot) => slot.slice(0, 5))).toEqual(['01:00', '03:00', '04:00']);
  expect(starts(night, '2027-10-31')).toEqual([
    '01:00 2027-10-30T23:00:00.000Z',
    '02:00 2027-10-31T00:00:00.000Z',
    '03:00 2027-10-31T02:00:00.000Z',
    '04:00 2027-10-31T03:00:00.000Z',
  ]);
});

test('the day is that of the place', () => {
  const at = Date.parse('2026-11-29T22:30:00Z');
  expect([dayIn('UTC', at), dayIn('Europe/Moscow', at), dayIn('America/New_York', at)]).toEqual([
    '2026-11-29',
    '2026-11-30',
    '2026-11-29',
  ]);
});

test('six weeks of times five minutes apart ask the calendar of the machine once a day', () => {
  const allDay: Booking['hours'] = Object.fromEntries(
    ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, [['00:00', '24:00']]]),
  );
  const asked = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
  try {
    const fine = booking({ timezone: 'Asia/Tbilisi', hours: allDay, minutes: 5, aheadDays: 60 });
    expect(offeredSlots(fine, { from: '2026-12-01', days: 42, nowMs })).toHaveLength(42 * 288);
    expect(asked.mock.calls.length).toBeLessThan(60);
  } finally {
    asked.mockRestore();
  }
});

test('each time of a year is shown by the clock as it is offered, through both changes', () => {
  const hours: Booking['hours'] = Object.fromEntries(
    ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, [['00:00', '24:00']]]),
  );
  for (const timezone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'Pacific/Apia']) {
    const clock = new Intl.DateTimeFormat('en-CA', {
      timeZone: timezone,
      hourCycle: 'h23',
      dateStyle: 'short',
      timeStyle: 'short',
    });
    const offered = offeredSlots(booking({ timezone, hours, aheadDays: 366 }), {
      from: '2026-12-01',
      days: 365,
      nowMs,
    });
    const wrong = offered.filter(({ startMs, day, time }) => clock.format(startMs) !== `${day}, ${time}`);
    expect(wrong, timezone).toEqual([]);
    expect(offered.length, timezone).toBeGreaterThan(365 * 24 - 30);
  }
});
