// Puts values into variables.

import { z } from 'zod';
import { variableNameSchema } from '../ids.ts';
import { FLOW_LIMITS } from '../limits.ts';
import { expressionSchema } from '../texts.ts';
import { literalSchema } from '../variables.ts';
import { defineBlock, ERROR, field, NEXT } from './spec.ts';

/** The reader's language can be set as a variable is. */
const intoSchema = z.union([z.literal('contact.locale'), variableNameSchema]);

export const set = defineBlock({
  version: 1,
  title: { ru: 'Запомнить', en: 'Remember' },
  props: z.strictObject({
    set: z
      .array(
        z.union([
          z.strictObject({ into: intoSchema, value: literalSchema }),
          z.strictObject({ into: intoSchema, expr: expressionSchema }),
          z.strictObject({ into: intoSchema, clear: z.literal(true) }),
        ]),
      )
      .min(1)
      .max(FLOW_LIMITS.assignments),
  }),
  fields: { set: field('Значения', 'Values') },
  exits: () => [NEXT, ERROR],
});
