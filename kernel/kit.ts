import type { Log } from './log.ts';

/**
 * What every part of the server is given first: a log, a clock and chance. Tests hand in their own.
 * Wall time is for people and for Telegram; whatever decides ownership uses the database's clock, and a
 * process measures its own lease with `monotonicMs`, which no clock change can move.
 */
export type Kit = {
  readonly log: Log;
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds since some fixed moment; never jumps. */
  monotonicMs(): number;
  /** A number in [0, 1). */
  random(): number;
};

/** The kit of a real process. */
export function realKit(log: Log): Kit {
  return { log, now: Date.now, monotonicMs: () => performance.now(), random: Math.random };
}
