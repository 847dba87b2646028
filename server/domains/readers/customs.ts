// How the people of a project write numbers, days and phones: what its document says, else what its languages say.

import type { DateOrder, Region } from '../../../contract/flow.ts';

/** How numbers are written somewhere: what stands before a fraction and what between thousands. */
export type NumberMarks = { readonly decimal: string; readonly group: string };

export type Customs = {
  /** Whose phone numbers need no code of a country, as `DE`; undefined where nobody said. */
  readonly country: string | undefined;
  /** Every way that may be meant; none: nothing is known. */
  readonly numbers: readonly NumberMarks[];
  readonly orders: readonly DateOrder[];
  /** Whose names of months and days count. */
  readonly languages: readonly string[];
};

/** What is known where nothing is. */
export const NO_CUSTOMS: Customs = { country: undefined, numbers: [], orders: ['dmy', 'mdy'], languages: [] };

/** The part of a document that customs come from. */
export type CustomsSource = { readonly defaultLocale: string; readonly region?: Region | undefined };

const known = new Map<string, Customs>();
const knownMax = 2_000;

/**
 * The customs of a document for somebody who reads this language. What the document says is the rule. Without it two
 * ways count: that of its main language and that of the reader's; where they give different values, it is for the reader
 * to say.
 */
export function customsOf({ defaultLocale, region = {} }: CustomsSource, locale: string = defaultLocale): Customs {
  const key = [defaultLocale, locale, region.country, region.dates, region.decimal].join(' ');
  let customs = known.get(key);
  if (customs === undefined) {
    customs = makeCustoms(defaultLocale, locale, region);
    if (known.size >= knownMax) known.clear();
    known.set(key, customs);
  }
  return customs;
}

function makeCustoms(defaultLocale: string, locale: string, { country, dates, decimal }: Region): Customs {
  const languages = [...new Set([locale, defaultLocale])];
  const places = country === undefined ? languages : [`${new Intl.Locale(defaultLocale).language}-${country}`];
  const numbers = places.flatMap(marksOf);
  return {
    country: country ?? new Intl.Locale(defaultLocale).region ?? HOMES[defaultLocale],
    numbers: decimal === undefined ? numbers : [marksWith(decimal, numbers)],
    orders: dates === undefined ? [...new Set(places.flatMap(ordersOf))] : [dates],
    languages,
  };
}

/** Languages of one country (or of countries that share one numbering): who writes them means its phone numbers. */
const HOMES: { readonly [language: string]: string } = {
  az: 'AZ',
  be: 'BY',
  bg: 'BG',
  cs: 'CZ',
  da: 'DK',
  et: 'EE',
  fi: 'FI',
  he: 'IL',
  hu: 'HU',
  hy: 'AM',
  id: 'ID',
  is: 'IS',
  ja: 'JP',
  ka: 'GE',
  kk: 'KZ',
  ky: 'KG',
  lt: 'LT',
  lv: 'LV',
  mn: 'MN',
  nb: 'NO',
  pl: 'PL',
  ru: 'RU',
  sk: 'SK',
  sl: 'SI',
  tg: 'TJ',
  th: 'TH',
  tk: 'TM',
  uk: 'UA',
  uz: 'UZ',
  vi: 'VN',
};

/** Languages in which one country writes 1.500 for what another writes 1,500. */
const DIVIDED: ReadonlySet<string> = new Set(['ar', 'es']);

function marksOf(locale: string): NumberMarks[] {
  if (DIVIDED.has(locale)) return [];
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(12_345_678.5);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  return [{ decimal: part('decimal'), group: part('group') }];
}

const marksWith = (decimal: ',' | '.', numbers: readonly NumberMarks[]): NumberMarks =>
  numbers.find((marks) => marks.decimal === decimal) ?? { decimal, group: decimal === ',' ? '.' : ',' };

/** English without a country is written by people of both orders. */
function ordersOf(locale: string): DateOrder[] {
  if (locale === 'en') return ['dmy', 'mdy'];
  const order = new Intl.DateTimeFormat(locale, { calendar: 'gregory', numberingSystem: 'latn' })
    .formatToParts(0)
    .flatMap(({ type }) => (['day', 'month', 'year'].includes(type) ? [type[0]] : []))
    .join('');
  return order === 'mdy' || order === 'ymd' ? [order] : ['dmy'];
}
