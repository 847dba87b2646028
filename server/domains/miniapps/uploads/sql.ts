// Every statement of visitors' files. The caller owns the transaction.
import type { Queryable, Tx } from '../../../../kernel/db.ts';
import { sql } from '../../../../kernel/sql.ts';

export type NewUpload = {
  id: string;
  projectId: number;
  visitorId: string;
  form: string;
  field: string;
  kind: string;
  name: string;
  bytes: Buffer;
};

export const insertUpload = (q: Queryable, upload: NewUpload) =>
  q.run(sql`
    insert into upload (id, project_id, visitor_id, form, field, kind, name, bytes)
    values (${upload.id}, ${upload.projectId}, ${upload.visitorId}, ${upload.form}, ${upload.field}, ${upload.kind}, ${upload.name}, ${upload.bytes})`);

/** Files that a visitor has uploaded and not sent yet. */
export const countOpenUploads = (q: Queryable, projectId: number, visitorId: string) =>
  q.one<{ count: number; project_bytes: number }>(sql`
    select count(*) filter (where visitor_id = ${visitorId})::int as count, coalesce(sum(octet_length(bytes)), 0)::bigint as project_bytes
    from upload where project_id = ${projectId} and lead_id is null`);

/** Makes these files part of a lead; those that are not this visitor's, or belong to something else, are not among the answer. */
export const claimUploads = (
  tx: Tx,
  claim: { projectId: number; visitorId: string; form: string; field: string; ids: readonly string[]; leadId: number },
) =>
  tx.many<{ id: string; name: string }>(sql`
    update upload set lead_id = ${claim.leadId}
    where id = any(${claim.ids}::text[]) and project_id = ${claim.projectId} and visitor_id = ${claim.visitorId}
      and form = ${claim.form} and field = ${claim.field} and lead_id is null
    returning id, name`);

export const selectUpload = (q: Queryable, id: string) =>
  q.one<{ project_public_id: string; kind: string; name: string; bytes: Buffer }>(sql`
    select p.public_id as project_public_id, u.kind, u.name, u.bytes
    from upload u join project p on p.id = u.project_id where u.id = ${id} and u.lead_id is not null`);

/** Files that nobody has sent within a day: removes at most `limit`, leaving out `skip`. */
export const pruneUploads = (q: Queryable, limit: number, skip: number) =>
  q.run(sql`
    delete from upload where id = any(array(
      select id from upload where lead_id is null and created_at < now() - interval '1 day'
      order by created_at limit ${limit} offset ${skip}
    ))`);
