import type { Exchange } from './exchange.ts';

/** How often overdue calls are looked for. A call may overrun its deadline by this much. */
const sweepMs = 250;

export type Deadlines = {
  add(exchange: Exchange): void;
  remove(exchange: Exchange): void;
  size(): number;
  stop(): void;
};

/**
 * Ends calls that are past their deadline. All have the same timeout, so the oldest comes first and one timer
 * serves thousands (an AbortSignal.timeout each costs 25 us). undici's own headersTimeout and bodyTimeout
 * are no substitute: they start when a call is written and again with every piece of the answer, while the
 * new owner of a bot must know when the last call of the old one is over.
 *
 * A list whose links lie in the calls, and no Set: V8 gives a Set through which much passes a new table again and again,
 * and each table it has left points to the next one and still holds what was in it. Once one of them is old, a collection
 * of young objects keeps all that the later ones held: 6 KB of every message at 2,400 a second.
 */
export function createDeadlines(monotonicMs: () => number, reason: string): Deadlines {
  let oldest: Exchange | undefined;
  let newest: Exchange | undefined;
  let size = 0;
  let timer: ReturnType<typeof setInterval> | undefined;

  function sweep(): void {
    if (size === 0) return stop();
    const now = monotonicMs();
    while (oldest !== undefined && oldest.deadlineMs <= now) {
      const overdue = oldest;
      remove(overdue);
      overdue.giveUp(reason);
    }
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  function add(exchange: Exchange): void {
    exchange.earlier = newest;
    if (newest === undefined) oldest = exchange;
    else newest.later = exchange;
    newest = exchange;
    size += 1;
    timer ??= setInterval(sweep, sweepMs);
  }

  /** Its links are cut, so that what has left leads nowhere. */
  function remove(exchange: Exchange): void {
    const { earlier, later } = exchange;
    if (earlier === undefined && oldest !== exchange) return;
    if (earlier === undefined) oldest = later;
    else earlier.later = later;
    if (later === undefined) newest = earlier;
    else later.earlier = earlier;
    exchange.earlier = undefined;
    exchange.later = undefined;
    size -= 1;
  }

  return { add, remove, size: () => size, stop };
}
