import type { Queryable, Tx } from '../../../kernel/db.ts';
import { sql } from '../../../kernel/sql.ts';

export type NodeRow = {
  id: string;
  roles: string[];
  host: string;
  pid: number;
  receiver_epoch: number | null;
  epoch_seen: number;
  fresh: boolean;
};

/** What a process is told when it joins: its epoch as a receiver, the end of its lease in microseconds since 1970, and which server told it. */
export type JoinedRow = { receiver_epoch: number | null; lease_end: number; server: string };

export const insertNode = (
  db: Queryable,
  node: {
    id: string;
    roles: readonly string[];
    host: string;
    pid: number;
    address: string | null;
    receiver: boolean;
    leaseMs: number;
  },
) =>
  db.one<JoinedRow>(sql`
    insert into node (id, roles, host, pid, address, lease_until, receiver_epoch)
    values (${node.id}, ${node.roles}, ${node.host}, ${node.pid}, ${node.address}, now() + make_interval(secs => ${node.leaseMs / 1000}),
      case when ${node.receiver} then nextval('receiver_epoch') end)
    returning receiver_epoch, (extract(epoch from lease_until) * 1000000)::bigint as lease_end, server_identity() as server`);

/** What the last answer said: whatever says less, or comes from another server, has lost commits of ours. */
export type LeaseKnown = { leaseEnd: number; epochTold: number; server: string };

/**
 * Renews the lease. No row: it ran out and somebody has ended us, or a failover has lost what was committed; the caller
 * must drop everything.
 */
export const renewNode = (db: Queryable, node: { id: string; epochSeen: number; leaseMs: number; known: LeaseKnown }) =>
  db.one<{ lease_end: number }>(sql`
    update node set lease_until = now() + make_interval(secs => ${node.leaseMs / 1000}), epoch_seen = ${node.epochSeen}
    from (select server_identity() as server) s
    where id = ${node.id} and ended is null and lease_until > now()
      and s.server = ${node.known.server} and (extract(epoch from lease_until) * 1000000)::bigint >= ${node.known.leaseEnd}
      and epoch_seen >= ${node.known.epochTold}
    returning (extract(epoch from lease_until) * 1000000)::bigint as lease_end`);

export const listNodes = (db: Queryable) =>
  db.many<NodeRow>(sql`
    select id, roles, host, pid, receiver_epoch, epoch_seen, lease_until > now() as fresh
    from node where ended is null order by started_at`);

/**
 * Ends processes: those given as surely dead, and all whose lease ran out (these may be frozen and wake again).
 * FOR UPDATE is not given while an insert holds the row FOR KEY SHARE, so once a receiver is ended nothing of it can
 * still commit. A process whose row somebody holds is left to the next look, and stops the end of no other; with its
 * lease over it begins no more inserts.
 */
export const endNodes = (db: Queryable, dead: readonly string[]) =>
  db.many<{ id: string; ended: string }>(sql`
    with over as (
      select id from node where ended is null and (lease_until <= now() or id = any(${dead}::uuid[]))
      order by id
      for update skip locked
    )
    update node set ended = case when node.id = any(${dead}::uuid[]) then 'dead' else 'frozen' end
    from over where node.id = over.id
    returning node.id, node.ended`);

/** Ends a process that knows itself that its lease is over. Calls it has begun may still be under way. */
export const endNode = (db: Queryable, id: string) =>
  db.run(sql`
    with over as (select id from node where id = ${id} and ended is null for update)
    update node set ended = 'frozen' from over where node.id = over.id`);

/** Removes a process that leaves in order, and what ended more than a day ago. */
export const removeNode = (db: Queryable, id: string) =>
  db.run(sql`
    delete from node where id = ${id} or id in (
      select id from node where ended is not null and lease_until < now() - interval '1 day' for update skip locked
    )`);

/**
 * Takes up to `limit` buckets that nobody holds, and those that are ours without our knowing (the answer to an
 * earlier claim was lost). None in `held`, which may be on their way out. `inherited` is true where the last owner died or froze: what it
 * had in hand is then doubtful. `frozen` is true where that owner may wake again.
 *
 * A token grows by a step of 2^20 and carries chance below it: a failover may lose the last claim, and the next owner must
 * not get the number that the lost one still goes by. It stays below 2^53 for eight billion owners.
 */
export const claimBuckets = (db: Queryable, claim: { id: string; limit: number; held: readonly number[] }) =>
  db.many<{ id: number; token: number; inherited: boolean; frozen: boolean }>(sql`
    with free as materialized (
      select b.id, b.owner is not null as inherited,
        b.owner is not null and not exists (select 1 from node d where d.id = b.owner and d.ended = 'dead') as frozen
      from bucket b
      where b.id <> all(${claim.held}::smallint[])
        and (
          b.owner is null
          or b.owner = ${claim.id}
          or not exists (select 1 from node n where n.id = b.owner and n.ended is null)
        )
        and exists (select 1 from node me where me.id = ${claim.id} and me.ended is null and me.lease_until > now())
      order by b.id
      limit ${claim.limit}
      for update of b skip locked
    )
    update bucket b set owner = ${claim.id}, token = (b.token / 1048576 + 1) * 1048576 + floor(random() * 1048576)::bigint
    from free where b.id = free.id
    returning b.id, b.token, free.inherited, free.frozen`);

export const releaseBuckets = (db: Queryable, release: { id: string; buckets: readonly number[] }) =>
  db.run(sql`update bucket set owner = null where owner = ${release.id} and id = any(${release.buckets}::smallint[])`);

/** What the table says is ours. */
export const ownedBuckets = (db: Queryable, id: string) =>
  db.many<{ id: number; token: number }>(sql`select id, token from bucket where owner = ${id}`);

/** How many owners have not yet seen a receiver of this epoch. */
export const ownersBehind = (db: Queryable, receiver: { id: string; epoch: number }) =>
  db.one<{ behind: number }>(sql`
    select count(*)::int as behind from node
    where 'core' = any(roles) and id <> ${receiver.id} and ended is null and epoch_seen < ${receiver.epoch}`);

/**
 * The fence of every write of an owner: raises when a bucket has another owner, or another token than the caller's. By
 * both, since a failover may lose a claim, and a number alone could be given twice.
 * FOR SHARE in id order, so that a takeover cannot slip in between this check and the commit.
 */
export const fenceBuckets = (tx: Tx, owner: string, buckets: readonly number[], tokens: readonly number[]) =>
  tx.run(sql`
    with held as (
      select b.id from bucket b
      join unnest(${buckets}::smallint[], ${tokens}::bigint[]) as u (id, token) on u.id = b.id and u.token = b.token
      where b.owner = ${owner}
      order by b.id
      for share of b
    )
    select must((select count(*) from held) = ${buckets.length}, 'bucket')`);
