import type { Queryable } from '../../../../kernel/db.ts';
import { sql } from '../../../../kernel/sql.ts';
import type { Result } from '../sql.ts';

/** What becomes of a message that an earlier owner was sending. */
export type Adoption = Pick<Result, 'integrationId' | 'key' | 'token' | 'state' | 'doubts' | 'error' | 'pauseMs'>;

/**
 * Records it, but for what somebody holds: a process that vanished within its transaction keeps its locks until the
 * server ends it, and one message must not stop the takeover of all others. Answers which were adopted.
 */
export const adoptMessages = (db: Queryable, rows: readonly Adoption[]) =>
  db.many<{ integration_id: number; key: string }>(sql`
    with free as materialized (
      select u.* from outbox o
      join unnest(
        ${rows.map((row) => row.integrationId)}::bigint[],
        ${rows.map((row) => row.key)}::text[],
        ${rows.map((row) => row.token)}::bigint[],
        ${rows.map((row) => row.state)}::smallint[],
        ${rows.map((row) => row.doubts)}::smallint[],
        ${rows.map((row) => row.error)}::text[],
        ${rows.map((row) => row.pauseMs)}::float8[]
      ) as u (integration_id, key, token, state, doubts, error, pause_ms) on o.integration_id = u.integration_id and o.key = u.key
      where o.owner_token = u.token
      for update of o skip locked
    )
    update outbox o set state = u.state, owner_token = null, doubts = u.doubts, error = u.error,
      sent_at = case when u.doubts > o.doubts then now() else o.sent_at end,
      available_at = case when u.state = 0 and u.pause_ms > 0 then now() + make_interval(secs => u.pause_ms / 1000) end
    from free u where o.integration_id = u.integration_id and o.key = u.key
    returning o.integration_id, o.key`);
