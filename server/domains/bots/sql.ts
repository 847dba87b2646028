// Every statement of the bots. `rev` is taken anew wherever something changes that other processes hold in
// memory (directory.ts); the bookkeeping of the webhook watch leaves it alone.
import type { Queryable, Tx } from '../../../kernel/db.ts';
import { sql } from '../../../kernel/sql.ts';
import type { ToldCommands } from './command-rules.ts';
import type { BotStatus } from './directory.ts';

/** A row of `integration` as the bots work on it. */
export type BotRow = {
  id: number;
  public_id: string;
  project_id: number;
  project_public_id: string;
  project_name: string;
  data_key: Buffer | null;
  bot_id: number;
  username: string;
  title: string;
  status: BotStatus;
  token_sealed: Buffer | null;
  secret_sealed: Buffer | null;
  api_root: string | null;
  webhook_base: string | null;
  webhook_url: string | null;
  webhook_set_at: Date | null;
  webhook_checked_at: Date | null;
  webhook_problem: string | null;
  webhook_lost_count: number;
  webhook_tries: number;
  delivery_error: string | null;
  delivery_error_at: Date | null;
  menu_told: string | null;
  commands_told: ToldCommands | null;
  pending_count: number | null;
  max_connections: number;
  allowed_updates: string[];
  created_at: Date;
  rev: number;
};

// ---- reading

export type ProjectRow = {
  id: number;
  public_id: string;
  name: string;
  data_key: Buffer | null;
  allowed_updates: string[] | null;
};

/** A project by name or public id, with the update kinds of a bot it already has. */
export const findProject = (q: Queryable, nameOrId: string) =>
  q.one<ProjectRow>(sql`
    select p.id, p.public_id, p.name, p.data_key,
      (select i.allowed_updates from integration i where i.project_id = p.id and i.status <> 'disconnected' order by i.rev desc limit 1) as allowed_updates
    from project p where p.public_id = ${nameOrId} or p.name = ${nameOrId}`);

export const findBot = (q: Queryable, publicId: string) =>
  q.one<BotRow>(sql`
    select i.*, p.public_id as project_public_id, p.name as project_name, p.data_key
    from integration i join project p on p.id = i.project_id where i.public_id = ${publicId}`);

export const findBotById = (q: Queryable, id: number) =>
  q.one<BotRow>(sql`
    select i.*, p.public_id as project_public_id, p.name as project_name, p.data_key
    from integration i join project p on p.id = i.project_id where i.id = ${id}`);

/** The one bot of this Telegram id that is not disconnected, and whether its connecting was given up half-way. */
export const findLiveBot = (q: Queryable, botId: number, abandonedSeconds: number) =>
  q.one<{ public_id: string; project_id: number; status: BotStatus; abandoned: boolean }>(sql`
    select public_id, project_id, status, status = 'connecting' and created_at < now() - make_interval(secs => ${abandonedSeconds}) as abandoned
    from integration where bot_id = ${botId} and status <> 'disconnected'`);

export const listBots = (
  q: Queryable,
  filter: { project: string | null; withDisconnected: boolean; afterId: string | null; limit: number },
) =>
  q.many<BotRow>(sql`
    select i.*, p.public_id as project_public_id, p.name as project_name, p.data_key
    from integration i join project p on p.id = i.project_id
    where (${filter.project}::text is null or p.public_id = ${filter.project} or p.name = ${filter.project})
      and (i.status <> 'disconnected' or (${filter.withDisconnected}
        -- One that was never heard of again: its connection was refused, and nobody was told of it.
        and (coalesce(i.webhook_set_at, i.webhook_checked_at) is not null or i.poll_offset > 0)))
      and (${filter.afterId}::text is null or i.id > (select id from integration where public_id = ${filter.afterId}))
    order by i.id limit ${filter.limit}`);

// ---- the directory

export type ChangeRow = {
  xmin: number;
  xmax: number;
  top: number;
  server: string;
  /** null in the one row of an answer without changes. */
  kind: 'bot' | 'project' | null;
  id: number;
  rev: number;
  public_id: string;
  status: string;
  release_number: number | null;
  bucket: number;
  project_id: number;
  project_public_id: string;
  project_status: string;
  bot_id: number;
  username: string;
  secret_hash: Buffer | null;
  secret_previous_hash: Buffer | null;
  secret_previous_until_ms: number | null;
  api_root: string | null;
  webhook_base: string | null;
  /** Divided by spaces: ten thousand lists are taken apart only where they differ. */
  allowed_updates: string | null;
};

