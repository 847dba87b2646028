import type { Queryable, Tx } from '../../../kernel/db.ts';
import { sql } from '../../../kernel/sql.ts';

/** A message to send, as a turn asks for it. `params` is JSON text of an object; see `calls.ts` for what is added. */
export type NewMessage = {
  integrationId: number;
  bucket: number;
  key: string;
  chatId: number;
  class: 0 | 1;
  method: string;
  params: string;
  target: string | null;
  report: string | null;
};

/** `state` 1 with a token: this process sends it right after the commit. 0: it waits. 5: its chat is parked. */
export type Placed = NewMessage & { state: 0 | 1 | 5; ownerToken: number | null };

export const insertMessages = (tx: Tx, rows: readonly Placed[]) =>
  tx.many<{ integration_id: number; key: string; id: number }>(sql`
    insert into outbox (integration_id, bucket, key, chat_id, class, method, params, target, report, state, owner_token, tries)
    select u.integration_id, u.bucket, u.key, u.chat_id, u.class, u.method, u.params, u.target, u.report, u.state, u.owner_token,
      case when u.state = 1 then 1 else 0 end
    from rows from (
      unnest(${rows.map((row) => row.integrationId)}::bigint[]),
      unnest(${rows.map((row) => row.bucket)}::smallint[]),
      unnest(${rows.map((row) => row.key)}::text[]),
      unnest(${rows.map((row) => row.chatId)}::bigint[]),
      unnest(${rows.map((row) => row.class)}::smallint[]),
      unnest(${rows.map((row) => row.method)}::text[]),
      json_array_elements(${`[${rows.map((row) => row.params).join(',')}]`}::json),
      unnest(${rows.map((row) => row.target)}::text[]),
      unnest(${rows.map((row) => row.report)}::json[]),
      unnest(${rows.map((row) => row.state)}::smallint[]),
      unnest(${rows.map((row) => row.ownerToken)}::bigint[])
    ) with ordinality as u (integration_id, bucket, key, chat_id, class, method, params, target, report, state, owner_token, place)
    order by u.place
    on conflict do nothing
    returning integration_id, key, id`);

export type OpenRow = {
  integration_id: number;
  bucket: number;
  key: string;
  id: number;
  chat_id: number;
  class: 0 | 1;
  method: string;
  params: string;
  target: string | null;
  report: string | null;
  state: 0 | 1;
  owner_token: number | null;
  tries: number;
  doubts: number;
  /** Until it may be tried, by the clock of the database. */
  left_ms: number | null;
};

/** Which bots have messages waiting in these buckets; one index probe a bot. */
export const openBots = (db: Queryable, buckets: readonly number[]) =>
  db.many<{ bucket: number; integration_id: number }>(sql`
    with recursive bots as (
      select b.id as bucket, (
        select o.integration_id from outbox o where o.bucket = b.id and o.state < 2 order by o.integration_id limit 1
      ) as integration_id
      from unnest(${buckets}::smallint[]) as b (id)
      union all
      select bots.bucket, (
        select o.integration_id from outbox o
        where o.bucket = bots.bucket and o.state < 2 and o.integration_id > bots.integration_id
        order by o.integration_id limit 1
      )
      from bots where bots.integration_id is not null
    )
    select bucket, integration_id from bots where integration_id is not null`);

/**
 * The next messages of each given bot, replies or bulk, in order, without those in `known`; those being sent
 * among them, so that one look tells what waits and what it waits behind.
 */
export const openRows = (
  db: Queryable,
  bots: { of: 0 | 1; buckets: readonly number[]; ids: readonly number[]; limit: number; known: readonly number[] },
) =>
  db.many<OpenRow>(sql`
    select p.* from unnest(${bots.buckets}::smallint[], ${bots.ids}::bigint[]) as b (bucket, id)
    cross join lateral (
      select o.integration_id, o.bucket, o.key, o.id, o.chat_id, o.class, o.method, o.params, o.target, o.report, o.state, o.owner_token,
        o.tries, o.doubts, (extract(epoch from o.available_at - now()) * 1000)::float8 as left_ms
      from outbox o
      where o.bucket = b.bucket and o.integration_id = b.id and o.class = ${bots.of} and o.state < 2
        and o.id <> all(${bots.known}::bigint[])
      order by o.id
      limit ${bots.limit}
    ) p`);

export type Marking = { integrationId: number; key: string; token: number; perhapsMarked: boolean };

