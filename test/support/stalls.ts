/** A moment at which Telegram's own process stood still: what came meanwhile was stamped `ms` late at most. */
export type Stall = { readonly endedMs: number; readonly ms: number };

export type StallWatch = { readonly seen: readonly Stall[]; stop(): void };

const everyMs = 5;
const stallMsMin = 10;

/**
 * The simulated Telegram stamps a call when its process gets to it. On a busy machine that process itself stands
 * still now and then, and then its stamps are late. Measured, so that the auditor need not guess.
 */
export function watchStalls(): StallWatch {
  const seen: Stall[] = [];
  let dueMs = performance.now() + everyMs;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    if (nowMs - dueMs > stallMsMin) seen.push({ endedMs: monotonicMs(), ms: nowMs - dueMs });
    dueMs = nowMs + everyMs;
  }, everyMs);
  return { seen, stop: () => clearInterval(timer) };
}

/** The clock of Telegram's log: CLOCK_MONOTONIC in milliseconds. */
const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;
