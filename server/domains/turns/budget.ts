/** A project may take a tenth of the time for its tables, and this much at once. */
const share = 0.1;
const debtMsMax = 500;
/** However slow it was, it is among the others again a minute after its last. */
const debtMsCap = 6_000;

/** How much time a project's tables have taken lately. Beyond its share it works over connections apart from the others. */
export class Budget {
  readonly #nowMs: () => number;
  #debtMs = 0;
  #atMs: number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#atMs = nowMs();
  }

  spend(ms: number): void {
    this.#debtMs = Math.min(debtMsCap, this.#debt() + ms);
    this.#atMs = this.#nowMs();
  }

  /** One statement took all that it is allowed among the others. */
  overdraw(): void {
    this.spend(debtMsCap);
  }

  isOver(): boolean {
    return this.#debt() > debtMsMax;
  }

  #debt(): number {
    return Math.max(0, this.#debtMs - (this.#nowMs() - this.#atMs) * share);
  }
}
