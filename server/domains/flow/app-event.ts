// What a visitor of the app has sent, as the inbox holds it. Read carefully: whoever stored it may be of another version.

import { isInheritedName } from '../../../contract/ids.ts';
import { FLOW_LIMITS } from '../../../contract/limits.ts';
import type { Value } from '../../../contract/variables.ts';
import { isVisitorLane } from '../../../kernel/names.ts';
import type { EventApp, EventUser, OrderLine } from './event-types.ts';
import { type Fields, fieldsOf, idAt, listAt, objectAt, textAt } from './update-fields.ts';
import { cleanText } from './values.ts';

/** Who sent something through the app: a person of Telegram, or a visitor of the site, who has no chat. */
type Visitor = { readonly lane: number; readonly user: EventUser | null };

/** The visitor, or null where the number is nobody's. */
export function visitorOf(content: Fields): Visitor | null {
  const visitor = objectAt(content, 'visitor');
  const id = visitor ? idAt(visitor, 'id') : 0;
  if (!visitor || id === 0) return null;
  if (id < 0) return isVisitorLane(id) ? { lane: id, user: null } : null;
  const user = {
    id,
    isBot: false,
    firstName: textAt(visitor, 'firstName'),
    lastName: textAt(visitor, 'lastName'),
    username: textAt(visitor, 'username'),
    language: textAt(visitor, 'language') || textAt(visitor, 'languageCode'),
  };
  return { lane: id, user };
}

/** The form, its values, and the order. What is not as it should be is not there. */
export function appOf(content: Fields): EventApp {
  const values = valuesOf(objectAt(content, 'values'));
  const visitor = objectAt(content, 'visitor');
  const projectWords = objectAt(content, 'projectWords') ?? undefined;
  const names = visitor ? [textAt(visitor, 'firstName'), textAt(visitor, 'lastName')] : [];
  const named = names.filter((name) => name !== '').join(' ');
  const given = Object.hasOwn(values, 'name') ? values['name'] : '';
  return {
    form: textAt(content, 'form'),
    values,
    locale: textAt(content, 'locale') || undefined,
    words: wordsOf(objectAt(content, 'words')),
    projectWords: projectWords && wordsOf(projectWords),
    number: numberAt(content, 'number'),
    total: numberAt(content, 'total'),
    lines: listAt(content, 'cart').flatMap((line) => lineOf(fieldsOf(line)) ?? []),
    visitor: named || (typeof given === 'string' ? given : ''),
  };
}

function numberAt(fields: Fields, key: string): number {
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

function valuesOf(fields: Fields | null): { readonly [field: string]: Value } {
  const values: Record<string, Value> = {};
  for (const [field, given] of Object.entries(fields ?? {})) {
    const value = sentValue(given);
    if (value !== undefined && !isInheritedName(field)) values[field] = value;
  }
  return values;
}

function wordsOf(fields: Fields | null): { readonly [field: string]: string } {
  const words: Record<string, string> = {};
  for (const field of Object.keys(fields ?? {})) {
    const text = fields ? textAt(fields, field) : '';
    if (text !== '' && !isInheritedName(field)) words[field] = text;
  }
  return words;
}

/** A form sends single values, and lists of texts where several may be chosen. */
function sentValue(given: unknown): Value | undefined {
  if (typeof given === 'string') return cleanText(given);
  if (typeof given === 'boolean') return given;
  if (typeof given === 'number') return Number.isFinite(given) ? given : undefined;
  if (!Array.isArray(given)) return undefined;
  const texts = given.slice(0, FLOW_LIMITS.listItems).filter((item) => typeof item === 'string');
  return texts.map(cleanText);
}

function lineOf(fields: Fields | null): OrderLine | null {
  const title = fields ? textAt(fields, 'title') : '';
  const count = fields ? numberAt(fields, 'count') : 0;
  if (!fields || title === '' || count <= 0) return null;
  const projectTitle = textAt(fields, 'projectTitle') || undefined;
  return { title, projectTitle, variant: textAt(fields, 'variant'), count, price: numberAt(fields, 'price') };
}
