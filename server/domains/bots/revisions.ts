// How far revisions are known for certain. Pure.
//
// A revision is taken from a sequence inside a transaction, so a slow transaction can commit an older one after
// a newer one was read: reading "greater than the greatest seen" would miss it for ever. The low mark moves to
// a revision only when every transaction that may hold one up to it is over:
//
//   at one look     `top`, the last revision given to anybody, is noted;
//   a grace later   all who held a revision up to `top` have their transaction id by now, so it is below the
//                   snapshot's `xmax`, which is noted (between nextval and the id are microseconds);
//   at a later look `xmin`, the oldest transaction still open, has passed that xmax: all of them are over, and
//                   what they committed was visible to this look. `low` becomes `top`.
//
// Until then every look reads again from the old mark, without what it has already taken.

/** What one look says about transactions: pg_current_snapshot() and the sequence's last value. */
export type Horizon = { readonly xmin: number; readonly xmax: number; readonly top: number };

export type Window = {
  /** Every revision up to here is known. */
  readonly low: number;
  /** Revisions above `low` that were taken. */
  readonly taken: ReadonlySet<number>;
  readonly next: { readonly top: number; readonly notedMs: number; readonly xmax: number | undefined } | undefined;
};

/** Nothing is known: the first look reads everything. */
export const nothingKnown: Window = { low: -1, taken: new Set(), next: undefined };

const graceMs = 1_000;

/** The window after a look that has read all above `low` but `taken`: `read` are the revisions it brought. */
export function advance(window: Window, horizon: Horizon, read: readonly number[], nowMs: number): Window {
  const taken = read.length === 0 ? window.taken : new Set([...window.taken, ...read]);
  const { low, next } = window;
  if (next === undefined)
    return horizon.top > low
      ? { low, taken, next: { top: horizon.top, notedMs: nowMs, xmax: undefined } }
      : { ...window, taken };
  if (next.xmax === undefined) {
    const xmax = nowMs - next.notedMs >= graceMs ? horizon.xmax : undefined;
    return { low, taken, next: { ...next, xmax } };
  }
  if (horizon.xmin < next.xmax) return { low, taken, next };
  return { low: next.top, taken: new Set([...taken].filter((rev) => rev > next.top)), next: undefined };
}
