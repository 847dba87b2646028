import { randomUUID } from 'node:crypto';
import type { Db } from '../../../kernel/db.ts';
import type { Kit } from '../../../kernel/kit.ts';
import { type Loop, loop } from '../../../kernel/loop.ts';
import { leaseHolds, leaseMs, marginMs, renewMs } from './rules.ts';
import * as statements from './sql.ts';

export type LeaseOptions = {
  roles: readonly string[];
  host: string;
  receiver: boolean;
  /** The lease ran out; everything that was held under it is somebody else's now. */
  lapsed(): void;
};

/** How soon it is tried again after the database has failed. */
const againMs = 500;

/**
 * The row of this process and its lease. Renewing has a loop of its own, so that a drain that takes its time
 * never costs the lease. Every join, also after a lapse, is a new process for everybody else: a new id.
 */
export class Lease {
  readonly #kit: Kit;
  readonly #db: Db;
  readonly #options: LeaseOptions;
  readonly #renewing: Loop;
  #askedMs = Number.NEGATIVE_INFINITY;
  #joined = false;
  #keeping: Promise<void> = Promise.resolve();
  /** What the database said last; a later answer that says less has lost commits. */
  #known: statements.LeaseKnown = { leaseEnd: 0, epochTold: 0, server: '' };
  id = randomUUID();
  /** Set where this process receives: the number that all owners must have seen. */
  epoch: number | null = null;
  /** The newest receiver this process acts upon; told to everybody with the next renewal. */
  epochSeen = 0;

  #address: string | null = null;

  constructor(kit: Kit, db: Db, options: LeaseOptions) {
    this.#kit = kit;
    this.#db = db;
    this.#options = options;
    this.#renewing = loop(kit, 'lease', () => this.#pass());
  }

  /** True while the lease surely holds, by our own clock and with a margin. */
  get holds(): boolean {
    return this.#joined && leaseHolds(this.#askedMs, this.#kit.monotonicMs());
  }

  get validUntilMs(): number {
    return this.#askedMs + leaseMs - marginMs;
  }

  /** `address`: where this process listens, for commands beside it; null where it does not. */
  async start(address: string | null): Promise<void> {
    this.#address = address;
    await this.#join();
    await this.#renewing.start();
  }

  /** Renewals end; the row stays until `leave`. */
  stop(): Promise<void> {
    return this.#renewing.stop();
  }

  async leave(): Promise<void> {
    if (!this.#joined) return;
    this.#joined = false;
    await statements.removeNode(this.#db, this.id);
  }

  /** Never rests longer than a lease bears: a database that was away for long is asked again at once. */
  async #pass(): Promise<number> {
    try {
      await this.keep();
      return renewMs;
    } catch (error) {
      this.#kit.log.warn({ err: error, node: this.id }, 'lease.not_kept');
      return againMs;
    }
  }

  /** What was believed to be ours is not: commits of ours are lost. Everything is dropped, and the process joins anew. */
  rejoin(): Promise<void> {
    this.#keeping = this.#keeping.catch(() => {}).then(() => this.#joinAnew());
    return this.#keeping;
  }

  /**
   * Renews now; joins anew where the lease ran out (we were frozen, or cut from the database). One after the other:
   * two at once could join twice.
   */
  keep(): Promise<void> {
    this.#keeping = this.#keeping.catch(() => {}).then(() => this.#keepNow());
    return this.#keeping;
  }

  async #keepNow(): Promise<void> {
    if (this.holds && (await this.#renew())) return;
    await this.#joinAnew();
  }

  async #joinAnew(): Promise<void> {
    if (this.#joined) {
      this.#kit.log.error({ node: this.id }, 'node.lapsed');
      this.#joined = false;
      this.#options.lapsed();
    }
    await this.#join();
  }

  /**
   * False when the lease was over before the answer came, whatever the answer is: in between nothing was ours, and
   * what was worked on has been let go of.
   */
  async #renew(): Promise<boolean> {
    const untilMs = this.validUntilMs;
    const askedMs = this.#kit.monotonicMs();
    const { id, epochSeen } = this;
    const row = await statements.renewNode(this.#db, { id, epochSeen, leaseMs, known: this.#known });
    if (!row || this.#kit.monotonicMs() >= untilMs) return false;
    this.#askedMs = askedMs;
    this.#known = { ...this.#known, leaseEnd: row.lease_end, epochTold: epochSeen };
    return true;
  }

  async #join(): Promise<void> {
    const { roles, host, receiver } = this.#options;
    // Whoever we were before is over, also where the answer to an earlier join was lost; nobody need wait for it.
    await statements.endNode(this.#db, this.id);
    const id = randomUUID();
    this.id = id;
    const askedMs = this.#kit.monotonicMs();
    const row = await statements.insertNode(this.#db, {
      id,
      roles,
      host,
      pid: process.pid,
      address: this.#address,
      receiver,
      leaseMs,
    });
    if (!row) throw new Error('The database has not said under which lease this process joined.');
    if (this.#known.server !== '' && this.#known.server !== row.server)
      this.#kit.log.warn({ node: id, before: this.#known.server, now: row.server }, 'node.other_server');
    this.#known = { leaseEnd: row.lease_end, epochTold: 0, server: row.server };
    this.#askedMs = askedMs;
    this.epoch = row.receiver_epoch;
    this.epochSeen = 0;
    this.#joined = true;
    this.#kit.log.info({ node: id, roles }, 'node.joined');
  }
}
