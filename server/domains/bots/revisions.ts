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
//
// Revisions are counted by one server. A failover may lose the last of them, and they are given again for other changes:
// with another server, or a sequence that has gone back, nothing that was read counts, and everything is read anew.

/** What one look says about transactions: pg_current_snapshot(), the sequence's last value, and which server said it. */
export type Horizon = {
  readonly xmin: number;
  readonly xmax: number;
  readonly top: number;
  readonly server: string;
};

export type Window = {
  /** Every revision up to here is known. */
  readonly low: number;
  /** Revisions above `low` that were taken. */
  readonly taken: ReadonlySet<number>;
  /** Whose revisions they are; undefined before the first look. */
  readonly server: string | undefined;
  readonly next: { readonly top: number; readonly notedMs: number; readonly xmax: number | undefined } | undefined;
};

/** Nothing is known: the first look reads everything. */
export const nothingKnown: Window = { low: -1, taken: new Set(), server: undefined, next: undefined };

const graceMs = 1_000;

/** False where the revisions of this look are not those that the window knows: everything is to be read anew. */
export function continues(window: Window, { server, top }: Horizon): boolean {
  if (window.server === undefined) return true;
  return server === window.server && top >= Math.max(window.low, window.next?.top ?? -1);
}

/** The window after a look that has read all above `low` but `taken`: `read` are the revisions it brought. */
export function advance(window: Window, horizon: Horizon, read: readonly number[], nowMs: number): Window {
  const taken = read.length === 0 ? window.taken : new Set([...window.taken, ...read]);
  const { low, next } = window;
  const { server } = horizon;
  if (next === undefined)
    return horizon.top > low
      ? { low, taken, server, next: { top: horizon.top, notedMs: nowMs, xmax: undefined } }
      : { ...window, taken, server };
  if (next.xmax === undefined) {
    const xmax = nowMs - next.notedMs >= graceMs ? horizon.xmax : undefined;
    return { low, taken, server, next: { ...next, xmax } };
  }
  if (horizon.xmin < next.xmax) return { low, taken, server, next };
  return { low: next.top, taken: new Set([...taken].filter((rev) => rev > next.top)), server, next: undefined };
}
