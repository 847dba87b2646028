// Days as people write them: by numbers of any script, with months as words, without a year, in two digits.

import { calendarWords, foldLetters, monthsOf, weekdayOf } from './calendar.ts';
import type { Customs } from './customs.ts';
import { type Reading, readingOf, UNREADABLE } from './reading.ts';
import { figuresOf } from './spelling.ts';

/** `today` as 2026-12-31; without it a day needs its year, in four digits. */
export type DateFacts = {
  readonly today?: string | undefined;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
};

/** The calendar of Gregory began in 1583; the years of Persia, Thailand and Islam stand outside of these. */
const yearMin = 1583;
const yearMax = 2399;
const charsMax = 60;

type Parts = { readonly year: string | undefined; readonly month: number; readonly day: number };

/**
 * Reads `31.12.2026`, `12/31/2026`, `2026-12-31`, `Dec 31, 2026`, `31 декабря`, `31-Dec-26`, `2026年12月31日`,
 * `٣١.١٢.٢٠٢٧`, "tomorrow". Where day and month may change places the customs decide, else it has both meanings. A day
 * without a year is the next such day.
 */
export function readDate(text: string, customs: Customs, facts: DateFacts): Reading<string> {
  const figures = text.length > charsMax ? null : figuresOf(text);
  if (figures === null || figures === '') return UNREADABLE;
  const words = withoutFrame(figures);
  const eastern = words
    .replace(/(\d+) ?[年년] ?(\d+) ?[月월] ?(\d+) ?[日일号號]?/u, '$1-$2-$3')
    .replace(/(?<=\d) ?,? ?(?:tháng|thg|năm) ?(?=\d)/gu, '/');
  const [, month, day] = /^(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일号號]?$/u.exec(words) ?? [];
  if (month !== undefined && day !== undefined) return readingOf(daysOf(partsOf(undefined, month, day), facts));
  const hasWords = /\p{L}/u.test(eastern);
  const near = hasWords ? nearDay(words, customs, facts.today) : undefined;
  if (near !== undefined) return { value: near };
  const parts = hasWords ? byWords(eastern, customs) : byNumbers(eastern, customs);
  return readingOf(parts.flatMap((each) => daysOf(each, facts)));
}

/** Without the midnight that spreadsheets put behind a day, and without the word "year" behind a year. */
function withoutFrame(figures: string): string {
  return figures
    .toLowerCase()
    .replace(/(?:(?<![ ,])[ ,]+|t)(?:0?0:00(?::00(?:\.0+)?)?z?|12:00(?::00)? ?am)$/, '')
    .replace(/(?<=\d) ?(?:г|год|года|р|року)\.?$/u, '')
    .replace(/\.$/, '')
    .trim();
}

function nearDay(words: string, { languages }: Customs, today: string | undefined): string | undefined {
  const word = foldLetters(words);
  for (const language of [...languages, 'ru', 'en']) {
    const days = calendarWords(language).near.get(word);
    if (days !== undefined && today !== undefined)
      return new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
  }
  return undefined;
}

function byNumbers(text: string, customs: Customs): Parts[] {
  const solid = /^(\d{4})(\d{4})$/.exec(text);
  if (solid) return solidParts(text, customs);
  const found = /^(\d{1,4}) ?([./, -]) ?(\d{1,2})(?: ?[./, -] ?(\d{4}|\d{1,2}))?$/.exec(text);
  if (!found) return [];
  const [, first = '', mark = '', second = '', third] = found;
  if (first.length > 2) return first.length === 4 && third !== undefined ? [partsOf(first, second, third)] : [];
  if (third !== undefined && third.length === 1) return [];
  if (third === undefined && /[, ]/.test(mark)) return [];
  const allowed = third === undefined || third.length === 2 ? customs.orders : yearLast(customs.orders);
  // Points stand between day and month, in this order, for all who have it among their customs: slashes alone divide them.
  const orders = mark === '.' && allowed.includes('dmy') ? (['dmy'] as const) : allowed;
  const preferred = orders.map((order) => arranged(order, first, second, third)).filter(isPossible);
  if (preferred.length > 0 || /[., ]/.test(mark)) return preferred;
  return (['dmy', 'mdy'] as const).map((order) => arranged(order, first, second, third)).filter(isPossible);
}

/** Who writes the year first has no custom for the year at the end. */
function yearLast(orders: Customs['orders']): Customs['orders'] {
  const known = orders.filter((order) => order !== 'ymd');
  return known.length > 0 ? known : ['dmy', 'mdy'];
}

function arranged(order: Customs['orders'][number], first: string, second: string, third: string | undefined): Parts {
  if (third === undefined) return order === 'dmy' ? partsOf(third, second, first) : partsOf(third, first, second);
  if (order === 'ymd') return partsOf(first, second, third);
  return order === 'dmy' ? partsOf(third, second, first) : partsOf(third, first, second);
}

