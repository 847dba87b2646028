// Every statement of the apps. The caller owns the transaction.
import type { Queryable, Tx } from '../../../kernel/db.ts';
import { sql } from '../../../kernel/sql.ts';

// ---- sites

export type SiteChange = {
  xmin: number;
  xmax: number;
  top: number;
  server: string;
  /** null in the one row of an answer without changes. */
  project_id: number;
  project_public_id: string;
  slug: string | null;
  domain: string | null;
  release_number: number | null;
  /** The revision that brought the row: the site's own or its project's. */
  change: number;
};

/** Sites that changed above `after`, or whose project did, and how far transactions are (bots/revisions.ts). */
export const readSiteChanges = (q: Queryable, read: { after: number; taken: readonly number[]; limit: number }) =>
  q.many<SiteChange>(sql`
    with horizon as materialized (
      select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xmin, pg_snapshot_xmax(pg_current_snapshot())::text::bigint as xmax,
        (select case when is_called then last_value else 0 end from change_rev) as top, server_identity() as server
    ), changed as (
      select s.project_id, p.public_id as project_public_id, s.slug, s.domain, p.release_number, s.rev as change
      from site s join project p on p.id = s.project_id
      where s.rev > ${read.after} and s.rev <> all(${read.taken}::bigint[])
      union all
      select s.project_id, p.public_id, s.slug, s.domain, p.release_number, p.rev
      from project p join site s on s.project_id = p.id
      where p.rev > ${read.after} and p.rev <> all(${read.taken}::bigint[])
      order by change limit ${read.limit}
    )
    select horizon.*, changed.* from horizon left join changed on true order by changed.change`);

export type SiteRow = { slug: string | null; domain: string | null };

export const selectSite = (q: Queryable, projectId: number) =>
  q.one<SiteRow>(sql`select slug, domain from site where project_id = ${projectId}`);

/** Sets what is given and leaves the rest; null takes away. The row is made where there is none. */
export const saveSlug = (tx: Tx, projectId: number, slug: string | null) =>
  tx.run(sql`
    insert into site (project_id, slug) values (${projectId}, ${slug})
    on conflict (project_id) do update set slug = excluded.slug, rev = nextval('change_rev')`);

export const saveDomain = (tx: Tx, projectId: number, domain: string | null) =>
  tx.run(sql`
    insert into site (project_id, domain) values (${projectId}, ${domain})
    on conflict (project_id) do update set domain = excluded.domain, rev = nextval('change_rev')`);

/** The projects that have this slug or domain. */
export const findHolders = (q: Queryable, site: { slug: string | null; domain: string | null }) =>
  q.many<{ project_id: number }>(sql`
    select project_id from site where slug = ${site.slug} or domain = ${site.domain}`);

export type AppRow = {
  project_id: number;
  project: string;
  project_public_id: string;
  release_number: number;
  slug: string | null;
  domain: string | null;
  has_app: boolean;
};

/** Projects whose running release has pages. */
export const listApps = (q: Queryable, limit: number) =>
  q.many<AppRow>(sql`
    select p.id as project_id, p.name as project, p.public_id as project_public_id, p.release_number, s.slug, s.domain,
      r.document -> 'app' is not null as has_app
    from project p
    join release r on r.project_id = p.id and r.number = p.release_number
    left join site s on s.project_id = p.id
    where r.document -> 'app' is not null
    order by p.name limit ${limit}`);

// ---- what visitors send

/** The next number of a project. Whoever has it holds back all others of the project until its transaction ends. */
export const nextNumber = (tx: Tx, projectId: number) =>
  tx.one<{ last: number }>(sql`
    insert into lead_count (project_id, last) values (${projectId}, 1)
    on conflict (project_id) do update set last = lead_count.last + 1
    returning last`);

export const saveVisitor = (tx: Tx, visitor: { projectId: number; visitorId: string; profile: string }) =>
  tx.run(sql`
    insert into app_visitor (project_id, visitor_id, profile) values (${visitor.projectId}, ${visitor.visitorId}, ${visitor.profile}::json)
    on conflict (project_id, visitor_id) do update set profile = excluded.profile, seen_at = now()`);