/** What changed above `after` and is not among `taken`, oldest first, and how far transactions are (revisions.ts). */
export function readChanges(q: Queryable, read: { after: number; taken: readonly number[]; limit: number }) {
  // As PostgreSQL writes an array. The driver makes one out of a string a number: after a start, when all revisions are
  // among them, 27 MB in four seconds with 10,000 bots.
  const taken = `{${read.taken.join(',')}}`;
  return q.many<ChangeRow>(sql`
    with horizon as materialized (
      select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xmin, pg_snapshot_xmax(pg_current_snapshot())::text::bigint as xmax,
        (select case when is_called then last_value else 0 end from change_rev) as top, server_identity() as server
    ), changed as (
      select 'project' as kind, p.id, p.rev, p.public_id, p.status, p.release_number, null::smallint as bucket, null::bigint as project_id,
        null::text as project_public_id, null::text as project_status, null::bigint as bot_id, null::text as username,
        null::bytea as secret_hash, null::bytea as secret_previous_hash, null::float8 as secret_previous_until_ms, null::text as api_root,
        null::text as webhook_base, null::text as allowed_updates
      from project p where p.rev > ${read.after} and p.rev <> all(${taken}::bigint[])
      union all
      select 'bot', i.id, i.rev, i.public_id, i.status, p.release_number, i.bucket, i.project_id, p.public_id, p.status, i.bot_id, i.username,
        i.secret_hash, i.secret_previous_hash, (extract(epoch from i.secret_previous_until) * 1000)::float8, i.api_root, i.webhook_base,
        array_to_string(i.allowed_updates, ' ')
      from integration i join project p on p.id = i.project_id where i.rev > ${read.after} and i.rev <> all(${taken}::bigint[])
      order by 3 limit ${read.limit}
    )
    select horizon.*, changed.* from horizon left join changed on true order by changed.rev`);
}

export type SealedToken = {
  id: number;
  public_id: string;
  token_sealed: Buffer | null;
  project_public_id: string;
  data_key: Buffer | null;
  rev: number;
};

export const readTokens = (q: Queryable, ids: readonly number[]) =>
  q.many<SealedToken>(sql`
    select i.id, i.public_id, i.token_sealed, p.public_id as project_public_id, p.data_key, i.rev
    from integration i join project p on p.id = i.project_id where i.id = any(${ids}::bigint[])`);

// ---- connecting and changing

export type NewBot = {
  publicId: string;
  projectId: number;
  botId: number;
  username: string;
  title: string;
  tokenSealed: Buffer;
  secretSealed: Buffer;
  secretHash: Buffer;
  apiRoot: string | null;
  webhookBase: string | null;
  maxConnections: number;
  allowedUpdates: readonly string[];
};

/** A bot on its way in. undefined: the same bot is already here (or comes in at this moment). */
export const insertConnecting = (tx: Tx, bot: NewBot) =>
  tx.one<{ id: number; rev: number }>(sql`
    insert into integration (public_id, project_id, bot_id, username, title, status, token_sealed, secret_sealed, secret_hash, api_root,
      webhook_base, max_connections, allowed_updates, menu_due)
    values (${bot.publicId}, ${bot.projectId}, ${bot.botId}, ${bot.username}, ${bot.title}, 'connecting', ${bot.tokenSealed},
      ${bot.secretSealed}, ${bot.secretHash}, ${bot.apiRoot}, ${bot.webhookBase}, ${bot.maxConnections}, ${bot.allowedUpdates},
      (select menu_text is not null or menu_commands is not null from project where id = ${bot.projectId}))
    on conflict (bot_id) where status <> 'disconnected' do nothing
    returning id, rev`);

/** The statuses from which a change may come; 0 rows: it was something else by now. */
export const setStatus = (q: Queryable, id: number, from: readonly BotStatus[], to: BotStatus) =>
  q.run(
    sql`update integration set status = ${to}, rev = nextval('change_rev') where id = ${id} and status = any(${from})`,
  );

/** Its history stays; what could open or receive anything goes. */
export const disconnect = (q: Queryable, id: number) =>
  q.run(sql`
    update integration set status = 'disconnected', token_sealed = null, secret_sealed = null, secret_hash = null, secret_previous_hash = null,
      secret_previous_until = null, menu_told = null, commands_told = null, menu_due = false, webhook_url = null, webhook_problem = null, pending_count = null, rev = nextval('change_rev')
    where id = ${id} and status <> 'disconnected'`);

/**
 * A new secret; the one that Telegram holds stays good until ten minutes after Telegram has the new one. Where an
 * earlier change has not reached Telegram yet, that is still the previous one.
 */
