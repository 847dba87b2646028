import type { Queryable, Tx } from '../../../kernel/db.ts';
import { sql } from '../../../kernel/sql.ts';

/** A row to store. `body` is JSON text or null (then `bytes` holds everything). */
export type NewRow = {
  integrationId: number;
  bucket: number;
  lane: number;
  key: string;
  body: string | null;
  bytes: Buffer | null;
};

export type PendingRow = {
  integration_id: number;
  bucket: number;
  lane: number;
  seq: number;
  key: string;
  body: string | null;
  body_bytes: Buffer | null;
  attempts: number;
  /** Since its arrival and until it may be tried, by the clock of the database. */
  age_ms: number;
  left_ms: number | null;
  /** How many of its bot were looked at; what is not given of these was beyond `bytesMax`. */
  found: number;
};

/**
 * Stores a batch in one statement. All bodies travel as one JSON array (measured: the fastest form), joined as
 * they came. Rows already known are left alone and not returned. Raises RG001 when this process may not
 * receive any more; FOR KEY SHARE makes whoever ends us wait for this commit.
 */
export const insertUpdates = (db: Queryable, nodeId: string, rows: readonly NewRow[]) =>
  db.many<{ integration_id: number; key: string; seq: number }>(sql`
    with me as (
      select id from node where id = ${nodeId} and ended is null and lease_until > now() for key share
    ), fenced as materialized (
      select must((select count(*) from me) = 1, 'receiver')
    )
    insert into inbox (integration_id, bucket, lane, key, body)
    select u.integration_id, u.bucket, u.lane, u.key, u.body
    from fenced, rows from (
      unnest(${rows.map((row) => row.integrationId)}::bigint[]),
      unnest(${rows.map((row) => row.bucket)}::smallint[]),
      unnest(${rows.map((row) => row.lane)}::bigint[]),
      unnest(${rows.map((row) => row.key)}::text[]),
      json_array_elements(${`[${rows.map((row) => row.body ?? 'null').join(',')}]`}::json)
    ) with ordinality as u (integration_id, bucket, lane, key, body, place)
    order by u.integration_id, u.place
    on conflict do nothing
    returning integration_id, key, seq`);

/** Stores one row with its exact bytes; `body` is null where PostgreSQL cannot hold the text as JSON. */
export const insertUpdate = (db: Queryable, nodeId: string, row: NewRow) =>
  db.one<{ seq: number }>(sql`
    with me as (
      select id from node where id = ${nodeId} and ended is null and lease_until > now() for key share
    ), fenced as materialized (
      select must((select count(*) from me) = 1, 'receiver')
    )
    insert into inbox (integration_id, bucket, lane, key, body, body_bytes)
    select ${row.integrationId}::bigint, ${row.bucket}::smallint, ${row.lane}::bigint, ${row.key}::text, ${row.body}::json, ${row.bytes}::bytea
    from fenced
    on conflict do nothing
    returning seq`);

/** Events that are not Telegram's, stored by whoever makes them in the transaction of their cause. */
export const insertEvents = (
  tx: Queryable,
  events: readonly { integrationId: number; bucket: number; lane: number; key: string; body: string }[],
) =>
  tx.run(sql`
    insert into inbox (integration_id, bucket, lane, key, body)
    select * from rows from (
      unnest(${events.map((event) => event.integrationId)}::bigint[]),
      unnest(${events.map((event) => event.bucket)}::smallint[]),
      unnest(${events.map((event) => event.lane)}::bigint[]),
      unnest(${events.map((event) => event.key)}::text[]),
      json_array_elements(${`[${events.map((event) => event.body).join(',')}]`}::json)
    ) as u (integration_id, bucket, lane, key, body)
    on conflict do nothing`);

/**
 * Which bots have something pending in these buckets: steps from bot to bot along the pending index, one probe a
 * bot, whatever the length of their queues.
 */
