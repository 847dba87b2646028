import { apart } from '../../../kernel/apart.ts';
import { Batches } from '../../../kernel/batches.ts';
import type { Db, Tx } from '../../../kernel/db.ts';
import { isDatabaseFault } from '../../../kernel/errors.ts';
import { faultPoint } from '../../../kernel/faultpoint.ts';
import type { Kit } from '../../../kernel/kit.ts';
import { shortName } from '../../../kernel/names.ts';
import { redact } from '../../../kernel/redact.ts';
import { markUnreachable, migrateChat } from '../contacts/contacts.ts';
import { insertEvents } from '../inbox/inbox.ts';
import { lossMethods, recordLosses, refuseChat } from './losses/sql.ts';
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

/** What became of a result: it stands in the table, the message is no longer ours, or it cannot be written down. */
export type Kept = 'kept' | 'gone' | 'given up';

export type Recorder = {
  record(finding: Finding): Promise<Kept>;
  waiting(): number;
  /** The number of a message whose result is not yet written. */
  messageIdOf(integrationId: number, key: string): number | undefined;
};

/** A message that is lost for good, for whoever tells the operator. */
export type Loss = { integrationId: number; chatId: number; method: string; reason: string; words: string };

type Waiting = { finding: Finding; failures: number; done(kept: Kept): void };

const inFlightMax = 2;
const batchMax = 500;
/**
 * Between two batches: nobody waits for the record of a plain result. Under 20 ms, since whoever takes over after a kill
 * repeats what was answered and is not recorded.
 */
const gapMs = 15;
const fullResults = 16;
const retryMs = 500;
/**
 * A result that cannot be written down though the database works (a bug) is written bare at the last try, without what
 * follows from it. Where that fails too it is given up: the message stays `sending`, doubtful for the next owner.
 */
const failuresMax = 5;

/** Writes results down in batches. A database fault only delays them. */
export function createRecorder(
  kit: Kit,
  db: Db,
  options: {
    owns(bucket: number): boolean;
    eventsStored(integrationIds: readonly number[]): void;
    lost?: (loss: Loss) => void;
  },
): Recorder {
  let count = 0;
  const messageIds = new Map<string, number>();
  const batches = new Batches<Waiting>({
    monotonicMs: kit.monotonicMs,
    gapMs,
    full: fullResults,
    inFlightMax,
    take: (queue) => Math.min(queue.length, batchMax),
    write,
  });

  async function write(batch: Waiting[]): Promise<void> {
    const isBare = (waiting: Waiting): boolean => waiting.failures === failuresMax - 1;
    const alone = batch.filter((waiting) => hasConsequences(waiting.finding) && !isBare(waiting));
    const together = batch.filter((waiting) => !alone.includes(waiting));
    const resultOf = (waiting: Waiting) => (isBare(waiting) ? bareResult(waiting.finding) : toResult(waiting.finding));
    // A bug in one must not hold the others.
    const losses = together.filter((waiting) => isLoss(waiting.finding));
    const ordinary = losses.length === 0 ? together : together.filter((waiting) => !losses.includes(waiting));
    const record = (some: readonly Waiting[]) => statements.recordResults(db, some.map(resultOf));
    const recordLost = (some: readonly Waiting[]) => recordLosses(db, some.map(resultOf));
    await apart(ordinary, async (some) => written(some, await record(some)), failed);
    await apart(losses, async (some) => written(some, await recordLost(some)), failed);
    for (const waiting of alone) {
      const work = async () => written([waiting], await db.tx((tx) => writeWithConsequences(tx, waiting.finding)));
      await apart([waiting], work, failed);
    }
  }

  function written(batch: readonly Waiting[], rows: readonly { integration_id: number; key: string }[]): void {
    faultPoint('send-after-record');
    const kept = new Set(rows.map((row) => `${row.integration_id} ${row.key}`));
    for (const waiting of batch) end(waiting, kept.has(nameOf(waiting.finding.message)) ? 'kept' : 'gone');
    // Whoever waits behind a message that cannot be delivered may be told too.
    const told = batch
      .filter(({ finding }) => finding.message.report !== null || finding.decision.unreachable !== undefined)
      .map(({ finding }) => finding.message.integrationId);
    if (told.length > 0) options.eventsStored(told);
    if (options.lost)
      for (const { finding } of batch)
        if (isLoss(finding) && kept.has(nameOf(finding.message))) options.lost(lossOf(finding));
  }

  /** Kept in memory and tried again while the bucket is ours. */
  function failed(batch: readonly Waiting[], error: unknown): void {
    kit.log.warn({ err: error, results: batch.length }, 'outbox.not_recorded');
    if (!isDatabaseFault(error)) for (const waiting of batch) waiting.failures += 1;
    setTimeout(() => retry(batch), retryMs);
  }

  function retry(batch: readonly Waiting[]): void {
    for (const waiting of batch) {
      if (!options.owns(waiting.finding.message.bucket)) end(waiting, 'gone');
      else if (waiting.failures >= failuresMax) end(waiting, 'given up');
      else batches.add(waiting);
    }
  }

  function end(waiting: Waiting, kept: Kept): void {
    count -= 1;
    messageIds.delete(nameOf(waiting.finding.message));
    waiting.done(kept);
  }

  return {
    record(finding) {
      count += 1;
      if (finding.messageId !== null) messageIds.set(nameOf(finding.message), finding.messageId);
      return new Promise((done) => {
        batches.add({ finding, failures: 0, done });
        // A flow, or a message that goes out once more, waits for these.
        if (hasConsequences(finding) || finding.decision.state === 0) batches.hurry();
      });
    },
    waiting: () => count,
    messageIdOf: (integrationId, key) => messageIds.get(`${integrationId} ${key}`),
  };
}

