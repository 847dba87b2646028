// Rich text as a list of spans. It becomes text plus entities, so no value can break it and nothing is ever escaped.

import { z } from 'zod';
import { localeSchema } from './ids.ts';
import { FLOW_LIMITS, TELEGRAM_LIMITS } from './limits.ts';

const yes = z.literal(true).optional();

/** A path to a value: a variable, or something that is always there, as `contact.name`. */
export const valuePathSchema = z
  .string()
  .max(FLOW_LIMITS.idChars)
  .regex(/^[a-z][A-Za-z0-9_]*(\.[a-z][A-Za-z0-9_]*)?$/, 'A variable name, or a known one as "contact.name"');

/** How a span looks. Marks of neighbouring and nested spans add up. */
const marks = {
  bold: yes,
  italic: yes,
  underline: yes,
  strike: yes,
  spoiler: yes,
  code: yes,
  pre: z.union([z.literal(true), z.string().min(1).max(32)]).optional(),
  quote: z.union([z.literal(true), z.literal('folded')]).optional(),
  link: z.string().min(1).max(TELEGRAM_LIMITS.urlChars).optional(),
  /** A value with somebody's number, as `contact.id`: a press opens their profile, also where they have no username. */
  mention: valuePathSchema.optional(),
  emoji: z
    .string()
    .regex(/^\d{1,20}$/)
    .optional(),
};

/** How a value is written for a reader of one language. Without it the variable's type decides. */
export const formatSchema = z.enum(['plain', 'number', 'percent', 'date', 'dateLong', 'time', 'dateTime']);
export type Format = z.infer<typeof formatSchema>;

export const expressionSchema = z.string().min(1).max(FLOW_LIMITS.expressionChars);

const pluralForms = z.strictObject({
  zero: z.string().optional(),
  one: z.string().optional(),
  two: z.string().optional(),
  few: z.string().optional(),
  many: z.string().optional(),
  other: z.string(),
});

export const spanSchema = z.union([
  z.string(),
  z.strictObject({ text: z.string(), ...marks }),
  z.strictObject({ var: valuePathSchema, format: formatSchema.optional(), ...marks }),
  z.strictObject({ expr: expressionSchema, format: formatSchema.optional(), ...marks }),
  z.strictObject({ plural: valuePathSchema, forms: pluralForms, ...marks }),
]);
export type Span = z.infer<typeof spanSchema>;

/** One text in one language: a plain string or spans. */
export const textBodySchema = z.union([z.string(), z.array(spanSchema).max(FLOW_LIMITS.spansPerText)]);
export type TextBody = z.infer<typeof textBodySchema>;

/** One text in every language it exists in. */
export const textSchema = z.record(localeSchema, textBodySchema);
export type Text = z.infer<typeof textSchema>;
