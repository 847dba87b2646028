import type { Kit } from '../../../kernel/kit.ts';

/** One line in this time says as much as a line an update, and does not fill a disk that may be full already. */
const logEveryMs = 5_000;
/** After this time without a delivery the failure says nothing any more: somebody has to try. */
const troubleKeptMs = 10_000;

/**
 * Updates that could not be stored: counted for the metrics, told in the log, and remembered for a while, so that a
 * process that takes nothing does not call itself ready.
 */
export class FailedStores {
  readonly #kit: Kit;
  #total = 0;
  #untold = 0;
  #sinceLast = 0;
  #loggedMs = Number.NEGATIVE_INFINITY;
  #failedMs: number | undefined;

  constructor(kit: Kit) {
    this.#kit = kit;
  }

  /** Updates since the process began. */
  get total(): number {
    return this.#total;
  }

  failed(error: unknown, updates: number): void {
    const nowMs = this.#kit.monotonicMs();
    this.#total += updates;
    this.#untold += updates;
    this.#sinceLast += updates;
    this.#failedMs = nowMs;
    if (nowMs - this.#loggedMs < logEveryMs) return;
    this.#kit.log.warn({ updates: this.#untold, err: error }, 'intake.not_stored');
    this.#loggedMs = nowMs;
    this.#untold = 0;
  }

  /** Storing works: whatever was before is over. */
  worked(): void {
    if (this.#failedMs === undefined) return;
    this.#kit.log.info({ updates: this.#sinceLast }, 'intake.stores_again');
    this.#failedMs = undefined;
    this.#loggedMs = Number.NEGATIVE_INFINITY;
    this.#untold = 0;
    this.#sinceLast = 0;
  }

  /** What is wrong, as a sentence; undefined while updates are stored, or none has come for a while. */
  trouble(): string | undefined {
    if (this.#failedMs === undefined || this.#kit.monotonicMs() - this.#failedMs > troubleKeptMs) return undefined;
    return 'The last updates could not be stored. The log says why.';
  }
}
