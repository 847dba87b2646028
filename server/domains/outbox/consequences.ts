// What follows from the result of a call beside its own row, in the transaction that records it.
import type { Tx } from '../../../kernel/db.ts';
import { shortName } from '../../../kernel/names.ts';
import { redact } from '../../../kernel/redact.ts';
import { markUnreachable, migrateChat } from '../contacts/contacts.ts';
import type { insertEvents } from '../inbox/inbox.ts';
import { refuseChat } from './losses/sql.ts';
import type { Message } from './message.ts';
import type { Decision } from './rules.ts';
import * as statements from './sql.ts';

/** What came of one call, to be written down. */
export type Finding = {
  message: Message;
  token: number;
  decision: Decision;
  messageId: number | null;
  result: unknown;
};

/**
 * Told in a report: what wants to know how a message ended. `end`: whatever the end; `blocked`: only that it can never be
 * delivered. `lane` is
 * the lane that gets the event.
 */
export type Report = { on: 'end' | 'blocked'; lane: number };

/** A row of the inbox. */
export type NewEvent = Parameters<typeof insertEvents>[1][number];

/**
 * One kind of what follows. The outbox has its own; others are handed in by whoever wires it, so that it need not know them.
 */
export type Consequence = {
  readonly name: string;
  readonly concerns: (finding: Finding) => boolean;
  /** Somebody waits for it: its result is written down at once. */
  readonly soon?: true;
  /**
   * Findings that only such consequences concern share a transaction, up to a hundred; any other has one of its own. One that
   * fails falls out with its result.
   */
  readonly together?: true;
  /** A result is never recorded without it, not even where that fails again and again: the message stays in doubt. */
  readonly required?: true;
  /** Takes locks that must come before those of the results, in the order of the registry. */
  readonly lock?: (tx: Tx, findings: readonly Finding[]) => Promise<void>;
  /** Writes what follows from results that stand, and gives the events that lanes get for it. */
  readonly write: (tx: Tx, findings: readonly Finding[]) => Promise<readonly NewEvent[]>;
};

/** Does the same for each finding, one after the other. */
const each =
  (one: (tx: Tx, finding: Finding) => Promise<readonly NewEvent[]>): Consequence['write'] =>
  async (tx, findings) => {
    const events: NewEvent[] = [];
    for (const finding of findings) events.push(...(await one(tx, finding)));
    return events;
  };

/** The chat or the bot has to wait, over restarts too. */
const park: Consequence = {
  name: 'park',
  concerns: ({ decision }) => decision.park !== undefined,
  soon: true,
  write: each(async (tx, { message, decision }) => {
    if (!decision.park) return [];
    const { integrationId, bucket, chatId } = message;
    const parked = decision.park.scope === 'bot' ? 0 : chatId;
    await statements.insertPark(tx, { integrationId, chatId: parked, seconds: decision.park.seconds });
    if (decision.state === 5) await statements.parkMessages(tx, { integrationId, bucket, chatId });
    return [];
  }),
};

/** Whoever has asked how it ends is told. */
const report: Consequence = {
  name: 'report',
  concerns: ({ message }) => message.report !== null,
  soon: true,
  write: async (_tx, findings) => findings.flatMap(eventsOf),
};

/** The chat cannot be written to any more: nor does what waits for it leave. */
const unreachable: Consequence = {
  name: 'unreachable',
  concerns: ({ decision }) => decision.unreachable !== undefined,
  soon: true,
  write: each(async (tx, finding) => {
    const { message, decision } = finding;
    const { integrationId, bucket, chatId } = message;
    if (decision.unreachable === undefined) return [];
    const reason = decision.unreachable;
    await markUnreachable(tx, { integrationId, chatId, reason });
    const rows = await refuseChat(tx, { integrationId, bucket, chatId, error: decision.error ?? reason, reason });
    return rows.flatMap((row) => eventsOf({ ...finding, message: { ...message, key: row.key, report: row.report } }));
  }),
};

/** A group became a supergroup. */
const migrated: Consequence = {
  name: 'migrated',
  concerns: ({ decision }) => decision.migrateTo !== undefined,
  soon: true,
  write: each(async (tx, { message, decision }) => {
    if (decision.migrateTo === undefined) return [];
    const move = { integrationId: message.integrationId, fromId: message.chatId, toId: decision.migrateTo };
    await statements.renameChat(tx, move);
    await migrateChat(tx, move);
    return [];
  }),
};

/** What the outbox itself draws from a result, in the order in which it is written. */
export const ownConsequences: readonly Consequence[] = [park, report, unreachable, migrated];

/** The event that a report asks for, as an inbox row of its lane; none where it asks for nothing. */
function eventsOf({ message, decision, result }: Finding): NewEvent[] {
  if (message.report === null || decision.state === 0 || decision.state === 5) return [];
  const { on, lane } = JSON.parse(message.report) as Report;
  if (on === 'blocked' && (decision.state !== 3 || decision.unwanted)) return [];
  const ok = decision.state === 2;
  const facts = ok ? { ok, result } : { ok, error: redact(decision.error ?? 'not sent') };
  const text = JSON.stringify({ roost: { kind: on === 'end' ? 'callResult' : 'blocked', ...facts } });
  return [
    {
      integrationId: message.integrationId,
      bucket: message.bucket,
      lane,
      key: `${on === 'end' ? 'call' : 'blocked'}:${shortName(message.key)}`,
      body: `${text.slice(0, -2)},"report":${message.report}}}`,
    },
  ];
}
