// Free times of a booking: a month to look at, a day to press, and its times as a field of the form.

import type { SlotsAnswer } from '../../contract/app/view.ts';
import type { VNode } from '../blocks/attributes.ts';
import type { ChunkParts } from '../runtime/chunks.ts';

type Slots = SlotsAnswer['slots'];

/** What one calendar shows. `turned`: the visitor has chosen the month; until then it is the first with a free time. */
type Shown = { month: string; day?: string | undefined; turned?: true };
const shown: { [path: string]: Shown } = {};

/**
 * What is known of times that were asked for: them, or why they are not here. `asked` turns into `awaited` when it takes
 * long enough for people to notice. `offline` and `failed` are asked again when there is a network, or after a press.
 */
type Known = Slots | 'asked' | 'awaited' | 'offline' | 'failed';
const known = new Map<string, Known>();

/** An answer that comes sooner than this changes nothing on the way. */
const NOTICED_MS = 200;

const h = (t: string, a: Exclude<VNode, string>['a'], ...c: VNode[]): VNode => ({ t, a, c });
const iso = (date: Date): string => date.toISOString().slice(0, 10);
const utc = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** The day of a moment in a time zone, the way Swedes write it. */
const dayIn = (timeZone: string, moment = new Date()): string => moment.toLocaleString('sv', { timeZone }).slice(0, 10);

/** The month that lies `by` months from this one. */
function monthBy(month: string, by: number): string {
  const date = utc(`${month}-01`);
  date.setUTCMonth(date.getUTCMonth() + by);
  return iso(date).slice(0, 7);
}

/** What the server has said about the time that was sent; some of it is that somebody else has it now. */
const refused: { [path: string]: unknown } = {};

/** Free times are asked for anew for a calendar that was not there, and when a chosen one was refused. */
function isNews({ state }: ChunkParts, place: Element, path: string): boolean {
  const before = refused[path];
  refused[path] = state.values[`!${path}`];
  return !place.firstChild || (!!refused[path] && refused[path] !== before);
}

function askAgain(): void {
  for (const [address, slots] of known) if (slots === 'offline' || slots === 'failed') known.delete(address);
}

let listening = false;

/** Called after each drawing of a page with a calendar. */
export function drawn(parts: ChunkParts): void {
  if (!listening)
    window.addEventListener('online', () => {
      askAgain();
      parts.draw();
    });
  listening = true;
  for (const place of parts.root.querySelectorAll<HTMLElement>('[data-slot]')) {
    const path = place.dataset['slot'] as string;
    const booking = bookingOf(parts, path);
    const today = dayIn(booking.zone);
    const shows = (shown[path] ??= { month: today.slice(0, 7) });
    const chosen = chosenDay(parts, path, booking);
    // A time that was filled in, and not chosen here, is shown where it is.
    if (!shows.day && !shows.turned && chosen > today) shows.month = chosen.slice(0, 7);
    place.onclick = ({ target }) => {
      const pressed = (target as Element).closest<HTMLButtonElement>('[data-day],[data-month],[data-again]');
      const { day, month, again } = pressed?.dataset ?? {};
      if (day) shows.day = day;
      if (month) shown[path] = { month, turned: true };
      // A press on a time is a field's: drawing now would undo it before anybody has heard of it.
      if (!day && !month && !again) return;
      askAgain();
      drawn(parts);
      // A button that is off now, or gone, would drop the focus to the top of the page: another one of them has it.
      if (pressed?.disabled || !pressed?.isConnected)
        place.querySelector<HTMLButtonElement>('[data-month]:enabled')?.focus();
    };
    if (isNews(parts, place, path)) known.clear();
    parts.patch(place, calendar(parts, path, booking, shows, today));
  }
}

/** What the form says of its booking, and whose calendar it is: undefined until the visitor has picked a row. */
type Asking = { id: string; zone: string; aheadDays: number; of: string | undefined; after: string | undefined };

function bookingOf({ pages, state }: ChunkParts, path: string): Asking {
  const [, form = '', field = ''] = path.split('.');
  const { booking: id = '', after } = pages.forms[form]?.fields.find((one) => one.id === field) ?? {};
  const { each, aheadDays = 0, zone = 'UTC' } = pages.bookings?.[id] ?? {};
  const of = each === undefined ? '' : `${state.values[`form.${form}.${each}`] ?? ''}` || undefined;
  return { id, zone, aheadDays, of, after };
}

/** The day of the chosen time on the clock of the booking; an empty text where none is chosen. */
function chosenDay({ state }: ChunkParts, path: string, { zone }: Asking): string {
  const chosen = Date.parse(`${state.values[path] ?? ''}`);
  return chosen ? dayIn(zone, new Date(chosen)) : '';
}

