// Finds the trigger that an event belongs to, the most exact first.

import type { MemberChange, Trigger } from '../../../contract/triggers.ts';
import { foldWords } from '../readers/readers.ts';
import type { ChatKind, EventMember, IncomingEvent } from './event-types.ts';
import { commandOf, type TypedCommand } from './event-view.ts';
import type { Meter } from './meter.ts';
import type { Pattern } from './patterns.ts';

export type CompiledTrigger = {
  readonly id: string;
  readonly type: Trigger['type'];
  /** The block it begins with; '' for an empty card. */
  readonly entry: string;
  readonly interrupts: boolean;
  readonly chats: ReadonlySet<ChatKind>;
  readonly into: string;
  /** Fields of a form, each with the variable it goes into. */
  readonly fields: readonly (readonly [field: string, variable: string])[];
};

/** A trigger that fits, and what it takes out of the event. */
export type Caught = { readonly trigger: CompiledTrigger; readonly taken: string };

type Words<T> = readonly { readonly word: string; readonly trigger: T }[];

export type TriggerTable = {
  readonly startExact: ReadonlyMap<string, readonly CompiledTrigger[]>;
  readonly startPrefix: Words<CompiledTrigger>;
  readonly startAny: readonly CompiledTrigger[];
  readonly commands: ReadonlyMap<string, readonly CompiledTrigger[]>;
  readonly textExact: ReadonlyMap<string, readonly CompiledTrigger[]>;
  readonly patterns: readonly { readonly pattern: Pattern; readonly trigger: CompiledTrigger }[];
  readonly textStarts: Words<CompiledTrigger>;
  readonly textContains: Words<CompiledTrigger>;
  readonly textAny: readonly CompiledTrigger[];
  readonly buttons: ReadonlyMap<string, readonly CompiledTrigger[]>;
  readonly dataExact: ReadonlyMap<string, readonly CompiledTrigger[]>;
  readonly dataPrefix: Words<CompiledTrigger>;
  readonly kinds: ReadonlyMap<string, readonly CompiledTrigger[]>;
  readonly members: ReadonlyMap<MemberChange, readonly CompiledTrigger[]>;
  /** By the form; '' for any. */
  readonly apps: ReadonlyMap<string, readonly CompiledTrigger[]>;
  readonly fallbacks: readonly CompiledTrigger[];
};

/** Which triggers to look among: those before a block that waits, or the others. */
export type Search = { readonly interrupting: boolean; readonly botUsername: string; readonly meter: Meter };

/** The first trigger that fits, fallbacks aside. */
export function findTrigger(table: TriggerTable, event: IncomingEvent, search: Search): Caught | null {
  const chat = event.chat?.kind ?? 'private';
  const fits = (trigger: CompiledTrigger): boolean =>
    trigger.interrupts === search.interrupting && trigger.chats.has(chat);
  switch (event.kind) {
    case 'text':
      return findByText(table, event, search, fits);
    case 'button':
      return findByData(table, event.press?.data ?? '', fits);
    case 'member':
      return event.member
        ? firstOf(
            changesOf(event.member, chat).flatMap((change) => table.members.get(change) ?? []),
            fits,
          )
        : null;
    case 'app':
      return firstOf(table.apps.get(event.app?.form || '?'), fits) ?? firstOf(table.apps.get(''), fits);
    default:
      return firstOf(
        kindsOf(event).flatMap((kind) => table.kinds.get(kind) ?? []),
        fits,
      );
  }
}

type Fits = (trigger: CompiledTrigger) => boolean;

function firstOf(triggers: readonly CompiledTrigger[] | undefined, fits: Fits, taken = ''): Caught | null {
  const trigger = triggers?.find(fits);
  return trigger ? { trigger, taken } : null;
}

function firstWord(
  words: Words<CompiledTrigger>,
  matches: (word: string) => boolean,
  fits: Fits,
  taken: (word: string) => string,
): Caught | null {
  const found = words.find(({ word, trigger }) => matches(word) && fits(trigger));
  return found ? { trigger: found.trigger, taken: taken(found.word) } : null;
}

