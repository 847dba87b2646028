// How often one visitor and one address may send something. In memory of this process: a limit against robots, and
// whoever spreads over many addresses still meets the one of the visitor.
import { createTally } from '../../../../kernel/tally.ts';

export type RateLimit = {
  /** Counts one and answers with the seconds to wait, or 0 where it is allowed. */
  take(name: string, nowMs: number): number;
};

/** Who has counts of their own; more of them in one window share some. */
const namesMax = 20_000;

/** At most `max` in any window of `windowSeconds`, counted in two halves so that a burst cannot use an edge. */
export function createRateLimit(max: number, windowSeconds: number): RateLimit {
  const halfMs = windowSeconds * 500;
  let half = 0;
  let now = createTally(namesMax);
  let before = createTally(namesMax);
  return {
    take(name, nowMs) {
      const current = Math.floor(nowMs / halfMs);
      if (current !== half) {
        before = current === half + 1 ? now : createTally(namesMax);
        now = createTally(namesMax);
        half = current;
      }
      if (now.count(name) + before.count(name) >= max) return Math.ceil(((half + 1) * halfMs - nowMs) / 1_000) + 1;
      now.add(name);
      return 0;
    },
  };
}

/** How much may be on its way in at once. */
export type Room = {
  /** Room for so many bytes of this sender, until the answer is called; undefined where there is none left. */
  take(sender: string, bytes: number): (() => void) | undefined;
};

/** At most `bytesMax` of everybody at once, and `senderBytesMax` of one; one thing alone always has room. */
export function createRoom(bytesMax: number, senderBytesMax: number): Room {
  const bySender = new Map<string, number>();
  let all = 0;
  return {
    take(sender, bytes) {
      const own = bySender.get(sender) ?? 0;
      if ((all > 0 && all + bytes > bytesMax) || (own > 0 && own + bytes > senderBytesMax)) return undefined;
      all += bytes;
      bySender.set(sender, own + bytes);
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        all -= bytes;
        const left = (bySender.get(sender) ?? 0) - bytes;
        if (left > 0) bySender.set(sender, left);
        else bySender.delete(sender);
      };
    },
  };
}
