import { atTurnsEnd } from './soon.ts';

export type BatchesOptions<Item> = {
  monotonicMs: () => number;
  /**
   * Between the beginnings of two batches, for as long as less than `full` items wait, and only while so much comes that
   * a batch would gather three or more.
   */
  gapMs: number;
  /** So many items are worth a batch of their own, however soon after the last. */
  full: number;
  inFlightMax: number;
  /** How many of these, from the front, go into one batch; at least one. */
  take(queue: readonly Item[]): number;
  /** Must not throw: each item is told its own end. */
  write(batch: Item[]): Promise<void>;
};

/** A longer rest says no more about how much comes. */
const restMs = 100;
const gatheredMin = 3;

/**
 * Gathers what comes into batches, in order. An item that comes after a rest leaves at the end of its turn of the event
 * loop, and so does each while little comes: nobody waits for a timer in vain. Within dense traffic what comes in a gap
 * leaves together, and while all places are taken everything gathers, so load itself sets the size.
 */
export class Batches<Item> {
  readonly #options: BatchesOptions<Item>;
  readonly #flushAtEnd = atTurnsEnd(() => this.#flush());
  #queue: Item[] = [];
  #inFlight = 0;
  #lastMs = Number.NEGATIVE_INFINITY;
  /** Between two items, lately: each counts for a twentieth. */
  #everyMs = restMs;
  #cameMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #idle: (() => void)[] = [];

  constructor(options: BatchesOptions<Item>) {
    this.#options = options;
  }

  /** Items that wait for their batch. */
  get waiting(): number {
    return this.#queue.length;
  }

  add(item: Item): void {
    this.#queue.push(item);
    const nowMs = this.#options.monotonicMs();
    this.#everyMs += (Math.min(nowMs - this.#cameMs, restMs) - this.#everyMs) / 20;
    this.#cameMs = nowMs;
    this.#schedule();
  }

  /** What waits leaves at the end of this turn, as far as there are places. */
  hurry(): void {
    this.#flushAtEnd();
  }

  /** Resolves when nothing waits and no batch is in flight. */
  idle(): Promise<void> {
    if (this.#inFlight === 0 && this.#queue.length === 0) return Promise.resolve();
    this.hurry();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #schedule(): void {
    const { gapMs, full, inFlightMax, monotonicMs } = this.#options;
    if (this.#queue.length === 0 || this.#inFlight >= inFlightMax) return;
    if (this.#queue.length >= full) return this.#flushAtEnd();
    if (this.#timer !== undefined) return;
    const waitMs = this.#everyMs * gatheredMin > gapMs ? 0 : this.#lastMs + gapMs - monotonicMs();
    if (waitMs <= 0) this.#flushAtEnd();
    else this.#timer = setTimeout(this.#flushAtEnd, waitMs);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { inFlightMax, monotonicMs, take, write } = this.#options;
    while (this.#inFlight < inFlightMax && this.#queue.length > 0) {
      const batch = this.#queue.splice(0, take(this.#queue));
      this.#inFlight += 1;
      this.#lastMs = monotonicMs();
      void write(batch).finally(() => this.#ended());
    }
  }

  #ended(): void {
    this.#inFlight -= 1;
    this.#schedule();
    if (this.#inFlight === 0 && this.#queue.length === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }
}
