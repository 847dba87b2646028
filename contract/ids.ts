// Names inside a flow document. An id never changes its meaning: conversations, statistics and translations hang on it.

import { z } from 'zod';
import { FLOW_LIMITS } from './limits.ts';

/** Names that every JavaScript object answers to: as a key of a map they would read or write its prototype. */
const INHERITED_NAMES: ReadonlySet<string> = new Set([
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'toLocaleString',
  'toString',
  'valueOf',
  '__defineGetter__',
  '__defineSetter__',
  '__lookupGetter__',
  '__lookupSetter__',
]);

/** True for a key that must never become a key of a plain object. */
export function isInheritedName(name: string): boolean {
  return INHERITED_NAMES.has(name);
}

const named = (pattern: RegExp, message: string) =>
  z
    .string()
    // Whoever wrote a sentence where a name belongs is told so, and not that it is too long.
    .regex(pattern, { error: message, abort: true })
    .max(FLOW_LIMITS.idChars)
    .refine((name) => !INHERITED_NAMES.has(name), 'This name is reserved');

/** Ids of cards, blocks, triggers, buttons, branches, media. */
export const idSchema = named(
  /^[A-Za-z][A-Za-z0-9_-]*$/,
  'An id begins with a letter and holds letters, digits, "_" and "-"',
);

/** Keys of texts may be grouped with dots: `hello.text`. Most who meet the message have written words in place of a key. */
export const textKeySchema = named(
  /^[A-Za-z][A-Za-z0-9_-]*(\.[A-Za-z0-9][A-Za-z0-9_-]*)*$/,
  'A text is named by a key, as "hello.text": a letter first, then letters, digits, "_", "-" and dots. Its words stand under "texts", in each language',
);

/** Words that a variable may not be called by: known values and the language of expressions. */
const RESERVED_VARIABLE_NAMES: ReadonlySet<string> = new Set([
  'contact',
  'chat',
  'event',
  'today',
  'now',
  'bot',
  'known',
  'true',
  'false',
  'null',
  'in',
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
  'var',
  'void',
  'while',
  'int',
  'uint',
  'double',
  'bool',
  'string',
  'bytes',
  'list',
  'map',
  'type',
  'null_type',
  'dyn',
  'optional',
  'google',
  'cel',
]);

/** Names of variables are read by expressions too, so they are plain identifiers. */
export const variableNameSchema = named(
  /^[a-z][A-Za-z0-9_]*$/,
  'A variable name begins with a small letter and holds letters, digits and "_"',
).refine((name) => !RESERVED_VARIABLE_NAMES.has(name), 'The language of expressions has this name for itself');

/** A language, as in `ru` or `pt-BR`. */
export const localeSchema = z.string().regex(/^[a-z]{2,3}(-[A-Z]{2})?$/, 'A language is written as "ru" or "pt-BR"');

/** Words for people, in the two languages of the cabinet. */
export type Words = { readonly ru: string; readonly en: string };
