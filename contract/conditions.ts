// Conditions: comparisons joined by "all of" and "any of", or one expression.

import { z } from 'zod';
import { FLOW_LIMITS } from './limits.ts';
import { expressionSchema, valuePathSchema } from './texts.ts';
import { literalSchema, type Value } from './variables.ts';

export const operatorSchema = z.enum([
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'startsWith',
  'endsWith',
  'greater',
  'greaterOrEqual',
  'less',
  'lessOrEqual',
  'isSet',
  'isEmpty',
  'matches',
  'notMatches',
  'oneOf',
  'hasTag',
  'hasNoTag',
]);
export type Operator = z.infer<typeof operatorSchema>;

const rightSchema = z.union([z.strictObject({ var: valuePathSchema }), literalSchema]);

export type Condition =
  | { all: Condition[] }
  | { any: Condition[] }
  | { not: Condition }
  | { expr: string }
  | { var?: string | undefined; op: Operator; value?: Value | { var: string } | undefined };

export const conditionSchema: z.ZodType<Condition> = z.lazy(() =>
  z.union([
    z.strictObject({ all: z.array(conditionSchema).min(1).max(FLOW_LIMITS.conditionsPerGroup) }),
    z.strictObject({ any: z.array(conditionSchema).min(1).max(FLOW_LIMITS.conditionsPerGroup) }),
    z.strictObject({ not: conditionSchema }),
    z.strictObject({ expr: expressionSchema }),
    /** `hasTag` and `hasNoTag` look at the contact's tags and need no `var`. */
    z.strictObject({ var: valuePathSchema.optional(), op: operatorSchema, value: rightSchema.optional() }),
  ]),
);
