import type { PendingUpdate } from './update-queue.ts';

/** Why a long poll ended without updates. */
export type PollEnd = 'timeout' | 'replaced' | 'webhook' | 'closed';

/** One getUpdates that waits. */
export class Poller {
  readonly #take: () => PendingUpdate[];
  readonly #settle: (outcome: PendingUpdate[] | PollEnd) => void;
  readonly #timer: NodeJS.Timeout;
  #done = false;

  constructor(timeoutMs: number, take: () => PendingUpdate[], settle: (outcome: PendingUpdate[] | PollEnd) => void) {
    this.#take = take;
    this.#settle = settle;
    this.#timer = setTimeout(() => this.end('timeout'), timeoutMs);
  }

  /** Something has come. */
  wake(): void {
    if (!this.#done) this.end(this.#take());
  }

  end(outcome: PendingUpdate[] | PollEnd): void {
    if (this.#done) return;
    this.#done = true;
    clearTimeout(this.#timer);
    this.#settle(outcome);
  }
}
