import type { Db } from '../../../kernel/db.ts';
import type { Kit } from '../../../kernel/kit.ts';
import { type Loop, loop } from '../../../kernel/loop.ts';
import { type PendingRow, pendingBots, pendingRows } from '../inbox/inbox.ts';
import type { Gain, Ownership } from '../nodes/nodes.ts';
import type { BotQueue, Item, Lanes } from './lanes.ts';

/** Updates of one bot in memory at most: a flooded bot fills only its own window. */
export const botRowsMax = 200;
/** Updates in memory at most; a standing queue stays in the table. */
export const rowsMax = 10_000;
/** The same in text: an update has 600 bytes as a rule and may have 512 KiB. Parsed, it takes several times as much. */
const botBytesMax = 2 * 2 ** 20;
const bytesMax = 16 * 2 ** 20;
/** Where there is no room for more text, a bot with nothing in memory still gets its next update, so that few do not stop all. */
const smallBytes = 8 * 2 ** 10;
const pollMs = 500;
const botsAQuery = 500;

export type ReaderDeps = {
  kit: Kit;
  db: Db;
  lanes: Lanes;
  node: Ownership;
  ownedBuckets(): number[];
  bots: { byId(id: number): { bucket: number } | undefined; isWorking(id: number): boolean };
  added(): void;
};

/**
 * Brings updates from the table into memory: everything after a takeover, what did not fit before, and whatever
 * came by another way than our own hands. Memory is complete for a bot unless its queue says `behind`; only then
 * may a new update be handed over without a look at the table. No cursor: a number given earlier can be committed
 * later, so rows are asked for by "not in memory yet" (one cursor mis-ordered 965 of 100,000 at takeovers).
 */
export class Reader {
  readonly #deps: ReaderDeps;
  readonly #poll: Loop;
  /** Buckets taken over and not yet read once, as they came to us. */
  readonly #unread = new Map<number, Gain>();
  readonly #wanted = new Set<number>();
  readonly #doneDuringRead = new Set<number>();
  #reading = 0;
  #reads: Promise<void> = Promise.resolve();
  #targeted = false;