const nameOf = (message: { integrationId: number; key: string }): string => `${message.integrationId} ${message.key}`;

/** A message that never reached anybody and that no exit of the flow hears of. What is no message is no loss. */
const isLoss = ({ message, decision }: Finding): boolean =>
  decision.state === 3 && message.report === null && decision.unwanted !== true && lossMethods.test(message.method);

function hasConsequences({ message, decision }: Finding): boolean {
  return (
    message.report !== null ||
    decision.park !== undefined ||
    decision.unreachable !== undefined ||
    decision.migrateTo !== undefined
  );
}

function toResult({ message, token, decision, messageId }: Finding): statements.Result {
  return {
    integrationId: message.integrationId,
    key: message.key,
    token,
    state: decision.state,
    doubts: decision.doubts,
    messageId,
    error: decision.error === null ? null : storable(redact(decision.error)),
    pauseMs: decision.pauseMs,
  };
}

function lossOf({ message, decision }: Finding): Loss {
  const { integrationId, chatId, method } = message;
  const words = storable(redact(decision.error ?? ''));
  return { integrationId, chatId, method, reason: decision.unreachable ?? words, words };
}

/** Nothing in it that came from outside. */
const bareResult = (finding: Finding): statements.Result => ({
  ...toResult(finding),
  messageId: null,
  error: 'What Telegram answered could not be written down.',
  pauseMs: Math.min(finding.decision.pauseMs, 60_000),
});

/** PostgreSQL holds no zero byte. */
const storable = (text: string): string => text.replaceAll('\0', '').slice(0, 500);

/** The result and everything that follows from it, in one transaction; nothing follows where the row is not ours. */
async function writeWithConsequences(tx: Tx, finding: Finding): Promise<{ integration_id: number; key: string }[]> {
  const { message, decision } = finding;
  const result = [toResult(finding)];
  const kept = isLoss(finding)
    ? await recordLosses(tx, result, decision.unreachable)
    : await statements.recordResults(tx, result);
  if (kept.length === 0) return kept;
  const chat = { integrationId: message.integrationId, bucket: message.bucket, chatId: message.chatId };
  if (decision.park) {
    const chatId = decision.park.scope === 'bot' ? 0 : message.chatId;
    await statements.insertPark(tx, { integrationId: message.integrationId, chatId, seconds: decision.park.seconds });
    if (decision.state === 5) await statements.parkMessages(tx, chat);
  }
  const events = eventsOf(finding);
  if (decision.unreachable !== undefined) {
    const { integrationId, chatId } = message;
    await markUnreachable(tx, { integrationId, chatId, reason: decision.unreachable });
    const refused = { ...chat, error: decision.error ?? decision.unreachable, reason: decision.unreachable };
    for (const row of await refuseChat(tx, refused)) {
      events.push(...eventsOf({ ...finding, message: { ...message, key: row.key, report: row.report } }));
    }
  }
  if (decision.migrateTo !== undefined) {
    const move = { integrationId: message.integrationId, fromId: message.chatId, toId: decision.migrateTo };
    await statements.renameChat(tx, move);
    await migrateChat(tx, move);
  }
  if (events.length > 0) await insertEvents(tx, events);
  return kept;
}

/** The event that a report asks for, as an inbox row of its lane; none where it asks for nothing. */
function eventsOf({ message, decision, result }: Finding): Parameters<typeof insertEvents>[1][number][] {
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
