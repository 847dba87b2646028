// What a process owns, as its other parts know it, and the check of it inside a transaction.
import type { Tx } from '../../../kernel/db.ts';
import * as statements from './sql.ts';

/** What a process may rely on about the buckets it owns. Answers change by themselves: ask each time. */
export type Ownership = {
  /** Who we are: the owner that fences name, beside the token. Another one after each lapse. */
  id(): string;
  /** True while the bucket is ours and the lease surely holds. */
  owns(bucket: number): boolean;
  /** The token under which we own the bucket, for fences; undefined when we do not. */
  token(bucket: number): number | undefined;
  /** Until when, by the monotonic clock, this process may act as an owner; it moves with every renewal. */
  validUntilMs(): number;
  /** True while this process is the only one that receives updates, so that memory alone may order them. */
  soleReceiver(): boolean;
};

/** How a bucket came to us: `inherited` when its last owner died or froze; `frozen` when it may still be running. */
export type Gain = { bucket: number; token: number; inherited: boolean; frozen: boolean };

/** The parts of a process that work on owned buckets. */
export type Owner = {
  /** Learn what must be known of these buckets. `owns` says no until every owner has; tried again when it fails. */
  gained(gains: readonly Gain[]): Promise<void>;
  /** What was gained is ours to work on now. */
  begin(): void;
  /** Finish what is in hand for a bucket and forget it; `owns` already says no. Each leaves as soon as its own is done. */
  drain(bucket: number): Promise<void>;
  /** The bucket leaves in a moment, whatever is still in hand: end what can be ended. */
  cut?(bucket: number): void;
  /** The lease ran out: forget these buckets at once; nothing in hand may be written or sent any more. */
  lost(buckets: readonly number[]): void;
};

/**
 * The fence of a transaction: `owner` has these buckets, each under the token beside it. See `sql.ts`.
 */
export function fence(tx: Tx, owner: string, holdings: ReadonlyMap<number, number>): Promise<number> {
  const buckets = [...holdings.keys()].sort((a, b) => a - b);
  return statements.fenceBuckets(
    tx,
    owner,
    buckets,
    buckets.map((bucket) => holdings.get(bucket) ?? -1),
  );
}
