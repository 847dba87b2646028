// What operators look at, and what is removed when it is old.
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

/** Removes what was sent or refused before `hours`. At most `limit` rows. */
export const pruneMessages = (db: Queryable, prune: { hours: number; limit: number }) =>
  db.run(sql`
    delete from outbox where ctid = any(array(
      select ctid from outbox
      where created_at < now() - make_interval(secs => ${prune.hours * 3600}) and (state in (2, 3) or (state = 4 and seen_at is not null))
      limit ${prune.limit}
    ))`);
