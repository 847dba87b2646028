// What becomes of answers to presses and checkouts: how many are under way, how they ended, and what the log is told.
import type { Kit } from '../../../kernel/kit.ts';
import type { UrgentEnd, UrgentKind } from '../outbox/outbox.ts';

/** Work under way, counted in all and by bot. A bot is known only while it has some. */
export class InHand {
  readonly #max: { readonly all: number; readonly ofBot: number };
  readonly #works = new Set<Promise<void>>();
  readonly #ofBot = new Map<number, number>();

  constructor(max: { readonly all: number; readonly ofBot: number }) {
    this.#max = max;
  }

  hasRoom(botId: number): boolean {
    return this.#works.size < this.#max.all && (this.#ofBot.get(botId) ?? 0) < this.#max.ofBot;
  }

  /** `work` must not fail. */
  add(botId: number, work: Promise<void>): void {
    this.#works.add(work);
    this.#ofBot.set(botId, (this.#ofBot.get(botId) ?? 0) + 1);
    void work.then(() => this.#remove(botId, work));
  }

  async ended(): Promise<void> {
    await Promise.all(this.#works);
  }

  #remove(botId: number, work: Promise<void>): void {
    this.#works.delete(work);
    const left = (this.#ofBot.get(botId) ?? 1) - 1;
    if (left > 0) this.#ofBot.set(botId, left);
    else this.#ofBot.delete(botId);
  }
}

/** `skipped`: too many were under way. `failed`: the database or the vault did not give what the answer needs. */
type Result = UrgentEnd['result'] | 'skipped' | 'failed';

/** Gathered for this long before they are logged: a thousand lost answers have the same reason. */
const gatherMs = 1_000;

/** Counts how answers ended, and logs those that reached nobody, a kind in one line. */
export class AnswerEnds {
  readonly counts: Record<string, number> = {};
  readonly #kit: Kit;
  readonly #untold = new Map<UrgentKind, { results: Record<string, number>; reason: unknown }>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(kit: Kit) {
    this.#kit = kit;
  }

  add(kind: UrgentKind, result: Result, reason: unknown): void {
    const name = `${kind} ${result}`;
    this.counts[name] = (this.counts[name] ?? 0) + 1;
    if (result === 'answered') return;
    const untold = this.#untold.get(kind) ?? { results: {}, reason };
    untold.results[result] = (untold.results[result] ?? 0) + 1;
    untold.reason = reason;
    this.#untold.set(kind, untold);
    this.#timer ??= setTimeout(() => this.tell(), gatherMs).unref();
  }

  /** Logs what was not logged yet. */
  tell(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const [kind, { results, reason }] of this.#untold) {
      const why = reason instanceof Error ? { err: reason } : { reason };
      this.#kit.log.warn({ kind, ...results, ...why }, 'acknowledge.unanswered');
    }
    this.#untold.clear();
  }
}
