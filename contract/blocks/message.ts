// Says something: text, a photo, a video, a document or an album, with buttons.

import { z } from 'zod';
import type { ButtonRows } from '../buttons.ts';
import { buttonRowsSchema } from '../buttons.ts';
import { idSchema, textKeySchema, variableNameSchema } from '../ids.ts';
import { TELEGRAM_LIMITS } from '../limits.ts';
import { BLOCKED, defineBlock, type Exit, field, NEXT } from './spec.ts';

/** A file of the project, or one that a variable of type `file` holds. */
export const mediaRefSchema = z.union([idSchema, z.strictObject({ var: variableNameSchema })]);
export type MediaRef = z.infer<typeof mediaRefSchema>;

/** One exit for every button that leads somewhere in the flow. */
export function buttonExits(rows: ButtonRows | undefined): Exit[] {
  return (rows ?? [])
    .flat()
    .filter((button) => button.kind === undefined || button.kind === 'go')
    .map((button) => ({ id: button.id, title: { ru: `Кнопка ${button.id}`, en: `Button ${button.id}` } }));
}

export const message = defineBlock({
  version: 1,
  title: { ru: 'Сообщение', en: 'Message' },
  props: z.strictObject({
    text: textKeySchema.optional(),
    media: z.array(mediaRefSchema).min(1).max(TELEGRAM_LIMITS.albumItemsMax).optional(),
    buttons: buttonRowsSchema.optional(),
    keyboard: z.enum(['inline', 'reply', 'remove']).optional(),
    placeholder: textKeySchema.optional(),
    ref: idSchema.optional(),
    silent: z.boolean().optional(),
    protect: z.boolean().optional(),
    preview: z.boolean().optional(),
    reply: z.boolean().optional(),
    typing: z.boolean().optional(),
  }),
  fields: {
    text: field('Текст', 'Text'),
    media: field('Файлы', 'Files', { ru: 'От двух файлов получается альбом', en: 'Two files or more make an album' }),
    buttons: field('Кнопки', 'Buttons'),
    keyboard: field('Вид кнопок', 'Kind of buttons', {
      ru: 'Под сообщением или вместо клавиатуры',
      en: 'Under the message or in place of the keyboard',
    }),
    placeholder: field('Подсказка в поле ввода', 'Hint in the input field'),
    ref: field('Имя для правки', 'Name for later edits'),
    silent: field('Без звука', 'Without sound'),
    protect: field('Запретить пересылку', 'Forbid forwarding'),
    preview: field('Показывать ссылку', 'Preview links'),
    reply: field('Ответом на сообщение', 'As a reply'),
    typing: field('Показать «печатает»', 'Show "typing"'),
  },
  exits: (props) => [...buttonExits(props.buttons), NEXT, BLOCKED],
});
