// Asks Telegram whether the person is in a chat or a channel.

import { z } from 'zod';
import { variableNameSchema } from '../ids.ts';
import { defineBlock, ERROR, field, TIMEOUT } from './spec.ts';

/** `@name` of a public chat, a chat's number, or a variable that holds one of the two. */
const chatSchema = z.union([
  z.string().regex(/^@[A-Za-z][A-Za-z0-9_]{3,31}$/, 'A public chat is written as "@name"'),
  z.int().refine((id) => id !== 0, 'A chat has a number'),
  z.strictObject({ var: variableNameSchema }),
]);

export const membership = defineBlock({
  version: 1,
  title: { ru: 'Проверка подписки', en: 'Membership check' },
  props: z.strictObject({ chat: chatSchema }),
  fields: {
    chat: field('Чат или канал', 'Chat or channel', {
      ru: 'Бот должен быть там администратором',
      en: 'The bot has to be an administrator there',
    }),
  },
  exits: () => [
    { id: 'member', title: { ru: 'Состоит', en: 'Is a member' }, falls: true },
    { id: 'stranger', title: { ru: 'Не состоит', en: 'Is not a member' }, needed: true },
    ERROR,
    TIMEOUT,
  ],
});