function solidParts(text: string, { orders }: Customs): Parts[] {
  const at = (from: number, to: number): string => text.slice(from, to);
  const yearFirst = partsOf(at(0, 4), at(4, 6), at(6, 8));
  return [yearFirst, ...yearLast(orders).map((order) => arranged(order, at(0, 2), at(2, 4), at(4, 8)))].filter(
    isPossible,
  );
}

const partsOf = (year: string | undefined, month: string, day: string): Parts => ({
  year,
  month: Number(month),
  day: Number(day),
});

const isPossible = ({ year, month, day }: Parts): boolean =>
  dayOf(year === undefined || year.length < 3 ? 2024 : Number(year), month, day) !== undefined;

/** Words that say nothing of the day: articles, endings of ordinals, "year". */
const FILLERS: ReadonlySet<string> = new Set(
  'of the st nd rd th de del d den der le el il do da di er e го ого е й г год года р року m gada ב'.split(' '),
);

/** One month as a word, a day, perhaps a year and a weekday, in any order that people use. */
function byWords(text: string, { languages }: Customs): Parts[] {
  const tokens = text
    .replace(/(\d)(\p{L})/gu, '$1 $2')
    .replace(/(\p{L}\p{M}*)\.?(\d)/gu, '$1 $2')
    .split(/[ ,./'’-]+/)
    .filter((token) => token !== '');
  const numbers = tokens.filter((token) => /^\d+$/.test(token));
  const words = tokens.map(foldLetters).filter((token) => !/^\d+$/.test(token) && !FILLERS.has(token));
  const years = numbers.filter((number) => number.length === 4);
  const [day, ...rest] = numbers.filter((number) => number.length < 3);
  const [year = rest[0], ...moreYears] = years;
  if (day === undefined || numbers.length > 2 || moreYears.length > 0) return [];
  const spoken = [...languages, 'ru', 'en'];
  const named = words.filter((word) => monthNames(word, spoken).length > 0);
  const [month] = named;
  if (month === undefined || named.length > 1) return [];
  const weekdays = words.filter((word) => word !== month).map((word) => weekdayOf(word, spoken));
  if (weekdays.includes(undefined) || weekdays.length > 1) return [];
  const parts = monthNames(month, spoken).map((number) => partsOf(year, String(number), day));
  return weekdays.length === 0 ? parts : parts.filter((each) => isWeekday(each, weekdays[0]));
}

/** A weekday that is another day's says that something is wrong. Without a four-digit year nobody can tell. */
function isWeekday({ year, month, day }: Parts, weekday: number | undefined): boolean {
  if (year?.length !== 4) return true;
  return (new Date(Date.UTC(Number(year), month - 1, day)).getUTCDay() + 6) % 7 === weekday;
}

/** The reader's own languages first: "listopad" is October in one and November in another. */
function monthNames(word: string, languages: readonly string[]): number[] {
  for (const language of languages) {
    const months = monthsOf(word, language);
    if (months.length > 0) return months.length === 1 ? months : [];
  }
  return [];
}

/** The days that the parts may mean: a year of two digits has a century to be found, a day without a year a year. */
function daysOf({ year, month, day }: Parts, facts: DateFacts): string[] {
  if (year === undefined) return nextDay(month, day, facts.today);
  if (year.length === 4) return onlyDays([dayOf(Number(year), month, day)]);
  if (facts.today === undefined) return [];
  const days = onlyDays(yearsOf(Number(year), Number(facts.today.slice(0, 4))).map((each) => dayOf(each, month, day)));
  const { min = '', max = '9999' } = facts;
  const fitting = days.filter((each) => each >= min && each <= max);
  return fitting.length > 0 ? fitting : days;
}

/** 26 is 2026 and 95 is 1995. More than ten years ahead somebody's birthday is as likely: both. */
function yearsOf(year: number, thisYear: number): number[] {
  const present = Math.floor(thisYear / 100) * 100 + year;
  if (present <= thisYear + 10) return present > thisYear - 90 ? [present] : [present + 100];
  return present <= thisYear + 20 ? [present, present - 100] : [present - 100];
}

/** Within the eight years after which 29 February comes again, whatever the century. */
function nextDay(month: number, day: number, today: string | undefined): string[] {
  if (today === undefined) return [];
  const thisYear = Number(today.slice(0, 4));
  for (let year = thisYear; year <= thisYear + 8; year += 1) {
    const found = dayOf(year, month, day);
    if (found !== undefined && found >= today) return [found];
  }
  return [];
}

const onlyDays = (days: readonly (string | undefined)[]): string[] => days.filter((day) => day !== undefined);

/** `2026-12-31`; undefined for a day that the calendar does not have. */
function dayOf(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal && year >= yearMin && year <= yearMax ? date.toISOString().slice(0, 10) : undefined;
}
