import { apart } from '../../../kernel/apart.ts';
import { Batches } from '../../../kernel/batches.ts';
import type { Db } from '../../../kernel/db.ts';
import { isDatabaseFault } from '../../../kernel/errors.ts';
import { faultPoint } from '../../../kernel/faultpoint.ts';
import type { Kit } from '../../../kernel/kit.ts';
import { type Consequence, type Finding, ownConsequences } from './consequences.ts';
import {
  isLoss,
  type Loss,
  lossOf,
  nameOf,
  type RowName,
  recordAll,
  recordBare,
  recordWithConsequences,
} from './recording.ts';

/** What became of a result: it stands in the table, the message is no longer ours, or it cannot be written down. */
export type Kept = 'kept' | 'gone' | 'given up';

export type Recorder = {
  record(finding: Finding): Promise<Kept>;
  waiting(): number;
  /** The number of a message whose result is not yet written. */
  messageIdOf(integrationId: number, key: string): number | undefined;
};

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
    const { plain, lost, bare, together, alone } = sortOut(batch, consequencesOf);
    const record = (rows: Recording) => async (some: readonly Waiting[]) =>
      written(some, await rows(some.map(({ finding }) => finding)));
    const recordPlain = record((findings) => recordAll(db, findings));
    const recordLast = record((findings) => recordBare(db, findings));
    const recordWith = record((findings) => db.tx((tx) => recordWithConsequences(tx, known, findings)));
    await apart(plain, recordPlain, failed);
    // A bug in the statement of losses must not hold the others.
    await apart(lost, recordPlain, failed);
    await apart(bare, recordLast, failed);
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

type Recording = (findings: readonly Finding[]) => Promise<readonly RowName[]>;

/** How each of these results is to be written: what fails with one must hold up none of another kind. */
function sortOut(batch: readonly Waiting[], consequencesOf: (finding: Finding) => readonly Consequence[]) {
  const sorted = { plain: [], lost: [], bare: [], together: [], alone: [] } as Record<
    'plain' | 'lost' | 'bare' | 'together' | 'alone',
    Waiting[]
  >;
  for (const waiting of batch) {
    const following = consequencesOf(waiting.finding);
    const isLast = waiting.failures === failuresMax - 1;
    if (isLast && !following.some(({ required }) => required)) sorted.bare.push(waiting);
    else if (following.length === 0) sorted[isLoss(waiting.finding) ? 'lost' : 'plain'].push(waiting);
    else sorted[following.every((one) => one.together) ? 'together' : 'alone'].push(waiting);
  }
  return sorted;
}
