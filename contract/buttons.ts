// Buttons under a message and keys below the input field.

import { z } from 'zod';
import { conditionSchema } from './conditions.ts';
import { idSchema, textKeySchema } from './ids.ts';
import { TELEGRAM_LIMITS } from './limits.ts';

const look = {
  id: idSchema,
  label: textKeySchema,
  style: z.enum(['primary', 'success', 'danger']).optional(),
  icon: z
    .string()
    .regex(/^\d{1,20}$/)
    .optional(),
  showIf: conditionSchema.optional(),
};

/** Leads to the exit of the block that is called as the button is. */
export const goButtonSchema = z.strictObject({
  kind: z.literal('go').optional(),
  ...look,
  /** Works again and again; otherwise once, and then says that it is out of date. */
  repeats: z.boolean().optional(),
  /** The short answer shown at once, before the turn. */
  answer: textKeySchema.optional(),
  alert: z.boolean().optional(),
  /** The flow answers by an `answer` block, so nothing is said before the turn. */
  answersLater: z.boolean().optional(),
});
export const linkButtonSchema = z.strictObject({ kind: z.literal('link'), ...look, url: textKeySchema });
export const copyButtonSchema = z.strictObject({ kind: z.literal('copy'), ...look, copy: textKeySchema });
export const webAppButtonSchema = z.strictObject({ kind: z.literal('webApp'), ...look, url: textKeySchema });
/**
 * Opens the project's app, at `page` and with a start parameter where they are given. In a group, where Telegram has no
 * such buttons, it is a link that opens the app in the chat with the bot.
 */
export const appButtonSchema = z.strictObject({
  kind: z.literal('app'),
  ...look,
  page: idSchema.optional(),
  start: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'A start parameter holds letters, digits, "_" and "-"')
    .optional(),
});
/** Only on a reply keyboard. */
export const requestButtonSchema = z.strictObject({ kind: z.enum(['contact', 'location']), ...look });

export const buttonSchema = z.union([
  goButtonSchema,
  linkButtonSchema,
  copyButtonSchema,
  webAppButtonSchema,
  appButtonSchema,
  requestButtonSchema,
]);
export type Button = z.infer<typeof buttonSchema>;

export const buttonRowsSchema = z
  .array(z.array(buttonSchema).min(1).max(TELEGRAM_LIMITS.buttonsPerRow))
  .max(TELEGRAM_LIMITS.buttons);
export type ButtonRows = z.infer<typeof buttonRowsSchema>;
