// Removes a message that was sent before.

import { z } from 'zod';
import { editTargetSchema } from './edit.ts';
import { defineBlock, field, NEXT } from './spec.ts';

export const deleteBlock = defineBlock({
  version: 1,
  title: { ru: 'Удалить сообщение', en: 'Delete message' },
  props: z.strictObject({ target: editTargetSchema }),
  fields: { target: field('Какое сообщение', 'Which message') },
  exits: () => [NEXT],
});
