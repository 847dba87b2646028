// Updates that were given up: what operators see of them and do with them.
import type { Queryable } from '../../../../kernel/db.ts';
import { sql } from '../../../../kernel/sql.ts';
import type { NewRow } from '../sql.ts';

/** How the error of a dead letter begins whose body is no JSON. */
const unreadable = 'Unreadable:';

/** Stores a body that is no JSON as a dead letter, so that it is counted, listed and kept until somebody has seen it. */
export const insertUnreadable = (db: Queryable, nodeId: string, row: NewRow) =>
  db.one<{ seq: number }>(sql`
    with me as (
      select id from node where id = ${nodeId} and ended is null and lease_until > now() for key share
    ), fenced as materialized (
      select must((select count(*) from me) = 1, 'receiver')
    )
    insert into inbox (integration_id, bucket, lane, key, body_bytes, state, done_at, error)
    select ${row.integrationId}::bigint, ${row.bucket}::smallint, ${row.lane}::bigint, ${row.key}::text, ${row.bytes}::bytea, 3, now(),
      ${`${unreadable} what came is not JSON. Something between Telegram and this server changes what it carries.`}
    from fenced
    on conflict do nothing
    returning seq`);

export type DeadRow = {
  integration_id: number;
  key: string;
  lane: number;
  attempts: number;
  received_at: Date;
  done_at: Date;
  error: string | null;
  body: string | null;
  body_bytes: Buffer | null;
};

export const listDead = (db: Queryable, list: { limit: number; integrationId: number | null }) =>
  db.many<DeadRow>(sql`
    select integration_id, key, lane, attempts, received_at, done_at, error, null as body, null as body_bytes from inbox
    where state = 3 and (${list.integrationId}::bigint is null or integration_id = ${list.integrationId})
    order by done_at desc
    limit ${list.limit}`);

export const showDead = (db: Queryable, row: { integrationId: number; key: string }) =>
  db.one<DeadRow>(sql`
    select integration_id, key, lane, attempts, received_at, done_at, error, body, body_bytes from inbox
    where integration_id = ${row.integrationId} and key = ${row.key} and state = 3`);

/** Puts a dead letter back into its lane, behind nothing: its place by arrival stays. */
export const retryDead = (db: Queryable, row: { integrationId: number; key: string }) =>
  db.run(sql`
    update inbox set state = 0, done_at = null, attempts = 0, available_at = null
    where integration_id = ${row.integrationId} and key = ${row.key} and state = 3`);

/** Gives a dead letter up: it counts as ignored from now on and ages away like everything else. */
export const dropDead = (db: Queryable, row: { integrationId: number; key: string }) =>
  db.run(sql`
    update inbox set state = 4 where integration_id = ${row.integrationId} and key = ${row.key} and state = 3`);

export const deadCount = (db: Queryable) =>
  db.one<{ dead: number; unreadable: number }>(sql`
    select count(*)::int as dead, (count(*) filter (where starts_with(error, ${unreadable})))::int as unreadable
    from (select error from inbox where state = 3 limit 100000) d`);
