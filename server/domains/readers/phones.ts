// Phone numbers, kept as `+79001234567`; one with an extension as `+12025550123 ext. 5`.

import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { Customs } from './customs.ts';
import { type Reading, UNREADABLE } from './reading.ts';
import { figuresOf } from './spelling.ts';

const charsMax = 60;
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63]/g;
const numberOnly = /^\+?[\d ()./-]+(?:(?: ?,? ?(?:ext|доб|вн|x|#)\.? ?)\d{1,7})?$/i;

/** True for a country whose phone numbers are known. */
export function isPhoneCountry(country: string): boolean {
  return isSupportedCountry(country);
}

/**
 * Reads a number with the code of its country (`+49 30 …`, `0049 30 …`, `tel:`), or one of the project's country as it is
 * dialled there (`8 (916) …`, `(202) …`). Digits that are a number of another country only if a plus stands before them
 * have that one meaning, and it has to be confirmed; other digits of no country are no number.
 */
export function readPhone(text: string, { country }: Customs): Reading<string> {
  const figures = text.length > charsMax ? null : figuresOf(text);
  const phone = (figures ?? '')
    .replace(/^tel:([^;]*);ext=/i, '$1 ext. ')
    .replace(/^tel: ?/i, '')
    .replace(DASHES, '-')
    .replaceAll('\u2044', '/');
  if (!numberOnly.test(phone)) return UNREADABLE;
  if (phone.startsWith('+')) return given(parse(phone), 'possible');
  const home = country === undefined || !isSupportedCountry(country) ? undefined : parse(phone, country);
  if (home?.isValid()) return { value: written(home) };
  // 00 leads out of most countries, and no number of any begins with it.
  if (/^00 ?[1-9]/.test(phone)) return given(parse(`+${phone.slice(2).trim()}`), 'valid');
  const abroad = /^[1-9]/.test(phone) ? parse(`+${phone}`) : undefined;
  if (abroad?.isValid()) return { meanings: [written(abroad)] };
  return country === undefined && phone.replace(/\D/g, '').length >= 7 ? { fault: 'country' } : UNREADABLE;
}

/** What Telegram shares has the code of its country, with the plus or without. Null for what is no number. */
export function readSharedPhone(shared: string, customs: Customs): string | null {
  const figures = figuresOf(shared) ?? '';
  if (/^[1-9]\d{4,19}$/.test(figures)) return `+${figures}`;
  if (/^\+[\d ().-]{5,40}$/.test(figures)) return `+${figures.replace(/\D/g, '')}`;
  // A card out of somebody's address book is as its owner has typed it.
  const reading = readPhone(shared, customs);
  return 'value' in reading ? reading.value : null;
}

/** A phone as people read it: `+49 30 123456`. */
export function phoneText(phone: string): string {
  const parsed = parse(phone);
  return parsed?.isPossible() ? parsed.formatInternational() : phone;
}

type Parsed = ReturnType<typeof parsePhoneNumberFromString>;

const parse = (text: string, country?: CountryCode): Parsed =>
  parsePhoneNumberFromString(text, { extract: false, ...(country === undefined ? {} : { defaultCountry: country }) });

const given = (phone: Parsed, wanted: 'possible' | 'valid'): Reading<string> =>
  (wanted === 'valid' ? phone?.isValid() : phone?.isPossible()) && phone ? { value: written(phone) } : UNREADABLE;

const written = ({ number, ext }: NonNullable<Parsed>): string => (ext ? `${number} ext. ${ext}` : number);
