// Tables of records that a project keeps: products, masters, answers. Flows and pages use the same ones.

import { z } from 'zod';
import { idSchema } from './ids.ts';
import { FLOW_LIMITS } from './limits.ts';

export const TABLE_LIMITS = {
  tables: 50,
  columns: 40,
  rows: 100_000,
  documentRows: 1_000,
  textChars: 4_000,
  rowBytes: 16_384,
  csvBytes: 10 * 1024 * 1024,
} as const;

export const columnSchema = z.strictObject({
  /** `photo` holds the id of an entry of the document's media. `money` is a decimal number of the shop's currency. */
  type: z.enum(['text', 'number', 'money', 'bool', 'date', 'time', 'link', 'photo', 'phone', 'email']),
  title: z.string().max(FLOW_LIMITS.titleChars).optional(),
  required: z.boolean().optional(),
  /** No two rows have the same value. */
  unique: z.boolean().optional(),
});
export type Column = z.infer<typeof columnSchema>;

export const tableSchema = z.strictObject({
  title: z.string().max(FLOW_LIMITS.titleChars).optional(),
  columns: z.record(idSchema, columnSchema),
  /** Columns as people see them, in lists and in CSV. Those that it does not name follow by the alphabet. */
  order: z.array(idSchema).max(TABLE_LIMITS.columns).optional(),
  /** Rows that a fresh project begins with; import puts them in once, and later as it is told to. */
  rows: z
    .array(z.record(idSchema, z.union([z.string().max(TABLE_LIMITS.textChars), z.number(), z.boolean()])))
    .max(TABLE_LIMITS.documentRows)
    .optional(),
});
export type Table = z.infer<typeof tableSchema>;
