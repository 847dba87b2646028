// From the rows of the inbox to a turn that is known to happen. Pure but for the parsed update, which stays with its row.

import type { BotEntry } from '../bots/bots.ts';
import { type ConversationKey, type FlowEvent, type IncomingEvent, mergeAlbum, toEvents } from '../flow/flow.ts';
import type { Item } from './lanes.ts';
import type { PressMint } from './presses.ts';
import { distinctParts, messagesOf } from './seen.ts';
import type { Chosen, OpenedTurn } from './stages.ts';

type Internal = {
  kind: 'timer' | 'callResult' | 'blocked';
  ok?: boolean;
  result?: unknown;
  error?: string;
  report: InternalReport;
};
type InternalReport = { id?: string; block?: string; depth?: number; conversation: ConversationKey };

/** Reads what has happened. `nowMs` is wall time: buttons that are too old are nobody's. */
export function openTurn(chosen: Chosen, bot: BotEntry, mint: PressMint, nowMs: number): OpenedTurn {
  const parts = distinctParts(chosen.items, parsed);
  const read = readEvent(parts);
  const data = pressData(read);
  const opened = data === undefined ? undefined : mint.open(bot, data, nowMs);
  // Of an old message Telegram does not say in which topic it stands.
  const threadId = opened?.threadId ?? 0;
  return {
    ...chosen,
    bot,
    event: threadId !== 0 && 'thread' in read && read.thread === 0 ? { ...read, thread: threadId } : read,
    messages: messagesOf(parts.map(parsed)),
    press: opened && data !== undefined ? { token: data, opened } : undefined,
  };
}

/** What a pressed button carries; undefined for any other event. */
const pressData = (event: FlowEvent): string | undefined =>
  event.kind === 'button' && 'press' in event ? event.press?.data : undefined;

/** The parsed update; parsed now where only its text is here. */
export function parsed(item: Item): unknown {
  if (item.update === undefined && item.body !== null) {
    item.update = JSON.parse(item.body) as unknown;
    item.body = null;
  }
  return item.update;
}

/** Reads the event of one or several inbox rows. Keys tell our own events from Telegram's: only digits are Telegram's. */
function readEvent(items: readonly Item[]): FlowEvent {
  const [first] = items as [Item];
  const internal = /^(timer|call|blocked):/.test(first.key)
    ? (parsed(first) as { roost?: Internal })?.roost
    : undefined;
  if (internal) return internalEvent(first, internal);
  const events = items.map((item) => toEvents(parsed(item), { key: item.key, atMs: item.receivedMs }));
  return events.length === 1 ? (events[0] as IncomingEvent) : mergeAlbum(events);
}

function internalEvent(item: Item, internal: Internal): FlowEvent {
  const { report } = internal;
  const base = { key: item.key, atMs: item.receivedMs, conversation: report.conversation };
  if (internal.kind === 'timer') return { ...base, kind: 'timer', id: report.id ?? '' };
  if (internal.kind === 'blocked')
    return { ...base, kind: 'blocked', block: report.block ?? '', depth: report.depth ?? 1 };
  const { ok = false, result, error } = internal;
  return {
    ...base,
    kind: 'callResult',
    id: report.id ?? '',
    ok,
    ...(result === undefined ? {} : { result }),
    ...(error === undefined ? {} : { error }),
  };
}
