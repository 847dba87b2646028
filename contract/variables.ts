// What a conversation can remember. A type fits one CEL type and one way of writing a value for a reader.

import { z } from 'zod';
import { FLOW_LIMITS } from './limits.ts';

export const variableTypeSchema = z.enum([
  'text',
  'number',
  'bool',
  'date',
  'time',
  'phone',
  'email',
  'link',
  'choice',
  'list',
  'object',
  'file',
  'location',
]);
export type VariableType = z.infer<typeof variableTypeSchema>;

/** Where a value lives: with the conversation, with the person, with the bot, or in the vault (outside calls only). */
export const variableScopeSchema = z.enum(['conversation', 'contact', 'bot', 'secret']);
export type VariableScope = z.infer<typeof variableScopeSchema>;

/** What a variable may hold, as JSON. Absent means unset and reads as empty. */
export type Value = string | number | boolean | readonly Value[] | { readonly [key: string]: Value };

const scalarSchema = z.union([z.string().max(FLOW_LIMITS.textBytes), z.number(), z.boolean()]);
export const literalSchema: z.ZodType<Value> = z.lazy(() =>
  z.union([
    scalarSchema,
    z.array(literalSchema).max(FLOW_LIMITS.listItems),
    z.record(z.string().max(FLOW_LIMITS.idChars), literalSchema),
  ]),
);

export const variableSchema = z.strictObject({
  type: variableTypeSchema,
  scope: variableScopeSchema,
  title: z.string().max(FLOW_LIMITS.titleChars).optional(),
  /** What it reads as while unset. */
  default: literalSchema.optional(),
  /** The longest text it may hold: the checks count with it. */
  maxChars: z.int().min(1).max(FLOW_LIMITS.textBytes).optional(),
  /** For `choice`: the values it may have. */
  options: z.array(z.string().max(FLOW_LIMITS.titleChars)).max(FLOW_LIMITS.choices).optional(),
});
export type Variable = z.infer<typeof variableSchema>;

/** Values that are always there and cannot be set (but `contact.locale`). */
export const KNOWN_VALUES = {
  'contact.id': 'number',
  'contact.name': 'text',
  'contact.firstName': 'text',
  'contact.lastName': 'text',
  'contact.username': 'text',
  'contact.locale': 'text',
  'contact.tags': 'list',
  'chat.id': 'number',
  'chat.title': 'text',
  'chat.type': 'text',
  'event.text': 'text',
  'event.kind': 'text',
  'event.startParameter': 'text',
  'event.messageId': 'number',
  'event.form': 'text',
  'event.number': 'number',
  'event.total': 'number',
  'event.orderText': 'text',
  'event.formText': 'text',
  'event.visitor': 'text',
  today: 'date',
  now: 'text',
} as const satisfies Record<string, VariableType>;
export type KnownValue = keyof typeof KNOWN_VALUES;
