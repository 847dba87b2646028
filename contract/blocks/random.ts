// Sends people different ways by chance.

import { z } from 'zod';
import { idSchema } from '../ids.ts';
import { FLOW_LIMITS } from '../limits.ts';
import { defineBlock, type Exit, field } from './spec.ts';

export const random = defineBlock({
  version: 1,
  title: { ru: 'Случайный выбор', en: 'Random split' },
  props: z.strictObject({
    branches: z
      .array(z.strictObject({ id: idSchema, weight: z.int().min(1).max(10_000) }))
      .min(2)
      .max(FLOW_LIMITS.branches),
  }),
  fields: { branches: field('Ветки и доли', 'Branches and shares') },
  exits: (props) =>
    props.branches.map((branch): Exit => ({ id: branch.id, falls: true, title: { ru: branch.id, en: branch.id } })),
});
