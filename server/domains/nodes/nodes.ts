import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '../../../kernel/db.ts';
import { faultPoint } from '../../../kernel/faultpoint.ts';
import type { Kit } from '../../../kernel/kit.ts';
import { loop } from '../../../kernel/loop.ts';
import type { Service } from '../../../kernel/service.ts';
import { hostIdentity, isDeadHere } from './host.ts';
import { fairShare, leaseHolds, leaseMs, marginMs, renewMs } from './rules.ts';
import * as statements from './sql.ts';

export { marginMs } from './rules.ts';

/** What a process may rely on about the buckets it owns. Answers change by themselves: ask each time. */
export type Ownership = {
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
  gained(gains: readonly Gain[]): Promise<void>;
  /** Finish what is in hand for these buckets and forget them; `owns` already says no. */
  drain(buckets: readonly number[]): Promise<void>;
  /** The lease ran out: forget these buckets at once; nothing in hand may be written or sent any more. */
  lost(buckets: readonly number[]): void;
};

export type Node = Service &
  Ownership & {
    id(): string;
    addOwner(owner: Owner): void;
    /** Called when another process has become or stopped being a receiver. */
    onReceivers(listener: (sole: boolean) => Promise<void>): void;
    /** Resolves when every owner knows of this receiver; only then may it answer 200. */
    receiverReady(): Promise<void>;
    /** True while this process may accept updates: its lease holds and every owner knows of it. */
    receives(): boolean;
    nudge(): void;
    /** The buckets that are ours now. */
    buckets(): number[];
  };

/**
 * Registers this process, keeps its lease, and shares the 256 buckets among all processes with the role core.
 * Only the database's clock decides who is alive; the own monotonic clock only makes us stop earlier.
 */
