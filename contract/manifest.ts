// The pages of a project, as its document holds them under `app`: a Mini App inside Telegram and a web site outside.

import { z } from 'zod';
import { actionSchema } from './app/actions.ts';
import { rowFilterSchema } from './app/conditions.ts';
import { elementSchema } from './app/elements.ts';
import { bookingSchema, formSchema, shopSchema } from './app/forms.ts';
import { APP_LIMITS } from './app/limits.ts';
import { appTextSchema, urlSchema } from './app/texts.ts';
import { idSchema, textKeySchema } from './ids.ts';

const colour = z.string().regex(/^#[0-9a-f]{6}$/i, 'A colour is written as #2a7d6f');

/** Inside Telegram the colours are Telegram's, but for the accent. Contrast is checked when the project is published. */
export const themeSchema = z.strictObject({
  accent: colour.optional(),
  accentDark: colour.optional(),
  radius: z.enum(['s', 'm', 'l']).optional(),
});

const buttonSchema = z.strictObject({ text: textKeySchema, do: actionSchema });

export const pageSchema = z.strictObject({
  /** Below the address of the app: `/` for the first page, else `/price-list`. */
  path: z
    .string()
    .max(APP_LIMITS.pathChars)
    .regex(/^\/([a-z0-9-]+(\/[a-z0-9-]+)*)?$/, 'A path is written as "/price-list"'),
  title: textKeySchema,
  /** The element that everything else stands in. */
  root: idSchema,
  /** Whose row the number at the end of the address means; without it, the shop's. */
  data: idSchema.optional(),
  mainButton: buttonSchema.optional(),
  secondaryButton: buttonSchema.optional(),
  /** Its place in the menu of the site and at the top of the app, counted from 1; without one it is not there. */
  menu: z.int().min(1).max(100).optional(),
  description: textKeySchema.optional(),
  /** Not found by search engines, not in the site map. */
  hidden: z.boolean().optional(),
});
export type Page = z.infer<typeof pageSchema>;

/** Rows of a table that pages may show. What is not named in `fields` never leaves the server. */
export const dataSchema = z.strictObject({
  table: idSchema,
  fields: z.array(idSchema).min(1).max(APP_LIMITS.fieldsPerData),
  where: z.array(rowFilterSchema).max(APP_LIMITS.conditionsPerGroup).optional(),
  sort: idSchema.optional(),
  descending: z.boolean().optional(),
  limit: z.int().min(1).max(APP_LIMITS.rowsPerData).optional(),
});
export type Data = z.infer<typeof dataSchema>;

export const siteSchema = z.strictObject({
  name: textKeySchema,
  description: textKeySchema,
  image: idSchema.optional(),
  /** Where the owner's rules for personal data stand. */
  privacy: urlSchema.optional(),
});

export const manifestSchema = z.strictObject({
  theme: themeSchema.optional(),
  start: idSchema,
  pages: z.record(idSchema, pageSchema),
  elements: z.record(idSchema, elementSchema),
  texts: z.record(textKeySchema, appTextSchema),
  data: z.record(idSchema, dataSchema).optional(),
  forms: z.record(idSchema, formSchema).optional(),
  shop: shopSchema.optional(),
  bookings: z.record(idSchema, bookingSchema).optional(),
  site: siteSchema.optional(),
});
export type Manifest = z.infer<typeof manifestSchema>;
