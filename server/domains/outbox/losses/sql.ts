// Messages that are refused for good: counted with the result, in the same statement, so that no loss is silent.
import type { Queryable } from '../../../../kernel/db.ts';
import { sql } from '../../../../kernel/sql.ts';
import type { Result } from '../sql.ts';

/** What a person would miss. Typing, answers to presses and deletes say nothing. PostgreSQL reads it too. */
export const lossMethods = /^(send(?!ChatAction)|edit|copy|forward)/;

/** Different reasons kept of one bot; what comes beyond them is counted together. */
const reasonsMax = 100;
const otherReasons = 'other reasons';

/** Records results of messages that are lost. `reason` where their chat cannot be reached; else Telegram's words are the reason. */
export const recordLosses = (tx: Queryable, rows: readonly Result[], reason: string | null = null) =>
  tx.many<{ integration_id: number; key: string }>(sql`
    with recorded as (
      update outbox o set state = 3, owner_token = null, doubts = u.doubts, error = u.error, available_at = null
      from unnest(
        ${rows.map((row) => row.integrationId)}::bigint[],
        ${rows.map((row) => row.key)}::text[],
        ${rows.map((row) => row.token)}::bigint[],
        ${rows.map((row) => row.doubts)}::smallint[],
        ${rows.map((row) => row.error)}::text[]
      ) as u (integration_id, key, token, doubts, error)
      where o.integration_id = u.integration_id and o.key = u.key and o.owner_token = u.token
      returning o.integration_id, o.key, o.chat_id, o.method, left(coalesce(o.error, ''), 200) as words
    ), counted as (
      insert into lost_message as l (integration_id, reason, words, messages, chat_id, method)
      select r.integration_id,
        case when (select count(*) from lost_message k where k.integration_id = r.integration_id) < ${reasonsMax}
          then coalesce(${reason}::text, r.words) else ${otherReasons}::text end,
        max(r.words), count(*), max(r.chat_id), max(r.method)
      from recorded r group by 1, 2 order by 1, 2
      on conflict (integration_id, reason) do update set words = excluded.words, messages = l.messages + excluded.messages,
        chat_id = excluded.chat_id, method = excluded.method, last_at = now()
    )
    select integration_id, key from recorded`);

/**
 * Refuses everything that waits for a chat which cannot be reached any more: gives what wants to be told of it, and counts
 * the rest.
 */
export const refuseChat = (
  tx: Queryable,
  chat: { integrationId: number; bucket: number; chatId: number; error: string; reason: string },
) =>
  tx.many<{ key: string; report: string }>(sql`
    with refused as (
      update outbox set state = 3, error = left(${chat.error}::text, 500)
      where integration_id = ${chat.integrationId} and chat_id = ${chat.chatId}
        and ((bucket = ${chat.bucket} and state < 2 and state = 0) or state = 5)
      returning integration_id, key, report, chat_id, method
    ), counted as (
      insert into lost_message as l (integration_id, reason, words, messages, chat_id, method)
      select integration_id, ${chat.reason}::text, left(${chat.error}::text, 200), count(*), max(chat_id), max(method)
      from refused where report is null and method ~ ${lossMethods.source}::text group by 1
      on conflict (integration_id, reason) do update set words = excluded.words, messages = l.messages + excluded.messages,
        chat_id = excluded.chat_id, method = excluded.method, last_at = now()
    )
    select key, report from refused where report is not null`);

/** What was lost by one bot for one reason. */
export type LostRow = {
  integration_id: number;
  reason: string;
  words: string;
  messages: number;
  chat_id: number;
  method: string;
  first_at: Date;
  last_at: Date;
};

/** What was lost and nobody has looked at yet, the latest first. */
export const listLost = (db: Queryable, list: { limit: number }) =>
  db.many<LostRow>(sql`
    select integration_id, reason, words, messages, chat_id, method, first_at, last_at from lost_message
    order by last_at desc limit ${list.limit}`);

/** How many messages were lost, by reason. */
export const lostCounts = (db: Queryable) =>
  db.many<{ reason: string; messages: number }>(sql`
    select reason, sum(messages)::bigint as messages from lost_message group by reason order by 2 desc limit 1000`);

/** An operator has looked at these. Answers how many messages it were. */
export const forgetLost = async (db: Queryable, lost: { integrationId: number | null }): Promise<number> => {
  const row = await db.one<{ messages: number }>(sql`
    with seen as (
      delete from lost_message
      where ${lost.integrationId}::bigint is null or integration_id = ${lost.integrationId}
      returning messages
    )
    select coalesce(sum(messages), 0)::bigint as messages from seen`);
  return row?.messages ?? 0;
};

/** Forgets what has not happened again for so long. */
export const pruneLost = (db: Queryable, prune: { days: number }) =>
  db.run(sql`delete from lost_message where last_at < now() - make_interval(days => ${prune.days})`);
