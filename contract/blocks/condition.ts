// Chooses the first branch whose condition holds.

import { z } from 'zod';
import { conditionSchema } from '../conditions.ts';
import { idSchema } from '../ids.ts';
import { FLOW_LIMITS } from '../limits.ts';
import { defineBlock, ERROR, type Exit, field } from './spec.ts';

const ELSE: Exit = { id: 'else', title: { ru: 'Иначе', en: 'Otherwise' }, falls: true };

export const condition = defineBlock({
  version: 1,
  title: { ru: 'Условие', en: 'Condition' },
  props: z.strictObject({
    branches: z
      .array(
        z.strictObject({
          id: idSchema,
          title: z.string().max(FLOW_LIMITS.titleChars).optional(),
          when: conditionSchema,
        }),
      )
      .min(1)
      .max(FLOW_LIMITS.branches),
  }),
  fields: { branches: field('Ветки', 'Branches') },
  exits: (props) => [
    ...props.branches.map((branch): Exit => {
      const title = branch.title ?? branch.id;
      return { id: branch.id, falls: true, title: { ru: title, en: title } };
    }),
    ELSE,
    ERROR,
  ],
});