export const pendingBots = (db: Queryable, buckets: readonly number[]) =>
  db.many<{ bucket: number; integration_id: number }>(sql`
    with recursive bots as (
      select b.id as bucket, (
        select i.integration_id from inbox i where i.bucket = b.id and i.state = 0 order by i.integration_id limit 1
      ) as integration_id
      from unnest(${buckets}::smallint[]) as b (id)
      union all
      select bots.bucket, (
        select i.integration_id from inbox i
        where i.bucket = bots.bucket and i.state = 0 and i.integration_id > bots.integration_id
        order by i.integration_id limit 1
      )
      from bots where bots.integration_id is not null
    )
    select bucket, integration_id from bots where integration_id is not null`);

/**
 * The oldest pending rows of each given bot that are not in `known`, at most `limit` a bot, in order of arrival; the first,
 * and those behind it until there are `bytesMax` of bodies, as stored.
 */
export const pendingRows = (
  db: Queryable,
  bots: {
    buckets: readonly number[];
    ids: readonly number[];
    limit: number;
    bytesMax: number;
    known: readonly number[];
  },
) =>
  db.many<PendingRow>(sql`
    select w.integration_id, w.bucket, w.lane, w.seq, w.key, w.body, w.body_bytes, w.attempts, w.age_ms, w.left_ms, w.found
    from unnest(${bots.buckets}::smallint[], ${bots.ids}::bigint[]) as b (bucket, id)
    cross join lateral (
      select p.*, (count(*) over ())::int as found,
        sum(coalesce(pg_column_size(p.body), 0) + coalesce(pg_column_size(p.body_bytes), 0)) over (
          order by p.seq rows between unbounded preceding and 1 preceding
        ) as bytes_before
      from (
        select i.integration_id, i.bucket, i.lane, i.seq, i.key, i.body, i.body_bytes, i.attempts,
          (extract(epoch from now() - i.received_at) * 1000)::float8 as age_ms,
          (extract(epoch from i.available_at - now()) * 1000)::float8 as left_ms
        from inbox i
        where i.bucket = b.bucket and i.integration_id = b.id and i.state = 0 and i.seq <> all(${bots.known}::bigint[])
        order by i.seq
        limit ${bots.limit}
      ) p
    ) w
    where w.bytes_before is null or w.bytes_before < ${bots.bytesMax}`);

/**
 * Marks rows as done (2) or ignored (4). Raises when one of them is done already: then its effects exist, and the
 * whole transaction must not write them again. Never says `state = 0`: the planner would go through the pending
 * index, at half the rate (measured).
 */
export const completeRows = (
  tx: Tx,
  rows: readonly { integrationId: number; key: string; state: number; trace: string | null }[],
) =>
  tx.run(sql`
    with done as (
      update inbox i set state = u.state, done_at = now(), trace = u.trace
      from rows from (
        unnest(${rows.map((row) => row.integrationId)}::bigint[]),
        unnest(${rows.map((row) => row.key)}::text[]),
        unnest(${rows.map((row) => row.state)}::smallint[]),
        json_array_elements(${`[${rows.map((row) => row.trace ?? 'null').join(',')}]`}::json)
      ) as u (integration_id, key, state, trace)
      where i.integration_id = u.integration_id and i.key = u.key and i.done_at is null
      returning 1
    )
    select must((select count(*) from done) = ${rows.length}, 'inbox')`);

/** Counts an attempt before or after it is made, and says when the next may begin. */
export const markAttempts = (
  tx: Queryable,
  rows: readonly { integrationId: number; key: string; pauseMs: number; error: string | null }[],
) =>
  tx.run(sql`
    update inbox i set attempts = least(i.attempts + 1, 1000), error = coalesce(u.error, i.error),
      available_at = case when u.pause_ms > 0 then now() + make_interval(secs => u.pause_ms / 1000) end
    from unnest(
      ${rows.map((row) => row.integrationId)}::bigint[],
      ${rows.map((row) => row.key)}::text[],
      ${rows.map((row) => row.pauseMs)}::float8[],
      ${rows.map((row) => row.error)}::text[]
    ) as u (integration_id, key, pause_ms, error)
    where i.integration_id = u.integration_id and i.key = u.key and i.done_at is null`);

