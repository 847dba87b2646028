// How values are written for a reader: numbers, dates and plural forms of their language.

import type { Format } from '../../../contract/texts.ts';
import type { Value, VariableType } from '../../../contract/variables.ts';
import { asText, isDate } from './values.ts';

/** Everything a language needs, made once a release: Intl objects cost 50 microseconds and more. */
export type Formatter = {
  readonly locale: string;
  readonly write: (value: Value | undefined, type: VariableType, format: Format | undefined) => string;
  readonly plural: (count: number) => Intl.LDMLPluralRule;
  /** An amount in a currency as `RUB`; '' writes the number alone. */
  readonly money: (amount: number, currency: string) => string;
};

const YES_NO: { readonly [language: string]: readonly [string, string] } = {
  ru: ['да', 'нет'],
  en: ['yes', 'no'],
  uk: ['так', 'ні'],
  de: ['ja', 'nein'],
  fr: ['oui', 'non'],
  es: ['sí', 'no'],
  it: ['sì', 'no'],
  pt: ['sim', 'não'],
  pl: ['tak', 'nie'],
  tr: ['evet', 'hayır'],
  kk: ['иә', 'жоқ'],
  be: ['так', 'не'],
};

/** Of 12 or 24 hours as people of the language read it; the calendars of pages do the same. */
const CLOCK = { hour: 'numeric', minute: '2-digit' } as const;

/** Makes the formatter of one language and time zone. */
export function makeFormatter(locale: string, timezone: string): Formatter {
  const language = locale.split('-')[0] ?? 'en';
  const [yes, no] = YES_NO[language] ?? ['yes', 'no'];
  const numbers = lazy(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 6 }));
  const percents = lazy(() => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }));
  const rules = lazy(() => new Intl.PluralRules(locale));
  const days = lazy(() => new Intl.DateTimeFormat(locale, { ...shortDay(language), timeZone: 'UTC' }));
  const longDays = lazy(
    () => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }),
  );
  const moments = lazy(
    () =>
      new Intl.DateTimeFormat(locale, {
        ...shortDay(language),
        ...CLOCK,
        timeZone: timezone,
      }),
  );
  const times = lazy(() => new Intl.DateTimeFormat(locale, { ...CLOCK, timeZone: timezone }));
  const asMoment = (value: Value, by: Intl.DateTimeFormat): string => {
    const at = typeof value === 'number' ? value : Date.parse(asText(value));
    return Number.isNaN(at) || Math.abs(at) > 8.64e15 ? asText(value) : spaced(by.format(at));
  };
  const clocks = lazy(() => new Intl.DateTimeFormat(locale, { ...CLOCK, timeZone: 'UTC' }));
  const write = (value: Value | undefined, type: VariableType, format: Format | undefined): string => {
    if (value === undefined || value === '') return '';
    switch (format ?? naturalFormat(value, type)) {
      case 'plain':
        return plain(value, yes, no);
      case 'number':
        return typeof value === 'number' ? numbers().format(value) : plain(value, yes, no);
      case 'percent':
        return typeof value === 'number' ? percents().format(value) : plain(value, yes, no);
      case 'date':
        return isDay(value) ? days().format(Date.parse(value)) : asMoment(value, days());
      case 'dateLong':
        return isDay(value) ? longDays().format(Date.parse(value)) : asMoment(value, longDays());
      case 'time':
        return isClock(value) ? asMoment(`1970-01-01T${value}Z`, clocks()) : asMoment(value, times());
      case 'dateTime':
        return asMoment(value, moments());
    }
  };
  const money = (amount: number, currency: string): string =>
    /^[A-Z]{3}$/.test(currency) ? moneyFormat(locale, currency).format(amount) : numbers().format(amount);
  return { locale, write, plural: (count) => rules().select(count), money };
}

const isClock = (value: Value): value is string => typeof value === 'string' && /^\d\d:\d\d(:\d\d)?$/.test(value);

/** Before "PM" stands a narrow blank that many fonts of phones do not have. */
const spaced = (text: string): string => text.replaceAll('\u202f', ' ');

/** Whole amounts without ",00". */
const moneyFormat = (locale: string, currency: string): Intl.NumberFormat =>
  new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    trailingZeroDisplay: 'stripIfInteger',
  });

/** 12/31 and 31/12 cannot be told apart in English, so the month is a word there. */
function shortDay(language: string): Intl.DateTimeFormatOptions {
  return language === 'en'
    ? { day: 'numeric', month: 'short', year: 'numeric' }
    : { day: '2-digit', month: '2-digit', year: 'numeric' };
}

const isDay = (value: Value): value is string => typeof value === 'string' && isDate(value);

function naturalFormat(value: Value, type: VariableType): Format {
  if (type === 'number' && typeof value === 'number') return 'number';
  return type === 'date' ? 'date' : 'plain';
}

function plain(value: Value, yes: string, no: string): string {
  if (typeof value === 'boolean') return value ? yes : no;
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map((item: Value) => plain(item, yes, no)).join(', ');
  return writeObject(value as { readonly [key: string]: Value });
}

function writeObject(value: { readonly [key: string]: Value }): string {
  if ('latitude' in value && 'longitude' in value) return `${asText(value['latitude'])}, ${asText(value['longitude'])}`;
  if ('fileId' in value) return asText(value['name']);
  return Object.keys(value).length === 0 ? '' : JSON.stringify(value);
}

function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** True where the machine knows the time zone. */
export function isTimezone(timezone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
    return true;
  } catch {
    return false;
  }
}

/** Makes a function that tells the day of a moment in a time zone, as `2026-12-31`. */
export function dayTeller(timezone: string): (atMs: number) => string {
  const format = lazy(
    () => new Intl.DateTimeFormat('en-CA', { timeZone: timezone, year: 'numeric', month: '2-digit', day: '2-digit' }),
  );
  return (atMs) => (timezone === 'UTC' ? new Date(atMs).toISOString().slice(0, 10) : format().format(atMs));
}
