// Bookings: which times are free, and taking one.
import type { Booking } from '../../../../contract/app/forms.ts';
import type { SlotsAnswer } from '../../../../contract/app/view.ts';
import type { Db, Tx } from '../../../../kernel/db.ts';
import { Refusal } from '../../../../kernel/errors.ts';
import { SLOT_MINUTES } from '../../manifest/manifest.ts';
import type { AppRelease } from '../serving/releases.ts';
import { readRows } from '../serving/rows.ts';
import * as statements from '../sql.ts';
import { words } from '../words.ts';
import { addDays, dayIn, offeredSlots, slotAt } from './slots.ts';

/** More than a month at once is for programs. */
export const slotDaysMax = 42;

export type SlotQuery = {
  readonly booking: string;
  readonly each?: number | undefined;
  readonly from?: string | undefined;
  readonly days: number;
};

/** The times that can still be taken. Throws Refusal NOT_FOUND for a calendar that there is not. */
export async function freeSlots(
  db: Db,
  release: AppRelease,
  query: SlotQuery,
  nowMs: number,
): Promise<SlotsAnswer['slots']> {
  const booking = bookingOf(release, query.booking);
  const eachRow = booking && (await rowOfCalendar(db, release, booking, query.each));
  if (booking === undefined || eachRow === undefined) throw new Refusal('NOT_FOUND');
  const today = dayIn(booking.timezone, nowMs);
  const from = query.from === undefined || query.from < today ? today : query.from;
  // A wish that begins in the past still ends where it was meant to.
  const until = addDays(query.from ?? today, query.days);
  const days = Math.max(0, Math.round((Date.parse(until) - Date.parse(from)) / 86_400_000));
  const offered = offeredSlots(booking, { from, days, nowMs });
  const places = booking.places ?? 1;
  const calendar = { projectId: release.projectId, booking: query.booking, eachRow };
  const starts = offered.map((slot) => slot.startMs);
  const rows = await statements.takenPlaces(db, calendar, { starts, minutes: booking.minutes, places });
  const taken = new Map(rows.map((row) => [row.start_ms, row.taken]));
  return offered.flatMap(({ startMs, day, time }) => {
    const left = places - (taken.get(startMs) ?? 0);
    return left > 0 ? [{ start: new Date(startMs).toISOString(), day, time, left }] : [];
  });
}

/** Takes a time. Throws Refusal SLOT_TAKEN where it is not offered or nobody has a place left. */
export async function takeSlot(
  tx: Tx,
  release: AppRelease,
  wish: {
    readonly bookingId: string;
    readonly each: number | undefined;
    readonly start: string;
    readonly leadId: number;
    readonly locale: string;
    readonly nowMs: number;
  },
): Promise<void> {
  const booking = bookingOf(release, wish.bookingId);
  const startMs = Date.parse(wish.start);
  const refusal = new Refusal('SLOT_TAKEN', words(wish.locale).slotTaken);
  if (booking === undefined || slotAt(booking, startMs, wish.nowMs) === undefined) throw refusal;
  const eachRow = await rowOfCalendar(tx, release, booking, wish.each);
  if (eachRow === undefined) throw refusal;
  const calendar = { projectId: release.projectId, booking: wish.bookingId, eachRow };
  const cells = await statements.takePlace(tx, calendar, {
    startMs,
    minutes: booking.minutes,
    cellMinutes: SLOT_MINUTES,
    places: booking.places ?? 1,
    leadId: wish.leadId,
  });
  if (cells === 0) throw refusal;
}

function bookingOf({ app }: AppRelease, id: string): Booking | undefined {
  return app.bookings !== undefined && Object.hasOwn(app.bookings, id) ? app.bookings[id] : undefined;
}

/** 0 where there is one calendar for all; undefined where the row that is meant is not there. */
async function rowOfCalendar(
  db: Db | Tx,
  release: AppRelease,
  { each }: Booking,
  row: number | undefined,
): Promise<number | undefined> {
  if (each === undefined) return 0;
  const data = release.app.data?.[each.data];
  if (data === undefined || row === undefined) return undefined;
  const rows = await readRows(db, release, data, { locale: '' });
  return rows.some(({ id }) => id === row) ? row : undefined;
}
