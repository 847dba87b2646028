import type { Db, Tx } from '../../../kernel/db.ts';
import { faultPoint } from '../../../kernel/faultpoint.ts';
import {
  type ContactWrite,
  type ConversationWrite,
  markReachable,
  markUnreachable,
  migrateChat,
  writeBotMemories,
  writeContacts,
  writeConversations,
} from '../contacts/contacts.ts';
import { completeRows } from '../inbox/inbox.ts';
import { fence } from '../nodes/nodes.ts';
import { insertMessages, type Placement, renameChat } from '../outbox/outbox.ts';
import { deleteTimers, insertPresses, insertTimers, limitTimes } from './sql.ts';
import { type States, stateText } from './states.ts';
import type { Turn, TurnResult } from './turn.ts';

/** Where the messages of a commit are placed before it and released after it. */
export type Sending = {
  place(messages: TurnResult['writes']['messages']): Placement[];
  committed(placements: readonly Placement[], ids: ReadonlyMap<string, number>): void;
  withdrawn(placements: readonly Placement[]): void;
};

const stateDone = 2;
const stateIgnored = 4;

/** Under what turns are committed: where their messages go, what is remembered, and the owner and the tokens of their buckets. */
export type CommitDeps = { sending: Sending; states: States; owner: string; tokens: ReadonlyMap<number, number> };

/**
 * Commits turns together: the done marks, what is remembered, timers and messages, behind the fence of the
 * buckets, in one transaction and one round trip. Throws, and nothing is kept, when any guard fails; the caller
 * then runs them one by one. Messages leave only after the commit.
 */
export async function commitTurns(db: Db, deps: CommitDeps, turns: readonly Turn[]): Promise<void> {
  const placements = place(deps, turns);
  let inserted: Inserted;
  try {
    faultPoint('turn-before-commit');
    [inserted] = await db.batch((tx) => statementsOf(tx, deps, turns, placements));
    faultPoint('turn-after-commit');
  } catch (error) {
    deps.sending.withdrawn(placements);
    throw error;
  }
  settle(deps, turns, placements, inserted);
}

/**
 * The same for turns that use tables: what they do there and the turns themselves are one transaction, in which they
 * are run by `prepare`. No statement of it takes longer than `statementMs`.
 */
export async function commitWithTables(
  db: Db,
  deps: CommitDeps & { readonly statementMs: number },
  prepare: (tx: Tx) => Promise<readonly Turn[]>,
): Promise<readonly Turn[]> {
  let turns: readonly Turn[] = [];
  let placements: readonly Placement[] = [];
  let inserted: Inserted = [];
  try {
    await db.tx(async (tx) => {
      await limitTimes(tx, deps.statementMs);
      turns = await prepare(tx);
      placements = place(deps, turns);
      faultPoint('turn-before-commit');
      // All are awaited, so that no rejection is left alone; the earliest failure is the true reason.
      const outcomes = await Promise.allSettled(statementsOf(tx, deps, turns, placements));
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
      inserted = (outcomes[0] as PromiseFulfilledResult<Inserted>).value;
    });
    faultPoint('turn-after-commit');
  } catch (error) {
    deps.sending.withdrawn(placements);
    throw error;
  }
  settle(deps, turns, placements, inserted);
  return turns;
}

type Inserted = { integration_id: number; key: string; id: number }[];

const resultsOf = (turns: readonly Turn[]): TurnResult[] => turns.map((turn) => turn.result as TurnResult);

const place = ({ sending }: CommitDeps, turns: readonly Turn[]): readonly Placement[] =>
  sending.place(resultsOf(turns).flatMap((result) => result.writes.messages));

/** The statements of a commit, the messages first; nobody waits between them. */
function statementsOf(
  tx: Tx,
  { owner, tokens }: CommitDeps,
  turns: readonly Turn[],
  placements: readonly Placement[],
): [Promise<Inserted>, ...Promise<unknown>[]] {
  const results = resultsOf(turns);
  const contacts = lastContacts(results);
  const conversations = lastConversations(turns);
  const memories = lastMemories(turns);
  const rows = placements.map((placement) => placement.row);
  return [
    rows.length > 0 ? insertMessages(tx, rows) : Promise.resolve([]),
    fence(tx, owner, tokens),
    complete(tx, turns),
    contacts.length > 0 ? writeContacts(tx, contacts) : nothing,
    conversations.length > 0 ? writeConversations(tx, conversations) : nothing,
    memories.length > 0 ? writeBotMemories(tx, memories) : nothing,
    ...rareWrites(tx, turns, results),
  ];
}

