import type { Queryable, Tx } from '../../../kernel/db.ts';
import { sql } from '../../../kernel/sql.ts';

export type ContactRow = {
  integration_id: number;
  contact_id: number;
  profile: string | null;
  vars: string | null;
  tags: string[];
  locale: string | null;
  unreachable: string | null;
  seen_ms: number;
  version: number;
};

export const findContacts = (
  db: Queryable,
  keys: { integrationIds: readonly number[]; contactIds: readonly number[] },
) =>
  db.many<ContactRow>(sql`
    select c.integration_id, c.contact_id, c.profile, c.vars, c.tags, c.locale, c.unreachable, c.version,
      (extract(epoch from c.seen_at) * 1000)::float8 as seen_ms
    from unnest(${keys.integrationIds}::bigint[], ${keys.contactIds}::bigint[]) as k (integration_id, contact_id)
    join contact c on c.integration_id = k.integration_id and c.contact_id = k.contact_id`);

/** Those of these chats that cannot be written to. */
export const findUnreachable = (db: Queryable, chats: readonly { integrationId: number; chatId: number }[]) =>
  db.many<{ integration_id: number; contact_id: number; unreachable: string }>(sql`
    select c.integration_id, c.contact_id, c.unreachable
    from unnest(
      ${chats.map((chat) => chat.integrationId)}::bigint[], ${chats.map((chat) => chat.chatId)}::bigint[]
    ) as k (integration_id, chat_id)
    join contact c on c.integration_id = k.integration_id and c.contact_id = k.chat_id
    where c.unreachable is not null`);

/** What a turn remembers of a contact. `version` is the one that was read; 0 for one that was not there. */
export type ContactWrite = {
  integrationId: number;
  contactId: number;
  kind: string;
  profile: string | null;
  vars: string | null;
  tags: readonly string[];
  locale: string | null;
  version: number;
};

/** Writes contacts as one statement. Raises when somebody else has written one of them since it was read. */
export const writeContacts = (tx: Tx, rows: readonly ContactWrite[]) =>
  tx.run(sql`
    with written as (
      insert into contact as c (integration_id, contact_id, kind, profile, vars, tags, locale, version)
      select (r->>'i')::bigint, (r->>'c')::bigint, r->>'k', r->'p', r->'v',
        array(select json_array_elements_text(r->'t')), r->>'l', (r->>'n')::bigint + 1
      from json_array_elements(${contactsJson(rows)}::json) as r
      order by 1, 2
      on conflict (integration_id, contact_id) do update set
        profile = excluded.profile, vars = excluded.vars, tags = excluded.tags, locale = excluded.locale,
        seen_at = now(), version = excluded.version
      where c.version = excluded.version - 1
      returning 1
    )
    select must((select count(*) from written) = ${rows.length}, 'contact')`);

function contactsJson(rows: readonly ContactWrite[]): string {
  const items = rows.map(
    (row) =>
      `{"i":${row.integrationId},"c":${row.contactId},"k":${JSON.stringify(row.kind)},"p":${row.profile ?? 'null'},"v":${row.vars ?? 'null'},` +
      `"t":${JSON.stringify(row.tags)},"l":${JSON.stringify(row.locale)},"n":${row.version}}`,
  );
  return `[${items.join(',')}]`;
}

export type ConversationRow = {
  integration_id: number;
  chat_id: number;
  thread_id: number;
  user_id: number;
  /** JSON text; null where nothing is remembered here, which leaves `moved_to`. */
  state: string | null;
  version: number | null;
  moved_to: number | null;
};

type ConversationKeys = {
  integrationIds: readonly number[];
  chatIds: readonly number[];
  threadIds: readonly number[];
  userIds: readonly number[];
};

/**
 * The conversations that there are. Where a group has nothing under its id, its contact is asked whether it became a
 * supergroup: `moved_to`. Without that case the key is null, and the index is not even looked at.
 */
export const findConversations = (db: Queryable, keys: ConversationKeys) =>
  db.many<ConversationRow>(sql`
    select k.integration_id, k.chat_id, k.thread_id, k.user_id, c.state, c.version, g.migrated_to as moved_to
    from unnest(${keys.integrationIds}::bigint[], ${keys.chatIds}::bigint[], ${keys.threadIds}::bigint[], ${keys.userIds}::bigint[])
      as k (integration_id, chat_id, thread_id, user_id)
    left join conversation c on c.integration_id = k.integration_id and c.chat_id = k.chat_id
      and c.thread_id = k.thread_id and c.user_id = k.user_id
    left join contact g on g.integration_id = k.integration_id
      and g.contact_id = case when k.chat_id < 0 and c.state->>'release' is null then k.chat_id end
    where c.version is not null or g.migrated_to is not null`);

export type ConversationWrite = {
  integrationId: number;
  chatId: number;
  threadId: number;
  userId: number;
  releaseNumber: number;
  /** JSON text; 'null' when nothing is remembered (the row stays, for its version). */
  state: string;
  version: number;
};

