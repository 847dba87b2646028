import type { Queryable } from '../../../kernel/db.ts';
import { sql } from '../../../kernel/sql.ts';

/** Something an operator should know, until it is over. */
export type Notice = {
  id: number;
  kind: string;
  subject: string;
  message: string;
  openedAt: Date;
  closedAt: Date | null;
};

export const selectOpenNotices = (db: Queryable, limit: number) =>
  db.many<Notice>(sql`
    select id, kind, subject, message, opened_at as "openedAt", closed_at as "closedAt"
    from notice where closed_at is null order by opened_at desc limit ${limit}`);

/** Opens a notice; undefined when this one is open already, so that it is told once. */
export const insertNotice = (db: Queryable, notice: { kind: string; subject: string; message: string }) =>
  db.one<Notice>(sql`
    insert into notice (kind, subject, message) values (${notice.kind}, ${notice.subject}, ${notice.message})
    on conflict (kind, subject) where closed_at is null do nothing
    returning id, kind, subject, message, opened_at as "openedAt", closed_at as "closedAt"`);

export const updateNoticesClosed = (db: Queryable, kinds: readonly string[], subject: string) =>
  db.run(sql`
    update notice set closed_at = now()
    where kind = any(${kinds}::text[]) and subject = ${subject} and closed_at is null`);

export const endOldNotices = (db: Queryable, old: { kind: string; days: number }) =>
  db.run(sql`
    update notice set closed_at = now()
    where kind = ${old.kind} and closed_at is null and opened_at < now() - make_interval(days => ${old.days})`);

/** Removes notices that were over before `days`. At most `limit` rows, so that it never holds anybody up, leaving out `skip`. */
export const deleteNotices = (db: Queryable, prune: { days: number; limit: number; skip: number }) =>
  db.run(sql`
    delete from notice where id = any(array(
      select id from notice where closed_at < now() - make_interval(days => ${prune.days})
      limit ${prune.limit} offset ${prune.skip}
    ))`);
