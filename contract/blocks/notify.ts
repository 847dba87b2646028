// Tells somebody else: a message to chosen chats.

import { z } from 'zod';
import { localeSchema, textKeySchema, variableNameSchema } from '../ids.ts';
import { FLOW_LIMITS } from '../limits.ts';
import { BLOCKED, defineBlock, ERROR, field, NEXT } from './spec.ts';

/** A chat's number, or a variable that holds one. Telegram's ids keep within 52 bits. */
const chatNumberSchema = z
  .int(
    'A chat is written as its number, as -1001234567890, and never as "@name": whoever writes { "var": "chat.id" } into a text of that chat reads it there',
  )
  .refine((id) => id !== 0, 'A chat has a number');

export const chatRefSchema = z.union([
  z.strictObject({ chat: chatNumberSchema, thread: z.int().min(1).optional() }),
  z.strictObject({ var: variableNameSchema }),
]);

export const notify = defineBlock({
  version: 1,
  title: { ru: 'Уведомление', en: 'Notification' },
  props: z.strictObject({
    to: z.array(chatRefSchema).min(1).max(FLOW_LIMITS.notifyChats),
    text: textKeySchema,
    locale: localeSchema.optional(),
    silent: z.boolean().optional(),
  }),
  fields: {
    to: field('Кому', 'To whom'),
    text: field('Текст', 'Text'),
    locale: field('На каком языке', 'In which language'),
    silent: field('Без звука', 'Without sound'),
  },
  exits: () => [NEXT, ERROR, BLOCKED],
});
