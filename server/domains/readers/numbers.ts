// Numbers and amounts of money, in whatever digits and with whatever separators they are written.

import type { Customs } from './customs.ts';
import { type Reading, readingOf, UNREADABLE } from './reading.ts';
import { figuresOf } from './spelling.ts';

const charsMax = 60;
const numberMax = 1e15;

/** Always a decimal mark, and always a mark of thousands: Arabic has signs of its own for both. */
const ARABIC_DECIMAL = '\u066b';
const ARABIC_THOUSANDS = /\u066c/g;
const ARABIC_COMMA = /\u060c/g;
const APOSTROPHES = /[\u2018\u2019\u02bc\u0060\u00b4\u2032]/g;
const MINUSES = /[\u2010-\u2015\u2212\ufe58\ufe63]/g;

/**
 * Reads `1 000,50`, `1,000.50`, `12,34,567`, `1’500`, `−3`, `۲۵`, `500 ₽`. One point or comma before three digits may
 * stand before a fraction or between thousands: the customs decide, else it has both meanings.
 */
export function readNumber(text: string, customs: Customs): Reading<number> {
  const figures = text.length > charsMax ? null : figuresOf(text);
  if (figures === null) return UNREADABLE;
  const plain = figures
    .replace(ARABIC_THOUSANDS, "'")
    .replace(ARABIC_COMMA, ',')
    .replace(APOSTROPHES, "'")
    .replace(MINUSES, '-');
  const [, sign = '', body = ''] = /^([+-]?) ?(.*)$/.exec(withoutCurrency(plain)) ?? [];
  // `100,-` and `5.` are whole; a sentence may end behind a number.
  const amount = body.replace(/[.,](--?)?$/, '');
  if (!/^[\d.,' \u066b]+$/.test(amount) || !/\d/.test(amount)) return UNREADABLE;
  const found = readingOf(valuesOf(amount, customs).map((value) => (sign === '-' && value !== 0 ? -value : value)));
  const all = 'value' in found ? [found.value] : 'meanings' in found ? found.meanings : [];
  return all.some((value) => value > numberMax || value < -numberMax) ? { fault: 'large' } : found;
}

/** What the digits may say, unsigned. */
function valuesOf(amount: string, { numbers }: Customs): number[] {
  const whole = wholeOf(amount);
  const fractions = ['.', ',', ARABIC_DECIMAL].flatMap((mark) => fractionAt(amount, mark));
  const [fraction] = fractions;
  const mark = amount.includes('.') ? '.' : ',';
  // `1500,000` where the comma stands between thousands alone: somebody has miscounted, and nobody knows which digits.
  const isMiscounted =
    /^\d{4,}[.,]\d{3}$/.test(amount) && numbers.length > 0 && numbers.every(({ group }) => group === mark);
  if (whole === undefined || fraction === undefined)
    return whole !== undefined ? [whole] : isMiscounted ? [] : fractions;
  const said = numbers.flatMap(({ decimal, group }) =>
    decimal === mark ? [fraction] : group === mark ? [whole] : [whole, fraction],
  );
  return said.length > 0 ? said : [whole, fraction];
}

/** Digits in groups of three (or of two before the last three, as in India) divided by one sign, or in none. */
function wholeOf(digits: string): number | undefined {
  if (/^\d+$/.test(digits)) return Number(digits);
  const grouped = /^[1-9]\d{0,2}([ '.,])\d{3}(?:\1\d{3})*$|^[1-9]\d?(?:,\d{2})+,\d{3}$/.test(digits);
  return grouped ? Number(digits.replace(/\D/g, '')) : undefined;
}

function fractionAt(amount: string, mark: string): number[] {
  const [before = '', after = '', ...more] = amount.split(mark);
  if (more.length > 0 || !/^\d+$/.test(after)) return [];
  const whole = before === '' ? 0 : wholeOf(before);
  return whole === undefined ? [] : [Number(`${whole}.${after}`)];
}

const WORDS = 'руб(?:л(?:ей|я|ь))?|р|грн|тг|тенге|сум|сом|zł|kč|kr|ft|lei|лв|ден|дин|円|元|원|us\\$|r\\$';
const CURRENCY = `(?:\\p{Sc}|[a-z]{3}|${WORDS})\\.?`;
const before = new RegExp(`^([+-]?) ?(${CURRENCY}) ?(?=[+-]?[\\d.,])`, 'iu');
const after = new RegExp(`^(.*[\\d.,-]) ?(${CURRENCY})$`, 'iu');
const isWord = new RegExp(`^(?:\\p{Sc}|${WORDS})$`, 'iu');
let codes: ReadonlySet<string> | undefined;

/** Without the sign, the word or the code of one currency on one side. */
function withoutCurrency(text: string): string {
  const first = before.exec(text);
  if (first && isCurrency(first[2])) return `${first[1]}${text.slice(first[0].length)}`;
  const last = after.exec(text);
  return last && isCurrency(last[2]) ? (last[1] ?? '') : text;
}

function isCurrency(name = ''): boolean {
  const bare = name.replace(/\.$/, '');
  codes ??= new Set(Intl.supportedValuesOf('currency'));
  return isWord.test(bare) || codes.has(bare.toUpperCase());
}
