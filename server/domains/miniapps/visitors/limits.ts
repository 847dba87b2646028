// How often one visitor and one address may send something. In memory of this process: a limit against robots, and
// whoever spreads over many addresses still meets the one of the visitor.

export type RateLimit = {
  /** Counts one and answers with the seconds to wait, or 0 where it is allowed. */
  take(name: string, nowMs: number): number;
};

/** What is remembered at most; when more come in one window, the window is forgotten. */
const namesMax = 20_000;

/** At most `max` in any window of `windowSeconds`, counted in two halves so that a burst cannot use an edge. */
export function createRateLimit(max: number, windowSeconds: number): RateLimit {
  const halfMs = windowSeconds * 500;
  let half = 0;
  let now = new Map<string, number>();
  let before = new Map<string, number>();
  return {
    take(name, nowMs) {
      const current = Math.floor(nowMs / halfMs);
      if (current !== half) {
        before = current === half + 1 ? now : new Map();
        now = new Map();
        half = current;
      }
      if (now.size > namesMax) now.clear();
      const count = (now.get(name) ?? 0) + (before.get(name) ?? 0);
      if (count >= max) return Math.ceil(((half + 1) * halfMs - nowMs) / 1_000) + 1;
      now.set(name, (now.get(name) ?? 0) + 1);
      return 0;
    },
  };
}
