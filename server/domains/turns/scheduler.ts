import type { Db } from '../../../kernel/db.ts';
import type { Service } from '../../../kernel/service.ts';
import { atTurnsEnd } from '../../../kernel/soon.ts';
import type { Incoming, StoredUpdate } from '../inbox/inbox.ts';
import type { Gain, Owner } from '../nodes/nodes.ts';
import { albumOf, completeMs, partsOf } from './albums.ts';
import { askKinds } from './asks/registry.ts';
import { type BotQueue, type Item, type Lane, Lanes } from './lanes.ts';
import { Reach } from './reach.ts';
import { Reader, type ReaderDeps } from './reader.ts';
import { type Ending, Runner, type RunnerDeps } from './runner.ts';
import type { Chosen } from './stages.ts';
import { Streams } from './streams.ts';

export type TurnsOptions = Omit<RunnerDeps, 'asks' | 'tables' | 'reach'> &
  Pick<ReaderDeps, 'ownedBuckets' | 'bots'> & {
    bots: RunnerDeps['bots'];
    /** Connections for turns that use tables, and for those of projects whose tables take more than their share. */
    tablesDb: { among: Db; apart: Db };
    /** Told of bots that are owned elsewhere and have something new. */
    forward(integrationIds: readonly number[]): void;
  };

/** Turns of one commit. More would only make a failing one take more others with it, and 64 were no fairer. */
const batchMax = 200;

/**
 * Works on the updates of our buckets: one batch of turns at a time, each of another chat, bots taking turns. What
 * arrives while a batch is committed is the next batch, so load itself sets the size.
 */
