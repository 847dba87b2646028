// Statements about the data keys of projects, and about what they have sealed.
import type { Tx } from '../../../../kernel/db.ts';
import { sql } from '../../../../kernel/sql.ts';

/** Sets a project's data key unless it has one; gives the one that stands. */
export const setDataKey = (tx: Tx, projectId: number, sealed: Buffer) =>
  tx.one<{ data_key: Buffer }>(
    sql`update project set data_key = coalesce(data_key, ${sealed}) where id = ${projectId} returning data_key`,
  );

/**
 * What only a lost master key could open goes. A bot keeps everything else and waits for its token; one that was being
 * connected at that moment never was.
 */
export const forgetSecrets = (tx: Tx) =>
  tx.many<{ username: string; project: string }>(sql`
    with projects as (
      update project set data_key = null where data_key is not null
    ), dropped as (
      update integration set status = 'disconnected', token_sealed = null, secret_sealed = null, secret_hash = null,
        rev = nextval('change_rev')
      where status = 'connecting'
    ), stopped as (
      update integration set status = 'token_invalid', token_sealed = '', secret_sealed = '', rev = nextval('change_rev')
      where status not in ('connecting', 'disconnected')
      returning id, username, project_id
    )
    select s.username, p.name as project from stopped s join project p on p.id = s.project_id order by s.id`);
