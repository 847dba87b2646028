// Texts of pages as plain words, for what is not drawn: titles, answers, the words of a lead.
import type { AppSpan, AppTextBody } from '../../../contract/app/texts.ts';
import type { Scalar } from '../../../contract/app/view.ts';

/** What stands at a path, as `row.title`; undefined reads as nothing. */
export type Read = (path: string) => Scalar | readonly string[] | undefined;

/** How values are written in one language. */
export type Writer = (value: Scalar | readonly string[], format: string | undefined) => string;

/** One text in one language, its values filled in, without its marks. */
export function plainText(body: AppTextBody | undefined, read: Read, write: Writer): string {
  if (body === undefined) return '';
  if (typeof body === 'string') return body;
  return body.map((span) => plainSpan(span, read, write)).join('');
}

function plainSpan(span: AppSpan, read: Read, write: Writer): string {
  if (typeof span === 'string') return span;
  if ('text' in span) return span.text;
  const value = read(span.from);
  return value === undefined ? '' : write(value, span.format);
}

/** Writes numbers, money and moments as people of this language read them. */
export function writerOf(locale: string, facts: { timezone: string; currency?: string | undefined }): Writer {
  const { timezone: timeZone, currency } = facts;
  const moments: { readonly [format: string]: Intl.DateTimeFormatOptions } = {
    date: { dateStyle: 'long' },
    time: { timeStyle: 'short' },
    dateTime: { dateStyle: 'long', timeStyle: 'short' },
  };
  return (value, format = 'plain') => {
    if (typeof value === 'boolean') return value ? '✓' : '';
    const text = Array.isArray(value) ? value.join(', ') : String(value);
    const number = Number(text);
    if (format === 'money' && text !== '' && !Number.isNaN(number)) return money(locale, currency, number);
    if (format === 'number' && text !== '' && !Number.isNaN(number)) return number.toLocaleString(locale);
    const style = moments[format];
    return style === undefined ? text : writeMoment(locale, text, { ...style, timeZone });
  };
}

/** Whole sums without their pennies and with the sign of the currency, as shops write them and as pages do. */
function money(locale: string, currency: string | undefined, amount: number): string {
  if (currency === undefined) return amount.toLocaleString(locale);
  const minimumFractionDigits = Number.isInteger(amount) ? 0 : 2;
  const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol', minimumFractionDigits } as const;
  return amount.toLocaleString(locale, style);
}

function writeMoment(locale: string, text: string, style: Intl.DateTimeFormatOptions): string {
  // A time of no day in particular.
  const clock = /^\d\d:\d\d$/.test(text) ? `1970-01-01T${text}` : undefined;
  if (clock !== undefined) return writeMoment(locale, clock, { timeStyle: 'short', timeZone: 'UTC' });
  // A day, or a moment without a clock of its own, is that everywhere.
  const isLocal = !text.endsWith('Z');
  const at = Date.parse(/T[\d:.]+$/.test(text) ? `${text}Z` : text);
  if (Number.isNaN(at)) return text;
  // Before "PM" stands a narrow blank that many fonts of phones do not have.
  return new Date(at).toLocaleString(locale, isLocal ? { ...style, timeZone: 'UTC' } : style).replaceAll('\u202f', ' ');
}
