// What the database was asked, as pg_stat_statements counts it. The module has to be loaded at the start of PostgreSQL.
import type { Db } from '../../kernel/db.ts';
import { sql } from '../../kernel/sql.ts';

/** For `createWorld`: costs the database a few percent, so only benches that count statements ask for it. */
export const countingStatements = { shared_preload_libraries: 'pg_stat_statements' } as const;

export async function beginCounting(db: Db): Promise<void> {
  await db.run(sql`create extension if not exists pg_stat_statements`);
  await db.run(sql`select pg_stat_statements_reset()`);
}

/** How many statements were run in this database since the counting began, our own questions left out. */
export async function statementsRun(db: Db): Promise<number> {
  const row = await db.one<{ calls: number }>(sql`
    select coalesce(sum(calls), 0)::float8 as calls from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database()) and query not like '%pg_stat_statements%'`);
  return row?.calls ?? 0;
}

/** The statements with the most time, a line each: calls, rows, time and log written for each of `messages`. */
export async function statementTable(db: Db, messages: number): Promise<string> {
  const rows = await db.many<{ calls: number; rows: number; ms: number; wal: number; query: string }>(sql`
    select calls, rows, total_exec_time as ms, wal_bytes::float8 as wal, regexp_replace(left(query, 100), '\\s+', ' ', 'g') as query
    from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database()) and query not like '%pg_stat_statements%'
    order by total_exec_time desc limit 16`);
  const head = 'statements a message   rows  us in the database  WAL bytes';
  const lines = rows.map(({ calls, rows: touched, ms, wal, query }) =>
    [
      (calls / messages).toFixed(3).padStart(20),
      (touched / messages).toFixed(2).padStart(6),
      ((ms * 1_000) / messages).toFixed(1).padStart(19),
      (wal / messages).toFixed(0).padStart(10),
      ` ${query.trim()}`,
    ].join(' '),
  );
  return [head, ...lines].join('\n');
}
