// Marks the person, so that they can be found and addressed later.

import { z } from 'zod';
import { FLOW_LIMITS } from '../limits.ts';
import { defineBlock, field, NEXT } from './spec.ts';

const tags = z.array(z.string().trim().min(1).max(FLOW_LIMITS.tagChars)).max(FLOW_LIMITS.tagsPerBlock);

export const tag = defineBlock({
  version: 1,
  title: { ru: 'Метки', en: 'Tags' },
  props: z.strictObject({ add: tags.optional(), remove: tags.optional() }),
  fields: { add: field('Добавить', 'Add'), remove: field('Убрать', 'Remove') },
  exits: () => [NEXT],
});
