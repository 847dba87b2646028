// Sends a page of the app as a message: Telegram's rich messages hold headings, tables, pictures and more.

import { z } from 'zod';
import { buttonRowsSchema } from '../buttons.ts';
import { idSchema } from '../ids.ts';
import { buttonExits } from './message.ts';
import { BLOCKED, defineBlock, field, NEXT } from './spec.ts';

export const page = defineBlock({
  version: 1,
  title: { ru: 'Страница', en: 'Page' },
  props: z.strictObject({
    page: idSchema,
    buttons: buttonRowsSchema.optional(),
    silent: z.boolean().optional(),
    protect: z.boolean().optional(),
  }),
  fields: {
    page: field('Какая страница', 'Which page', {
      ru: 'Что в сообщение не помещается, открывает кнопка',
      en: 'A button opens what a message cannot hold',
    }),
    buttons: field('Кнопки', 'Buttons'),
    silent: field('Без звука', 'Without sound'),
    protect: field('Запретить пересылку', 'Forbid forwarding'),
  },
  exits: (props) => [...buttonExits(props.buttons), NEXT, BLOCKED],
});
