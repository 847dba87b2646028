// Values as a conversation remembers them: clean JSON that every database and Telegram itself can take.

import type { Value, Variable, VariableType } from '../../../contract/variables.ts';
import { isBlank, NO_CUSTOMS, readNumber } from '../readers/readers.ts';

export type Vars = { readonly [name: string]: Value };

/** U+FFFD keeps the length of what it stands for, so offsets of entities stay right. */
const REPLACEMENT = '\ufffd';

/** Text without NUL (PostgreSQL refuses it in jsonb) and without lone surrogates (no UTF-8 exists for them). */
export function cleanText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes('\0') ? whole.replaceAll('\0', REPLACEMENT) : whole;
}

/** What a variable of a type reads as while it is unset. */
export function emptyOf(type: VariableType): Value {
  switch (type) {
    case 'number':
      return 0;
    case 'bool':
      return false;
    case 'list':
      return [];
    case 'object':
    case 'file':
    case 'location':
      return {};
    default:
      return '';
  }
}

/** Nothing a reader could see: unset, an empty text, list or object. Zero and "no" are answers. */
export function isEmptyValue(value: Value | undefined): boolean {
  if (value === undefined || typeof value === 'string') return isBlank(value ?? '');
  if (typeof value !== 'object') return false;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

/** Same content, whatever the order of keys. */
export function sameValue(left: Value | undefined, right: Value | undefined): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object') return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    return (
      Array.isArray(left) &&
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => sameValue(item, right[index]))
    );
  }
  return sameVars(left as Vars, right as Vars);
}

export function sameVars(left: Vars, right: Vars): boolean {
  if (left === right) return true;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && sameValue(left[name], right[name]))
  );
}

/** Reads an own property only: a name such as `constructor` finds nothing. */
export function readOwn<T>(map: { readonly [key: string]: T }, key: string): T | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Bytes of a value as JSON. Exact only near the limit: the cheap upper bound comes first. */
export function jsonBytes(value: unknown, limit: number): number {
  const bound = bytesAtMost(value, limit);
  return bound <= limit ? bound : utf8Bytes(JSON.stringify(value));
}

/** A JavaScript string unit takes at most 6 bytes as JSON (`\u0001`). */
function bytesAtMost(value: unknown, limit: number): number {
  if (typeof value === 'string') return value.length * 6 + 2;
  if (typeof value !== 'object' || value === null) return 25;
  let bytes = 2;
  for (const key of Object.keys(value)) {
    bytes += key.length * 6 + 4 + bytesAtMost((value as Record<string, unknown>)[key], limit);
    if (bytes > limit) return bytes;
  }
  return bytes;
}

/** Length in UTF-8 without making the bytes. */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit < 0xdc00) {
      bytes += 4;
      index += 1;
    } else bytes += 3;
  }
  return bytes;
}

/** A number out of a value; NaN where there is none, or where a text may mean two. */
export function asNumber(value: Value | undefined): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value === '') return Number.NaN;
  // As a number is written into a text by the engine; anything else is what somebody wrote.
  if (/^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  const reading = readNumber(value, NO_CUSTOMS);
  return 'value' in reading ? reading.value : Number.NaN;
}

/** A value as plain text, for comparisons; readers see `formats.ts`. */
export function asText(value: Value | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Makes a value fit a variable, or returns undefined when it cannot. */
export function fitValue(value: Value, variable: Variable): Value | undefined {
  switch (variable.type) {
    case 'number': {
      const number = asNumber(value);
      return Number.isFinite(number) ? number : undefined;
    }
    case 'bool':
      return typeof value === 'boolean' ? value : undefined;
    case 'list':
      return Array.isArray(value) ? value : undefined;
    case 'object':
    case 'file':
    case 'location':
      return typeof value === 'object' && !Array.isArray(value) ? value : undefined;
    case 'date':
      return typeof value === 'string' && (value === '' || isDate(value)) ? value : undefined;
    default:
      return fitText(value, variable);
  }
}

function fitText(value: Value, variable: Variable): string | undefined {
  if (typeof value === 'object') return undefined;
  const text = cleanText(String(value));
  if (variable.maxChars !== undefined && text.length > variable.maxChars) return undefined;
  if (variable.type === 'choice' && variable.options && text !== '' && !variable.options.includes(text))
    return undefined;
  return text;
}

/** A real day as `2026-12-31`. */
export function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  return match !== null && dateOf(Number(match[1]), Number(match[2]), Number(match[3])) === text;
}

/** `2026-12-31` of its parts, or null when there is no such day. */
export function dateOf(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  const real =
    year >= 1000 && date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return real ? date.toISOString().slice(0, 10) : null;
}

/** The day `days` after a day. */
export function addDays(date: string, days: number): string | null {
  if (!isDate(date) || !Number.isFinite(days)) return null;
  const moved = new Date(Date.parse(`${date}T00:00:00Z`) + Math.trunc(days) * 86_400_000);
  return Number.isNaN(moved.getTime())
    ? null
    : dateOf(moved.getUTCFullYear(), moved.getUTCMonth() + 1, moved.getUTCDate());
}
