import type { Db } from '../../../kernel/db.ts';
import { faultPoint } from '../../../kernel/faultpoint.ts';
import type { Kit } from '../../../kernel/kit.ts';
import { type Loop, loop } from '../../../kernel/loop.ts';
import type { Service } from '../../../kernel/service.ts';
import { Departures } from './departures.ts';
import { hostIdentity, isDeadHere } from './host.ts';
import { Lease } from './lease.ts';
import type { Gain, Owner, Ownership } from './ownership.ts';
import { drainMsMax, fairShare, renewMs } from './rules.ts';
import * as statements from './sql.ts';

export { fence, type Gain, type Owner, type Ownership } from './ownership.ts';
export { marginMs } from './rules.ts';

/** How soon it is looked again after the database has failed. */
const lookAgainMs = 500;
/** How soon a new receiver asks again whether all owners know of it. */
const openAgainMs = 200;

/**
 * This process among the others: keeps its lease, and shares the 256 buckets among all processes with the role
 * core. Only the database's clock decides who is alive; the own monotonic clock only makes us stop earlier.
 */
export class Node implements Service, Ownership {
  readonly name = 'node';
  readonly #kit: Kit;
  readonly #db: Db;
  readonly #core: boolean;
  readonly #receiver: boolean;
  readonly #host = hostIdentity();
  readonly #lease: Lease;
  readonly #members: Loop;
  readonly #owners: Owner[] = [];
  readonly #receiverListeners: ((sole: boolean) => Promise<void>)[] = [];
  readonly #held = new Map<number, number>();
  readonly #departures: Departures;
  /** Claimed, and not yet known to every owner. */
  readonly #arriving = new Map<number, Gain>();
  #sole = false;
  #open = false;
  #waiters: (() => void)[] = [];

