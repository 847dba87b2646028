// Values that are always there: of the person, the chat, the event, the day.

import type { Value } from '../../../contract/variables.ts';
import { formText, orderText } from './app-words.ts';
import { isIncoming } from './event-view.ts';
import type { Program, Scope } from './expressions.ts';
import type { Turn } from './turn.ts';
import { emptyOf, readOwn } from './values.ts';

/** A known value such as `contact.name`; undefined when it is empty. */
export function knownValue(turn: Turn, path: string, locale: string): Value | undefined {
  switch (path) {
    case 'contact.locale':
      return turn.locale;
    case 'contact.tags':
      return turn.tags;
    case 'today':
      return turn.release.dayOf(turn.event.atMs);
    case 'now':
      return new Date(turn.event.atMs).toISOString();
    case 'event.orderText':
    case 'event.formText':
      return sentText(turn, path, locale) || undefined;
    default:
      return turn.view.read(path);
  }
}

/** The same for expressions, which see the groups as maps. */
function knownRoot(turn: Turn, root: string, locale: string): unknown {
  switch (root) {
    case 'contact':
      return { ...turn.view.contact, locale: turn.locale, tags: turn.tags };
    case 'chat':
      return turn.view.chat;
    case 'event':
      return {
        ...turn.view.event,
        orderText: sentText(turn, 'event.orderText', locale),
        formText: sentText(turn, 'event.formText', locale),
      };
    case 'today':
      return turn.read('today');
    case 'now':
      return new Date(turn.event.atMs);
    case 'known':
      return Object.keys(turn.release.variables).filter((name) => turn.read(name) !== undefined);
    default:
      return undefined; // a loop variable: CEL has its own
  }
}

/** What an expression may read, for a reader of this language. */
export function scopeOf(turn: Turn, program: Program, locale: string): Scope {
  const scope: Record<string, unknown> = {};
  for (const root of program.roots) {
    const variable = readOwn(turn.release.variables, root);
    scope[root] = variable ? (turn.read(root, locale) ?? emptyOf(variable.type)) : knownRoot(turn, root, locale);
  }
  return scope;
}

function sentText(turn: Turn, path: 'event.orderText' | 'event.formText', locale: string): string {
  const app = isIncoming(turn.event) ? turn.event.app : null;
  if (!app) return '';
  const write = path === 'event.orderText' ? orderText : formText;
  return write(app, turn.release.document, turn.release.formatter(locale));
}
