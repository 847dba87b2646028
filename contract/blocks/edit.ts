// Changes a message that was sent before: the one whose button was pressed, or one with a name.

import { z } from 'zod';
import { buttonRowsSchema } from '../buttons.ts';
import { idSchema, textKeySchema } from '../ids.ts';
import { buttonExits } from './message.ts';
import { BLOCKED, defineBlock, field, NEXT } from './spec.ts';

/** `pressed` is the message whose button began this turn. */
export const editTargetSchema = z.union([z.literal('pressed'), z.strictObject({ ref: idSchema })]);

export const edit = defineBlock({
  version: 1,
  title: { ru: 'Изменить сообщение', en: 'Edit message' },
  props: z.strictObject({
    target: editTargetSchema,
    text: textKeySchema.optional(),
    buttons: buttonRowsSchema.optional(),
    /** What to do when there is nothing to edit. */
    otherwise: z.enum(['send', 'skip']).optional(),
    preview: z.boolean().optional(),
  }),
  fields: {
    target: field('Какое сообщение', 'Which message'),
    text: field('Новый текст', 'New text'),
    buttons: field('Новые кнопки', 'New buttons'),
    otherwise: field('Если изменять нечего', 'When there is nothing to edit'),
    preview: field('Показывать ссылку', 'Preview links'),
  },
  exits: (props) => [...buttonExits(props.buttons), NEXT, BLOCKED],
});
