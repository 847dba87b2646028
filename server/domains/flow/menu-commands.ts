// Which commands a document's bots list beside the input field: those that have a description.

import type { FlowDocument } from '../../../contract/flow.ts';
import { TELEGRAM_LIMITS } from '../../../contract/limits.ts';
import type { Text, TextBody } from '../../../contract/texts.ts';
import type { ChatType, Trigger } from '../../../contract/triggers.ts';
import { DEFAULT_CHATS } from './compile-triggers.ts';
import { pickLocale } from './locales.ts';
import { readOwn } from './values.ts';

type MenuCommand = { readonly command: string; readonly description: string };
type Scope = 'default' | 'all_group_chats';
/** One list as Telegram keeps it. `language`: two letters; empty for readers of any other language. */
type CommandList = { readonly scope: Scope; readonly language: string; readonly commands: readonly MenuCommand[] };
type CommandTrigger = Extract<Trigger, { type: 'command' }>;

/**
 * The lists of commands: in the main language for everybody, and one for each further language that differs. Groups
 * have lists of their own where other commands are heard there. Telegram has no empty list for groups: where nothing is
 * heard in them, they show what private chats show.
 */
export function menuCommands(document: FlowDocument): CommandList[] {
  const alone = listsOf(document, 'default', 'private');
  const groups = listsOf(document, 'all_group_chats', 'group');
  const content = (lists: readonly CommandList[]): string =>
    JSON.stringify(lists.map(({ language, commands }) => [language, commands]));
  return content(alone) === content(groups) ? alone : [...alone, ...groups];
}

/** The triggers that a list of commands names: `/start`, then by their ids, since a document keeps no other order. */
export function listedCommands(document: FlowDocument, chat: ChatType): CommandTrigger[] {
  const isFirst = ([, { props }]: readonly [string, CommandTrigger]): number => Number(props.command === 'start');
  return Object.entries(document.triggers)
    .filter(
      (entry): entry is [string, CommandTrigger] =>
        entry[1].type === 'command' &&
        entry[1].props.description !== undefined &&
        (entry[1].in ?? DEFAULT_CHATS.command).includes(chat),
    )
    .sort((a, b) => isFirst(b) - isFirst(a) || (a[0] < b[0] ? -1 : 1))
    .map(([, trigger]) => trigger);
}

/** The language by which Telegram knows a locale; undefined: it has two letters for none of it. */
export function languageCode(locale: string): string | undefined {
  const language = locale.split('-')[0] ?? '';
  return language.length === 2 ? language : undefined;
}

function listsOf(document: FlowDocument, scope: Scope, chat: ChatType): CommandList[] {
  const triggers = listedCommands(document, chat).slice(0, TELEGRAM_LIMITS.commands);
  const write = (locale: string): MenuCommand[] =>
    triggers.flatMap(({ props }) => {
      const description = descriptionOf(document, props.description ?? '', locale);
      return description === '' ? [] : [{ command: props.command, description }];
    });
  const main = write(document.defaultLocale);
  if (main.length === 0) return [];
  const languages = new Set(document.locales.map(languageCode).filter((code) => code !== undefined));
  const others = [...languages].flatMap((language): CommandList[] => {
    const commands = write(pickLocale(document, null, language));
    return JSON.stringify(commands) === JSON.stringify(main) ? [] : [{ scope, language, commands }];
  });
  return [{ scope, language: '', commands: main }, ...others];
}

/** In one line, without what Telegram takes out of it. Empty where a release of another time holds a value. */
function descriptionOf(document: FlowDocument, key: string, locale: string): string {
  const text: Text = readOwn(document.texts ?? {}, key) ?? {};
  const body = readOwn(text, locale) ?? readOwn(text, document.defaultLocale);
  const line = plainWords(body ?? '').replace(/[\s\p{Cc}\p{Cs}\u202a-\u202e]+/gu, ' ');
  return [...line.trim()].slice(0, TELEGRAM_LIMITS.commandDescriptionChars).join('');
}

function plainWords(body: TextBody): string {
  if (typeof body === 'string') return body;
  const words = body.map((span) => (typeof span === 'string' ? span : 'text' in span ? span.text : undefined));
  return words.includes(undefined) ? '' : words.join('');
}