  constructor(deps: ReaderDeps) {
    this.#deps = deps;
    this.#poll = loop(deps.kit, 'inbox-reader', async () => {
      await this.readAll();
      return pollMs * (0.75 + deps.kit.random() / 2);
    });
  }

  start(): Promise<void> {
    return this.#poll.start();
  }

  stop(): Promise<void> {
    return this.#poll.stop();
  }

  gained(gains: readonly Gain[]): void {
    for (const gain of gains) this.#unread.set(gain.bucket, gain);
  }

  /** Reads everything soon. */
  nudge(): void {
    this.#poll.nudge();
  }

  forget(buckets: readonly number[]): void {
    for (const bucket of buckets) this.#unread.delete(bucket);
  }

  /** May an update that has just been stored be worked on without a look at the table? */
  mayHandOver(row: { integrationId: number; bucket: number; size: number }): boolean {
    const { lanes, bots } = this.#deps;
    if (this.#unread.has(row.bucket) || !bots.isWorking(row.integrationId)) return false;
    const queue = lanes.bots.get(row.integrationId);
    if (queue?.behind) {
      queue.refusedSince = true;
      return false;
    }
    if (
      (queue && this.#isFull(queue)) ||
      lanes.count >= rowsMax ||
      (lanes.bytes >= bytesMax && row.size > smallBytes)
    ) {
      const full = lanes.bot(row.integrationId, row.bucket);
      full.behind = true;
      full.refusedSince = true;
      return false;
    }
    return true;
  }

  /** Updates are over while a read may be under way whose answer still shows them as pending. */
  finished(items: readonly Item[]): void {
    if (this.#reading > 0) for (const item of items) this.#doneDuringRead.add(item.seq);
  }

  /** Looks into the table for these bots soon; calls made meanwhile are gathered. */
  want(integrationIds: readonly number[]): void {
    for (const { id, bucket } of this.#ours(integrationIds)) {
      this.#wanted.add(id);
      // Until it was read, nothing may be handed over past what may stand there.
      const queue = this.#deps.lanes.bot(id, bucket);
      queue.behind = true;
      queue.refusedSince = true;
    }
    if (this.#targeted || this.#wanted.size === 0) return;
    this.#targeted = true;
    setImmediate(() => {
      this.#targeted = false;
      const ids = [...this.#wanted];
      this.#wanted.clear();
      void this.#oneAtATime(() => this.#readBots(this.#ours(ids))).catch(() => {
        // The poll finds the same rows.
        this.#poll.nudge();
      });
    });
  }

  /** Reads more of bots that are behind, once there is room again. */
  refill(): void {
    const { lanes } = this.#deps;
    if (lanes.count >= rowsMax / 2 || lanes.bytes >= bytesMax / 2 || this.#reading > 0) return;
    const hungry: number[] = [];
    for (const queue of lanes.bots.values())
      if (queue.behind && queue.count < botRowsMax / 4 && queue.bytes < botBytesMax / 4) hungry.push(queue.id);
    if (hungry.length > 0) this.want(hungry);
  }

  /** Everything pending in our buckets, as far as it fits. */
  readAll(): Promise<void> {
    return this.#oneAtATime(async () => {
      const { db, bots, node, ownedBuckets } = this.#deps;
      const buckets = ownedBuckets();
      if (buckets.length === 0) return;
      const fresh = buckets.flatMap((bucket) => this.#unread.get(bucket) ?? []);
      const pending = await pendingBots(db, buckets);
      const mine = pending.filter((bot) => bots.isWorking(bot.integration_id) && node.owns(bot.bucket));
      await this.#readBots(mine.map((bot) => ({ id: bot.integration_id, bucket: bot.bucket })));
      for (const gain of fresh) if (this.#unread.get(gain.bucket) === gain) this.#unread.delete(gain.bucket);
    });
  }

  /** Reads never overlap: each then knows what the one before has brought. */
  #oneAtATime(work: () => Promise<void>): Promise<void> {
    const mine = this.#reads.then(async () => {
      this.#reading += 1;
      try {
        await work();
      } finally {
        this.#reading -= 1;
        if (this.#reading === 0) this.#doneDuringRead.clear();
      }
    });
    this.#reads = mine.catch(() => {});
    return mine;
  }

  #ours(ids: readonly number[]): { id: number; bucket: number }[] {
    const { bots, node } = this.#deps;
    return ids.flatMap((id) => {
      const bot = bots.byId(id);
      return bot && node.owns(bot.bucket) && bots.isWorking(id) ? [{ id, bucket: bot.bucket }] : [];
    });
  }

  async #readBots(bots: readonly { id: number; bucket: number }[]): Promise<void> {
    const { lanes } = this.#deps;
    for (let at = 0; at < bots.length; at += botsAQuery) {
      const room = Math.max(0, rowsMax - lanes.count);
      const some = bots.slice(at, at + botsAQuery);
      const limit = Math.min(botRowsMax, Math.max(8, Math.floor(room / Math.max(1, bots.length - at))));
      // Without room a bot is only known to be behind; it is read when there is some.
      if (room === 0) for (const bot of some) lanes.bot(bot.id, bot.bucket).behind = true;
      else await this.#readSome(some, limit);
    }
  }

  async #readSome(bots: readonly { id: number; bucket: number }[], limit: number): Promise<void> {
    const { db, lanes, node, added } = this.#deps;
    const hungry: { id: number; bucket: number }[] = [];
    for (const bot of bots) {
      const queue = lanes.bots.get(bot.id);
      if (!queue || !this.#isFull(queue)) hungry.push(bot);
      else queue.behind = true;
    }
    if (hungry.length === 0) return;
    const known: number[] = [];
    for (const bot of hungry) {
      const queue = lanes.bots.get(bot.id);
      if (!queue) continue;
      queue.refusedSince = false;
      for (const seq of queue.known) known.push(seq);
    }
    const rows = await pendingRows(db, {
      buckets: hungry.map((bot) => bot.bucket),
      ids: hungry.map((bot) => bot.id),
      limit,
      bytesMax: Math.floor(Math.min(botBytesMax, Math.max(0, bytesMax - lanes.bytes) / hungry.length)),
      known,
    });
    // More than was given: the rest was too much for one look.
    const found = new Map(rows.map((row) => [row.integration_id, row.found]));
    const counts = new Map<number, number>();
    for (const row of rows) {
      counts.set(row.integration_id, (counts.get(row.integration_id) ?? 0) + 1);
      if (node.owns(row.bucket) && !this.#doneDuringRead.has(row.seq)) lanes.add(this.#toItem(row));
    }
    for (const bot of hungry) {
      const count = counts.get(bot.id) ?? 0;
      const full = count >= limit || count < (found.get(bot.id) ?? 0);
      const queue = full ? lanes.bot(bot.id, bot.bucket) : lanes.bots.get(bot.id);
      if (!queue) continue;
      queue.behind = full || queue.refusedSince;
      if (!queue.behind && queue.lanes.size === 0) lanes.forget(queue);
    }
    if (rows.length > 0) added();
  }

  #isFull(queue: BotQueue): boolean {
    const { lanes } = this.#deps;
    if (queue.count >= botRowsMax || queue.bytes >= botBytesMax) return true;
    return queue.count > 0 && lanes.bytes >= bytesMax;
  }

  #toItem(row: PendingRow): Item {
    const { kit, lanes } = this.#deps;
    const queue = lanes.bots.get(row.integration_id);
    const first = !queue?.lanes.get(row.lane);
    const body = row.body ?? row.body_bytes?.toString('utf8') ?? 'null';
    return {
      integrationId: row.integration_id,
      bucket: row.bucket,
      lane: row.lane,
      seq: row.seq,
      key: row.key,
      receivedMs: kit.now() - row.age_ms,
      seenMs: kit.monotonicMs() - row.age_ms,
      attempts: row.attempts,
      notBeforeMs: row.left_ms === null ? 0 : kit.monotonicMs() + row.left_ms,
      suspect: first && this.#unread.get(row.bucket)?.inherited === true,
      update: undefined,
      size: body.length,
      body,
    };
  }
}