function findByText(table: TriggerTable, event: IncomingEvent, search: Search, fits: Fits): Caught | null {
  const command = commandOf(event);
  if (command && isForUs(command, search.botUsername)) {
    const caught = findByCommand(table, command, fits);
    if (caught) return caught;
  }
  const words = foldWords(event.text);
  return (
    firstOf(table.textExact.get(words), fits) ??
    findByPattern(table, event.text, search.meter, fits) ??
    firstWord(
      table.textStarts,
      (word) => words.startsWith(word),
      fits,
      () => '',
    ) ??
    firstWord(
      table.textContains,
      (word) => words.includes(word),
      fits,
      () => '',
    ) ??
    firstOf(table.textAny, fits)
  );
}

/** In a group `/start@other_bot` is for another bot. */
function isForUs(command: TypedCommand, botUsername: string): boolean {
  return command.bot === '' || botUsername === '' || command.bot === botUsername.toLowerCase();
}

function findByCommand(table: TriggerTable, command: TypedCommand, fits: Fits): Caught | null {
  const { name, argument } = command;
  const byStart =
    name === 'start' && argument !== ''
      ? (firstOf(table.startExact.get(argument), fits, argument) ??
        firstWord(
          table.startPrefix,
          (word) => argument.startsWith(word),
          fits,
          (word) => argument.slice(word.length),
        ) ??
        firstOf(table.startAny, fits, argument))
      : null;
  return byStart ?? firstOf(table.commands.get(name), fits, argument);
}

function findByPattern(table: TriggerTable, text: string, meter: Meter, fits: Fits): Caught | null {
  for (const { pattern, trigger } of table.patterns) {
    if (!fits(trigger)) continue;
    meter.begin();
    const taken = trigger.into === '' ? (pattern.finds(text, meter) ? '' : null) : pattern.takes(text, meter);
    if (taken !== null) return { trigger, taken };
  }
  return null;
}

function findByData(table: TriggerTable, data: string, fits: Fits): Caught | null {
  return (
    firstOf(table.dataExact.get(data), fits, data) ??
    firstWord(
      table.dataPrefix,
      (word) => data.startsWith(word),
      fits,
      (word) => data.slice(word.length),
    )
  );
}

/** A button of ours that has no exit of its own. */
export function findButtonTrigger(table: TriggerTable, block: string, button: string): Caught | null {
  return firstOf(table.buttons.get(`${block}/${button}`), () => true);
}

/** What takes a message that nothing else wanted. */
export function findFallback(table: TriggerTable, event: IncomingEvent): CompiledTrigger | null {
  const chat = event.chat?.kind ?? 'private';
  return table.fallbacks.find((trigger) => trigger.chats.has(chat)) ?? null;
}

/** An album of photos is an album first, and photos too. */
function kindsOf(event: IncomingEvent): string[] {
  return event.kind === 'album' ? ['album', ...new Set(event.files.map((file) => file.kind))] : [event.kind];
}

const isThere = (status: string): boolean => ['creator', 'administrator', 'member', 'restricted'].includes(status);
const isAdmin = (status: string): boolean => status === 'creator' || status === 'administrator';

/** Names what happened to somebody's membership, the telling name first. */
export function changesOf({ ofBot, before, after }: EventMember, chat: ChatKind): MemberChange[] {
  if (ofBot && chat === 'private') {
    if (after === 'kicked') return ['blocked'];
    return before === 'kicked' && isThere(after) ? ['unblocked'] : [];
  }
  if (!isThere(before) && isThere(after))
    return ofBot ? (isAdmin(after) ? ['botAdded', 'botPromoted'] : ['botAdded']) : ['joined'];
  if (isThere(before) && !isThere(after)) return [ofBot ? 'botRemoved' : 'left'];
  if (!isAdmin(before) && isAdmin(after)) return [ofBot ? 'botPromoted' : 'promoted'];
  if (isAdmin(before) && !isAdmin(after)) return [ofBot ? 'botDemoted' : 'demoted'];
  return !ofBot && before !== 'restricted' && after === 'restricted' ? ['restricted'] : [];
}