export class Turns implements Service, Owner {
  readonly name = 'turns';
  readonly #options: TurnsOptions;
  readonly #lanes = new Lanes();
  readonly #runner: Runner;
  readonly #streams: Streams;
  /** Which chats cannot be written to. */
  readonly reach = new Reach();
  readonly #reader: Reader;
  #running: Promise<void> | undefined;
  readonly #pumpSoon = atTurnsEnd(() => this.#pump());
  #stopped = false;
  #alarm: NodeJS.Timeout | undefined;

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#runner = new Runner({ ...options, asks: askKinds, reach: this.reach });
    const { kit, tablesDb } = options;
    this.#streams = new Streams({
      kit,
      runnerFor: (budget) =>
        new Runner({
          ...options,
          asks: askKinds,
          reach: this.reach,
          db: eitherDb(() => (budget.isOver() ? tablesDb.apart : tablesDb.among)),
          tables: { budget },
        }),
      run: async (runner, chosen) => {
        await this.#runBatch(runner, chosen);
        this.#pumpSoon();
        this.#reader.refill();
      },
      isThere: ({ queue }) => !this.#stopped && this.#lanes.bots.get(queue.id) === queue,
    });
    this.#reader = new Reader({ ...options, lanes: this.#lanes, added: () => this.#pumpSoon() });
  }

  start(): Promise<void> {
    return this.#reader.start();
  }

  async stop(): Promise<void> {
    await this.#reader.stop();
    this.#stopped = true;
    clearTimeout(this.#alarm);
    await this.#running;
    await this.#streams.settled();
  }

  async gained(gains: readonly Gain[]): Promise<void> {
    this.#forgetStates();
    this.#reader.gained(gains);
  }

  begin(): void {
    this.#reader.nudge();
  }

  async drain(bucket: number): Promise<void> {
    await Promise.all([this.#running, this.#streams.settled(bucket)]);
    this.lost([bucket]);
  }

  lost(buckets: readonly number[]): void {
    const gone = new Set(buckets);
    for (const bot of [...this.#lanes.bots.values()]) if (gone.has(bot.bucket)) this.#lanes.forget(bot);
    this.#reader.forget(buckets);
    this.#forgetStates();
  }

  #forgetStates(): void {
    this.#runner.states.clear();
    this.reach.forgetAll();
    this.#streams.forget();
  }

  /** Something was stored for these bots by somebody else, or they have just been resumed. */
  look(integrationIds: readonly number[]): void {
    this.#reader.want(integrationIds);
  }

  /** Reads everything pending once; resolves when it is in memory or known to be behind. */
  readAll(): Promise<void> {
    return this.#reader.readAll();
  }

  /** What this process has just stored: taken at once where memory alone may order it, else looked up in the table. */
  handOver(rows: readonly StoredUpdate[], repeated: readonly Incoming[]): void {
    const { node } = this.#options;
    const elsewhere: number[] = [];
    const sole = node.soleReceiver();
    // A repeat shows that another receiver, or a broken connection, has stored something we may not know; so it is
    // looked up before anything new is taken past it.
    for (const row of repeated) if (node.owns(row.bucket)) this.#reader.want([row.integrationId]);
    for (const row of rows) {
      if (!node.owns(row.bucket)) elsewhere.push(row.integrationId);
      else if (!sole || !this.#reader.mayHandOver(row)) this.#reader.want([row.integrationId]);
      else this.#lanes.add(this.#fromStored(row));
    }
    if (elsewhere.length > 0) this.#options.forward(elsewhere);
    this.#pumpSoon();
  }

  #fromStored(row: StoredUpdate): Item {
    const { kit } = this.#options;
    const { integrationId, bucket, lane, seq, key, size, update } = row;
    const times = { receivedMs: kit.now(), seenMs: kit.monotonicMs(), notBeforeMs: 0 };
    return { integrationId, bucket, lane, seq, key, size, update, body: null, attempts: 0, suspect: false, ...times };
  }

  #pump(): void {
    if (this.#running || this.#stopped) return;
    const nowMs = this.#options.kit.monotonicMs();
    const taken = this.#lanes.take(batchMax, nowMs).filter(({ bot }) => this.#mayRun(bot));
    const chosen = taken
      .flatMap(({ bot, lane, head }) => this.#choose(bot, lane, head, nowMs) ?? [])
      .filter((one) => !this.#toStream(one, false));
    if (chosen.length > 0) {
      this.#running = this.#runBatch(this.#runner, chosen).finally(() => {
        this.#running = undefined;
        this.#pumpSoon();
        this.#reader.refill();
      });
    } else if (this.#lanes.anyReady) this.#pumpSoon();
    else this.#wakeLater(nowMs);
  }

  #wakeLater(nowMs: number): void {
    clearTimeout(this.#alarm);
    const nextMs = this.#lanes.nextMs();
    if (nextMs !== Number.POSITIVE_INFINITY)
      this.#alarm = setTimeout(() => this.#pumpSoon(), Math.max(1, nextMs - nowMs));
  }

  /** A bot that is paused or not ours leaves memory; its updates stand in the table. */
  #mayRun(bot: BotQueue): boolean {
    const { node, bots } = this.#options;
    if (node.owns(bot.bucket) && bots.isWorking(bot.id)) return true;
    this.#lanes.forget(bot);
    return false;
  }

  /** The updates of one turn: one, or all parts of an album once it is complete. */
  #choose(bot: BotQueue, lane: Lane, head: Item, nowMs: number): Chosen | undefined {
    const album = albumOf(head);
    if (album === '') return { queue: bot, lane, items: [head] };
    const items = partsOf(lane.items, album);
    const dueMs = completeMs(items);
    if (nowMs < dueMs) {
      head.notBeforeMs = dueMs;
      this.#lanes.finish(bot, lane);
      return undefined;
    }
    return { queue: bot, lane, items };
  }

  /** Hands it to the run of its project where there is one, or one is to be opened; false: there is none. */
  #toStream(one: Chosen, open: boolean): boolean {
    const projectId = this.#options.bots.byId(one.queue.id)?.project.id;
    if (projectId === undefined) return false;
    if (!this.#streams.has(projectId)) {
      if (!open) return false;
      // What is remembered of its people is the new run's from now on.
      this.#runner.states.clear();
    }
    this.#streams.offer(projectId, [one]);
    return true;
  }

  async #runBatch(runner: Runner, chosen: readonly Chosen[]): Promise<void> {
    const suspects = chosen.filter((one) => (one.items[0] as Item).suspect);
    const ordinary = chosen.filter((one) => !(one.items[0] as Item).suspect);
    if (ordinary.length > 0) this.#endAll(ordinary, await runner.run(ordinary));
    if (suspects.length > 0) await this.#runSuspects(runner, suspects);
  }

  /**
   * After a process died: each head of a lane may be what killed it, so all are marked by a committed attempt first.
   * Those marked for the first time still run together; one that was marked before runs alone, so that it takes
   * nobody with it again.
   */
  async #runSuspects(runner: Runner, suspects: readonly Chosen[]): Promise<void> {
    const verdicts = await runner.markSuspects(suspects);
    const together: Chosen[] = [];
    const alone: Chosen[] = [];
    for (const [index, one] of suspects.entries()) {
      const verdict = verdicts[index] as Ending | 'may run';
      if (verdict !== 'may run') this.#endAll([one], [verdict]);
      else if ((one.items[0] as Item).attempts <= 1) together.push(one);
      else alone.push(one);
    }
    if (together.length > 0) this.#endAll(together, await runner.run(together));
    for (const one of alone) this.#endAll([one], await runner.run([one]));
  }

  #endAll(chosen: readonly Chosen[], endings: readonly Ending[]): void {
    for (const [index, one] of chosen.entries()) {
      const { queue, lane, items } = one;
      const ending = endings[index];
      if (ending === 'elsewhere' && this.#toStream(one, true)) continue;
      if (ending === 'lost') {
        this.#lanes.forget(queue);
        continue;
      }
      if (ending === 'over') {
        this.#reader.finished(items);
        this.#lanes.remove(queue, lane, items);
      }
      this.#lanes.finish(queue, lane);
    }
  }
}

/** Whichever database it is at the moment of each call. */
function eitherDb(now: () => Db): Db {
  return {
    many: (statement) => now().many(statement),
    one: (statement) => now().one(statement),
    run: (statement) => now().run(statement),
    tx: (work) => now().tx(work),
    batch: (work) => now().batch(work),
    load: () => now().load(),
    close: async () => {},
  };
}
