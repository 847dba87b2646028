// Every statement of the tables. The caller owns the transaction. Values travel as JSON; a row of `record_table` is locked
// before records of its table are written, so that writers of one table come one after the other.
import type { Queryable, Tx } from '../../../kernel/db.ts';
import { joined, type Sql, sql } from '../../../kernel/sql.ts';
import { patternOf, type StoredTest, type Values } from './rules.ts';

/** Which table of which project. */
export type TableKey = { readonly projectId: number; readonly name: string };

export type TableRow = {
  last_id: number;
  row_count: number;
  unique_columns: string[];
  seeded: boolean;
};

/** Locks a table for writing until the transaction ends; makes its row where there is none. Nothing of it changes yet. */
export const lockTable = (tx: Tx, { projectId, name }: TableKey) =>
  tx.one<TableRow>(sql`
    insert into record_table as t (project_id, table_name) values (${projectId}, ${name})
    on conflict (project_id, table_name) do update set last_id = t.last_id
    returning last_id, row_count, unique_columns, seeded_at is not null as seeded`);

/** Something of the table has changed: its revision moves, and its count. */
export const moveTable = (tx: Tx, { projectId, name }: TableKey, change: { added: number; lastId: number }) =>
  tx.run(sql`
    update record_table set row_count = row_count + ${change.added}, last_id = greatest(last_id, ${change.lastId}::bigint),
      rev = nextval('change_rev')
    where project_id = ${projectId} and table_name = ${name}`);

export const markSeeded = (tx: Tx, { projectId, name }: TableKey) =>
  tx.run(sql`update record_table set seeded_at = now() where project_id = ${projectId} and table_name = ${name}`);

export const setUniqueColumns = (tx: Tx, { projectId, name }: TableKey, columns: readonly string[]) =>
  tx.run(sql`
    update record_table set unique_columns = ${columns} where project_id = ${projectId} and table_name = ${name}`);

/** The tables of a project that were written to, without their records. */
export const selectTables = (db: Queryable, projectId: number) =>
  db.many<{ name: string; row_count: number; unique_columns: string[]; rev: number; changed_at: Date | null }>(sql`
    select t.table_name as name, t.row_count, t.unique_columns, t.rev,
      (select max(r.updated_at) from record r where r.project_id = t.project_id and r.table_name = t.table_name) as changed_at
    from record_table t where t.project_id = ${projectId} order by t.table_name`);

/** Of each project the sum of its tables' revisions: it grows with every change of any of them. */
export const sumRevs = (db: Queryable, projectIds: readonly number[]) =>
  db.many<{ projectId: number; sum: number }>(sql`
    select project_id as "projectId", sum(rev)::bigint as sum from record_table
    where project_id = any(${projectIds}::bigint[]) group by project_id`);

// ---- records

/**
 * A condition for each test, written out: a function that goes through them took 67 us a row, these take 1 to 3. What a
 * column is to be goes by the index of values.
 */
const passes = (tests: readonly StoredTest[]): Sql => joined(...tests.map((test) => joined(sql`and`, passesOne(test))));

function passesOne({ f, o, v }: StoredTest): Sql {
  const given = JSON.stringify(v);
  const held = f === 'id' ? sql`to_jsonb(r.id)` : sql`r.values -> ${f}::text`;
  switch (o) {
    case 'is':
      if (v === null) return joined(sql`(`, held, sql`) is null`);
      if (f === 'id') return Number.isSafeInteger(v) ? sql`r.id = ${v}::bigint` : sql`false`;
      return sql`r.values @> ${JSON.stringify({ [f]: v })}::jsonb`;
    case 'not':
      return joined(sql`(`, held, v === null ? sql`) is not null` : sql`) is distinct from ${given}::jsonb`);
    case 'over':
      return joined(
        sql`jsonb_typeof(`,
        held,
        sql`) = jsonb_typeof(${given}::jsonb) and (`,
        held,
        sql`) > ${given}::jsonb`,
      );
    case 'under':
      return joined(
        sql`jsonb_typeof(`,
        held,
        sql`) = jsonb_typeof(${given}::jsonb) and (`,
        held,
        sql`) < ${given}::jsonb`,
      );
    default:
      return joined(sql`(`, held, sql`) #>> '{}' ~ ${patternOf(String(v))}::text`);
  }
}

export type RecordRow = { id: number; values: { [field: string]: unknown } };

