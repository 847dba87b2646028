// Answers a press of a button that is marked "answers later".

import { z } from 'zod';
import { textKeySchema } from '../ids.ts';
import { defineBlock, field, NEXT } from './spec.ts';

export const answer = defineBlock({
  version: 1,
  title: { ru: 'Ответ на нажатие', en: 'Answer to a press' },
  props: z.strictObject({ text: textKeySchema.optional(), alert: z.boolean().optional() }),
  fields: { text: field('Текст', 'Text'), alert: field('Показать окном', 'Show as a window') },
  exits: () => [NEXT],
});