export const changeSecret = (tx: Tx, change: { id: number; rev: number; sealed: Buffer; hash: Buffer }) =>
  tx.one<{ rev: number }>(sql`
    update integration set secret_sealed = ${change.sealed}, secret_hash = ${change.hash},
      secret_previous_hash = case when webhook_set_at is null and secret_previous_hash is not null then secret_previous_hash else secret_hash end,
      secret_previous_until = 'infinity', webhook_set_at = null, webhook_retry_at = null, rev = nextval('change_rev')
    where id = ${change.id} and rev = ${change.rev} returning rev`);

export const changeToken = (
  tx: Tx,
  change: { id: number; rev: number; tokenSealed: Buffer; username: string; title: string },
) =>
  tx.one<{ rev: number }>(sql`
    update integration set token_sealed = ${change.tokenSealed}, username = ${change.username}, title = ${change.title}, poll_offset = 0,
      status = case when status = 'token_invalid' then 'active' else status end, webhook_set_at = null, webhook_retry_at = null,
      menu_retry_at = null, rev = nextval('change_rev')
    where id = ${change.id} and rev = ${change.rev} returning rev`);

export const setBase = (q: Queryable, id: number, base: string | null) =>
  q.run(sql`
    update integration set webhook_base = ${base}, webhook_set_at = null, webhook_retry_at = null, rev = nextval('change_rev')
    where id = ${id} and webhook_base is distinct from ${base}`);

export const setAllowedUpdates = (tx: Tx, projectId: number, kinds: readonly string[]) =>
  tx.run(sql`
    update integration set allowed_updates = ${kinds}, webhook_set_at = null, webhook_retry_at = null, rev = nextval('change_rev')
    where project_id = ${projectId} and status <> 'disconnected' and allowed_updates is distinct from ${kinds}::text[]`);

/** What the menu button of a project's bots says; where that is new, each bot's is to be looked at. */
export const setMenuText = (tx: Tx, projectId: number, text: string | null) =>
  tx.run(sql`
    with changed as (
      update project set menu_text = ${text} where id = ${projectId} and menu_text is distinct from ${text} returning id
    )
    update integration i set menu_due = true, menu_retry_at = null from changed
    where i.project_id = changed.id and i.status <> 'disconnected'`);

/** The lists of commands of a project's bots; null: none. Where that is new, each bot's menu is to be looked at. */
export const setMenuCommands = (tx: Tx, projectId: number, lists: string | null) =>
  tx.run(sql`
    with changed as (
      update project set menu_commands = ${lists}::jsonb where id = ${projectId} and menu_commands is distinct from ${lists}::jsonb
      returning id
    )
    update integration i set menu_due = true, menu_retry_at = null from changed
    where i.project_id = changed.id and i.status <> 'disconnected'`);

/** The token that Telegram refused is still the one of this row, and the bot was in use: it stops. */
export const stopForToken = (tx: Tx, id: number, tokenSealed: Buffer) =>
  tx.run(sql`
    update integration set status = 'token_invalid', rev = nextval('change_rev')
    where id = ${id} and token_sealed = ${tokenSealed} and status in ('active', 'paused')`);

// ---- what Telegram has

export type WebhookFacts = { url: string | null; pending: number; error: string | null; errorAt: Date | null };

/**
 * Telegram has the row's webhook as of `rev`; from now the previous secret has its last `previousSeconds`. Nothing
 * happens when the row has moved on: it is still to be set.
 */
export const recordSet = (
  q: Queryable,
  bot: {
    id: number;
    rev: number;
    facts: WebhookFacts;
    lostCount: number;
    problem: string | null;
    previousSeconds: number;
  },
) =>
  q.run(sql`
    update integration set webhook_set_at = now(), webhook_checked_at = now(), webhook_retry_at = null, webhook_tries = 0,
      webhook_url = ${bot.facts.url}, webhook_problem = ${bot.problem}, webhook_lost_count = ${bot.lostCount}, pending_count = ${bot.facts.pending},
      delivery_error = ${bot.facts.error}, delivery_error_at = ${bot.facts.errorAt},
      secret_previous_until = case when secret_previous_until = 'infinity' then now() + make_interval(secs => ${bot.previousSeconds}) else secret_previous_until end,
      rev = case when secret_previous_until = 'infinity' then nextval('change_rev') else rev end
    where id = ${bot.id} and rev = ${bot.rev}`);

// ---- health

export const countTroubles = (q: Queryable, pendingMax: number) =>
  q.one<{ token_invalid: number; problems: number; behind: number }>(sql`
    select count(*) filter (where status = 'token_invalid')::int as token_invalid,
      count(*) filter (where webhook_problem is not null and status in ('active', 'paused'))::int as problems,
      count(*) filter (where pending_count > ${pendingMax} and status = 'active')::int as behind
    from integration where status <> 'disconnected'`);
