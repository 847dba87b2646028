import { apart } from '../../../kernel/apart.ts';
import { Batches } from '../../../kernel/batches.ts';
import type { Db, Queryable, Tx } from '../../../kernel/db.ts';
import { isDatabaseFault } from '../../../kernel/errors.ts';
import { faultPoint } from '../../../kernel/faultpoint.ts';
import type { Kit } from '../../../kernel/kit.ts';
import { redact } from '../../../kernel/redact.ts';
import { insertEvents } from '../inbox/inbox.ts';
import { type Consequence, type Finding, type NewEvent, ownConsequences } from './consequences.ts';
import { lossMethods, recordLosses } from './losses/sql.ts';
import * as statements from './sql.ts';

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
/** Results with consequences in one transaction: a failing one takes so many others with it before it falls out. */
const togetherMax = 100;
const retryMs = 500;
/**
 * A result that cannot be written down though the database works (a bug) is written bare at the last try, without what
 * follows from it, unless that is required. Where that fails too it is given up: the message stays `sending`, doubtful for the next owner.
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
    /** What follows from results beside what the outbox knows; each is written in the order of the list. */
    consequences?: readonly Consequence[];
  },
): Recorder {
  const known = [...(options.consequences ?? []), ...ownConsequences];
  const consequencesOf = (finding: Finding) => known.filter((one) => one.concerns(finding));
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
    const plain: Waiting[] = [];
    const bare: Waiting[] = [];
    const together: Waiting[] = [];
    const alone: Waiting[] = [];
    for (const waiting of batch) {
      const following = consequencesOf(waiting.finding);
      const isLast = waiting.failures === failuresMax - 1;
      if (isLast && !following.some(({ required }) => required)) bare.push(waiting);
      else if (following.length === 0) plain.push(waiting);
      else if (following.every((one) => one.together)) together.push(waiting);
      else alone.push(waiting);
    }
    const record = async (some: readonly Waiting[]) =>
      written(
        some,
        await recordAll(
          db,
          some.map(({ finding }) => finding),
        ),
      );
    const recordWith = async (some: readonly Waiting[]) =>
      written(
        some,
        await db.tx((tx) =>
          recordWithConsequences(
            tx,
            known,
            some.map(({ finding }) => finding),
          ),
        ),
      );
    const recordBare = async (some: readonly Waiting[]) =>
      written(
        some,
        await statements.recordResults(
          db,
          some.map(({ finding }) => bareResult(finding)),
        ),
      );
    // A bug in the statement of losses must not hold the others.
    await apart(
      plain.filter(({ finding }) => !isLoss(finding)),
      record,
      failed,
    );
    await apart(
      plain.filter(({ finding }) => isLoss(finding)),
      record,
      failed,
    );
    await apart(bare, recordBare, failed);
    for (let from = 0; from < together.length; from += togetherMax)
      await apart(together.slice(from, from + togetherMax), recordWith, failed);
    for (const waiting of alone) await apart([waiting], recordWith, failed);
  }

  function written(batch: readonly Waiting[], rows: readonly { integration_id: number; key: string }[]): void {
    faultPoint('send-after-record');
    const kept = new Set(rows.map((row) => `${row.integration_id} ${row.key}`));
    for (const waiting of batch) end(waiting, kept.has(nameOf(waiting.finding.message)) ? 'kept' : 'gone');
    // Whoever waits behind a message that cannot be delivered may be told too.
    const told = batch
      .filter(({ finding }) => consequencesOf(finding).some(({ soon }) => soon))
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
        // Somebody waits for these, or a message that goes out once more.
        if (finding.decision.state === 0 || consequencesOf(finding).some(({ soon }) => soon)) batches.hurry();
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

/** Results as they are; those of messages that are lost are counted with them, in the same statement. */
async function recordAll(db: Queryable, findings: readonly Finding[]): Promise<RowName[]> {
  const ordinary = findings.filter((finding) => !isLoss(finding));
  const rows = ordinary.length > 0 ? await statements.recordResults(db, ordinary.map(toResult)) : [];
  for (const [reason, lost] of Map.groupBy(findings.filter(isLoss), ({ decision }) => decision.unreachable ?? null))
    rows.push(...(await recordLosses(db, lost.map(toResult), reason)));
  return rows;
}

/** Results and everything that follows from them, in one transaction; nothing follows where the row is not ours. */
async function recordWithConsequences(
  tx: Tx,
  known: readonly Consequence[],
  findings: readonly Finding[],
): Promise<RowName[]> {
  const concerned = known.flatMap((one) => {
    const some = findings.filter(one.concerns);
    return some.length > 0 ? [{ one, some }] : [];
  });
  for (const { one, some } of concerned) await one.lock?.(tx, some);
  const rows = await recordAll(tx, findings);
  const kept = new Set(rows.map((row) => `${row.integration_id} ${row.key}`));
  const events: NewEvent[] = [];
  for (const { one, some } of concerned) {
    const standing = some.filter(({ message }) => kept.has(nameOf(message)));
    if (standing.length > 0) events.push(...(await one.write(tx, standing)));
  }
  if (events.length > 0) await insertEvents(tx, events);
  return rows;
}

type RowName = { integration_id: number; key: string };
