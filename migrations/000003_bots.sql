-- roost: min_code_level 1

-- What was told to Telegram last, when to try again, and what Telegram said about its deliveries.
-- webhook_set_at null means: to be set. webhook_base is an address of the bot's own instead of PUBLIC_URL.
alter table integration
  add column webhook_url text,
  add column webhook_retry_at timestamptz,
  add column webhook_tries smallint not null default 0,
  add column delivery_error text,
  add column delivery_error_at timestamptz;

-- The reconciler asks for one row a pass: what is to be set, else what was looked at longest ago.
create index integration_webhook_unset on integration (webhook_retry_at nulls first)
  where webhook_set_at is null and status in ('connecting', 'active', 'paused');
create index integration_webhook_oldest on integration (webhook_checked_at nulls first)
  where webhook_set_at is not null and status in ('active', 'paused');

-- Who looks after the webhooks. One row; a lease, since the work is calls over the network and no transaction
-- may be open meanwhile.
create table webhook_watch (
  one boolean primary key default true check (one),
  owner uuid,
  lease_until timestamptz not null default '-infinity'
);
insert into webhook_watch default values;
