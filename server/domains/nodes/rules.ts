/**
 * Times of the lease. A process renews every `renewMs`; it believes in its own lease until
 * `leaseMs - marginMs` after the last renewal began, by its own monotonic clock, so that it always stops
 * before the database lets anybody else take over. Transactions are given up well under a third of the lease.
 */
export const leaseMs = 15_000;
export const renewMs = 3_000;
export const marginMs = 3_000;
/**
 * A bucket that is given back has this long to end what it has in hand: as long as a short call may last. Then its uploads
 * are cut short, and a little later it goes as it is.
 */
export const drainMsMax = 10_000;
export const cutMsMax = 2_000;
export const bucketCount = 256;

/** How many buckets one of `cores` processes should hold. Rounded up: the last one simply finds fewer. */
export function fairShare(cores: number): number {
  return Math.ceil(bucketCount / Math.max(1, cores));
}

/** Is a lease that was asked for at `askedMs` still ours at `nowMs`? Both by the same monotonic clock. */
export function leaseHolds(askedMs: number, nowMs: number): boolean {
  return nowMs < askedMs + leaseMs - marginMs;
}