export function createNode(kit: Kit, db: Db, options: { roles: readonly string[] }): Node {
  const core = options.roles.includes('core');
  const receiver = options.roles.includes('edge');
  const host = hostIdentity();
  const owners: Owner[] = [];
  const receiverListeners: ((sole: boolean) => Promise<void>)[] = [];
  const held = new Map<number, number>();
  const leaving = new Set<number>();
  let id = randomUUID();
  let askedMs = Number.NEGATIVE_INFINITY;
  let epoch: number | null = null;
  let epochSeen = 0;
  let sole = false;
  let open = false;
  let joined = false;
  let waiters: (() => void)[] = [];

  const holds = (): boolean => joined && leaseHolds(askedMs, kit.monotonicMs());
  const beat = loop(kit, 'node', pass);

  async function join(): Promise<void> {
    id = randomUUID();
    askedMs = kit.monotonicMs();
    const row = await statements.insertNode(db, {
      id,
      roles: options.roles,
      host,
      pid: process.pid,
      receiver,
      leaseMs,
    });
    epoch = row?.receiver_epoch ?? null;
    epochSeen = 0;
    joined = true;
    kit.log.info({ node: id, roles: options.roles }, 'node.joined');
  }

  /** The lease ran out (frozen, or cut from the database): everything in memory is somebody else's now. */
  function lapse(): void {
    kit.log.error({ node: id, buckets: held.size }, 'node.lapsed');
    const buckets = [...held.keys()];
    held.clear();
    leaving.clear();
    joined = false;
    open = false;
    sole = false;
    for (const owner of owners) owner.lost(buckets);
  }

  async function renew(): Promise<boolean> {
    const asked = kit.monotonicMs();
    const row = await statements.renewNode(db, { id, epochSeen, leaseMs });
    if (!row) return false;
    askedMs = asked;
    return true;
  }

  /** Ends processes of this host that are gone, at once, and all whose lease ran out. */
  async function endOthers(nodes: readonly statements.NodeRow[]): Promise<void> {
    const dead = nodes.filter((node) => node.host === host && node.id !== id && isDeadHere(node.pid));
    if (dead.length === 0 && nodes.every((node) => node.fresh)) return;
    const ids = dead.map((node) => node.id);
    for (const node of await statements.endNodes(db, ids))
      kit.log.warn({ node: node.id, ended: node.ended }, 'node.ended');
  }

  async function pass(): Promise<number> {
    if (!joined) await join();
    else if (!holds() || !(await renew())) {
      lapse();
      await join();
    }
    await endOthers(await statements.listNodes(db));
    const nodes = await statements.listNodes(db);
    await seeReceivers(nodes);
    if (core) await balance(nodes.filter((node) => node.roles.includes('core')).length);
    await openReceiver();
    return renewMs;
  }

  async function seeReceivers(nodes: readonly statements.NodeRow[]): Promise<void> {
    const receivers = nodes.filter((node) => node.receiver_epoch !== null);
    const others = receivers.some((node) => node.id !== id);
    const newest = Math.max(0, ...receivers.map((node) => node.receiver_epoch ?? 0));
    const nowSole = receiver && !others;
    if (nowSole !== sole) {
      // Losing the privilege takes effect before anything is awaited; gaining it only after a full look at the table.
      if (!nowSole) sole = false;
      for (const listener of receiverListeners) await listener(nowSole);
      sole = nowSole;
    }
    if (newest > epochSeen) {
      epochSeen = newest;
      await renew();
    }
  }

  async function openReceiver(): Promise<void> {
    if (!receiver || open || epoch === null) return;
    const row = await statements.ownersBehind(db, { id, epoch });
    if (row && row.behind > 0) {
      setTimeout(() => beat.nudge(), 200);
      return;
    }
    open = true;
    for (const waiter of waiters) waiter();
    waiters = [];
  }

  async function balance(cores: number): Promise<void> {
    const share = fairShare(cores);
    if (held.size > share) await release([...held.keys()].slice(share));
    if (held.size >= share) return;
    const claimed = await statements.claimBuckets(db, { id, limit: share - held.size });
    if (claimed.length === 0) return;
    faultPoint('takeover-after-claim');
    const gains = claimed.map(({ id: bucket, token, inherited, frozen }) => ({ bucket, token, inherited, frozen }));
    for (const gain of gains) held.set(gain.bucket, gain.token);
    kit.log.info(
      { node: id, gained: gains.length, inherited: gains.filter((g) => g.inherited).length, held: held.size },
      'node.gained',
    );
    for (const owner of owners) await owner.gained(gains);
  }

  async function release(buckets: readonly number[]): Promise<void> {
    if (buckets.length === 0) return;
    for (const bucket of buckets) leaving.add(bucket);
    await Promise.all(owners.map((owner) => owner.drain(buckets)));
    faultPoint('release-before-commit');
    await statements.releaseBuckets(db, { id, buckets });
    for (const bucket of buckets) {
      held.delete(bucket);
      leaving.delete(bucket);
    }
    kit.log.info({ node: id, released: buckets.length, held: held.size }, 'node.released');
  }

  return {
    name: 'node',
    id: () => id,
    owns: (bucket) => held.has(bucket) && !leaving.has(bucket) && holds(),
    token: (bucket) => (holds() ? held.get(bucket) : undefined),
    validUntilMs: () => askedMs + leaseMs - marginMs,
    soleReceiver: () => sole && holds(),
    addOwner: (owner) => void owners.push(owner),
    onReceivers: (listener) => void receiverListeners.push(listener),
    receives: () => open && holds(),
    receiverReady: () => (open ? Promise.resolve() : new Promise((resolve) => waiters.push(resolve))),
    nudge: () => beat.nudge(),
    buckets: () => (holds() ? [...held.keys()].filter((bucket) => !leaving.has(bucket)) : []),
    start: async () => {
      await pass();
      await beat.start();
    },
    stop: async () => {
      await beat.stop();
      if (!joined) return;
      await release([...held.keys()]);
      await statements.removeNode(db, id);
      joined = false;
      open = false;
    },
  };
}

/** The fence for one bucket list; see `sql.ts`. Buckets may repeat; each is checked once. */
export function fence(tx: Tx, holdings: ReadonlyMap<number, number>): Promise<number> {
  const buckets = [...holdings.keys()].sort((a, b) => a - b);
  return statements.fenceBuckets(
    tx,
    buckets,
    buckets.map((bucket) => holdings.get(bucket) ?? -1),
  );
}
