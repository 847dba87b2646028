-- roost: min_code_level 1

-- What this database is. One row; the same id stands in the data folder, so that a vanished database is noticed.
create table installation (
  one boolean primary key default true check (one),
  id uuid not null default gen_random_uuid(),
  created_at timestamptz not null default now()
);

-- Grows with every change of a project or integration; processes poll for what is newer than what they know.
create sequence change_rev;

-- Raises when a guard of a statement does not hold, so that the whole transaction is given up. Every fence
-- and version check of a batch goes through here: the batch is sent in one write, nobody reads in between.
create function must(holds boolean, guard text) returns void language plpgsql as $$
begin
  if holds is not true then
    raise exception 'guard: %', guard using errcode = 'RG001';
  end if;
end $$;

create table project (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  name text not null unique check (length(name) between 1 and 64),
  status text not null default 'active' check (status in ('active', 'paused')),
  draft json,
  draft_at timestamptz,
  release_number integer,
  data_key bytea,
  created_at timestamptz not null default now(),
  rev bigint not null default nextval('change_rev')
);
create index project_rev on project (rev);

-- Immutable: what was published stays as it was, under its number and hash.
create table release (
  project_id bigint not null references project (id),
  number integer not null check (number > 0),
  hash text not null,
  document json not null,
  note text,
  created_at timestamptz not null default now(),
  primary key (project_id, number)
);

create table media (
  project_id bigint not null references project (id),
  sha256 text not null check (length(sha256) = 64),
  kind text not null,
  name text not null,
  bytes bytea not null,
  created_at timestamptz not null default now(),
  primary key (project_id, sha256)
);

-- A bot connected to Telegram. `secret_sealed` opens to the webhook secret, since every setWebhook sends it again.
create table integration (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  project_id bigint not null references project (id),
  bucket smallint not null generated always as ((hashint8(id) & 255)::smallint) stored,
  bot_id bigint not null,
  username text not null,
  title text not null default '',
  status text not null default 'active' check (status in ('connecting', 'active', 'paused', 'token_invalid', 'disconnected')),
  token_sealed bytea,
  secret_sealed bytea,
  secret_hash bytea,
  secret_previous_hash bytea,
  secret_previous_until timestamptz,
  api_root text,
  webhook_base text,
  max_connections smallint not null default 10 check (max_connections between 1 and 100),
  allowed_updates text[] not null default '{}',
  webhook_set_at timestamptz,
  webhook_checked_at timestamptz,
  webhook_problem text,
  webhook_lost_count integer not null default 0,
  pending_count integer,
  poll_offset bigint not null default 0,
  created_at timestamptz not null default now(),
  rev bigint not null default nextval('change_rev'),
  check (status = 'disconnected' or (token_sealed is not null and secret_hash is not null))
);
create index integration_rev on integration (rev);
create index integration_project on integration (project_id);
create unique index integration_bot on integration (bot_id) where status <> 'disconnected';

-- A process that lives. The lease stands here and nowhere else: renewing one row never waits behind a turn.
-- A receiver opens only when every owner has seen its epoch (see server/domains/nodes).
create sequence receiver_epoch;
create table node (
  id uuid primary key,
  roles text[] not null,
  host text not null,
  pid integer not null,
  started_at timestamptz not null default now(),
  lease_until timestamptz not null,
  receiver_epoch bigint,
  epoch_seen bigint not null default 0,
  ended text check (ended in ('dead', 'frozen'))
);

-- A bucket of bots is the unit of ownership. Whoever takes one raises the token; every write of an owner is
-- fenced by it.
create table bucket (
  id smallint primary key check (id between 0 and 255),
  owner uuid,
  token bigint not null default 0
);
insert into bucket (id) select generate_series(0, 255);