/** A row to store; `removed` are columns that become empty. */
export type RecordWrite = { readonly id: number; readonly values: Values; readonly removed: readonly string[] };

const asJson = (rows: readonly RecordWrite[]): string =>
  JSON.stringify(rows.map(({ id, values, removed }) => ({ i: id, v: values, r: removed })));

export const insertRecords = (tx: Tx, { projectId, name }: TableKey, rows: readonly RecordWrite[]) =>
  tx.run(sql`
    insert into record (project_id, table_name, id, values)
    select ${projectId}::bigint, ${name}::text, (r->>'i')::bigint, r->'v' from jsonb_array_elements(${asJson(rows)}::jsonb) as r`);

/** Puts values over what is there; columns that nobody names stay, those that the document has no more too. */
export const changeRecords = (tx: Tx, { projectId, name }: TableKey, rows: readonly RecordWrite[]) =>
  tx.run(sql`
    update record r set values = (r.values || (w->'v')) - array(select jsonb_array_elements_text(w->'r')),
      updated_at = now(), rev = r.rev + 1
    from jsonb_array_elements(${asJson(rows)}::jsonb) as w
    where r.project_id = ${projectId} and r.table_name = ${name} and r.id = (w->>'i')::bigint`);

/** The same for all records that pass the tests. Gives them as they are now, the oldest first. */
export const changeMatching = (
  tx: Tx,
  { projectId, name }: TableKey,
  change: { tests: readonly StoredTest[]; values: Values; removed: readonly string[] },
) =>
  tx.many<RecordRow>(
    joined(
      sql`
    with changed as (
      update record r set values = (r.values || ${JSON.stringify(change.values)}::jsonb) - ${change.removed}::text[],
        updated_at = now(), rev = r.rev + 1
      where r.project_id = ${projectId} and r.table_name = ${name}`,
      passes(change.tests),
      sql`
      returning r.id, r.values
    )
    select c.id, c.values from changed c order by c.id`,
    ),
  );

/** Their claims go with them. */
export const deleteMatching = (tx: Tx, { projectId, name }: TableKey, tests: readonly StoredTest[]) =>
  tx.run(joined(sql`delete from record r where r.project_id = ${projectId} and r.table_name = ${name}`, passes(tests)));

export const deleteOthers = (tx: Tx, { projectId, name }: TableKey, keptIds: readonly number[]) =>
  tx.run(sql`
    delete from record r
    where r.project_id = ${projectId} and r.table_name = ${name} and r.id <> all(${keptIds}::bigint[])`);

export const selectIds = (db: Queryable, { projectId, name }: TableKey, ids: readonly number[]) =>
  db.many<{ id: number }>(sql`
    select id from record where project_id = ${projectId} and table_name = ${name} and id = any(${ids}::bigint[])`);

export type Find = {
  readonly tests: readonly StoredTest[];
  /** null: in the order in which they were put in. */
  readonly sort: string | null;
  readonly descending: boolean;
  readonly limit: number;
};

/**
 * Numbers are sorted by size, words by letters; what is empty comes last. Words of ASCII alone are folded by `lower`, which
 * comes to the same as `record_fold` at a fraction of its cost.
 */
export const findRecords = (db: Queryable, place: TableKey, find: Find) =>
  db.many<RecordRow>(find.sort === null ? findInOrder(place, find) : findSorted(place, find));

/** In the order of the primary key, so that the search ends with the last row that is wanted. */
const findInOrder = ({ projectId, name }: TableKey, { tests, descending, limit }: Find): Sql =>
  joined(
    sql`select r.id, r.values from record r where r.project_id = ${projectId} and r.table_name = ${name}`,
    passes(tests),
    descending ? sql`order by r.id desc limit ${limit}` : sql`order by r.id limit ${limit}`,
  );

const findSorted = ({ projectId, name }: TableKey, find: Find): Sql =>
  joined(
    sql`
    select r.id, r.values
    from record r
    cross join lateral (
      select case jsonb_typeof(r.values->${find.sort}::text) when 'number' then (r.values->>${find.sort}::text)::numeric
          when 'boolean' then (r.values->>${find.sort}::text)::boolean::int::numeric end as size,
        case when jsonb_typeof(r.values->${find.sort}::text) = 'string' then (
          select case when octet_length(w) = length(w) then lower(w) else record_fold(w) end
          from (select r.values->>${find.sort}::text as w) as written
        ) end as words
    ) as k
    where r.project_id = ${projectId} and r.table_name = ${name}`,
    passes(find.tests),
    find.descending
      ? sql`order by k.size desc nulls last, k.words desc nulls last, r.id desc limit ${find.limit}`
      : sql`order by k.size, k.words, r.id limit ${find.limit}`,
  );

