// Careful reading of JSON of any shape: what is not as it should be is simply not there.

import type { ChatKind, EventChat, EventUser } from './event-types.ts';
import { cleanText } from './values.ts';

export type Fields = { readonly [key: string]: unknown };

/** An object, or null for anything else (arrays and null too). */
export function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

export function listAt(fields: Fields, key: string): readonly unknown[] {
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
  return Array.isArray(value) ? value : [];
}

export function textAt(fields: Fields, key: string): string {
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
  return typeof value === 'string' ? cleanText(value) : '';
}

/** A whole number that JavaScript can hold exactly, else 0: a rounded id would be somebody else's. */
export function idAt(fields: Fields, key: string): number {
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : 0;
}

/** A string or a number as text: the id of a query is a string, but not in every program that sends updates. */
export function keyAt(fields: Fields, key: string): string {
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
  return typeof value === 'number' ? String(value) : textAt(fields, key);
}

export function objectAt(fields: Fields, key: string): Fields | null {
  return Object.hasOwn(fields, key) ? fieldsOf(fields[key]) : null;
}

export function userAt(fields: Fields, key: string): EventUser | null {
  const user = objectAt(fields, key);
  const id = user ? idAt(user, 'id') : 0;
  if (!user || id === 0) return null;
  return {
    id,
    isBot: user['is_bot'] === true,
    firstName: textAt(user, 'first_name'),
    lastName: textAt(user, 'last_name'),
    username: textAt(user, 'username'),
    language: textAt(user, 'language_code'),
  };
}

export function chatAt(fields: Fields, key: string): EventChat | null {
  const chat = objectAt(fields, key);
  const id = chat ? idAt(chat, 'id') : 0;
  if (!chat || id === 0) return null;
  return {
    id,
    kind: chatKind(textAt(chat, 'type'), id),
    title: textAt(chat, 'title'),
    username: textAt(chat, 'username'),
  };
}

/** Without a type the sign tells people from groups; a channel cannot be told from a supergroup. */
function chatKind(type: string, id: number): ChatKind {
  switch (type) {
    case 'private':
      return 'private';
    case 'group':
    case 'supergroup':
      return 'group';
    case 'channel':
      return 'channel';
    case '':
      return id > 0 ? 'private' : 'group';
    default:
      return 'unknown';
  }
}