/**
 * Marks messages as being sent, before the call. Returns those that were still waiting; only these may be sent.
 * `perhapsMarked`: an earlier mark of ours under the same token may have been committed; it counts as this one.
 * `state + 0`, since `state = 0` would lead the planner through the open index. `tries` is a small column, and who is not
 * reached is tried for ever: at its end it goes back by half, so that no two marks in a row have the same number.
 */
export const markSending = (tx: Tx, rows: readonly Marking[]) =>
  tx.many<{ integration_id: number; key: string }>(sql`
    update outbox o set state = 1, owner_token = u.token, available_at = null,
      tries = case when o.tries >= 32767 then 16384 else o.tries + 1 end
    from unnest(
      ${rows.map((row) => row.integrationId)}::bigint[],
      ${rows.map((row) => row.key)}::text[],
      ${rows.map((row) => row.token)}::bigint[],
      ${rows.map((row) => row.perhapsMarked)}::boolean[]
    ) as u (integration_id, key, token, perhaps_marked)
    where o.integration_id = u.integration_id and o.key = u.key
      and (o.state + 0 = 0 or (u.perhaps_marked and o.state + 0 = 1 and o.owner_token = u.token))
    returning o.integration_id, o.key`);

/**
 * Messages marked as being sent by us, though nobody calls them: the answer to the commit was lost. They wait again.
 * `tries` as it was read: a statement that arrives late, after the message was freed and marked anew, must not free it.
 * One that somebody holds is left out: the commit may still be under way in the server.
 */
export const freeOrphans = (
  db: Queryable,
  rows: readonly { integrationId: number; key: string; token: number; tries: number }[],
) =>
  db.run(sql`
    with free as materialized (
      select o.integration_id, o.key from outbox o
      join unnest(
        ${rows.map((row) => row.integrationId)}::bigint[],
        ${rows.map((row) => row.key)}::text[],
        ${rows.map((row) => row.token)}::bigint[],
        ${rows.map((row) => row.tries)}::int[]
      ) as u (integration_id, key, token, tries) on o.integration_id = u.integration_id and o.key = u.key
      where o.state + 0 = 1 and o.owner_token = u.token and o.tries = u.tries
      for update of o skip locked
    )
    update outbox o set state = 0, owner_token = null
    from free where o.integration_id = free.integration_id and o.key = free.key`);

/** What became of a message that was being sent. */
export type Result = {
  integrationId: number;
  key: string;
  token: number;
  state: 0 | 2 | 3 | 4 | 5;
  doubts: number;
  messageId: number | null;
  error: string | null;
  /** For state 0: how long it must wait. */
  pauseMs: number;
};

/** Records results. Only the owner under whose token a message was sent may; a row taken over is left alone. */
export const recordResults = (tx: Queryable, rows: readonly Result[]) =>
  tx.many<{ integration_id: number; key: string }>(sql`
    update outbox o set state = u.state, owner_token = null, doubts = u.doubts, error = u.error,
      message_id = coalesce(u.message_id, o.message_id),
      sent_at = case when u.state = 2 or u.doubts > o.doubts then now() else o.sent_at end,
      available_at = case when u.state = 0 and u.pause_ms > 0 then now() + make_interval(secs => u.pause_ms / 1000) end
    from unnest(
      ${rows.map((row) => row.integrationId)}::bigint[],
      ${rows.map((row) => row.key)}::text[],
      ${rows.map((row) => row.token)}::bigint[],
      ${rows.map((row) => row.state)}::smallint[],
      ${rows.map((row) => row.doubts)}::smallint[],
      ${rows.map((row) => row.messageId)}::bigint[],
      ${rows.map((row) => row.error)}::text[],
      ${rows.map((row) => row.pauseMs)}::float8[]
    ) as u (integration_id, key, token, state, doubts, message_id, error, pause_ms)
    where o.integration_id = u.integration_id and o.key = u.key and o.owner_token = u.token
    returning o.integration_id, o.key`);

export type SendingRow = {
  integration_id: number;
  bucket: number;
  key: string;
  chat_id: number;
  method: string;
  places: number;
  doubts: number;
  owner_token: number;
};

/** What is marked as being sent in these buckets; after a takeover, by the last owner. `places`: an album is all of its items. */
export const sendingRows = (db: Queryable, buckets: readonly number[]) =>
  db.many<SendingRow>(sql`
    select o.integration_id, o.bucket, o.key, o.chat_id, o.method, o.doubts, o.owner_token,
      coalesce(json_array_length(case when o.method = 'sendMediaGroup' then o.params->'media' end), 1) as places
    from outbox o
    where o.bucket = any(${buckets}::smallint[]) and o.state < 2 and o.state = 1`);

