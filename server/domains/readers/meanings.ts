// What a value may mean, in words: for the buttons and sentences that ask which one was meant.

import { phoneText } from './phones.ts';

/** A day with its month as a word, a number without marks between thousands, a phone in groups. */
export function meaningText(meaning: string | number, locale: string): string {
  if (typeof meaning === 'number') {
    // Three digits behind the mark would be taken for thousands again.
    const digits = /^-?\d{1,3}\.\d{3}$/.test(String(meaning)) ? { minimumFractionDigits: 4 } : {};
    return new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 15, ...digits }).format(meaning);
  }
  if (meaning.startsWith('+')) return phoneText(meaning);
  const day = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(locale, { ...day, calendar: 'gregory' }).format(Date.parse(meaning));
}
