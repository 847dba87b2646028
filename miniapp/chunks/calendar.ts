// Free times of a booking: a month to look at, a day to press, and its times as a field of the form.

import type { SlotsAnswer } from '../../contract/app/view.ts';
import type { VNode } from '../blocks/attributes.ts';
import type { ChunkParts } from '../runtime/chunks.ts';

type Slots = SlotsAnswer['slots'];

/** What one calendar shows. `turned`: the visitor has chosen the month; until then it is the first with a free time. */
type Shown = { month: string; day?: string | undefined; turned?: true };
const shown: { [path: string]: Shown } = {};

/** Times by what was asked for. A question that got no answer is asked again when there is a network, or a press. */
const known = new Map<string, Slots | 'asked' | 'offline'>();

const h = (t: string, a: Exclude<VNode, string>['a'], ...c: VNode[]): VNode => ({ t, a, c });
const iso = (date: Date): string => date.toISOString().slice(0, 10);
const utc = (day: string): Date => new Date(`${day}T00:00:00Z`);

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
  for (const [address, slots] of known) if (slots === 'offline') known.delete(address);
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
    const today = `${parts.state.values['page.today']}`;
    const shows = (shown[path] ??= { month: today.slice(0, 7) });
    place.onclick = ({ target }) => {
      const pressed = (target as Element).closest<HTMLButtonElement>('[data-day],[data-month]');
      const { day, month } = pressed?.dataset ?? {};
      if (day) shows.day = day;
      if (month) shown[path] = { month, turned: true };
      // A press on a time is a field's: drawing now would undo it before anybody has heard of it.
      if (!day && !month) return;
      askAgain();
      drawn(parts);
      // At the last month the pressed button is off, and would drop the focus to the top of the page: the other one has it.
      if (pressed?.disabled) place.querySelector<HTMLButtonElement>('[data-month]:enabled')?.focus();
    };
    if (isNews(parts, place, path)) known.clear();
    parts.patch(place, calendar(parts, path, shows, today));
  }
}

function calendar(parts: ChunkParts, path: string, shows: Shown, today: string): VNode[] {
  const { pages, state } = parts;
  const [, form = '', field = ''] = path.split('.');
  const booking = pages.forms[form]?.fields.find(({ id }) => id === field)?.booking ?? '';
  const { each, aheadDays = 0 } = pages.bookings?.[booking] ?? {};
  const of = each === undefined ? '' : `${state.values[`form.${form}.${each}`] ?? ''}`;
  if (each !== undefined && of === '') return [h('p', { class: 'hint' }, pages.words['first'] as string)];
  const { month } = shows;
  const last = iso(new Date(+utc(today) + aheadDays * 86_400_000));
  const slots = slotsOf(parts, booking, of, month, today);
  const free = typeof slots === 'string' ? [] : slots.filter((slot) => slot.day.startsWith(month));
  if (typeof slots !== 'string' && !free[0] && !shows.turned && month < last.slice(0, 7)) {
    shows.month = monthBy(month, 1);
    return calendar(parts, path, shows, today);
  }
  const chosen = state.values[path];
  // Somebody else's times are no choice any more.
  if (
    typeof slots !== 'string' &&
    chosen &&
    `${chosen}`.startsWith(month) &&
    !free.some(({ start }) => start === chosen)
  )
    state.values[path] = '';
  const day = shows.day ?? free.find(({ start }) => start === chosen)?.day;
  const times = free.filter((slot) => slot.day === day);
  const says =
    slots === 'offline' ? pages.words['offline'] : free.length === 0 && slots !== 'asked' ? pages.words['noSlots'] : '';
  return [
    monthBar(pages.locale, month, month > today.slice(0, 7), month < last.slice(0, 7)),
    days(pages.locale, month, new Set(free.map((slot) => slot.day)), day),
    h('p', { class: 'hint', role: 'status' }, says as string),
    h(
      'div',
      { class: 'chips' },
      ...times.map(({ start, time }) => timeChip(path, start, time, start === state.values[path])),
    ),
  ];
}

function slotsOf(
  { pages, draw }: ChunkParts,
  booking: string,
  of: string,
  month: string,
  today: string,
): Slots | 'asked' | 'offline' {
  const first = `${month}-01` < today ? today : `${month}-01`;
  const days = Math.round((+utc(`${monthBy(month, 1)}-01`) - +utc(first)) / 86_400_000);
  const query = new URLSearchParams({ booking, from: first, days: `${days}`, ...(of && { each: of }) });
  const address = `/v1/apps/${pages.app}/slots?${query}`;
  const before = known.get(address);
  if (before !== undefined) return before;
  known.set(address, 'asked');
  fetch(address)
    .then(async (response) => known.set(address, ((await response.json()) as SlotsAnswer).slots))
    .catch(() => known.set(address, 'offline'))
    .finally(draw);
  return 'asked';
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

function days(locale: string, month: string, free: ReadonlySet<string>, chosen: string | undefined): VNode {
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
  return h('div', { class: 'days' }, ...heads, ...gaps, ...cells);
}

const timeChip = (name: string, value: string, time: string, checked: boolean): VNode =>
  h('label', { class: 'chip' }, h('input', { type: 'radio', name, value, checked }), h('span', {}, time));
