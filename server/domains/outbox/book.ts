import type { Flights } from './files.ts';
import { BotLine } from './lines.ts';
import type { Message } from './message.ts';
import { waitingBulkBytesMax, waitingBytesMax } from './rules.ts';
import type { HeldBytes } from './window.ts';

/** The lines of all bots that have something to send, or limits to remember. Nothing here for a bot that sleeps. */
export class LineBook {
  readonly #lines = new Map<number, BotLine>();
  readonly #monotonicMs: () => number;
  readonly #held: HeldBytes = [0, 0];
  readonly flights: Flights;
  /** Until when nothing is sent for a bucket: its last owner may be frozen with calls under way. */
  readonly holdUntilMs = new Map<number, number>();
  /**
   * Messages that are, or may be, marked as being sent by us, with the token of the mark; from before the commit that
   * marks them until their result stands in the table; by bucket. A row marked under our token that is not here is an orphan:
   * the answer to its commit was lost, and nobody calls it. A turn that is run again, since nobody heard that its commit
   * was done, places a message once more that is being sent already; so each holder lets go for itself only.
   */
  readonly #inHand = new Map<number, Map<string, { token: number; holders: number }>>();
  /** Who waits until nothing of a bucket is in hand. */
  readonly #waiters = new Map<number, (() => void)[]>();

  constructor(monotonicMs: () => number, flights: Flights) {
    this.flights = flights;
    this.#monotonicMs = monotonicMs;
  }

  take(message: Message, token: number): void {
    let ofBucket = this.#inHand.get(message.bucket);
    if (!ofBucket) {
      ofBucket = new Map();
      this.#inHand.set(message.bucket, ofBucket);
    }
    const name = nameOf(message);
    const held = ofBucket.get(name);
    if (held?.token === token) held.holders += 1;
    else ofBucket.set(name, { token, holders: 1 });
  }

  /** Once for each `take`. */
  drop(message: Message, token: number): void {
    const ofBucket = this.#inHand.get(message.bucket);
    const name = nameOf(message);
    const held = ofBucket?.get(name);
    if (held?.token !== token) return;
    held.holders -= 1;
    if (held.holders > 0) return;
    ofBucket?.delete(name);
    if (ofBucket?.size === 0) this.#nothingInHand(message.bucket);
  }

  isInHand(row: { integration_id: number; bucket: number; key: string; owner_token: number | null }): boolean {
    return this.#inHand.get(row.bucket)?.get(`${row.integration_id} ${row.key}`)?.token === row.owner_token;
  }

  /** True while no more text of a class may wait in memory: what comes then stays in the table until there is room. */
  isFull(of: 0 | 1): boolean {
    const [replies, bulk] = this.#held;
    return replies + bulk >= waitingBytesMax || (of === 1 && bulk >= waitingBulkBytesMax);
  }

  #forget(line: BotLine): void {
    this.#lines.delete(line.id);
    for (const urgency of [0, 1] as const) this.#held[urgency] -= line.windows[urgency].bytes;
  }

  all(): IterableIterator<BotLine> {
    return this.#lines.values();
  }

  find(integrationId: number): BotLine | undefined {
    return this.#lines.get(integrationId);
  }

  /** The bot's line, made when first needed. */
  line(integrationId: number, bucket: number): BotLine {
    let line = this.#lines.get(integrationId);
    if (!line) {
      line = new BotLine(integrationId, bucket, this.#held, this.flights);
      line.parkedUntilMs = this.holdUntilMs.get(bucket) ?? 0;
      this.#lines.set(integrationId, line);
    }
    return line;
  }

  /**
   * A park is over, whatever memory says. What it kept back stands in the table and comes before anything else of its
   * chat, so all of that is read again. The bot's line, where there is one.
   */
  unpark(park: { integration_id: number; chat_id: number }): BotLine | undefined {
    const line = this.#lines.get(park.integration_id);
    if (line && park.chat_id === 0) line.parkedUntilMs = 0;
    else if (line) {
      const chat = line.chat(park.chat_id);
      chat.parkedUntilMs = 0;
      chat.stored = false;
      line.clear(park.chat_id);
      line.parksEnded += 1;
      line.fallBehind();
    }
    return line;
  }

  /** Chats that still count as parked though their time is over: somebody else may have ended their parks. */
  overdueParks(): { integration_id: number; bucket: number; chat_id: number }[] {
    const nowMs = this.#monotonicMs();
    const overdue: { integration_id: number; bucket: number; chat_id: number }[] = [];
    for (const line of this.#lines.values())
      for (const chat of line.chats.values())
        if (chat.stored && chat.parking === 0 && chat.parkedUntilMs < nowMs)
          overdue.push({ integration_id: line.id, bucket: line.bucket, chat_id: chat.id });
    return overdue;
  }

  /** The names of what is in hand now. */
  inHand(): ReadonlySet<string> {
    return new Set([...this.#inHand.values()].flatMap((ofBucket) => [...ofBucket.keys()]));
  }

  /** Resolves when nothing of this bucket is in hand: no call under way, no result unwritten. */
  idle(bucket: number): Promise<void> {
    if (!this.#inHand.has(bucket)) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiters.set(bucket, [...(this.#waiters.get(bucket) ?? []), resolve]);
    });
  }

  #nothingInHand(bucket: number): void {
    this.#inHand.delete(bucket);
    for (const done of this.#waiters.get(bucket) ?? []) done();
    this.#waiters.delete(bucket);
  }

  /** Forgets bots of these buckets. Calls still under way end in nothing: their record is fenced. */
  forget(buckets: readonly number[]): void {
    const gone = new Set(buckets);
    for (const line of this.#lines.values()) if (gone.has(line.bucket)) this.#forget(line);
    for (const bucket of buckets) {
      this.holdUntilMs.delete(bucket);
      this.#nothingInHand(bucket);
    }
  }

  /** Forgets a bot that is disconnected. What of it is under way ends by itself. */
  forgetBot(integrationId: number): void {
    const line = this.#lines.get(integrationId);
    if (line) this.#forget(line);
  }

  /** Drops bots and chats that have nothing to send and no limit left to remember. */
  sweep(): void {
    const nowMs = this.#monotonicMs();
    for (const line of this.#lines.values()) {
      for (const [chatId, chat] of line.chats) {
        if (chat.idle && chat.claimed === 0 && !chat.stored && chat.pace.isRested(nowMs) && chat.parkedUntilMs < nowMs)
          line.chats.delete(chatId);
      }
      if (line.chats.size === 0 && line.isRested(nowMs)) this.#forget(line);
    }
  }
}

const nameOf = ({ integrationId, key }: Message): string => `${integrationId} ${key}`;
