import type { Db } from '../../../kernel/db.ts';
import { faultPoint } from '../../../kernel/faultpoint.ts';
import type { Kit } from '../../../kernel/kit.ts';
import { type Loop, loop } from '../../../kernel/loop.ts';
import type { Service } from '../../../kernel/service.ts';
import type { Incoming, StoredUpdate } from '../inbox/inbox.ts';
import type { Gain, Owner, Ownership } from '../nodes/nodes.ts';
import { type BotQueue, type Item, type Lane, Lanes } from './lanes.ts';
import { pressDaysMax } from './presses.ts';
import { Reader } from './reader.ts';
import { type Chosen, type Ending, Runner, type RunnerDeps } from './runner.ts';
import { moveDueTimers, nextTimer, prunePresses } from './sql.ts';
import { albumGatherMs, albumOf } from './turn.ts';

export type Turns = Service &
  Owner & {
    /** What this process has just stored; taken at once where memory alone may order it. */
    handOver(rows: readonly StoredUpdate[], repeated: readonly Incoming[]): void;
    /** Something was stored for these bots by somebody else, or they have just been resumed. */
    look(integrationIds: readonly number[]): void;
    /** Reads everything pending once; resolves when it is in memory or known to be behind. */
    readAll(): Promise<void>;
    figures(): { inMemory: number };
  };

export type TurnsOptions = RunnerDeps & {
  kit: Kit;
  db: Db;
  node: Ownership;
  ownedBuckets(): number[];
  bots: RunnerDeps['bots'] & { isWorking(id: number): boolean };
  /** Told of bots that are owned elsewhere. */
  forward(integrationIds: readonly number[]): void;
};

const batchMax = 200;

