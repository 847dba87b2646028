import { TimeHeap } from '../../../kernel/heap.ts';

/** An update (or other event) that waits for its turn. */
export type Item = {
  readonly integrationId: number;
  readonly bucket: number;
  readonly lane: number;
  readonly seq: number;
  readonly key: string;
  /** Wall time of its arrival: what the flow is told. */
  readonly receivedMs: number;
  /** The same by the monotonic clock. */
  readonly seenMs: number;
  attempts: number;
  /** Monotonic time before which it must not be tried (again). */
  notBeforeMs: number;
  /** The first of its lane after a takeover from a process that died: it may have killed it. */
  suspect: boolean;
  /** Of its text. */
  readonly size: number;
  /** The parsed update where it came through this process, else its text to be parsed when its turn comes. */
  update: unknown;
  body: string | null;
};

/** One chat's updates, worked on strictly one after the other. */
export class Lane {
  readonly id: number;
  readonly items: Item[] = [];
  running = false;
  queued = false;

  constructor(id: number) {
    this.id = id;
  }
}

/** One bot's lanes. Exists only while the bot has something pending in memory or in the table. */
export class BotQueue {
  readonly id: number;
  readonly bucket: number;
  readonly lanes = new Map<number, Lane>();
  readonly ready: Lane[] = [];
  readonly known = new Set<number>();
  /** Text of the updates held. */
  bytes = 0;
  queued = false;
  /** The table holds updates of this bot that are not in memory: none may be handed over past them. */
  behind = false;
  /** An update was left in the table since the table was last read. */
  refusedSince = false;

  constructor(id: number, bucket: number) {
    this.id = id;
    this.bucket = bucket;
  }

  get count(): number {
    return this.known.size;
  }
}

/**
 * Updates in memory, and whose turn it is: bots take turns, and within a bot its lanes, so a flooded bot or a
 * busy chat only ever delays itself. Pure: times come in.
 */
export class Lanes {
  readonly #bots = new Map<number, BotQueue>();
  readonly #ready: BotQueue[] = [];
  readonly #later = new TimeHeap<{ bot: BotQueue; lane: Lane }>();
  #count = 0;
  #bytes = 0;

  /** Text of the updates held; parsed, it takes several times as much. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Updates held. */
  get count(): number {
    return this.#count;
  }

  get bots(): ReadonlyMap<number, BotQueue> {
    return this.#bots;
  }

  bot(id: number, bucket: number): BotQueue {
    let bot = this.#bots.get(id);
    if (!bot) {
      bot = new BotQueue(id, bucket);
      this.#bots.set(id, bot);
    }
    return bot;
  }

  /** Adds an update in its place by `seq`. False when it is there already. */
  add(item: Item): boolean {
    const bot = this.bot(item.integrationId, item.bucket);
    if (bot.known.has(item.seq)) return false;
    bot.known.add(item.seq);
    this.#count += 1;
    bot.bytes += item.size;
    this.#bytes += item.size;
    let lane = bot.lanes.get(item.lane);
    if (!lane) {
      lane = new Lane(item.lane);
      bot.lanes.set(item.lane, lane);
    }
    let place = lane.items.length;
    while (place > (lane.running ? 1 : 0) && (lane.items[place - 1] as Item).seq > item.seq) place -= 1;
    lane.items.splice(place, 0, item);
    this.#makeReady(bot, lane);
    return true;
  }

  /** Up to `max` lanes whose head may run at `nowMs`, fairly chosen and marked as running. */
  take(max: number, nowMs: number): { bot: BotQueue; lane: Lane; head: Item }[] {
    for (let due = this.#later.popDue(nowMs); due; due = this.#later.popDue(nowMs)) this.#makeReady(due.bot, due.lane);
    const taken: { bot: BotQueue; lane: Lane; head: Item }[] = [];
    while (taken.length < max) {
      const bot = this.#ready.shift();
      if (!bot) break;
      bot.queued = false;
      const lane = bot.ready.shift();
      if (lane) {
        lane.queued = false;
        const head = lane.items[0];
        if (head && !lane.running) {
          if (head.notBeforeMs > nowMs) this.#later.push(head.notBeforeMs, { bot, lane });
          else {
            lane.running = true;
            taken.push({ bot, lane, head });
          }
        }
      }
      if (bot.ready.length > 0) this.#queue(bot);
    }
    return taken;
  }

  /** When the next delayed lane is due; Infinity when none is. */
  nextMs(): number {
    return this.#later.firstMs();
  }

  get anyReady(): boolean {
    return this.#ready.length > 0;
  }

  /** Removes updates that are over. */
  remove(bot: BotQueue, lane: Lane, items: readonly Item[]): void {
    for (const item of items) {
      const place = lane.items[0] === item ? 0 : lane.items.indexOf(item);
      if (place < 0) continue;
      if (place === 0) lane.items.shift();
      else lane.items.splice(place, 1);
      if (!bot.known.delete(item.seq)) continue;
      this.#count -= 1;
      bot.bytes -= item.size;
      this.#bytes -= item.size;
    }
  }

  /** The lane's turn is over: its next update may run. */
  finish(bot: BotQueue, lane: Lane): void {
    lane.running = false;
    if (this.#bots.get(bot.id) !== bot) return;
    if (lane.items.length === 0) {
      bot.lanes.delete(lane.id);
      if (bot.lanes.size === 0 && !bot.behind) this.#bots.delete(bot.id);
    } else this.#makeReady(bot, lane);
  }

  /** Forgets a bot: it is not ours any more, or it is paused. Lanes that run end in nothing. */
  forget(bot: BotQueue): void {
    this.#count -= bot.known.size;
    this.#bytes -= bot.bytes;
    bot.bytes = 0;
    bot.known.clear();
    bot.lanes.clear();
    bot.ready.length = 0;
    // A turn that was under way may come back for a queue that was forgotten before; the bot may have a new one by then.
    if (this.#bots.get(bot.id) === bot) this.#bots.delete(bot.id);
  }

  #makeReady(bot: BotQueue, lane: Lane): void {
    if (lane.running || lane.queued || lane.items.length === 0 || this.#bots.get(bot.id) !== bot) return;
    lane.queued = true;
    bot.ready.push(lane);
    this.#queue(bot);
  }

  #queue(bot: BotQueue): void {
    if (bot.queued) return;
    bot.queued = true;
    this.#ready.push(bot);
  }
}
