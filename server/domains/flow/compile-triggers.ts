// Lays triggers out so that most events find theirs by one look into a map.

import type { ChatType, MemberChange, Trigger } from '../../../contract/triggers.ts';
import { foldWords } from '../readers/readers.ts';
import type { ChatKind } from './event-types.ts';
import type { Pattern } from './patterns.ts';
import type { CompiledTrigger, TriggerTable } from './triggers.ts';

/** Where triggers listen when the maker did not say: a bot that answers every word of a group is a nuisance. */
export const DEFAULT_CHATS: { readonly [Type in Trigger['type']]: readonly ChatType[] } = {
  command: ['private', 'group'],
  start: ['private', 'group'],
  button: ['private', 'group', 'channel'],
  member: ['private', 'group', 'channel'],
  text: ['private'],
  kind: ['private'],
  app: ['private'],
  fallback: ['private'],
};

type Lists<Key> = Map<Key, CompiledTrigger[]>;
type Words = { word: string; trigger: CompiledTrigger }[];

/** What begins at once even where a question waits. An order that was sent is answered, whatever was going on. */
const INTERRUPTING: ReadonlySet<Trigger['type']> = new Set(['command', 'start', 'app']);

class TableDraft {
  readonly startExact: Lists<string> = new Map();
  readonly startPrefix: Words = [];
  readonly startAny: CompiledTrigger[] = [];
  readonly commands: Lists<string> = new Map();
  readonly textExact: Lists<string> = new Map();
  readonly patterns: { pattern: Pattern; trigger: CompiledTrigger }[] = [];
  readonly textStarts: Words = [];
  readonly textContains: Words = [];
  readonly textAny: CompiledTrigger[] = [];
  readonly buttons: Lists<string> = new Map();
  readonly dataExact: Lists<string> = new Map();
  readonly dataPrefix: Words = [];
  readonly kinds: Lists<string> = new Map();
  readonly members: Lists<MemberChange> = new Map();
  readonly apps: Lists<string> = new Map();
  readonly fallbacks: CompiledTrigger[] = [];
}

export type TriggerMaking = {
  /** The first block behind a target; undefined when there is no such target. */
  readonly entry: (target: string) => string | undefined;
  readonly pattern: (source: string, ignoreCase: boolean) => Pattern | null;
};

/** Builds the table of a document's triggers. Longer words come before shorter ones, as the more exact. */
export function compileTriggers(triggers: { readonly [id: string]: Trigger }, making: TriggerMaking): TriggerTable {
  const table = new TableDraft();
  for (const [id, trigger] of Object.entries(triggers)) {
    const entry = making.entry(trigger.to);
    if (entry !== undefined) place(table, trigger, compiled(id, trigger, entry), making);
  }
  for (const words of [table.startPrefix, table.textStarts, table.textContains, table.dataPrefix]) {
    words.sort((left, right) => right.word.length - left.word.length);
  }
  return table;
}

function compiled(id: string, trigger: Trigger, entry: string): CompiledTrigger {
  const interrupts = trigger.interrupts ?? INTERRUPTING.has(trigger.type);
  const chats = new Set<ChatKind>(trigger.in ?? DEFAULT_CHATS[trigger.type]);
  const given = 'into' in trigger.props ? (trigger.props.into ?? '') : '';
  const into = typeof given === 'string' ? given : '';
  const fields = Object.entries(typeof given === 'string' ? {} : given);
  return { id, type: trigger.type, entry, interrupts, chats, into, fields };
}

function add<Key>(lists: Lists<Key>, key: Key, trigger: CompiledTrigger): void {
  const list = lists.get(key);
  if (list) list.push(trigger);
  else lists.set(key, [trigger]);
}

function place(table: TableDraft, { type, props }: Trigger, trigger: CompiledTrigger, making: TriggerMaking): void {
  switch (type) {
    case 'command':
      add(table.commands, props.command, trigger);
      break;
    case 'start':
      if (props.equals !== undefined) add(table.startExact, props.equals, trigger);
      else if (props.prefix !== undefined) table.startPrefix.push({ word: props.prefix, trigger });
      else table.startAny.push(trigger);
      break;
    case 'text':
      placeText(table, props, trigger, making);
      break;
    case 'button':
      if ('block' in props) add(table.buttons, `${props.block}/${props.button}`, trigger);
      else if (props.match === 'startsWith') table.dataPrefix.push({ word: props.data, trigger });
      else add(table.dataExact, props.data, trigger);
      break;
    case 'kind':
      for (const kind of props.kinds) add(table.kinds, kind, trigger);
      break;
    case 'member':
      for (const change of props.changes) add(table.members, change, trigger);
      break;
    case 'app':
      add(table.apps, props.form ?? '', trigger);
      break;
    case 'fallback':
      table.fallbacks.push(trigger);
      break;
  }
}

function placeText(
  table: TableDraft,
  props: Extract<Trigger, { type: 'text' }>['props'],
  trigger: CompiledTrigger,
  making: TriggerMaking,
): void {
  if ('any' in props) table.textAny.push(trigger);
  else if ('pattern' in props) {
    const pattern = making.pattern(props.pattern, true);
    if (pattern) table.patterns.push({ pattern, trigger });
  } else {
    for (const keyword of props.keywords) {
      const word = foldWords(keyword);
      if (word === '') continue;
      if (props.match === 'startsWith') table.textStarts.push({ word, trigger });
      else if (props.match === 'contains') table.textContains.push({ word, trigger });
      else add(table.textExact, word, trigger);
    }
  }
}