function calendar(parts: ChunkParts, path: string, booking: Asking, shows: Shown, today: string): VNode[] {
  const { pages, state } = parts;
  if (booking.of === undefined)
    return [h('p', { class: 'hint' }, [pages.words['first'], booking.after].filter(Boolean).join(': '))];
  const { month } = shows;
  const last = iso(new Date(+utc(today) + booking.aheadDays * 86_400_000)).slice(0, 7);
  const slots = slotsOf(parts, booking, booking.of, month, today);
  const free = typeof slots === 'string' ? [] : slots.filter((slot) => slot.day.startsWith(month));
  const chosen = state.values[path];
  // Somebody else's times are no choice any more.
  if (
    typeof slots !== 'string' &&
    chosenDay(parts, path, booking).startsWith(month) &&
    !free.some(({ start }) => start === chosen)
  )
    state.values[path] = '';
  if (typeof slots !== 'string' && !free[0] && !shows.turned && month < last) {
    shows.month = monthBy(month, 1);
    return calendar(parts, path, booking, shows, today);
  }
  const day = shows.day ?? free.find(({ start }) => start === chosen)?.day;
  const times = free.filter((slot) => slot.day === day);
  const isLost = slots === 'offline' || slots === 'failed';
  return [
    monthBar(pages.locale, month, month > today.slice(0, 7), month < last),
    days(pages.locale, month, new Set(free.map((slot) => slot.day)), day, slots),
    h('p', { class: 'hint', role: 'status' }, pages.words[wordOf(slots, free.length, shows, last)] ?? ''),
    ...(isLost
      ? [h('button', { type: 'button', class: 'button quiet', 'data-again': 'yes' }, pages.words['again'] ?? '')]
      : []),
    h(
      'div',
      { class: 'chips' },
      ...times.map(({ start, time }) => timeChip(path, start, clock(pages.locale, time), start === state.values[path])),
    ),
  ];
}

/** The word for what a calendar knows; none where days say it, or before anybody has noticed that it takes a while. */
function wordOf(slots: Known, free: number, { month, turned }: Shown, last: string): string {
  if (slots === 'offline') return 'slotsOffline';
  if (slots === 'failed') return 'slotsFailed';
  if (slots === 'awaited') return 'slotsLoading';
  if (slots === 'asked' || free > 0) return '';
  // A calendar that nobody has turned looked through every month on its way here.
  return month < last ? 'noSlots' : turned ? 'noSlotsLast' : 'noSlotsAtAll';
}

function slotsOf({ pages, draw }: ChunkParts, booking: Asking, of: string, month: string, today: string): Known {
  const first = `${month}-01` < today ? today : `${month}-01`;
  const days = Math.round((+utc(`${monthBy(month, 1)}-01`) - +utc(first)) / 86_400_000);
  const query = new URLSearchParams({ booking: booking.id, from: first, days: `${days}`, ...(of && { each: of }) });
  const address = `/v1/apps/${pages.app}/slots?${query}`;
  const before = known.get(address);
  if (before !== undefined) return before;
  known.set(address, 'asked');
  const noticed = setTimeout(() => {
    if (known.get(address) === 'asked') known.set(address, 'awaited');
    draw();
  }, NOTICED_MS);
  void answerOf(address).then((answer) => {
    clearTimeout(noticed);
    known.set(address, answer);
    draw();
  });
  return 'asked';
}

async function answerOf(address: string): Promise<Known> {
  try {
    const response = await fetch(address);
    return response.ok ? ((await response.json()) as SlotsAnswer).slots : 'failed';
  } catch {
    return navigator.onLine ? 'failed' : 'offline';
  }
}

function monthBar(locale: string, month: string, hasBefore: boolean, hasAfter: boolean): VNode {
  const name = (of: string): string =>
    utc(`${of}-01`).toLocaleDateString(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const turn = (by: number, sign: string, enabled: boolean): VNode =>
    h(
      'button',
      {
        type: 'button',
        class: 'round',
        'data-month': monthBy(month, by),
        'aria-label': name(monthBy(month, by)),
        disabled: !enabled,
      },
      sign,
    );
  return h(
    'div',
    { class: 'counter' },
    turn(-1, '‹', hasBefore),
    h('b', { 'aria-live': 'polite' }, name(month)),
    turn(1, '›', hasAfter),
  );
}

function days(
  locale: string,
  month: string,
  free: ReadonlySet<string>,
  chosen: string | undefined,
  slots: Known,
): VNode {
  const first = utc(`${month}-01`);
  // Weeks begin on Monday; 2024-01-01 was one.
  const heads = Array.from({ length: 7 }, (_, at) =>
    h(
      'small',
      { 'aria-hidden': 'true' },
      utc(`2024-01-0${at + 1}`).toLocaleDateString(locale, { weekday: 'short', timeZone: 'UTC' }),
    ),
  );
  const gaps = Array.from({ length: (first.getUTCDay() + 6) % 7 }, () => h('span', {}));
  const cells: VNode[] = [];
  for (const date = first; iso(date).startsWith(month); date.setUTCDate(date.getUTCDate() + 1)) {
    const day = iso(date);
    cells.push(
      h(
        'button',
        {
          type: 'button',
          'data-day': day,
          disabled: !free.has(day),
          'aria-pressed': day === chosen ? 'true' : 'false',
          'aria-label': date.toLocaleDateString(locale, { day: 'numeric', month: 'long', timeZone: 'UTC' }),
        },
        `${date.getUTCDate()}`,
      ),
    );
  }
  const isWaiting = slots === 'asked' || slots === 'awaited';
  const waits = slots === 'awaited' ? 'days awaited' : 'days';
  return h('div', { class: waits, 'aria-busy': isWaiting && 'true' }, ...heads, ...gaps, ...cells);
}

/** Of 12 or 24 hours, as people of the language read it. */
const clock = (locale: string, time: string): string =>
  new Date(`2024-01-01T${time}Z`).toLocaleTimeString(locale, { timeStyle: 'short', timeZone: 'UTC' });

const timeChip = (name: string, value: string, time: string, checked: boolean): VNode =>
  h('label', { class: 'chip' }, h('input', { type: 'radio', name, value, checked }), h('span', {}, time));
