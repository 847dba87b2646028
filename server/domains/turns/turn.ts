import { chanceOf, isVisitorLane } from '../../../kernel/names.ts';
import { type BotEntry, openableAddress } from '../bots/bots.ts';
import type { ContactWrite } from '../contacts/contacts.ts';
import {
  type CompiledRelease,
  type ConversationKey,
  type ConversationState,
  conversationKey,
  type FlowEvent,
  type IncomingEvent,
  mergeAlbum,
  step,
  type TableAnswer,
  type TableAsk,
  toEvents,
} from '../flow/flow.ts';
import { toWrites, type Writes } from './effects.ts';
import type { BotQueue, Item, Lane } from './lanes.ts';
import { isOnMessage, type Press, type PressMint } from './presses.ts';
import { speakingChat } from './reach.ts';
import { type Messages, type Seen, withSeen } from './seen.ts';
import type { KeptContact, StateNeed, States } from './states.ts';

/** One turn on its way: which updates it answers (several for an album), and what it came to. */
export type Turn = {
  queue: BotQueue;
  lane: Lane;
  items: readonly Item[];
  bot: BotEntry;
  event: FlowEvent;
  /** The messages that its updates bring, where they do. */
  messages: Messages | undefined;
  /** The token of a pressed button that is ours, and whether it is used up by being pressed. */
  press: { token: string; opened: Press } | undefined;
  need: StateNeed | undefined;
  /** It uses tables, so it is run in a transaction of its own; there is no result yet. */
  asks: boolean;
  result: TurnResult | undefined;
};

export type TurnResult = {
  outcome: 'handled' | 'ignored' | 'fault';
  trace: string;
  writes: Writes;
  usedPress: string | undefined;
  contact: ContactWrite | undefined;
  conversation:
    | { key: ConversationKey; state: ConversationState | null; seen: Seen; version: number; releaseNumber: number }
    | undefined;
  botMemory: { vars: string; version: number } | undefined;
  migration: { fromId: number; toId: number } | undefined;
  /** The bot was put out of a chat (with the reason), or let in again (without). */
  reach: { chatId: number; unreachable: string | undefined } | undefined;
};

type Internal = {
  kind: 'timer' | 'callResult' | 'blocked';
  ok?: boolean;
  result?: unknown;
  error?: string;
  report: InternalReport;
};
type InternalReport = { id?: string; block?: string; depth?: number; conversation: ConversationKey };

/** Reads the event of one or several inbox rows. Keys tell our own events from Telegram's: only digits are Telegram's. */
export function readEvent(items: readonly Item[]): FlowEvent {
  const [first] = items as [Item];
  const internal = /^(timer|call|blocked):/.test(first.key)
    ? (parsed(first) as { roost?: Internal })?.roost
    : undefined;
  if (internal) return internalEvent(first, internal);
  const events = items.map((item) => toEvents(parsed(item), { key: item.key, atMs: item.receivedMs }));
  return events.length === 1 ? (events[0] as IncomingEvent) : mergeAlbum(events);
}