/** Writes conversations as one statement. Raises when somebody else has written one of them since it was read. */
export const writeConversations = (tx: Tx, rows: readonly ConversationWrite[]) =>
  tx.run(sql`
    with written as (
      insert into conversation as c (integration_id, chat_id, thread_id, user_id, release_number, state, version)
      select u.integration_id, u.chat_id, u.thread_id, u.user_id, u.release_number, u.state, u.version + 1
      from rows from (
        unnest(${rows.map((row) => row.integrationId)}::bigint[]),
        unnest(${rows.map((row) => row.chatId)}::bigint[]),
        unnest(${rows.map((row) => row.threadId)}::bigint[]),
        unnest(${rows.map((row) => row.userId)}::bigint[]),
        unnest(${rows.map((row) => row.releaseNumber)}::integer[]),
        unnest(${rows.map((row) => row.version)}::bigint[]),
        json_array_elements(${`[${rows.map((row) => row.state).join(',')}]`}::json)
      ) as u (integration_id, chat_id, thread_id, user_id, release_number, version, state)
      order by 1, 2, 3, 4
      on conflict (integration_id, chat_id, thread_id, user_id) do update set
        release_number = excluded.release_number, state = excluded.state, version = excluded.version, updated_at = now()
      where c.version = excluded.version - 1
      returning 1
    )
    select must((select count(*) from written) = ${rows.length}, 'conversation')`);

export const findBotMemories = (db: Queryable, integrationIds: readonly number[]) =>
  db.many<{ integration_id: number; vars: string; version: number }>(sql`
    select integration_id, vars, version from bot_memory where integration_id = any(${integrationIds}::bigint[])`);

export const writeBotMemories = (tx: Tx, rows: readonly { integrationId: number; vars: string; version: number }[]) =>
  tx.run(sql`
    with written as (
      insert into bot_memory as m (integration_id, vars, version)
      select u.integration_id, u.vars, u.version + 1
      from rows from (
        unnest(${rows.map((row) => row.integrationId)}::bigint[]),
        unnest(${rows.map((row) => row.version)}::bigint[]),
        json_array_elements(${`[${rows.map((row) => row.vars).join(',')}]`}::json)
      ) as u (integration_id, version, vars)
      order by 1
      on conflict (integration_id) do update set vars = excluded.vars, version = excluded.version
      where m.version = excluded.version - 1
      returning 1
    )
    select must((select count(*) from written) = ${rows.length}, 'bot_memory')`);

/** A chat cannot be written to: it blocked the bot, is gone, or the bot was put out of it. */
export const markUnreachable = (tx: Queryable, chat: { integrationId: number; chatId: number; reason: string }) =>
  tx.run(sql`
    insert into contact (integration_id, contact_id, kind, unreachable, unreachable_at)
    values (${chat.integrationId}, ${chat.chatId}, ${chat.chatId < 0 ? 'chat' : 'user'}, ${chat.reason}, now())
    on conflict (integration_id, contact_id) do update set
      unreachable = excluded.unreachable, unreachable_at = now()`);

/** The person has unblocked the bot, or it was let into the chat again. */
export const markReachable = (tx: Queryable, chat: { integrationId: number; chatId: number }) =>
  tx.run(sql`
    update contact set unreachable = null, unreachable_at = null
    where integration_id = ${chat.integrationId} and contact_id = ${chat.chatId} and unreachable is not null`);

/** A group became a supergroup. Both service messages and the error of a send say so, in any order: repeating is fine. */
export const migrateContact = (tx: Queryable, chat: { integrationId: number; fromId: number; toId: number }) =>
  tx.run(sql`
    with old as (
      insert into contact (integration_id, contact_id, kind, migrated_to)
      values (${chat.integrationId}, ${chat.fromId}, 'chat', ${chat.toId})
      on conflict (integration_id, contact_id) do update set migrated_to = excluded.migrated_to, version = contact.version + 1
      returning *
    )
    insert into contact (integration_id, contact_id, kind, profile, vars, tags, locale)
    select integration_id, ${chat.toId}, 'chat', profile, vars, tags, locale from old
    on conflict (integration_id, contact_id) do nothing`);

/**
 * Its conversations go on under the new id. What has begun there already stands, unless it rests while the old one
 * waits. The old rows stay, empty and one version higher, so that a turn which has read one of them cannot write it again.
 */
export const migrateConversations = (tx: Queryable, chat: { integrationId: number; fromId: number; toId: number }) =>
  tx.run(sql`
    with moved as (
      update conversation c set state = 'null', version = c.version + 1, updated_at = now()
      from (
        select * from conversation where integration_id = ${chat.integrationId} and chat_id = ${chat.fromId}
        order by thread_id, user_id for update
      ) old
      where c.integration_id = old.integration_id and c.chat_id = old.chat_id
        and c.thread_id = old.thread_id and c.user_id = old.user_id
      returning old.integration_id, old.thread_id, old.user_id, old.release_number, old.state, old.version
    )
    insert into conversation as c (integration_id, chat_id, thread_id, user_id, release_number, state, version)
    select integration_id, ${chat.toId}, thread_id, user_id, release_number, state, version + 1 from moved
    where state->>'release' is not null
    order by thread_id, user_id
    on conflict (integration_id, chat_id, thread_id, user_id) do update set
      release_number = excluded.release_number, state = excluded.state, updated_at = now(),
      version = greatest(c.version, excluded.version) + 1
    where c.state->>'release' is null or (c.state->>'wait' is null and excluded.state->>'wait' is not null)`);
