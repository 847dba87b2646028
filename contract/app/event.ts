// What a visitor's phone sends, as the server reads it.

import { z } from 'zod';
import { idSchema, localeSchema } from '../ids.ts';
import { APP_LIMITS } from './limits.ts';
import type { AppEvent } from './view.ts';

const valueSchema = z.union([
  z.string().max(APP_LIMITS.valueChars),
  z.number(),
  z.boolean(),
  z.array(z.string().max(APP_LIMITS.pathChars)).max(APP_LIMITS.optionsPerField),
]);

/** How a row of the shop is named in a cart: its number, and its variant where it has some. */
export const cartItemSchema = z
  .string()
  .regex(/^[1-9]\d{0,14}(:[^\p{C}]{1,100})?$/u, 'An item is written as "12" or "12:M"');

export const appEventSchema: z.ZodType<AppEvent> = z.strictObject({
  key: z.string().regex(/^[\w.-]{8,64}$/, 'A key has 8 to 64 letters, digits, ".", "_" and "-"'),
  form: idSchema,
  values: z.record(idSchema, valueSchema),
  /** How many different things is decided where it can be said in the visitor's language. */
  cart: z.record(cartItemSchema, z.int().min(1).max(APP_LIMITS.cartCountMax)).optional(),
  locale: localeSchema,
  start: z
    .string()
    .max(512)
    .regex(/^\P{Cc}*$/u, 'A start parameter holds no control characters')
    .optional(),
  trap: z.string().max(APP_LIMITS.valueChars).optional(),
});
