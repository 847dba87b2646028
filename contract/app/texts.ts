// Texts of pages: the flow's marks without what only Telegram has, and values read where the page is shown.

import { z } from 'zod';
import { localeSchema, textKeySchema } from '../ids.ts';
import { APP_LIMITS } from './limits.ts';

/**
 * Where a value is read: `row.title` (the row at hand), `visitor.firstName`, `form.lead.phone`, `cart.total`,
 * `page.item`. What is not there reads as empty.
 */
export const pathSchema = z
  .string()
  .max(APP_LIMITS.pathChars)
  .regex(
    /^(row|visitor|cart|page)\.[A-Za-z][A-Za-z0-9_]*$|^form\.[A-Za-z][A-Za-z0-9_-]*\.[A-Za-z][A-Za-z0-9_-]*$/,
    'A value is written as "row.title", "visitor.firstName", "form.lead.phone", "cart.total" or "page.item"',
  );

/** How a value is written: `money` takes the currency of the shop. */
export const appFormatSchema = z.enum(['plain', 'number', 'money', 'date', 'time', 'dateTime']);

const yes = z.literal(true).optional();

/** An address that a visitor may be led to: nothing that could run. */
export const urlSchema = z
  .string()
  .min(1)
  .max(APP_LIMITS.urlChars)
  .refine((text) => isSafeUrl(text), 'A link begins with https://, http://, mailto:, tel: or tg://');

/** True for http, https, mailto, tel and tg, written without signs that cannot be seen, spaces or a hidden host. */
export function isSafeUrl(text: string): boolean {
  if (/[\s\\\p{C}]/u.test(text)) return false;
  return /^(https?:\/\/[^/?#@]+([/?#]|$)|mailto:[^?#]+@|tel:\+?[\d()-]+$|tg:\/\/[a-z])/i.test(text);
}

/** Words as they stand on a page. What cannot be seen, or turns the line around, is no word. */
const wordsSchema = z
  .string()
  .max(APP_LIMITS.textChars)
  .refine(
    (text) => !/(?![\t\n\r])[\p{Cc}\p{Cs}\u202a-\u202e]/u.test(text),
    'A text holds no control characters and no marks that turn the direction of a line',
  );

const marks = { bold: yes, italic: yes, underline: yes, strike: yes, code: yes, link: urlSchema.optional() };

export const appSpanSchema = z.union([
  wordsSchema,
  z.strictObject({ text: wordsSchema, ...marks }),
  z.strictObject({ from: pathSchema, format: appFormatSchema.optional(), ...marks }),
]);
export type AppSpan = z.infer<typeof appSpanSchema>;

/** One text in one language: plain, where a line break is one, or spans. */
export const appTextBodySchema = z.union([wordsSchema, z.array(appSpanSchema).max(APP_LIMITS.spansPerText)]);
export type AppTextBody = z.infer<typeof appTextBodySchema>;

export const appTextSchema = z.record(localeSchema, appTextBodySchema);

/** A text by its key, or the value of a path. */
export const contentSchema = z.union([
  textKeySchema,
  z.strictObject({ from: pathSchema, format: appFormatSchema.optional() }),
]);
export type Content = z.infer<typeof contentSchema>;