-- Updates and other events as received. state: 0 pending, 2 done, 3 dead letter, 4 ignored.
-- key: the update_id in digits, or `timer:`, `call:` ... for events that are not Telegram's.
-- body holds the text as it came; body_bytes the exact bytes where reading them as UTF-8 changed them.
create table inbox (
  integration_id bigint not null,
  key text not null collate "C",
  bucket smallint not null,
  lane bigint not null,
  seq bigint generated always as identity,
  body json,
  body_bytes bytea,
  received_at timestamptz not null default now(),
  state smallint not null default 0 check (state in (0, 2, 3, 4)),
  attempts smallint not null default 0,
  available_at timestamptz,
  done_at timestamptz,
  trace json,
  error text,
  primary key (integration_id, key),
  check ((state = 0) = (done_at is null))
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.1);
create index inbox_pending on inbox (bucket, integration_id, seq) where state = 0;
create index inbox_dead on inbox (done_at) where state = 3;
create index inbox_age on inbox using brin (received_at) with (pages_per_range = 32, autosummarize = on);

create table contact (
  integration_id bigint not null,
  contact_id bigint not null,
  kind text not null default 'user',
  profile json,
  vars json,
  tags text[] not null default '{}',
  locale text,
  unreachable text,
  unreachable_at timestamptz,
  migrated_to bigint,
  first_seen_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  version bigint not null default 1,
  primary key (integration_id, contact_id)
) with (fillfactor = 85);

create table conversation (
  integration_id bigint not null,
  chat_id bigint not null,
  thread_id bigint not null default 0,
  user_id bigint not null default 0,
  release_number integer not null,
  state json not null,
  version bigint not null default 1,
  updated_at timestamptz not null default now(),
  primary key (integration_id, chat_id, thread_id, user_id)
) with (fillfactor = 80);

-- Variables that all conversations of a bot share.
create table bot_memory (
  integration_id bigint primary key,
  vars json not null,
  version bigint not null default 1
);

-- Messages to send. state: 0 waiting, 1 sending, 2 sent, 3 refused, 4 unknown, 5 parked.
-- class: 0 reply, 1 bulk. `owner_token` is the bucket token under which it is being sent. `doubts` counts lost answers.
-- `target` is the key of the message that an edit or delete means.
create table outbox (
  integration_id bigint not null,
  key text not null collate "C",
  bucket smallint not null,
  id bigint generated always as identity,
  chat_id bigint not null,
  class smallint not null default 0 check (class in (0, 1)),
  method text not null,
  params json not null,
  target text collate "C",
  report json,
  state smallint not null default 0 check (state between 0 and 5),
  owner_token bigint,
  tries smallint not null default 0,
  doubts smallint not null default 0 check (doubts between 0 and 2),
  available_at timestamptz,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  message_id bigint,
  error text,
  primary key (integration_id, key),
  check ((state = 1) = (owner_token is not null)),
  check (state <> 4 or doubts = 2)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.1);
create index outbox_open on outbox (bucket, integration_id, class, id) where state < 2;
create index outbox_parked on outbox (integration_id, chat_id, id) where state = 5;
create index outbox_unknown on outbox (created_at) where state = 4;
create index outbox_age on outbox using brin (created_at) with (pages_per_range = 32, autosummarize = on);
create index outbox_sent on outbox using brin (sent_at) with (pages_per_range = 32, autosummarize = on);

-- Telegram said "not before": chat_id 0 means the whole bot.
create table park (
  integration_id bigint not null,
  chat_id bigint not null,
  until_at timestamptz not null,
  primary key (integration_id, chat_id)
);
create index park_until on park (until_at);

-- Waits that end by themselves. When due, one statement moves them into the inbox.
create table timer (
  integration_id bigint not null,
  key text not null collate "C",
  bucket smallint not null,
  lane bigint not null,
  due_at timestamptz not null,
  body json not null,
  primary key (integration_id, key)
);
create index timer_due on timer (due_at);

-- A button that works once, once it was pressed.
create table press (
  integration_id bigint not null,
  token text not null collate "C",
  used_at timestamptz not null default now(),
  primary key (integration_id, token)
);
create index press_age on press using brin (used_at) with (pages_per_range = 32, autosummarize = on);

-- Telegram's own name for a file that this bot has uploaded once.
create table uploaded_file (
  integration_id bigint not null,
  sha256 text not null,
  kind text not null,
  file_id text not null,
  primary key (integration_id, sha256, kind)
);

-- What an operator should know; told once for each (kind, subject) until it is over.
create table notice (
  id bigint generated always as identity primary key,
  kind text not null,
  subject text not null,
  message text not null,
  opened_at timestamptz not null default now(),
  closed_at timestamptz
);
create unique index notice_open on notice (kind, subject) where closed_at is null;
