import type { Db } from '../../kernel/db.ts';
import { sql } from '../../kernel/sql.ts';
import type { CallEntry } from '../../simulator/simulator.ts';
import type { Stall } from '../support/stalls.ts';
import type { Crowd } from './crowd.ts';
import type { Installation } from './installation.ts';

/** A text that somebody wrote. Those of one chat stand in their order. */
export type Said = { bot: number; chat: number; text: string };

/** A delivery that was answered with 200. */
export type Delivered = { bot: number; updateId: number; kind: string };

/** A call that can put a message into a chat. `at` is Telegram's monotonic moment of acceptance, in ms. */
export type Sent = {
  bot: number;
  chat: number;
  text: string;
  at: number;
  accepted: boolean;
  messageId: number | null;
  /** Which of Telegram's limits refused it. */
  limit: string | null;
};

export type InboxFact = {
  bot: number;
  key: string;
  chat: number;
  text: string | null;
  /** The button, where it is a press. */
  press: string | null;
  state: number;
  attempts: number;
};

export type OutboxFact = {
  bot: number;
  key: string;
  id: number;
  chat: number;
  text: string;
  state: number;
  doubts: number;
  messageId: number | null;
};

/** Everything that two witnesses, Telegram's log and the database, say about a run. */
export type Evidence = {
  said: Said[];
  delivered: Delivered[];
  /** Updates that Telegram gave up by itself; presses age fast and may. */
  expired: number;
  sent: Sent[];
  inbox: InboxFact[];
  outbox: OutboxFact[];
  /** What the flow counted: updates of a person, by `bot chat`, and of a bot. */
  seen: Map<string, number>;
  all: Map<number, number>;
  /** When Telegram's own process stood still. */
  stalls: readonly Stall[];
  /** Messages to groups may still wait: 20 a minute take longer than a short run. */
  groupsMayWait: boolean;
};

const countedMethods: ReadonlySet<string> = new Set(['sendMessage']);

/** The database is asked first: what it says was sent, Telegram has seen. */
export async function gather(installation: Installation, crowd: Crowd): Promise<Evidence> {
  const { db, simulator } = installation;
  const botOf = new Map(installation.bots.map((bot) => [bot.integrationId, bot.id]));
  const named = <Row extends { bot: number }>(rows: readonly Row[]): Row[] =>
    rows.map((row) => ({ ...row, bot: botOf.get(row.bot) ?? 0 }));
  const inbox = named(await inboxFacts(db));
  const seen = named(await seenFacts(db));
  const all = named(await allFacts(db));
  const outbox = named(await outboxFacts(db));
  const deliveries = entries(simulator.deliveries);
  return {
    said: crowd.chats.flatMap((chat) => chat.said.map((text) => ({ bot: chat.bot.id, chat: chat.id, text }))),
    delivered: deliveries.flatMap(({ status, bot_id, update_id, kind }) =>
      status === 200 ? [{ bot: bot_id, updateId: update_id, kind: kind ?? '' }] : [],
    ),
    expired: deliveries.filter((entry) => entry.outcome === 'expired' && entry.kind !== 'callback_query').length,
    sent: entries(simulator.calls).flatMap(sentOf),
    inbox,
    outbox,
    seen: new Map(seen.map((row) => [`${row.bot} ${row.chat}`, Number(row.seen ?? 0)])),
    all: new Map(all.map((row) => [row.bot, Number(row.all ?? 0)])),
    stalls: installation.stalls,
    groupsMayWait: false,
  };
}

function sentOf(call: CallEntry): Sent[] {
  if (call.method === null || !countedMethods.has(call.method)) return [];
  const { text = '' } = JSON.parse(call.params ?? '{}') as { text?: string };
  const { bot_id, chat_id, arrived_mono: at, message_id: messageId, limit } = call;
  return [{ bot: bot_id ?? 0, chat: Number(chat_id), text, at, accepted: call.accepted === true, messageId, limit }];
}

function entries<Entry>(log: { start: number; end: number; read(row: number): Entry | undefined }): Entry[] {
  const found: Entry[] = [];
  for (let row = log.start; row < log.end; row += 1) {
    const entry = log.read(row);
    if (entry) found.push(entry);
  }
  return found;
}

const inboxFacts = (db: Db) =>
  db.many<InboxFact>(sql`
    select integration_id as bot, key, lane as chat, body -> 'message' ->> 'text' as text,
      body -> 'callback_query' ->> 'data' as press, state, attempts
    from inbox order by seq`);

const outboxFacts = (db: Db) =>
  db.many<OutboxFact>(sql`
    select integration_id as bot, key, id, chat_id as chat, params ->> 'text' as text, state, doubts,
      message_id as "messageId"
    from outbox where method = 'sendMessage' order by id`);

const seenFacts = (db: Db) =>
  db.many<{ bot: number; chat: number; seen: string | null }>(sql`
    select integration_id as bot, contact_id as chat, vars ->> 'seen' as seen from contact`);

const allFacts = (db: Db) =>
  db.many<{ bot: number; all: string | null }>(
    sql`select integration_id as bot, vars ->> 'all' as all from bot_memory`,
  );

export type Unfinished = { undelivered: number; waits: number; pending: number; unsent: number };

/** What has not come to its end yet: at Telegram, among the waits (those of an app may last for days), in the inbox, in the outbox. */
export async function unfinished(installation: Installation, options: { groups?: boolean } = {}): Promise<Unfinished> {
  const { db, simulator } = installation;
  const groups = options.groups ?? true;
  const row = await db.one<Omit<Unfinished, 'undelivered'>>(sql`
    select (select count(*)::int from timer where due_at < now() + interval '1 minute' and (lane > 0 or ${groups})) as waits,
      (select count(*)::int from inbox where state = 0) as pending,
      (select count(*)::int from outbox where state in (0, 1, 5) and (chat_id > 0 or ${groups})) as unsent`);
  return { undelivered: simulator.counters().pending, ...(row ?? { waits: -1, pending: -1, unsent: -1 }) };
}

export const isFinished = (left: Unfinished): boolean => Object.values(left).every((count) => count === 0);
