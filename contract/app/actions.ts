// What happens when something is pressed: a closed list of small objects.

import { z } from 'zod';
import { idSchema, localeSchema, textKeySchema } from '../ids.ts';
import { contentSchema, urlSchema } from './texts.ts';

export const actionSchema = z.union([
  /** To a page; `item: true` takes the row at hand along, so that the page shows it as `row`. */
  z.strictObject({ go: idSchema, item: z.literal(true).optional() }),
  z.strictObject({ back: z.literal(true) }),
  z.strictObject({ open: urlSchema }),
  /** The address stands in a value, checked again where it is shown. */
  z.strictObject({ openFrom: contentSchema }),
  /** The chat with the project's bot, where it may receive a start parameter. */
  z.strictObject({ chat: z.string().regex(/^[\w-]{0,64}$/, 'A start parameter holds letters, digits, "_" and "-"') }),
  z.strictObject({ submit: idSchema }),
  z.strictObject({ cart: z.enum(['add', 'remove', 'clear']) }),
  z.strictObject({ share: textKeySchema }),
  z.strictObject({ contact: z.literal(true) }),
  z.strictObject({ language: localeSchema }),
  z.strictObject({ close: z.literal(true) }),
]);
export type Action = z.infer<typeof actionSchema>;