/** The commit stands: memory follows it, and its messages may leave. */
function settle(
  { sending, states }: CommitDeps,
  turns: readonly Turn[],
  placements: readonly Placement[],
  inserted: Inserted,
): void {
  bumpVersions(states, turns);
  sending.committed(placements, new Map(inserted.map((row) => [`${row.integration_id} ${row.key}`, row.id])));
}

const nothing = Promise.resolve(0);

function complete(tx: Tx, turns: readonly Turn[]): Promise<number> {
  return completeRows(
    tx,
    turns.flatMap((turn) =>
      turn.items.map((item, index) => ({
        integrationId: item.integrationId,
        key: item.key,
        state: turn.result?.outcome === 'ignored' ? stateIgnored : stateDone,
        trace: index === 0 ? (turn.result?.trace ?? null) : null,
      })),
    ),
  );
}

function rareWrites(tx: Tx, turns: readonly Turn[], results: readonly TurnResult[]): Promise<unknown>[] {
  const writes: Promise<unknown>[] = [];
  const timers = results.flatMap((result) => result.writes.timers);
  const cancelled = results.flatMap((result) => result.writes.cancelled);
  const presses = turns.flatMap((turn) =>
    turn.result?.usedPress ? [{ integrationId: turn.bot.id, token: turn.result.usedPress }] : [],
  );
  if (timers.length > 0) writes.push(insertTimers(tx, timers));
  if (cancelled.length > 0) writes.push(deleteTimers(tx, cancelled));
  if (presses.length > 0) writes.push(insertPresses(tx, presses));
  for (const turn of turns) {
    const { migration, reach } = turn.result as TurnResult;
    const integrationId = turn.bot.id;
    if (migration)
      writes.push(migrateChat(tx, { integrationId, ...migration }), renameChat(tx, { integrationId, ...migration }));
    if (reach) writes.push(writeReach(tx, integrationId, reach));
  }
  return writes;
}

function writeReach(tx: Tx, integrationId: number, reach: NonNullable<TurnResult['reach']>): Promise<number> {
  const { chatId, unreachable } = reach;
  return unreachable === undefined
    ? markReachable(tx, { integrationId, chatId })
    : markUnreachable(tx, { integrationId, chatId, reason: unreachable });
}

/** Several turns of a batch may have changed the same person: the last form counts, against the version first read. */
function lastContacts(results: readonly TurnResult[]): ContactWrite[] {
  const last = new Map<string, ContactWrite>();
  for (const { contact } of results) if (contact) last.set(`${contact.integrationId} ${contact.contactId}`, contact);
  return [...last.values()];
}

function lastConversations(turns: readonly Turn[]): ConversationWrite[] {
  const last = new Map<string, ConversationWrite>();
  for (const { bot, result } of turns) {
    if (!result?.conversation) continue;
    const { key, state, seen, version, releaseNumber } = result.conversation;
    last.set(`${bot.id} ${key.chatId} ${key.threadId} ${key.userId}`, {
      integrationId: bot.id,
      ...key,
      releaseNumber,
      state: stateText(state, seen),
      version,
    });
  }
  return [...last.values()];
}

function lastMemories(turns: readonly Turn[]): { integrationId: number; vars: string; version: number }[] {
  const last = new Map<number, { integrationId: number; vars: string; version: number }>();
  for (const { bot, result } of turns)
    if (result?.botMemory) last.set(bot.id, { integrationId: bot.id, ...result.botMemory });
  return [...last.values()];
}

/** What was written now stands one version higher, and the memory says so too. */
function bumpVersions(states: States, turns: readonly Turn[]): void {
  const bumped = new Set<object>();
  for (const { bot, need, result } of turns) {
    if (!need || !result) continue;
    if (result.reach) states.reach.learn(bot.id, result.reach.chatId, result.reach.unreachable ?? '');
    for (const kept of [
      result.contact && states.contact(need),
      result.conversation && states.conversation(need),
      result.botMemory && states.bot(bot.id),
    ]) {
      if (!kept || bumped.has(kept)) continue;
      bumped.add(kept);
      kept.version += 1;
    }
    if (result.migration) states.clear();
  }
}