/** Ends an update as a dead letter. */
export const killRow = (tx: Queryable, row: { integrationId: number; key: string; error: string }) =>
  tx.run(sql`
    update inbox set state = 3, done_at = now(), error = ${row.error}, attempts = least(attempts + 1, 1000)
    where integration_id = ${row.integrationId} and key = ${row.key} and done_at is null`);

/** Ends what is pending for bots that are disconnected. At most `limit` rows; what a turn has in hand is left to it. */
export const endPending = (db: Queryable, end: { ids: readonly number[]; limit: number }) =>
  db.run(sql`
    update inbox set state = 4, done_at = now(), error = 'The bot was disconnected before its turn came.'
    where (integration_id, key) in (
      select p.integration_id, p.key from unnest(${end.ids}::bigint[]) as b (id)
      cross join lateral (
        select i.integration_id, i.key from inbox i
        where i.bucket = (hashint8(b.id) & 255)::smallint and i.integration_id = b.id and i.state = 0
        order by i.seq limit ${end.limit} for update skip locked
      ) p
      limit ${end.limit}
    ) and done_at is null`);

/** Depth up to `limit` and the oldest arrival, by the pending index only. */
export const pendingFigures = (db: Queryable, limit: number) =>
  db.one<{ depth: number; oldest_age_seconds: number | null }>(sql`
    select count(*)::int as depth, extract(epoch from now() - min(received_at))::float8 as oldest_age_seconds
    from (select received_at from inbox where state = 0 limit ${limit}) p`);

export const pendingByBot = (
  db: Queryable,
  bots: { buckets: readonly number[]; ids: readonly number[]; limit: number },
) =>
  db.many<{ integration_id: number; depth: number; oldest_at: Date }>(sql`
    select b.id as integration_id, p.depth, p.oldest_at
    from unnest(${bots.buckets}::smallint[], ${bots.ids}::bigint[]) as b (bucket, id)
    cross join lateral (
      select count(*)::int as depth, min(received_at) as oldest_at from (
        select received_at from inbox i
        where i.bucket = b.bucket and i.integration_id = b.id and i.state = 0
        order by i.seq
        limit ${bots.limit}
      ) q
    ) p
    order by p.depth desc`);

/**
 * Removes bodies and traces of what arrived before `bodyHours` and is done; keys stay for duplicates. At most `limit` rows,
 * the oldest first; `skip` are left out.
 */
export const pruneBodies = (db: Queryable, prune: { bodyHours: number; limit: number; skip: number }) =>
  db.run(sql`
    update inbox set body = null, body_bytes = null, trace = null
    where ctid = any(array(
      select ctid from inbox
      where received_at < now() - make_interval(secs => ${prune.bodyHours * 3600})
        and state in (2, 4) and (body is not null or body_bytes is not null)
      order by received_at limit ${prune.limit} offset ${prune.skip}
    ))`);

/** Removes what was done before `keyHours` (48 to 144), dead letters excepted. At most `limit` rows, leaving out `skip` of them. */
export const pruneKeys = (db: Queryable, prune: { keyHours: number; limit: number; skip: number }) =>
  db.run(sql`
    delete from inbox
    where ctid = any(array(
      (
        select ctid from inbox
        where received_at < now() - make_interval(secs => ${prune.keyHours * 3600})
          and state in (2, 4) and body is null and body_bytes is null
        order by received_at limit ${prune.limit + prune.skip}
      ) union all (
        select ctid from inbox
        where received_at < now() - make_interval(secs => ${prune.keyHours * 3600})
          and state in (2, 4) and (body is not null or body_bytes is not null)
        order by received_at limit ${prune.limit + prune.skip}
      )
      limit ${prune.limit} offset ${prune.skip}
    ))`);
