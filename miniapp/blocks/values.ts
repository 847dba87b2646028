// Values: where they are read, how they are written, what is true of them.

import type { Live, LiveValue, Scalar, Test } from '../../contract/app/view.ts';
import { pages, row, state, type Value } from './now.ts';

/** The value of a path, or an empty text. */
export const read = (path: string): Value =>
  (path.startsWith('row.') ? row?.[path.slice(4)] : state.values[path]) ?? '';

/** A value as people read it in the language of the page. */
function write({ from, number, moment }: LiveValue): string {
  const value = read(from);
  if (typeof value === 'boolean') return value ? '✓' : '';
  const text = `${value}`;
  const { locale, zone } = pages;
  const key = text + JSON.stringify([number, moment]);
  const written = (): string => {
    if (number && text && Number.isFinite(+text)) return (+text).toLocaleString(locale, number);
    // A day has no clock; a moment of UTC is read on the clock of the bookings.
    return moment && /^.{10}$|Z$/.test(text) && Date.parse(text)
      ? new Date(text).toLocaleString(locale, { timeZone: (/Z$/.test(text) && zone) || 'UTC', ...moment })
      : text;
  };
  return (state.written[key] ??= written());
}

/** A text as people look for it: great and small letters, accents, ё and blanks around it make no difference. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

/** True when what is asked holds. What was typed is text, so texts are compared. */
export function holds(test: Test): boolean {
  const [sign, what, than] = test as readonly [Test[0], string, Live?];
  if (sign === '&') return (what as unknown as Test[]).every(holds);
  if (sign === '|') return (what as unknown as Test[]).some(holds);
  if (sign === '!') return !holds(what as unknown as Test);
  const value = read(what);
  const text = `${value}`;
  const other = `${say(than)}`;
  if (sign === '=') return text === other;
  if (sign === '~') return plain(Array.isArray(value) ? `,${text},` : text).includes(plain(other));
  return !!text && value !== false && (sign === '?' || (sign === '>' ? +text > +other : +text < +other));
}

/** What stands there now. */
export const say = (live: Live | undefined): Scalar | undefined => {
  const { join, if: test, show, or, from } = (live ?? '') as AnyLive;
  return join
    ? join.map(say).join('')
    : test
      ? say(holds(test) ? show : or)
      : from
        ? write(live as LiveValue)
        : (live as Scalar);
};

type AnyLive = { join?: readonly Live[]; if?: Test; show?: Live; or?: Live; from?: string };
