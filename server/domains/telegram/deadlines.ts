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
 */
export function createDeadlines(monotonicMs: () => number, reason: string): Deadlines {
  const waiting = new Set<Exchange>();
  let timer: ReturnType<typeof setInterval> | undefined;

  function sweep(): void {
    if (waiting.size === 0) return stop();
    const now = monotonicMs();
    for (const exchange of waiting) {
      if (exchange.deadlineMs > now) break;
      waiting.delete(exchange);
      exchange.giveUp(reason);
    }
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    add(exchange) {
      waiting.add(exchange);
      timer ??= setInterval(sweep, sweepMs);
    },
    remove(exchange) {
      waiting.delete(exchange);
    },
    size: () => waiting.size,
    stop,
  };
}
