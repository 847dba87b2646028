// What operators look at, what is removed when it is old, and parks whose time has come.
import type { Queryable } from '../../../../kernel/db.ts';
import { sql } from '../../../../kernel/sql.ts';

export type UnknownRow = {
  integration_id: number;
  key: string;
  chat_id: number;
  method: string;
  created_at: Date;
  error: string | null;
};

export const listUnknown = (db: Queryable, list: { limit: number }) =>
  db.many<UnknownRow>(sql`
    select integration_id, key, chat_id, method, created_at, error from outbox
    where state = 4 and seen_at is null order by created_at desc limit ${list.limit}`);

/** An operator has looked at these: they are not listed any more, and age away like everything else. */
export const markSeen = (db: Queryable, seen: { integrationId: number | null; key: string | null }) =>
  db.run(sql`
    update outbox set seen_at = now()
    where state = 4 and seen_at is null
      and (${seen.integrationId}::bigint is null or integration_id = ${seen.integrationId})
      and (${seen.key}::text is null or key = ${seen.key})`);

export const unknownCount = (db: Queryable) =>
  db.one<{ unknown: number }>(
    sql`select count(*)::int as unknown from (select 1 from outbox where state = 4 and seen_at is null limit 100000) u`,
  );

export const openFigures = (db: Queryable, limit: number) =>
  db.one<{ depth: number; oldest_age_seconds: number | null }>(sql`
    select count(*)::int as depth, extract(epoch from now() - min(created_at))::float8 as oldest_age_seconds
    from (select created_at from outbox where state < 2 limit ${limit}) o`);

/** Which bots have messages that are parked; one index probe a bot. */
export const parkedBots = (db: Queryable) =>
  db.many<{ integration_id: number }>(sql`
    with recursive bots as (
      (select integration_id from outbox where state = 5 order by integration_id limit 1)
      union all
      select (
        select o.integration_id from outbox o
        where o.state = 5 and o.integration_id > bots.integration_id order by o.integration_id limit 1
      )
      from bots where bots.integration_id is not null
    )
    select integration_id from bots where integration_id is not null`);

/**
 * Refuses what waits for bots that are disconnected, and forgets what Telegram has asked them to wait. At most `limit` rows;
 * what is being sent is left to whoever sends it.
 */
export const endWaiting = (db: Queryable, end: { ids: readonly number[]; limit: number }) =>
  db.run(sql`
    with unparked as (
      delete from park where integration_id = any(${end.ids}::bigint[])
    ), waiting as materialized (
      select w.* from unnest(${end.ids}::bigint[]) as b (id)
      cross join lateral (
        select o.integration_id, o.key from outbox o
        where o.bucket = (hashint8(b.id) & 255)::smallint and o.integration_id = b.id and o.state < 2 and o.state = 0
        limit ${end.limit} for update skip locked
      ) w
      limit ${end.limit}
    ), parked as materialized (
      select p.* from unnest(${end.ids}::bigint[]) as b (id)
      cross join lateral (
        select o.integration_id, o.key from outbox o
        where o.integration_id = b.id and o.state = 5
        limit ${end.limit} for update skip locked
      ) p
      limit ${end.limit}
    )
    update outbox o set state = 3, available_at = null, error = 'The bot was disconnected before it was sent.'
    from (select * from waiting union all select * from parked) as gone
    where o.integration_id = gone.integration_id and o.key = gone.key`);

/** Removes what was sent or refused before `hours`, the oldest first. At most `limit` rows, leaving out `skip` of them. */
export const pruneMessages = (db: Queryable, prune: { hours: number; limit: number; skip: number }) =>
  db.run(sql`
    delete from outbox where ctid = any(array(
      (
        select ctid from outbox
        where sent_at < now() - make_interval(secs => ${prune.hours * 3600})
          and (state in (2, 3) or (state = 4 and seen_at is not null))
        order by sent_at limit ${prune.limit + prune.skip}
      ) union all (
        select ctid from outbox
        where created_at < now() - make_interval(secs => ${prune.hours * 3600}) and state in (2, 3) and sent_at is null
        order by created_at limit ${prune.limit + prune.skip}
      )
      limit ${prune.limit} offset ${prune.skip}
    ))`);

/** Parks of these buckets whose time has come. */
export const dueParks = (db: Queryable, buckets: readonly number[], limit: number) =>
  db.many<{ integration_id: number; chat_id: number }>(sql`
    select integration_id, chat_id from park
    where until_at <= now() and (hashint8(integration_id) & 255) = any(${buckets}::int[])
    order by until_at limit ${limit}`);

/** Ends those of these parks whose time has come, and lets their messages wait in line again. */
export const endParks = (db: Queryable, parks: readonly { integration_id: number; chat_id: number }[]) =>
  db.many<{ integration_id: number; chat_id: number }>(sql`
    with over as (
      delete from park where (integration_id, chat_id) in (
        select p.integration_id, p.chat_id from park p
        join unnest(
          ${parks.map((park) => park.integration_id)}::bigint[], ${parks.map((park) => park.chat_id)}::bigint[]
        ) as u (integration_id, chat_id) on p.integration_id = u.integration_id and p.chat_id = u.chat_id
        where p.until_at <= now() for update of p skip locked
      ) returning integration_id, chat_id
    ), freed as (
      update outbox o set state = 0 from over
      where o.integration_id = over.integration_id and o.chat_id = over.chat_id and o.state = 5
    )
    select integration_id, chat_id from over`);

/** A park that could not be ended is looked at again later, so that it does not stand before the others. */
export const putOffPark = (db: Queryable, park: { integration_id: number; chat_id: number }, seconds: number) =>
  db.run(sql`
    update park set until_at = now() + make_interval(secs => ${seconds})
    where integration_id = ${park.integration_id} and chat_id = ${park.chat_id} and until_at <= now()`);

/** Messages that were parked in the very moment their park ended. */
export const strandedRows = (db: Queryable, limit: number) =>
  db.many<{ integration_id: number; key: string }>(sql`
    select o.integration_id, o.key from outbox o
    where o.state = 5 and not exists (
      select 1 from park p where p.integration_id = o.integration_id and p.chat_id = o.chat_id
    ) limit ${limit}`);

/** Lets them wait in line again, unless their chat was parked anew. */
export const freeStranded = (db: Queryable, rows: readonly { integration_id: number; key: string }[]) =>
  db.run(sql`
    update outbox o set state = 0
    from unnest(
      ${rows.map((row) => row.integration_id)}::bigint[], ${rows.map((row) => row.key)}::text[]
    ) as u (integration_id, key)
    where o.integration_id = u.integration_id and o.key = u.key and o.state + 0 = 5 and not exists (
      select 1 from park p where p.integration_id = o.integration_id and p.chat_id = o.chat_id
    )`);