export type NewLead = {
  projectId: number;
  number: number;
  key: string;
  app: string;
  integrationId: number | null;
  release: number;
  form: string;
  kind: 'lead' | 'order' | 'booking';
  visitorId: string;
  fields: string;
  words: string;
  total: number | null;
  currency: string | null;
  locale: string;
  start: string | null;
  sentHash: Buffer;
};

/** undefined: something was stored under its key before. */
export const insertLead = (tx: Tx, lead: NewLead) =>
  tx.one<{ id: number }>(sql`
    insert into lead (project_id, number, key, app, integration_id, release_number, form, kind, visitor_id, fields, words, total,
      currency, locale, start, sent_hash)
    values (${lead.projectId}, ${lead.number}, ${lead.key}, ${lead.app}, ${lead.integrationId}, ${lead.release}, ${lead.form},
      ${lead.kind}, ${lead.visitorId}, ${lead.fields}::json, ${lead.words}::json, ${lead.total}, ${lead.currency}, ${lead.locale},
      ${lead.start}, ${lead.sentHash})
    on conflict (project_id, key) do nothing
    returning id`);

export type KnownLead = {
  id: number;
  number: number;
  form: string;
  fields: string;
  total: number | null;
  currency: string | null;
  /** null: stored before it was kept. */
  sent_hash: Buffer | null;
};

export const findLead = (q: Queryable, projectId: number, key: string) =>
  q.one<KnownLead>(sql`
    select id, number, form, fields, total::float8 as total, currency, sent_hash from lead
    where project_id = ${projectId} and key = ${key}`);

export type NewLine = { rowId: number; title: string; variant: string | null; count: number; price: number };

/** Where the goods of an order were taken from. */
export type Stock = { readonly table: string; readonly column: string };

export const insertLines = (tx: Tx, leadId: number, lines: readonly NewLine[], stock: Stock | undefined) =>
  tx.run(sql`
    insert into order_line (lead_id, line, row_id, title, variant, count, price, stock_table, stock_column)
    select ${leadId}::bigint, l.line, l.row_id, l.title, l.variant, l.count, l.price, ${stock?.table ?? null}::text, ${stock?.column ?? null}::text
    from unnest(
      ${lines.map((line) => line.rowId)}::bigint[], ${lines.map((line) => line.title)}::text[], ${lines.map((line) => line.variant)}::text[],
      ${lines.map((line) => line.count)}::smallint[], ${lines.map((line) => line.price)}::numeric[]
    ) with ordinality as l (row_id, title, variant, count, price, line)`);

export const selectLines = (q: Queryable, leadId: number) =>
  q.many<NewLine>(sql`
    select row_id as "rowId", title, variant, count, price::float8 as price from order_line
    where lead_id = ${leadId} order by line`);

// ---- taking back

/** Marks it as cancelled; undefined where there is none that stands. */
export const cancelLead = (tx: Tx, projectId: number, number: number) =>
  tx.one<{ id: number }>(sql`
    update lead set cancelled_at = now()
    where project_id = ${projectId} and number = ${number} and cancelled_at is null
    returning id`);

export const freeCells = (tx: Tx, leadId: number) => tx.run(sql`delete from booking_cell where lead_id = ${leadId}`);

export const hasLead = (tx: Tx, projectId: number, number: number) =>
  tx.one<{ id: number }>(sql`select id from lead where project_id = ${projectId} and number = ${number}`);

export type TakenGoods = { table: string; column: string; items: { id: number; count: number }[] };

/** How much of each row an order took off which stock. */
export const takenGoods = async (tx: Tx, leadId: number): Promise<TakenGoods[]> => {
  const rows = await tx.many<Omit<TakenGoods, 'items'> & { items: string }>(sql`
    select stock_table as "table", stock_column as "column", json_agg(json_build_object('id', row_id, 'count', count)) as items
    from (
      select stock_table, stock_column, row_id, sum(count)::int as count from order_line
      where lead_id = ${leadId} and stock_table is not null
      group by stock_table, stock_column, row_id
    ) as taken
    group by stock_table, stock_column order by stock_table, stock_column`);
  return rows.map((row) => ({ ...row, items: JSON.parse(row.items) }));
};

// ---- bookings

/** Which calendar: one of a booking, or of a row of it (0: it has one for all). */
export type Calendar = { projectId: number; booking: string; eachRow: number };