/** The parsed update; parsed now where only its text is here. */
export function parsed(item: Item): unknown {
  if (item.update === undefined && item.body !== null) {
    item.update = JSON.parse(item.body) as unknown;
    item.body = null;
  }
  return item.update;
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

/** Which states a turn reads. */
export function needOf(bot: BotEntry, release: CompiledRelease, event: FlowEvent): StateNeed {
  const conversation = conversationKey(release, event);
  const contactId = ('user' in event && event.user?.id) || conversation.userId || conversation.chatId;
  return { integrationId: bot.id, contactId, conversation, botMemory: hasBotVariables(release) };
}

const botVariables = new WeakMap<CompiledRelease, boolean>();

/** Whether a release has variables that all its conversations share; looked up once a release. */
function hasBotVariables(release: CompiledRelease): boolean {
  let has = botVariables.get(release);
  if (has === undefined) {
    has = Object.values(release.document.variables ?? {}).some((variable) => variable.scope === 'bot');
    botVariables.set(release, has);
  }
  return has;
}

/**
 * Fills in what a press means: which button it is, whether it was pressed before, and whether it hangs on the message
 * that `asked` (the key of the question that is waited for), or on another one.
 */
export function resolvePress(
  event: FlowEvent,
  pressed: { button: { block: string; button: string }; opened: Press; used: boolean } | undefined,
  asked: string,
): FlowEvent {
  if (event.kind !== 'button' || !('press' in event) || !event.press) return event;
  if (!pressed) return { ...event, press: { ...event.press, use: 'foreign' } };
  const source = isOnMessage(pressed.opened, asked) ? asked : pressed.opened.message;
  return { ...event, press: { ...event.press, ...pressed.button, use: pressed.used ? 'again' : 'first', source } };
}

/** What a turn is given beside its event: `singleUse` is said of the button that was pressed. */
type Given = {
  mint: PressMint;
  singleUse: boolean;
  answers: readonly TableAnswer[];
  appAddress: string | undefined;
};

/** A turn that cannot go on before a table has answered; `release` is the one that asks. */
export type Asking = { asks: TableAsk; release: CompiledRelease };

/**
 * Runs one turn against the states in memory and leaves them as it makes them, so that later turns of the same
 * batch go on from there. Pure but for those states; the same turn run again gives the same rows. One that asks a table
 * leaves everything as it was, and is run again with one answer more. Throws on a bug of the engine.
 */
export function runTurn(
  turn: Turn,
  releases: { own: CompiledRelease; current: CompiledRelease },
  states: States,
  { mint, singleUse, answers, appAddress }: Given,
): TurnResult | Asking {
  const need = turn.need as StateNeed;
  const { bot, event } = turn;
  const contact = states.contact(need);
  const conversation = states.conversation(need);
  const memory = states.bot(bot.id);
  const result = step(
    releases.own,
    {
      conversation: conversation.state,
      contact: contact.state,
      bot: { ...memory.state, ...botFacts(bot, appAddress) },
    },
    { ...event, random: chanceOf(`${bot.id} ${event.key}`) },
    releases.current,
    answers,
  );
  // Tried again and, in the end, a dead letter: it can be put back once the engine is mended.
  if (result.bug !== undefined) throw new Error(`The flow engine failed: ${result.bug}`);
  const release = result.release === releases.current.number ? releases.current : releases.own;
  if (result.asks) return { asks: result.asks, release };
  const writes = toWrites(
    {
      bot,
      release,
      conversation: need.conversation,
      atMs: event.atMs,
      mint,
      inChannel: 'chat' in event && event.chat?.kind === 'channel',
      blockedDepth: event.kind === 'blocked' ? (event.depth ?? 1) : 0,
    },
    result.effects,
  );
  const turnResult: TurnResult = {
    outcome: result.outcome,
    trace: JSON.stringify({ release: release.number, outcome: result.outcome, steps: result.trace }),
    writes,
    usedPress:
      singleUse && turn.press && event.kind === 'button' && 'press' in event && event.press?.use === 'first'
        ? turn.press.token
        : undefined,
    contact: undefined,
    conversation: undefined,
    botMemory: undefined,
    migration: migrationOf(event),
    reach: reachOf(event) ?? reopened(event, states, bot.id),
  };
  const kept = {
    state: result.state.conversation,
    seen: withSeen(conversation.seen, turn.messages),
    version: conversation.version,
  };
  if (result.changed.conversation)
    turnResult.conversation = { key: need.conversation, ...kept, releaseNumber: release.number };
  states.setConversation(need, kept);
  if (result.changed.bot) {
    const { username: _username, app: _app, plainHttp: _plain, ...kept } = result.state.bot;
    turnResult.botMemory = { vars: JSON.stringify(kept.vars), version: memory.version };
    states.setBot(bot.id, { state: kept, version: memory.version });
  }
  turnResult.contact = contactWrite(
    need,
    event,
    contact,
    result.changed.contact ? result.state.contact : undefined,
    states,
  );
  return turnResult;
}

function botFacts(
  bot: BotEntry,
  appAddress: string | undefined,
): { username: string; app?: { address: string }; plainHttp?: true } {
  return {
    username: bot.username,
    ...(appAddress === undefined ? {} : { app: { address: appAddress } }),
    ...(openableAddress('http://', bot.apiRoot) === undefined ? {} : { plainHttp: true }),
  };
}

const seenEveryMs = 24 * 3_600_000;

/** A contact is written when it is new, when something about it changed, or when it was last seen a day ago. */
function contactWrite(
  need: StateNeed,
  event: FlowEvent,
  kept: KeptContact,
  changed: KeptContact['state'] | undefined,
  states: States,
): ContactWrite | undefined {
  const profile = profileOf(event) ?? kept.profile;
  const stale = event.atMs - kept.seenMs > seenEveryMs;
  if (!changed && kept.version > 0 && profile === kept.profile && !stale) return undefined;
  const state = { ...(changed ?? kept.state), ...(profile === '' ? {} : (JSON.parse(profile) as object)) };
  states.setContact(need, { state, version: kept.version, profile, seenMs: event.atMs });
  return {
    integrationId: need.integrationId,
    contactId: need.contactId,
    kind: isVisitorLane(need.contactId) ? 'visitor' : need.contactId < 0 ? 'chat' : 'user',
    profile: profile === '' ? null : profile,
    vars: JSON.stringify(state.vars),
    tags: state.tags,
    locale: state.locale,
    version: kept.version,
  };
}

/** The names of the person as JSON text, in the form the engine reads them. */
function profileOf(event: FlowEvent): string | undefined {
  if (!('user' in event) || !event.user) return undefined;
  const { id, firstName, lastName, username, language } = event.user;
  return JSON.stringify({ id, firstName, lastName, username, language });
}

/** A group became a supergroup: either of its two service messages says so. */
function migrationOf(event: FlowEvent): TurnResult['migration'] {
  if (!('chat' in event) || !event.chat) return undefined;
  if (event.migratedTo !== 0) return { fromId: event.chat.id, toId: event.migratedTo };
  if (event.migratedFrom !== 0) return { fromId: event.migratedFrom, toId: event.chat.id };
  return undefined;
}

/** The bot was blocked, put out of a chat, or let in again. */
function reachOf(event: FlowEvent): TurnResult['reach'] {
  if (!('member' in event) || !event.member?.ofBot || !event.chat) return undefined;
  const { after } = event.member;
  const out = after === 'kicked' || after === 'left';
  const reason = event.chat.id < 0 ? 'kicked' : 'blocked';
  return { chatId: event.chat.id, unreachable: out ? reason : undefined };
}

/** It could not be written to, and has written. */
function reopened(event: FlowEvent, states: States, integrationId: number): TurnResult['reach'] {
  const chatId = speakingChat(event);
  return chatId !== undefined && states.reach.reasonOf(integrationId, chatId)
    ? { chatId, unreachable: undefined }
    : undefined;
}