/**
 * Messages sent in the last minute by bots of these buckets, to go on counting where the last owner stopped. One
 * whose answer was lost may have come, so it counts once for every time it was sent.
 */
export const recentSends = (db: Queryable, buckets: readonly number[]) =>
  db.many<{ integration_id: number; bucket: number; chat_id: number; places: number; ago_ms: number }>(sql`
    select o.integration_id, o.bucket, o.chat_id,
      coalesce(json_array_length(case when o.method = 'sendMediaGroup' then o.params->'media' end), 1) as places,
      (extract(epoch from now() - o.sent_at) * 1000)::float8 as ago_ms
    from outbox o
    cross join generate_series(1, case o.state when 2 then o.doubts + 1 else o.doubts end)
    where o.sent_at > now() - interval '61 seconds' and o.bucket = any(${buckets}::smallint[])
    order by o.sent_at`);

/** The message number that Telegram gave to a message of ours, and whether it is still on its way. */
export const findTarget = (db: Queryable, target: { integrationId: number; key: string }) =>
  db.one<{ state: number; message_id: number | null }>(sql`
    select state, message_id from outbox where integration_id = ${target.integrationId} and key = ${target.key}`);

/** Parks a chat, or the whole bot (chat 0), for exactly as long as Telegram said; the later end wins. */
export const insertPark = (tx: Queryable, park: { integrationId: number; chatId: number; seconds: number }) =>
  tx.run(sql`
    insert into park (integration_id, chat_id, until_at)
    values (${park.integrationId}, ${park.chatId}, now() + make_interval(secs => ${park.seconds}))
    on conflict (integration_id, chat_id) do update set until_at = greatest(park.until_at, excluded.until_at)`);

/** Takes the waiting messages of a parked chat out of the open index. */
export const parkMessages = (tx: Queryable, chat: { integrationId: number; bucket: number; chatId: number }) =>
  tx.run(sql`
    update outbox set state = 5
    where bucket = ${chat.bucket} and integration_id = ${chat.integrationId} and chat_id = ${chat.chatId} and state < 2 and state = 0`);

/** The parks of these buckets that are not over; `stored`: messages stand parked in the table. */
export const listParks = (db: Queryable, buckets: readonly number[]) =>
  db.many<{ integration_id: number; bucket: number; chat_id: number; left_ms: number; stored: boolean }>(sql`
    select p.integration_id, (hashint8(p.integration_id) & 255)::int as bucket, p.chat_id,
      (extract(epoch from p.until_at - now()) * 1000)::float8 as left_ms,
      exists (
        select 1 from outbox o where o.integration_id = p.integration_id and o.chat_id = p.chat_id and o.state = 5
      ) as stored
    from park p
    where (hashint8(p.integration_id) & 255) = any(${buckets}::int[])`);

/** Of a longer queue only the front is looked through: it stands in the commit of others, and what is left is told again. */
const renameMax = 5_000;

/**
 * A group became a supergroup: what waits goes to the new id. By the indexes of what is open and what is parked; a message
 * behind the front of a very long queue is moved when Telegram refuses it with the new id.
 */
export const renameChat = (tx: Queryable, chat: { integrationId: number; fromId: number; toId: number }) =>
  tx.run(sql`
    update outbox set chat_id = ${chat.toId}
    where integration_id = ${chat.integrationId} and key = any(array(
      select o.key from (
        select key, chat_id from outbox
        where bucket = (hashint8(${chat.integrationId}) & 255)::smallint and integration_id = ${chat.integrationId} and state < 2
        order by class, id limit ${renameMax}
      ) o where o.chat_id = ${chat.fromId}
      union all
      select key from outbox where integration_id = ${chat.integrationId} and chat_id = ${chat.fromId} and state = 5
    )) and state in (0, 1, 5)`);

export const findUploads = (db: Queryable, file: { integrationId: number; sha256: string; kind: string }) =>
  db.one<{ file_id: string }>(sql`
    select file_id from uploaded_file
    where integration_id = ${file.integrationId} and sha256 = ${file.sha256} and kind = ${file.kind}`);

export const insertUpload = (
  db: Queryable,
  file: { integrationId: number; sha256: string; kind: string; fileId: string },
) =>
  db.run(sql`
    insert into uploaded_file (integration_id, sha256, kind, file_id)
    values (${file.integrationId}, ${file.sha256}, ${file.kind}, ${file.fileId})
    on conflict (integration_id, sha256, kind) do update set file_id = excluded.file_id`);