  constructor(kit: Kit, db: Db, options: { roles: readonly string[]; drainMsMax?: number }) {
    this.#kit = kit;
    this.#db = db;
    this.#core = options.roles.includes('core');
    this.#receiver = options.roles.includes('edge');
    const lapsed = (): void => this.#lapsed();
    this.#lease = new Lease(kit, db, { roles: options.roles, host: this.#host, receiver: this.#receiver, lapsed });
    this.#departures = new Departures(kit, {
      drain: (bucket) => this.#drain(bucket),
      cut: (bucket) => {
        for (const owner of this.#owners) owner.cut?.(bucket);
      },
      letGo: (buckets) => this.#letGo(buckets),
      drainMsMax: options.drainMsMax ?? drainMsMax,
    });
    this.#members = loop(kit, 'members', () => this.#pass());
  }

  id(): string {
    return this.#lease.id;
  }

  owns(bucket: number): boolean {
    return this.#isOurs(bucket) && this.#lease.holds;
  }

  token(bucket: number): number | undefined {
    return this.#lease.holds && !this.#arriving.has(bucket) ? this.#held.get(bucket) : undefined;
  }

  #isOurs(bucket: number): boolean {
    return this.#held.has(bucket) && !this.#departures.has(bucket) && !this.#arriving.has(bucket);
  }

  validUntilMs(): number {
    return this.#lease.validUntilMs;
  }

  soleReceiver(): boolean {
    return this.#sole && this.#lease.holds;
  }

  /** The buckets that are ours now. */
  buckets(): number[] {
    return this.#lease.holds ? [...this.#held.keys()].filter((bucket) => this.#isOurs(bucket)) : [];
  }

  addOwner(owner: Owner): void {
    this.#owners.push(owner);
  }

  /** Called before this process becomes the only receiver, and after it has stopped being that. */
  onReceivers(listener: (sole: boolean) => Promise<void>): void {
    this.#receiverListeners.push(listener);
  }

  /** True while this process may accept updates: its lease holds and every owner knows of it. */
  receives(): boolean {
    return this.#open && this.#lease.holds;
  }

  /** Resolves when every owner knows of this receiver; only then may it answer 200. */
  receiverReady(): Promise<void> {
    return this.#open ? Promise.resolve() : new Promise((resolve) => this.#waiters.push(resolve));
  }

  nudge(): void {
    this.#members.nudge();
  }

  /** `address`: where this process listens, for commands beside it. */
  async start(address: string | null = null): Promise<void> {
    await this.#lease.start(address);
    await this.#look();
    await this.#members.start();
  }

  /** Lets go of everything in order. The lease is kept until all is drained. */
  async stop(): Promise<void> {
    await this.#members.stop();
    this.#departures.begin(this.#held.keys());
    await this.#departures.over();
    await this.#lease.stop();
    await this.#lease.leave();
    this.#open = false;
  }

  #lapsed(): void {
    const buckets = [...this.#held.keys()];
    this.#held.clear();
    this.#departures.clear();
    this.#arriving.clear();
    this.#open = false;
    this.#sole = false;
    for (const owner of this.#owners) owner.lost(buckets);
    this.#members.nudge();
  }

  /** Never rests for long: buckets that nobody works on are waiting. */
  async #pass(): Promise<number> {
    try {
      return await this.#look();
    } catch (error) {
      this.#kit.log.warn({ err: error }, 'node.look_failed');
      return lookAgainMs;
    }
  }

  /** True while the lease of this id holds: not lapsed, and not joined anew. */
  #isStill(id: string): boolean {
    return id === this.#lease.id && this.#lease.holds;
  }

  /** Looks at who else is there, and what follows from it. */
  async #look(): Promise<number> {
    const { id } = this.#lease;
    await this.#endOthers(await statements.listNodes(this.#db));
    const nodes = await statements.listNodes(this.#db);
    // What was seen under a lease that has lapsed meanwhile is worth nothing; the lapse has asked for a new look.
    if (id !== this.#lease.id) return 0;
    await this.#seeReceivers(nodes);
    if (id !== this.#lease.id) return 0;
    if (await this.#hasLostClaims()) {
      await this.#lease.rejoin();
      return 0;
    }
    if (this.#core) await this.#balance(nodes.filter((node) => node.roles.includes('core')).length);
    return (await this.#openReceiver()) ? renewMs : openAgainMs;
  }

  /** Ends processes of this host that are gone, at once, and all whose lease ran out. */
  async #endOthers(nodes: readonly statements.NodeRow[]): Promise<void> {
    const dead = nodes.filter((node) => node.host === this.#host && node.id !== this.#lease.id && isDeadHere(node.pid));
    if (dead.length === 0 && nodes.every((node) => node.fresh)) return;
    const ended = await statements.endNodes(
      this.#db,
      dead.map((node) => node.id),
    );
    for (const node of ended) this.#kit.log.warn({ node: node.id, ended: node.ended }, 'node.ended');
  }

  async #seeReceivers(nodes: readonly statements.NodeRow[]): Promise<void> {
    const receivers = nodes.filter((node) => node.receiver_epoch !== null);
    const others = receivers.some((node) => node.id !== this.#lease.id);
    const newest = Math.max(0, ...receivers.map((node) => node.receiver_epoch ?? 0));
    const sole = this.#receiver && !others;
    if (sole !== this.#sole) {
      // Losing the privilege takes effect before anything is awaited; gaining it only after a full look at the table.
      if (!sole) this.#sole = false;
      const { id } = this.#lease;
      for (const listener of this.#receiverListeners) await listener(sole);
      if (!this.#isStill(id)) return;
      this.#sole = sole;
    }
    if (newest > this.#lease.epochSeen) {
      this.#lease.epochSeen = newest;
      await this.#lease.keep();
    }
  }

  /** False while some owner has not heard of this receiver. */
  async #openReceiver(): Promise<boolean> {
    const { id, epoch } = this.#lease;
    if (!this.#receiver || this.#open || epoch === null) return true;
    const row = await statements.ownersBehind(this.#db, { id, epoch });
    // Asked before a freeze and answered after it, this would open a receiver that no owner has seen yet.
    if (!this.#isStill(id) || (row && row.behind > 0)) return false;
    this.#open = true;
    for (const waiter of this.#waiters.splice(0)) waiter();
    return true;
  }

  /**
   * True when a bucket that we hold is not ours in the table: the commit of our claim was lost in a failover, and nothing
   * that is remembered can be relied on. No living process takes a bucket from another.
   */
  async #hasLostClaims(): Promise<boolean> {
    const { id } = this.#lease;
    const believed = [...this.#held].filter(([bucket]) => !this.#departures.has(bucket));
    if (believed.length === 0) return false;
    const owned = new Map((await statements.ownedBuckets(this.#db, id)).map((row) => [row.id, row.token]));
    if (!this.#isStill(id)) return false;
    const lost = believed.filter(([bucket, token]) => this.#held.get(bucket) === token && owned.get(bucket) !== token);
    if (lost.length > 0) this.#kit.log.error({ node: id, buckets: lost.length }, 'node.claims_lost');
    return lost.length > 0;
  }

  async #balance(cores: number): Promise<void> {
    const share = fairShare(cores);
    // What an earlier look began and could not end, because the database was away.
    await this.#takeOver();
    this.#departures.writeDown();
    const staying = [...this.#held.keys()].filter((bucket) => !this.#departures.has(bucket));
    this.#departures.begin(staying.slice(share));
    if (this.#held.size < share) await this.#claim(share - this.#held.size);
  }

  async #claim(limit: number): Promise<void> {
    const { id } = this.#lease;
    const claimed = await statements.claimBuckets(this.#db, { id, limit, held: [...this.#held.keys()] });
    // Claimed under a lease that lapsed meanwhile: nobody's until it is claimed again.
    if (claimed.length === 0 || !this.#isStill(id)) return;
    faultPoint('takeover-after-claim');
    for (const { id: bucket, token, inherited, frozen } of claimed) {
      this.#held.set(bucket, token);
      this.#arriving.set(bucket, { bucket, token, inherited, frozen });
    }
    const inherited = claimed.filter((bucket) => bucket.inherited).length;
    this.#kit.log.info({ node: id, gained: claimed.length, inherited, held: this.#held.size }, 'node.gained');
    await this.#takeOver();
  }

  /** Lets every owner learn of what has arrived; only then it is worked on. */
  async #takeOver(): Promise<void> {
    if (this.#arriving.size === 0) return;
    const { id } = this.#lease;
    const gains = [...this.#arriving.values()];
    for (const owner of this.#owners) await owner.gained(gains);
    if (id !== this.#lease.id) return;
    for (const { bucket } of gains) this.#arriving.delete(bucket);
    for (const owner of this.#owners) owner.begin();
  }

  /** The last owner first: a turn that is being committed may still give the outbox something to send. */
  async #drain(bucket: number): Promise<void> {
    for (const owner of [...this.#owners].reverse()) await owner.drain(bucket);
  }

  /** Writes down that these buckets are nobody's; others take them at their next look. */
  async #letGo(buckets: readonly number[]): Promise<void> {
    const { id } = this.#lease;
    faultPoint('release-before-commit');
    await statements.releaseBuckets(this.#db, { id, buckets });
    // After a lapse in between, these may be held anew under another lease.
    if (id !== this.#lease.id) return;
    for (const bucket of buckets) {
      this.#held.delete(bucket);
      this.#arriving.delete(bucket);
    }
    this.#kit.log.info({ node: id, released: buckets.length, held: this.#held.size }, 'node.released');
  }
}
