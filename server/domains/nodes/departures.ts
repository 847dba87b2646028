import type { Kit } from '../../../kernel/kit.ts';
import { atTurnsEnd } from '../../../kernel/soon.ts';
import { cutMsMax } from './rules.ts';

export type DepartureDeps = {
  /** Resolves when nothing of the bucket is in hand. */
  drain(bucket: number): Promise<void>;
  /** Ends what takes too long. */
  cut(bucket: number): void;
  /** Writes down that these are nobody's any more. */
  letGo(buckets: readonly number[]): Promise<void>;
  readonly drainMsMax: number;
};

/**
 * Buckets on their way out. Each goes as soon as its own work is done, whatever holds up the others, and nobody waits for
 * it. What is not done in `drainMsMax` is cut short, and `cutMsMax` later the bucket goes as it is: its new owner
 * treats what was in hand as a lost answer.
 */
export class Departures {
  readonly #kit: Kit;
  readonly #deps: DepartureDeps;
  /** By bucket; the value changes with each departure, so that one that was called off ends in nothing. */
  readonly #leaving = new Map<number, object>();
  readonly #drained = new Set<number>();
  readonly #writeSoon = atTurnsEnd(() => this.writeDown());
  #writing: Promise<void> | undefined;
  #waiters: { resolve(): void; reject(error: unknown): void }[] = [];

  constructor(kit: Kit, deps: DepartureDeps) {
    this.#kit = kit;
    this.#deps = deps;
  }

  has(bucket: number): boolean {
    return this.#leaving.has(bucket);
  }

  begin(buckets: Iterable<number>): void {
    for (const bucket of buckets) {
      if (this.#leaving.has(bucket)) continue;
      const departure = {};
      this.#leaving.set(bucket, departure);
      void this.#ready(bucket).then(() => {
        if (this.#leaving.get(bucket) !== departure) return;
        this.#drained.add(bucket);
        this.#writeSoon();
      });
    }
  }

  /** All of them are off: the lease under which they were held has lapsed. */
  clear(): void {
    this.#leaving.clear();
    this.#drained.clear();
    this.#tellWaiters();
  }

  /** Resolves when none is left; rejects when one cannot be written down. */
  over(): Promise<void> {
    if (this.#leaving.size === 0) return Promise.resolve();
    this.writeDown();
    return new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }));
  }

  /** Lets go of what is ready, and of what could not be written down when it was. */
  writeDown(): void {
    if (this.#writing !== undefined || this.#drained.size === 0) return;
    this.#writing = this.#write([...this.#drained]).finally(() => {
      this.#writing = undefined;
      if (this.#leaving.size === 0) this.#tellWaiters();
    });
  }

  async #write(buckets: readonly number[]): Promise<void> {
    const departures = buckets.map((bucket) => this.#leaving.get(bucket));
    try {
      await this.#deps.letGo(buckets);
      for (const [index, bucket] of buckets.entries()) {
        if (this.#leaving.get(bucket) !== departures[index]) continue;
        this.#leaving.delete(bucket);
        this.#drained.delete(bucket);
      }
      if (this.#drained.size > 0) this.#writeSoon();
    } catch (error) {
      this.#kit.log.warn({ err: error, buckets: buckets.length }, 'node.not_released');
      for (const waiter of this.#waiters.splice(0)) waiter.reject(error);
    }
  }

  /** Resolves when the bucket may go; never rejects. */
  async #ready(bucket: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.#kit.log.warn({ bucket }, 'node.drain_cut');
        this.#deps.cut(bucket);
        timer = setTimeout(resolve, cutMsMax);
      }, this.#deps.drainMsMax);
    });
    const drained = this.#deps.drain(bucket).catch((error: unknown) => {
      this.#kit.log.warn({ err: error, bucket }, 'node.drain_failed');
    });
    await Promise.race([drained, late]);
    clearTimeout(timer);
  }

  #tellWaiters(): void {
    for (const waiter of this.#waiters.splice(0)) waiter.resolve();
  }
}
