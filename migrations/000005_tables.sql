-- roost: min_code_level 1

-- A table of a project that records were put into. What its columns are stands in the project's document. `rev` moves
-- with every change of its records, under a lock of this row that lasts as long as the transaction, so that caches may
-- follow it and writers of one table come one after the other. `seeded_at`: the rows of the document were put in.
create table record_table (
  project_id bigint not null references project (id),
  table_name text not null collate "C",
  last_id bigint not null default 0,
  row_count integer not null default 0 check (row_count >= 0),
  -- The columns whose values stand in record_claim.
  unique_columns text[] not null default '{}',
  seeded_at timestamptz,
  rev bigint not null default nextval('change_rev'),
  primary key (project_id, table_name)
);

-- Values by column. A column that the document has no more keeps its values here and is not shown.
create table record (
  project_id bigint not null,
  table_name text not null collate "C",
  id bigint not null check (id > 0),
  values jsonb not null check (jsonb_typeof(values) = 'object'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  rev bigint not null default 1,
  primary key (project_id, table_name, id),
  foreign key (project_id, table_name) references record_table (project_id, table_name)
) with (fillfactor = 85);

-- A value of a column that no other row may have: the primary key is what keeps two writers from having both. By its
-- hash, since a text may be longer than an index takes.
create table record_claim (
  project_id bigint not null,
  table_name text not null collate "C",
  column_name text not null collate "C",
  value_hash bytea not null check (length(value_hash) = 32),
  record_id bigint not null,
  primary key (project_id, table_name, column_name, value_hash),
  foreign key (project_id, table_name, record_id) references record (project_id, table_name, id) on delete cascade
);
create index record_claim_record on record_claim (project_id, table_name, record_id);

-- Letters without regard to case, for searching and sorting. The embedded database compares bytes, where lower() knows
-- only the Latin alphabet.
create function record_fold(words text) returns text language sql immutable parallel safe as $$
  select lower(translate(words, 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯё', 'абвгдеежзийклмнопрстуфхцчшщъыьэюяе'))
$$;

-- True when a record passes all tests, each {"f": column, "o": operator, "v": value}. The value null means "nothing".
create function record_fits(id bigint, fields jsonb, tests jsonb) returns boolean language sql immutable parallel safe as $$
  select not exists (
    select 1
    from jsonb_array_elements(tests) as t
    cross join lateral (select case t->>'f' when 'id' then to_jsonb(id) else fields -> (t->>'f') end as held) as h
    where not coalesce(case t->>'o'
      when 'is' then held is not distinct from nullif(t->'v', 'null'::jsonb)
      when 'not' then held is distinct from nullif(t->'v', 'null'::jsonb)
      when 'over' then jsonb_typeof(held) = jsonb_typeof(t->'v') and held > t->'v'
      when 'under' then jsonb_typeof(held) = jsonb_typeof(t->'v') and held < t->'v'
      when 'contains' then position(record_fold(t->>'v') in record_fold(held #>> '{}')) > 0
    end, false)
  )
$$;

-- What the menu button of the project's bots says; null: the running release has no app. Telegram has one text for all
-- languages.
alter table project add column menu_text text;

-- menu_due: the menu button is to be looked at. menu_told: text and address that Telegram was told last, divided by a
-- line break. menu_replaced: how often a button of somebody else's was replaced by ours.
alter table integration
  add column menu_due boolean not null default false,
  add column menu_told text,
  add column menu_replaced smallint not null default 0,
  add column menu_retry_at timestamptz;
create index integration_menu_due on integration (menu_retry_at nulls first) where menu_due;