/** Works on the updates of our buckets: one batch of turns at a time, each of another lane, bots taking turns. */
export function createTurns(options: TurnsOptions): Turns {
  const { kit, node } = options;
  const lanes = new Lanes();
  const runner = new Runner(options);
  const reader = new Reader({ ...options, lanes, added: () => pumpSoon() });
  const timers = timerLoop(kit, options.db, (ids) => reader.want(ids));
  let running: Promise<void> | undefined;
  let scheduled = false;
  let stopped = false;
  let alarm: NodeJS.Timeout | undefined;

  function pumpSoon(): void {
    if (scheduled || stopped) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      pump();
    });
  }

  function pump(): void {
    if (running || stopped) return;
    const nowMs = kit.monotonicMs();
    const taken = lanes.take(batchMax, nowMs).filter(({ bot }) => mayRun(bot));
    const chosen = taken.flatMap(({ bot, lane, head }) => choose(bot, lane, head, nowMs) ?? []);
    if (chosen.length > 0) {
      running = runBatch(chosen).finally(() => {
        running = undefined;
        pumpSoon();
        reader.refill();
      });
    } else if (lanes.anyReady) pumpSoon();
    else wakeLater(nowMs);
  }

  function wakeLater(nowMs: number): void {
    clearTimeout(alarm);
    const nextMs = lanes.nextMs();
    if (nextMs !== Number.POSITIVE_INFINITY) alarm = setTimeout(pumpSoon, Math.max(1, nextMs - nowMs));
  }

  /** A bot that is paused or not ours leaves memory; its updates stand in the table. */
  function mayRun(bot: BotQueue): boolean {
    if (node.owns(bot.bucket) && options.bots.isWorking(bot.id)) return true;
    lanes.forget(bot);
    return false;
  }

  /** The updates of one turn: one, or all parts of an album once its time to gather is over. */
  function choose(bot: BotQueue, lane: Lane, head: Item, nowMs: number): Chosen | undefined {
    const album = albumOf(head);
    if (album === '') return { queue: bot, lane, items: [head] };
    const completeMs = head.seenMs + albumGatherMs;
    if (nowMs < completeMs) {
      head.notBeforeMs = completeMs;
      lanes.finish(bot, lane);
      return undefined;
    }
    return { queue: bot, lane, items: lane.items.filter((item) => albumOf(item) === album) };
  }

  async function runBatch(chosen: Chosen[]): Promise<void> {
    const suspects = chosen.filter((one) => (one.items[0] as Item).suspect);
    const ordinary = chosen.filter((one) => !(one.items[0] as Item).suspect);
    if (ordinary.length > 0) endAll(ordinary, await runner.run(ordinary));
    if (suspects.length === 0) return;
    const verdicts = await runner.markSuspects(suspects);
    for (const [index, one] of suspects.entries()) {
      const verdict = verdicts[index] as Ending | 'may run';
      endAll([one], verdict === 'may run' ? await runner.run([one]) : [verdict]);
    }
  }

  function endAll(chosen: readonly Chosen[], endings: readonly Ending[]): void {
    for (const [index, { queue, lane, items }] of chosen.entries()) {
      const ending = endings[index];
      if (ending === 'lost') lanes.forget(queue);
      else {
        if (ending === 'over') {
          reader.finished(items);
          lanes.remove(queue, lane, items);
        }
        lanes.finish(queue, lane);
      }
    }
  }

  function handOver(rows: readonly StoredUpdate[], repeated: readonly Incoming[]): void {
    const elsewhere: number[] = [];
    const sole = node.soleReceiver();
    for (const row of rows) {
      if (!node.owns(row.bucket)) elsewhere.push(row.integrationId);
      else if (!sole || !reader.mayHandOver(row)) reader.want([row.integrationId]);
      else lanes.add(fromStored(kit, row));
    }
    // A repeat shows that another receiver, or a broken connection, has stored something we may not know.
    for (const row of repeated) if (node.owns(row.bucket)) reader.want([row.integrationId]);
    if (elsewhere.length > 0) options.forward(elsewhere);
    pumpSoon();
  }

  return {
    name: 'turns',
    handOver,
    look: (ids) => reader.want(ids),
    readAll: () => reader.readAll(),
    figures: () => ({ inMemory: lanes.count }),
    async start() {
      await reader.start();
      await timers.start();
    },
    async stop() {
      await timers.stop();
      await reader.stop();
      stopped = true;
      clearTimeout(alarm);
      await running;
    },
    async gained(gains: readonly Gain[]) {
      runner.states.clear();
      reader.gained(gains);
    },
    async drain(buckets) {
      await running;
      forgetBuckets(buckets);
    },
    lost(buckets) {
      forgetBuckets(buckets);
    },
  };

  function forgetBuckets(buckets: readonly number[]): void {
    const gone = new Set(buckets);
    for (const bot of [...lanes.bots.values()]) if (gone.has(bot.bucket)) lanes.forget(bot);
    reader.forget(buckets);
    runner.states.clear();
  }
}

function fromStored(kit: Kit, row: StoredUpdate): Item {
  return {
    integrationId: row.integrationId,
    bucket: row.bucket,
    lane: row.lane,
    seq: row.seq,
    key: row.key,
    receivedMs: kit.now(),
    seenMs: kit.monotonicMs(),
    attempts: 0,
    notBeforeMs: 0,
    suspect: false,
    update: row.update,
    body: null,
  };
}

const timersAPass = 500;
const timerPauseMsMax = 1_000;

/** Moves due timers into the inbox. Sleeps until the next one is due, a second at most: others may set earlier ones. */
function timerLoop(kit: Kit, db: Db, moved: (ids: readonly number[]) => void): Loop {
  return loop(kit, 'timers', async () => {
    const rows = await moveDueTimers(db, timersAPass);
    faultPoint('timer-after-move');
    if (rows.length > 0) moved(rows.map((row) => row.integration_id));
    if (rows.length === timersAPass) return 0;
    const next = await nextTimer(db);
    return Math.max(20, Math.min(timerPauseMsMax, next?.left_ms ?? timerPauseMsMax));
  });
}

/** Retention of used buttons: as long as a button can be pressed at all. */
export function createRetention(kit: Kit, db: Db): Loop {
  return loop(kit, 'press-retention', async () => {
    const removed = await prunePresses(db, { days: pressDaysMax + 1, limit: 2_000 });
    return removed === 2_000 ? 250 : 3_600_000;
  });
}
