// Names of months and days in the languages of a reader, from Intl; Russian and English are always understood.

const DAY_MS = 86_400_000;
/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1);

export type CalendarWords = {
  /** Every spelling of a month and its number, from 1. */
  readonly months: readonly (readonly [word: string, month: number])[];
  /** From Monday, 0. */
  readonly weekdays: readonly (readonly [word: string, weekday: number])[];
  /** "Today" and its like, with how many days they are away. */
  readonly near: ReadonlyMap<string, number>;
};

const made = new Map<string, CalendarWords>();

/** The words of one language. There are as many as languages that documents name, which the contract bounds. */
export function calendarWords(language: string): CalendarWords {
  let words = made.get(language);
  if (words === undefined) {
    if (made.size >= 500) made.clear();
    made.set(language, (words = makeWords(language)));
  }
  return words;
}

/** As words of a calendar are compared: small letters without marks and dots. */
export const foldLetters = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\p{M}.]/gu, '')
    .toLowerCase()
    .replaceAll('ı', 'i');

function makeWords(language: string): CalendarWords {
  const base = { calendar: 'gregory', numberingSystem: 'latn', timeZone: 'UTC' } as const;
  const forms: readonly Intl.DateTimeFormatOptions[] = [
    { month: 'long' },
    { month: 'short' },
    { month: 'long', day: 'numeric' },
    { month: 'short', day: 'numeric' },
  ].map((form) => ({ ...base, ...form }) as Intl.DateTimeFormatOptions);
  const months = forms.flatMap((form) => {
    const format = new Intl.DateTimeFormat(language, form);
    return Array.from(
      { length: 12 },
      (_, month) => [partOf(format, Date.UTC(2024, month, 15), 'month'), month + 1] as const,
    );
  });
  const weekdays = (['long', 'short'] as const).flatMap((weekday) => {
    const format = new Intl.DateTimeFormat(language, { ...base, weekday });
    return Array.from({ length: 7 }, (_, day) => [partOf(format, MONDAY + day * DAY_MS, 'weekday'), day] as const);
  });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const near = [-2, -1, 0, 1, 2].map((days) => [foldLetters(relative.format(days, 'day')), days] as const);
  const isWord = ([word]: readonly [string, number]): boolean => /^[^\d]+$/.test(word);
  return { months: months.filter(isWord), weekdays: weekdays.filter(isWord), near: new Map(near.filter(isWord)) };
}

const partOf = (format: Intl.DateTimeFormat, at: number, type: string): string =>
  foldLetters(format.formatToParts(at).find((part) => part.type === type)?.value ?? '');

/** The months that a word names in one language, whole or by its first three letters and more. */
export function monthsOf(word: string, language: string): number[] {
  const { months } = calendarWords(language);
  const whole = months.filter(([name]) => name === word);
  const found = whole.length > 0 ? whole : word.length < 3 ? [] : months.filter(([name]) => name.startsWith(word));
  return [...new Set(found.map(([, month]) => month))];
}

/** The weekday that a word names; undefined for none. */
export function weekdayOf(word: string, languages: readonly string[]): number | undefined {
  for (const language of languages) {
    const found = calendarWords(language).weekdays.find(([name]) => name === word);
    if (found) return found[1];
  }
  return undefined;
}
