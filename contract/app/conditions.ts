// When something is shown. A closed list of comparisons; no language, no code.

import { z } from 'zod';
import { APP_LIMITS } from './limits.ts';
import { pathSchema } from './texts.ts';

const scalar = z.union([z.string().max(APP_LIMITS.valueChars), z.number(), z.boolean()]);

const one = z.union([
  z.strictObject({ field: pathSchema, is: scalar }),
  z.strictObject({ field: pathSchema, not: scalar }),
  z.strictObject({ field: pathSchema, over: z.number() }),
  z.strictObject({ field: pathSchema, under: z.number() }),
  z.strictObject({ field: pathSchema, contains: z.string().min(1).max(APP_LIMITS.valueChars) }),
  z.strictObject({ field: pathSchema, set: z.literal(true) }),
  z.strictObject({ field: pathSchema, empty: z.literal(true) }),
  /** Inside Telegram, or on the web. */
  z.strictObject({ where: z.enum(['telegram', 'web']) }),
]);

export type AppCondition = z.infer<typeof one> | { all: AppCondition[] } | { any: AppCondition[] };

/** `depth` counts groups within groups; deeper ones are refused by the check of the whole manifest. */
export const appConditionSchema: z.ZodType<AppCondition> = z.lazy(() =>
  z.union([
    one,
    z.strictObject({ all: z.array(appConditionSchema).min(1).max(APP_LIMITS.conditionsPerGroup) }),
    z.strictObject({ any: z.array(appConditionSchema).min(1).max(APP_LIMITS.conditionsPerGroup) }),
  ]),
);

/** Which rows of a table are shown: by their columns, all of these at once. */
export const rowFilterSchema = z.strictObject({
  field: z.string().min(1).max(APP_LIMITS.pathChars),
  is: scalar.optional(),
  not: scalar.optional(),
  over: z.number().optional(),
  under: z.number().optional(),
  contains: z.string().min(1).max(APP_LIMITS.valueChars).optional(),
});
export type RowFilter = z.infer<typeof rowFilterSchema>;
