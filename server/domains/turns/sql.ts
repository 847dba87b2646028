import type { Queryable, Tx } from '../../../kernel/db.ts';
import { sql } from '../../../kernel/sql.ts';

export type NewTimer = {
  integrationId: number;
  bucket: number;
  lane: number;
  key: string;
  delayMs: number;
  body: string;
};

/**
 * Who waits longer for a lock in this transaction fails with a fault, and is tried again; a statement that takes longer than
 * it may is ended.
 */
export const limitTimes = (tx: Tx, statementMs: number) =>
  tx.run(sql`
    select set_config('lock_timeout', '100ms', true), set_config('statement_timeout', ${String(statementMs)}, true)`);

export const insertTimers = (tx: Tx, timers: readonly NewTimer[]) =>
  tx.run(sql`
    insert into timer (integration_id, bucket, lane, key, due_at, body)
    select u.integration_id, u.bucket, u.lane, u.key, now() + make_interval(secs => u.delay_ms / 1000), u.body
    from rows from (
      unnest(${timers.map((timer) => timer.integrationId)}::bigint[]),
      unnest(${timers.map((timer) => timer.bucket)}::smallint[]),
      unnest(${timers.map((timer) => timer.lane)}::bigint[]),
      unnest(${timers.map((timer) => timer.key)}::text[]),
      unnest(${timers.map((timer) => timer.delayMs)}::float8[]),
      json_array_elements(${`[${timers.map((timer) => timer.body).join(',')}]`}::json)
    ) as u (integration_id, bucket, lane, key, delay_ms, body)
    on conflict do nothing`);

export const deleteTimers = (tx: Tx, timers: readonly { integrationId: number; key: string }[]) =>
  tx.run(sql`
    delete from timer t
    using unnest(${timers.map((timer) => timer.integrationId)}::bigint[], ${timers.map((timer) => timer.key)}::text[]) as u (integration_id, key)
    where t.integration_id = u.integration_id and t.key = u.key`);

/**
 * Takes what is due away, once, whoever does it, and gives it as events of their lanes. The lane of a group that became a
 * supergroup is the new one: an answer that came there before must be heard before. `skip` of them are left out.
 */
export const deleteDueTimers = (tx: Tx, limit: number, skip: number) =>
  tx.many<{ integrationId: number; key: string; bucket: number; lane: number; body: string }>(sql`
    with due as (
      delete from timer where (integration_id, key) in (
        select integration_id, key from timer where due_at <= now()
        order by due_at limit ${limit} offset ${skip} for update skip locked
      ) returning integration_id, key, bucket, lane, body
    )
    select due.integration_id as "integrationId", 'timer:' || due.key as key, due.bucket,
      coalesce(g.migrated_to, due.lane) as lane, due.body
    from due left join contact g on g.integration_id = due.integration_id
      and g.contact_id = case when due.lane < 0 then due.lane end`);

/** Which bots have timers; one index probe a bot. */
export const timerBots = (db: Queryable) =>
  db.many<{ integration_id: number }>(sql`
    with recursive bots as (
      (select integration_id from timer order by integration_id limit 1)
      union all
      select (
        select t.integration_id from timer t where t.integration_id > bots.integration_id order by t.integration_id limit 1
      )
      from bots where bots.integration_id is not null
    )
    select integration_id from bots where integration_id is not null`);

/** Deletes timers of bots that are disconnected. At most `limit` rows. */
export const dropTimers = (db: Queryable, drop: { ids: readonly number[]; limit: number }) =>
  db.run(sql`
    delete from timer where (integration_id, key) in (
      select integration_id, key from timer where integration_id = any(${drop.ids}::bigint[])
      limit ${drop.limit} for update skip locked
    )`);

/** Milliseconds until the next timer is due; null when there is none. */
export const nextTimer = (db: Queryable) =>
  db.one<{ left_ms: number | null }>(sql`
    select (extract(epoch from min(due_at) - now()) * 1000)::float8 as left_ms from timer`);

/** Uses tokens up. Raises when one of them was used already: then the turn must see that. */
export const insertPresses = (tx: Tx, presses: readonly { integrationId: number; token: string }[]) =>
  tx.run(sql`
    with used as (
      insert into press (integration_id, token)
      select * from unnest(${presses.map((press) => press.integrationId)}::bigint[], ${presses.map((press) => press.token)}::text[])
      on conflict do nothing
      returning 1
    )
    select must((select count(*) from used) = ${presses.length}, 'press')`);

export const findPresses = (db: Queryable, presses: readonly { integrationId: number; token: string }[]) =>
  db.many<{ integration_id: number; token: string }>(sql`
    select p.integration_id, p.token from press p
    join unnest(${presses.map((press) => press.integrationId)}::bigint[], ${presses.map((press) => press.token)}::text[]) as u (integration_id, token)
      on p.integration_id = u.integration_id and p.token = u.token`);

/**
 * A row where this button was used up before the update with this key came. Its own turn may use it up before anybody asks
 * this, and that is no reason to call it used.
 */
export const findEarlierPress = (db: Queryable, press: { integrationId: number; token: string; key: string }) =>
  db.one(sql`
    select 1 as used from press p
    join inbox i on i.integration_id = p.integration_id and i.key = ${press.key}
    where p.integration_id = ${press.integrationId} and p.token = ${press.token} and p.used_at < i.received_at`);

export const prunePresses = (db: Queryable, prune: { days: number; limit: number; skip: number }) =>
  db.run(sql`
    delete from press where ctid = any(array(
      select ctid from press where used_at < now() - make_interval(days => ${prune.days})
      order by used_at limit ${prune.limit} offset ${prune.skip}
    ))`);
