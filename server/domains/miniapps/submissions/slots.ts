// Times that a booking offers. Pure: the clock of a place, its hours, and which moments in UTC they are.
import type { Booking } from '../../../../contract/app/forms.ts';

export type Slot = {
  readonly startMs: number;
  /** By the clock of the booking. */
  readonly day: string;
  readonly time: string;
};

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
const minuteMs = 60_000;
const dayMs = 86_400_000;

/** All slots that are offered from `from` on for `days` days, whether taken or not. */
export function offeredSlots(booking: Booking, range: { from: string; days: number; nowMs: number }): Slot[] {
  const clock = clockOf(booking.timezone);
  const earliestMs = range.nowMs + (booking.noticeMinutes ?? 0) * minuteMs;
  const lastDay = addDays(clock.dayAt(range.nowMs), booking.aheadDays);
  const slots: Slot[] = [];
  for (let index = 0; index < range.days; index += 1) {
    const day = addDays(range.from, index);
    if (day > lastDay || booking.daysOff?.includes(day)) continue;
    for (const time of timesOf(booking, day)) {
      const startMs = clock.momentAt(day, time);
      // On the day on which clocks go forward an hour of them is not there.
      if (startMs !== undefined && startMs >= earliestMs) slots.push({ startMs, day, time: clockTime(time) });
    }
  }
  return slots;
}

/** The slot that begins at a moment, when it is offered. */
export function slotAt(booking: Booking, startMs: number, nowMs: number): Slot | undefined {
  const day = clockOf(booking.timezone).dayAt(startMs);
  return offeredSlots(booking, { from: day, days: 1, nowMs }).find((slot) => slot.startMs === startMs);
}

/** The day it is, as 2026-12-31. */
export function dayIn(timezone: string, atMs: number): string {
  return clockOf(timezone).dayAt(atMs);
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** Beginnings in minutes after midnight: as many as fit into each span of hours. */
function timesOf(booking: Booking, day: string): number[] {
  const weekday = WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? 'sun';
  return (booking.hours[weekday] ?? []).flatMap(([from, to]) => {
    const [begin, end] = [minutesOf(from), minutesOf(to)];
    const count = Math.max(0, Math.floor((end - begin) / booking.minutes));
    return Array.from({ length: count }, (_, index) => begin + index * booking.minutes);
  });
}

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

const clockTime = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

type Clock = {
  dayAt(atMs: number): string;
  /** undefined: this clock never shows that time on that day. */
  momentAt(day: string, minutes: number): number | undefined;
};

const clocks = new Map<string, Clock>();
/** More time zones than there are, so that a wrong name cannot fill the memory. */
const clocksMax = 600;
/** Midnights of a clock that are remembered: three years of them. */
const offsetsMax = 1_100;

function clockOf(timezone: string): Clock {
  const known = clocks.get(timezone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  /** What the clock shows, read as if it were UTC. */
  const shownAt = (atMs: number): number => {
    const parts = Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
    return Date.parse(`${parts['year']}-${parts['month']}-${parts['day']}T${parts['hour']}:${parts['minute']}:00Z`);
  };
  /** How far the clock is ahead of UTC; remembered, since a question asks for it once a day, and questions are alike. */
  const aheadAt = (atMs: number): number => {
    const known = ahead.get(atMs);
    if (known !== undefined) return known;
    const offset = shownAt(atMs) - atMs;
    if (ahead.size >= offsetsMax) ahead.clear();
    ahead.set(atMs, offset);
    return offset;
  };
  const ahead = new Map<number, number>();
  const clock: Clock = {
    dayAt: (atMs) => new Date(shownAt(atMs)).toISOString().slice(0, 10),
    momentAt(day, minutes) {
      const midnight = Date.parse(`${day}T00:00:00Z`);
      const wanted = midnight + minutes * minuteMs;
      // Where nobody changes the clock from the day before to the day after, there is one answer.
      const [before, after] = [aheadAt(midnight - dayMs), aheadAt(midnight + 2 * dayMs)];
      if (before === after) return wanted - before;
      // The offset before and after a change of clocks; the earlier moment where a time comes twice.
      const guesses = [before, after].map((offset) => wanted - offset);
      return guesses.sort((a, b) => a - b).find((guess) => shownAt(guess) === wanted);
    },
  };
  if (clocks.size < clocksMax) clocks.set(timezone, clock);
  return clock;
}