/** How many places are taken at each of these beginnings. */
export const takenPlaces = (
  q: Queryable,
  calendar: Calendar,
  slots: { starts: readonly number[]; minutes: number; places: number },
) =>
  q.many<{ start_ms: number; taken: number }>(sql`
    select s.start_ms::float8 as start_ms, count(distinct c.place)::int as taken
    from unnest(${slots.starts}::float8[]) as s (start_ms)
    left join booking_cell c on c.project_id = ${calendar.projectId} and c.booking = ${calendar.booking} and c.each_row = ${calendar.eachRow}
      and c.place <= ${slots.places}
      and c.cell_at >= to_timestamp(s.start_ms / 1000) and c.cell_at < to_timestamp(s.start_ms / 1000) + make_interval(mins => ${slots.minutes})
    group by s.start_ms`);

/**
 * Takes the first place that is free for the whole time, cell by cell; 0 cells where none is. Two who choose the same
 * place at the same moment meet at the primary key, and the second fails with 23505.
 */
export const takePlace = (
  tx: Tx,
  calendar: Calendar,
  slot: { startMs: number; minutes: number; cellMinutes: number; places: number; leadId: number },
) =>
  tx.run(sql`
    with cells as (
      select generate_series(to_timestamp(${slot.startMs / 1_000}::float8),
        to_timestamp(${slot.startMs / 1_000}::float8) + make_interval(mins => ${slot.minutes - slot.cellMinutes}),
        make_interval(mins => ${slot.cellMinutes})) as cell_at
    ), free as (
      select p.place from generate_series(1, ${slot.places}::int) as p (place)
      where not exists (
        select 1 from booking_cell c join cells on cells.cell_at = c.cell_at
        where c.project_id = ${calendar.projectId} and c.booking = ${calendar.booking} and c.each_row = ${calendar.eachRow} and c.place = p.place
      )
      order by p.place limit 1
    )
    insert into booking_cell (project_id, booking, each_row, cell_at, place, lead_id)
    select ${calendar.projectId}::bigint, ${calendar.booking}::text, ${calendar.eachRow}::bigint, cells.cell_at, free.place, ${slot.leadId}::bigint
    from cells cross join free`);

// ---- looking

export type LeadRow = {
  number: number;
  form: string;
  kind: string;
  visitor_id: string;
  profile: string;
  fields: string;
  words: string;
  total: number | null;
  currency: string | null;
  locale: string;
  start: string | null;
  created_at: Date;
  cancelled_at: Date | null;
  /** [{title, variant, count, price}] */
  lines: string | null;
  /** [{id, name}] */
  files: string | null;
};

/** The newest first, older than `before`. */
export const selectLeads = (
  q: Queryable,
  list: { projectId: number; form: string | null; before: number | null; limit: number },
) =>
  q.many<LeadRow>(sql`
    select l.number, l.form, l.kind, l.visitor_id, v.profile, l.fields, l.words, l.total::float8 as total, l.currency, l.locale, l.start,
      l.created_at, l.cancelled_at,
      (select json_agg(json_build_object('id', o.row_id, 'title', o.title, 'variant', o.variant, 'count', o.count, 'price', o.price) order by o.line)
        from order_line o where o.lead_id = l.id) as lines,
      (select json_agg(json_build_object('id', u.id, 'name', u.name, 'field', u.field) order by u.id) from upload u where u.lead_id = l.id) as files
    from lead l join app_visitor v on v.project_id = l.project_id and v.visitor_id = l.visitor_id
    where l.project_id = ${list.projectId} and (${list.form}::text is null or l.form = ${list.form})
      and (${list.before}::int is null or l.number < ${list.before})
    order by l.number desc limit ${list.limit}`);

export const countLeads = (q: Queryable, projectId: number, form: string | null) =>
  q.one<{ count: number }>(sql`
    select count(*)::int as count from lead where project_id = ${projectId} and (${form}::text is null or form = ${form})`);

/** The forms that something has come by, whether the document still has them or not. */
export const leadForms = (q: Queryable, projectId: number) =>
  q.many<{ form: string }>(sql`select distinct form from lead where project_id = ${projectId} order by form`);
