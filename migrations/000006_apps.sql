-- roost: min_code_level 1

-- The web face of a project: one row once it has a name or a domain of its own. A Mini App needs none: its address is
-- made from the project and the bot, so that it is there the moment a bot is connected, and the same ever after.
create table site (
  project_id bigint primary key references project (id),
  slug text unique collate "C" check (slug ~ '^[a-z0-9]([a-z0-9-]{0,46}[a-z0-9])?$'),
  domain text unique collate "C" check (domain = lower(domain) and length(domain) between 4 and 253),
  created_at timestamptz not null default now(),
  rev bigint not null default nextval('change_rev')
);
create index site_rev on site (rev);

-- Who has sent something. visitor_id: `tg:` and a person of Telegram, or `web:` and what the cookie stands for.
create table app_visitor (
  project_id bigint not null references project (id),
  visitor_id text not null collate "C",
  profile json not null,
  first_seen_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  primary key (project_id, visitor_id)
);

-- The last number of a project. Its row is locked by whoever sends something, first of all: numbers have no gaps, and
-- what is taken off (stock, times) is taken by one at a time, in one order.
create table lead_count (
  project_id bigint primary key references project (id),
  last integer not null
);

-- What a visitor has sent, whole. `key` is the visitor and the key the client made: the same again is no second one.
create table lead (
  id bigint generated always as identity primary key,
  project_id bigint not null references project (id),
  number integer not null check (number > 0),
  key text not null collate "C",
  app text not null,
  integration_id bigint,
  release_number integer not null,
  form text not null,
  kind text not null check (kind in ('lead', 'order', 'booking')),
  visitor_id text not null collate "C",
  fields json not null,
  -- The same for people: labels instead of ids, in the visitor's language.
  words json not null,
  total numeric(14, 2) check (total >= 0),
  currency text,
  locale text not null,
  start text,
  created_at timestamptz not null default now(),
  unique (project_id, number),
  unique (project_id, key),
  foreign key (project_id, visitor_id) references app_visitor (project_id, visitor_id),
  check ((kind = 'order') = (total is not null)),
  check ((total is null) = (currency is null))
);
create index lead_form on lead (project_id, form, number);

create table order_line (
  lead_id bigint not null references lead (id) on delete cascade,
  line smallint not null,
  row_id bigint not null,
  title text not null,
  variant text,
  count smallint not null check (count between 1 and 99),
  price numeric(14, 2) not null check (price >= 0),
  primary key (lead_id, line)
);

-- A time that is taken, in cells of five minutes for each place: two bookings that overlap share a cell, and the
-- primary key refuses the second, whatever the length of either. each_row 0: the booking has one calendar for all.
create table booking_cell (
  project_id bigint not null references project (id),
  booking text not null,
  each_row bigint not null,
  cell_at timestamptz not null check (extract(epoch from cell_at)::bigint % 300 = 0),
  place smallint not null check (place between 1 and 100),
  lead_id bigint not null references lead (id) on delete cascade,
  primary key (project_id, booking, each_row, cell_at, place)
);
create index booking_cell_lead on booking_cell (lead_id);

-- A file of a visitor, in the form in which it may be given to others. Without a lead it is removed after a day.
create table upload (
  id text primary key,
  project_id bigint not null references project (id),
  visitor_id text not null collate "C",
  form text not null,
  field text not null,
  kind text not null,
  name text not null check (length(name) between 1 and 200),
  bytes bytea not null check (octet_length(bytes) between 1 and 10485760),
  lead_id bigint references lead (id) on delete cascade,
  created_at timestamptz not null default now()
);
create index upload_open on upload (created_at) where lead_id is null;
create index upload_visitor on upload (project_id, visitor_id) where lead_id is null;
create index upload_lead on upload (lead_id) where lead_id is not null;
