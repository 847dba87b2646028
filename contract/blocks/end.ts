// Ends: the whole conversation with what it remembered, or only the card that a subflow runs.

import { z } from 'zod';
import { defineBlock, field } from './spec.ts';

export const end = defineBlock({
  version: 1,
  title: { ru: 'Конец', en: 'End' },
  props: z.strictObject({ what: z.enum(['conversation', 'subflow']).optional() }),
  fields: { what: field('Что заканчивается', 'What ends') },
  exits: () => [],
});
