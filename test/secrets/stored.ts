import type { Db } from '../../kernel/db.ts';

/** A column with everything that stands in it, as text; bytes as hex. */
export type StoredColumn = { readonly name: string; readonly text: string };

/** Every column of every table, whatever its type. */
export async function everyColumn(db: Db): Promise<StoredColumn[]> {
  const columns = await db.many<{ table: string; column: string }>({
    text: `select c.table_name as "table", c.column_name as "column" from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
      where table_schema not in ('pg_catalog', 'information_schema') and t.table_type = 'BASE TABLE'`,
    values: [],
  });
  return Promise.all(
    columns.map(async ({ table, column }) => {
      const row = await db.one<{ text: string | null }>({
        text: `select string_agg("${column}"::text, E'\\n') as text from "${table}"`,
        values: [],
      });
      return { name: `${table}.${column}`, text: row?.text ?? '' };
    }),
  );
}
