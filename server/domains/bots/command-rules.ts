// Decisions about the lists of commands that a bot shows beside the input field. Pure.
import { createHash } from 'node:crypto';
import type { LanguageCode } from '@grammyjs/types';

type MenuCommand = { readonly command: string; readonly description: string };

/** One list, as Telegram keeps it. */
export type CommandList = {
  /** Groups where they have a list of their own, else every chat. */
  readonly scope: 'default' | 'all_group_chats';
  /** Two letters; empty: for readers of any other language. */
  readonly language: string;
  readonly commands: readonly MenuCommand[];
};

/** What Telegram was told of one list last, by its hash (null: nothing), and how often somebody else's was replaced. */
export type ToldList = { readonly hash: string | null; readonly replaced: number };

/** What Telegram was told, by `scope language`. */
export type ToldCommands = { readonly [list: string]: ToldList };

/** A list that Telegram has to be asked about. */
export type PendingList = {
  readonly name: string;
  readonly scope: CommandList['scope'];
  readonly language: string;
  /** undefined: it is to go. */
  readonly wanted: readonly MenuCommand[] | undefined;
  readonly known: ToldList;
};

export type CommandsDecision =
  | { readonly kind: 'set'; readonly replaces: boolean }
  | { readonly kind: 'remove' }
  /** It is there as it should be; or it is somebody else's, and there is nothing of ours to remove. */
  | { readonly kind: 'keep' }
  /** Somebody has set another one by hand, and again after it was replaced once. */
  | { readonly kind: 'leave' };

const unknown: ToldList = { hash: null, replaced: 0 };

/** The lists of which Telegram knows something else than it should: first what is to be said, then what is to go. */
export function pendingLists(wanted: readonly CommandList[], told: ToldCommands): PendingList[] {
  const names = new Set(wanted.map(nameOf));
  const lists = wanted.map((list): PendingList => {
    const name = nameOf(list);
    return { name, scope: list.scope, language: list.language, wanted: list.commands, known: told[name] ?? unknown };
  });
  for (const [name, known] of Object.entries(told)) {
    if (names.has(name) || known.hash === null) continue;
    const [scope, language = ''] = name.split(' ');
    lists.push({ name, scope: scope as CommandList['scope'], language, wanted: undefined, known });
  }
  return lists.filter((list) => list.known.hash !== hashOf(list.wanted));
}

/** What to do about one list, given the one that is there. */
export function decideCommands({ wanted, known }: PendingList, present: unknown): CommandsDecision {
  const there = hashOf(present);
  const isOurs = known.hash !== null && there === known.hash;
  if (wanted === undefined) return isOurs ? { kind: 'remove' } : { kind: 'keep' };
  if (there === hashOf(wanted)) return { kind: 'keep' };
  const isFree = known.hash === null && there === null;
  if (isOurs || isFree) return { kind: 'set', replaces: false };
  return known.replaced > 0 ? { kind: 'leave' } : { kind: 'set', replaces: true };
}

/** What is known of the list once that was done. */
export function toldAfter({ wanted, known }: PendingList, decision: CommandsDecision): ToldList {
  if (decision.kind === 'leave') return known;
  const replaced = known.replaced + Number(decision.kind === 'set' && decision.replaces);
  return { hash: hashOf(wanted), replaced };
}

/** The parameters that name a list to Telegram. */
export function placeOf({ scope, language }: Pick<PendingList, 'scope' | 'language'>): {
  scope: { type: CommandList['scope'] };
  language_code?: LanguageCode;
} {
  return { scope: { type: scope }, ...(language === '' ? {} : { language_code: language as LanguageCode }) };
}

const nameOf = ({ scope, language }: CommandList): string => `${scope} ${language}`;

/** A list of commands is remembered by its hash. null: there is none. */
function hashOf(list: unknown): string | null {
  if (!Array.isArray(list) || list.length === 0) return null;
  const parts = list.map((one: Partial<MenuCommand> | null) => [one?.command, one?.description]);
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