/** Beyond this many nobody counts: who asks waits, and so does whoever shares the connection. */
const countMax = 10_000;

/** How many pass, up to `countMax`; without a test, all of them, as the table itself knows. */
export const countRecords = (db: Queryable, { projectId, name }: TableKey, tests: readonly StoredTest[]) =>
  db.one<{ count: number }>(
    tests.length === 0
      ? sql`select row_count as count from record_table where project_id = ${projectId} and table_name = ${name}`
      : joined(
          sql`select count(*)::int as count from (
            select from record r where r.project_id = ${projectId} and r.table_name = ${name}`,
          passes(tests),
          sql`limit ${countMax}) as counted`,
        ),
  );

/** The next records by number: how a whole table is read in pieces. */
export const pageOfRecords = (db: Queryable, { projectId, name }: TableKey, page: { after: number; limit: number }) =>
  db.many<RecordRow>(sql`
    select r.id, r.values from record r
    where r.project_id = ${projectId} and r.table_name = ${name} and r.id > ${page.after}
    order by r.id limit ${page.limit}`);

/** Takes amounts off a column of numbers where there is enough. Gives the numbers of the rows where there was. */
export const takeAmounts = (
  tx: Tx,
  { projectId, name }: TableKey,
  take: { column: string; ids: readonly number[]; counts: readonly number[] },
) =>
  tx.many<{ id: number }>(sql`
    update record r set values = jsonb_set(r.values, array[${take.column}::text], to_jsonb((r.values->>${take.column})::numeric - w.count)),
      updated_at = now(), rev = r.rev + 1
    from unnest(${take.ids}::bigint[], ${take.counts}::numeric[]) as w (id, count)
    where r.project_id = ${projectId} and r.table_name = ${name} and r.id = w.id
      and case when jsonb_typeof(r.values->${take.column}) = 'number' then (r.values->>${take.column})::numeric >= w.count end
    returning r.id`);

// ---- values that no two rows may have

/** A claim that somebody else holds: the record that wanted it, and the column. */
export type Taken = { id: number; column: string };

/** Enters the values of records in unique columns. Gives those that another record has. */
export const claim = (
  tx: Tx,
  { projectId, name }: TableKey,
  claims: { columns: readonly string[]; ids: readonly number[] | null },
) =>
  tx.many<Taken>(sql`
    with wanted as (
      select r.id, c.name as column_name, sha256(convert_to(r.values->>c.name, 'UTF8')) as hash
      from record r cross join unnest(${claims.columns}::text[]) as c (name)
      where r.project_id = ${projectId} and r.table_name = ${name}
        and (${claims.ids}::bigint[] is null or r.id = any(${claims.ids}::bigint[])) and r.values ? c.name
    ), entered as (
      insert into record_claim (project_id, table_name, column_name, value_hash, record_id)
      select ${projectId}::bigint, ${name}::text, w.column_name, w.hash, w.id from wanted w order by w.id
      on conflict do nothing
      returning column_name, record_id
    )
    select w.id, w.column_name as "column" from wanted w
    left join entered e on e.record_id = w.id and e.column_name = w.column_name
    where e.record_id is null
    order by w.id, w.column_name limit 20`);

/** Gives up claims: of these columns, or of all columns of these records. */
export const unclaim = (
  tx: Tx,
  { projectId, name }: TableKey,
  claims: { columns: readonly string[] | null; ids: readonly number[] | null },
) =>
  tx.run(sql`
    delete from record_claim
    where project_id = ${projectId} and table_name = ${name}
      and (${claims.columns}::text[] is null or column_name = any(${claims.columns}::text[]))
      and (${claims.ids}::bigint[] is null or record_id = any(${claims.ids}::bigint[]))`);

// ---- a part of a transaction that may be taken back by itself

export const markHere = (tx: Tx) => tx.run(sql`savepoint tables`);
export const takeBack = (tx: Tx) => tx.run(sql`rollback to savepoint tables`);
export const forgetMark = (tx: Tx) => tx.run(sql`release savepoint tables`);
