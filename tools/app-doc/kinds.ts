// What a property may hold, in words, read from its schema.
import { z } from 'zod';
import { actionSchema } from '../../contract/app/actions.ts';
import { appConditionSchema, rowFilterSchema } from '../../contract/app/conditions.ts';
import { appFormatSchema, appTextSchema, contentSchema, pathSchema, urlSchema } from '../../contract/app/texts.ts';
import { idSchema, localeSchema, textKeySchema } from '../../contract/ids.ts';

/** Schemas that the page explains by a name of their own. An id says only whose it is, which the words do. */
const NAMED = new Map<z.core.$ZodType, string>([
  [textKeySchema, 'text'],
  [contentSchema, 'content'],
  [actionSchema, 'action'],
  [appConditionSchema, 'condition'],
  [rowFilterSchema, 'filter'],
  [pathSchema, 'value'],
  [urlSchema, 'address'],
  [localeSchema, 'language'],
  [appFormatSchema, 'format'],
  [appTextSchema, 'words'],
  [idSchema, ''],
]);

/** As `"s", "m" or "l"`, `1 to 20`, `list of 1 to 50`; empty where only words can say it. */
export function kindOf(schema: z.core.$ZodType): string {
  const name = NAMED.get(schema);
  if (name !== undefined) return name;
  if (schema instanceof z.ZodOptional) return kindOf(schema.def.innerType);
  if (schema instanceof z.ZodEnum) return oneOf(schema.options.map((option) => `"${String(option)}"`));
  if (schema instanceof z.ZodLiteral) return oneOf([...schema.values].map((value) => JSON.stringify(value)));
  if (schema instanceof z.ZodBoolean) return '`true`';
  if (schema instanceof z.ZodNumber) return range(schema.minValue, schema.maxValue) || 'number';
  if (schema instanceof z.ZodUnion) return unionOf(schema.options.map(kindOf));
  if (schema instanceof z.ZodArray) return listOf(schema);
  return '';
}

/** True where a document must have it. */
export const isNeeded = (schema: z.core.$ZodType): boolean => !(schema instanceof z.ZodOptional);

/** Nothing where one of the shapes can be told in words only. */
const unionOf = (kinds: readonly string[]): string => (kinds.includes('') ? '' : oneOf(kinds));

function listOf(schema: z.ZodArray): string {
  const bounds = (schema.def.checks ?? []).map((check) => check._zod.def as { minimum?: number; maximum?: number });
  const bound = (name: 'minimum' | 'maximum'): number | null => bounds.find((one) => name in one)?.[name] ?? null;
  const of = kindOf(schema.element);
  const size = range(bound('minimum'), bound('maximum'));
  return `list${size && ` of ${size}`}${of && `${size ? ', each' : ' of'} ${of}`}`;
}

function range(min: number | null, max: number | null): string {
  const low = min !== null && Number.isFinite(min) && Math.abs(min) < Number.MAX_SAFE_INTEGER ? min : undefined;
  const high = max !== null && Number.isFinite(max) && Math.abs(max) < Number.MAX_SAFE_INTEGER ? max : undefined;
  if (low !== undefined && high !== undefined) return `${written(low)} to ${written(high)}`;
  if (high !== undefined) return `up to ${written(high)}`;
  return low === undefined ? '' : `${written(low)} or more`;
}

const written = (number: number): string => number.toLocaleString('en-US');

/** `a, b or c`. Values of JSON are set apart from words. */
function oneOf(kinds: readonly string[]): string {
  const shown = [...new Set(kinds)].map((kind) => (/^("|\d+$)/.test(kind) ? `\`${kind}\`` : kind));
  const last = shown.pop() ?? '';
  return shown.length === 0 ? last : `${shown.join(', ')} or ${last}`;
}
