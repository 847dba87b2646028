// Runs another card and comes back when that one ends.

import { z } from 'zod';
import { defineBlock, NEXT } from './spec.ts';

export const subflow = defineBlock({
  version: 1,
  title: { ru: 'Вложенный сценарий', en: 'Subflow' },
  props: z.strictObject({}),
  fields: {},
  exits: () => [{ id: 'call', title: { ru: 'Что выполнить', en: 'What to run' }, needed: true }, NEXT],
});
