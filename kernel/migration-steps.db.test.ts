import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts';
import { migrate } from './migrate.ts';
import { readMigrations } from './migration-files.ts';
import { sql } from './sql.ts';

let database: TestDatabase;
let folder: string;

beforeEach(async () => {
  database = await createTestDatabase({ migrated: false });
  folder = await mkdtemp(join(tmpdir(), 'roost-migrations-'));
  await file('000001_first.sql', 'create table crowd (id integer primary key, name text, size integer)');
  await migrate(database.url, { folder });
  await database.db.run(sql`insert into crowd (id, name) select i, 'Person ' || i from generate_series(1, 1000) i`);
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const file = (name: string, body: string): Promise<void> =>
  writeFile(join(folder, name), `-- roost: min_code_level 1\n${body}\n`);
const run = (): Promise<string[]> => migrate(database.url, { folder });
const ran = async (): Promise<number> =>
  (await database.db.one<{ n: number }>(sql`select count(*)::int as n from roost_migration`))?.n ?? 0;
const column = (name: string): Promise<unknown> =>
  database.db.one({
    text: `select 1 as there from information_schema.columns where table_name = 'crowd' and column_name = '${name}'`,
    values: [],
  });

const filled = `
-- roost: step
alter table crowd add column length integer;
-- roost: step in batches
with part as (
  select id from crowd where id > coalesce($1::text, '0')::integer order by id limit 100
), done as (
  update crowd set length = length(crowd.name) from part where crowd.id = part.id returning crowd.id
)
select max(id)::text as next from done`;

describe('a migration of several steps', () => {
  test('builds an index outside a transaction, and fills a column in transactions of their own', async () => {
    await file(
      '000002_steps.sql',
      `${filled}\n-- roost: step alone\ncreate index concurrently crowd_size on crowd (size)`,
    );
    expect(await run()).toEqual(['000002_steps.sql']);
    const batches = `select count(*)::int as rows, count(distinct xmin::text)::int as batches from crowd where length > 0`;
    expect(await database.db.one({ text: batches, values: [] })).toEqual({ rows: 1000, batches: 10 });
    expect(
      await database.db.one(sql`select indisvalid as valid from pg_index where indexrelid = 'crowd_size'::regclass`),
    ).toEqual({ valid: true });
    expect(await run()).toEqual([]);
    expect(await database.db.many(sql`select * from roost_migration_step`)).toEqual([]);
  });

  test('goes on where it ended: what is done is not done again', async () => {
    await file('000002_steps.sql', `${filled}\n-- roost: step\nselect 1 / (select size from crowd where id = 1)`);
    await database.db.run(sql`update crowd set size = 0 where id = 1`);
    await expect(run()).rejects.toThrow('000002_steps.sql failed: division by zero');
    // It is no migration that has run, and its first two steps stay.
    expect(await ran()).toBe(1);
    expect(await column('length')).toEqual({ there: 1 });
    await database.db.run(sql`update crowd set length = -1`);
    await database.db.run(sql`update crowd set size = 1 where id = 1`);
    expect(await run()).toEqual(['000002_steps.sql']);
    expect(await database.db.one(sql`select count(*)::int as n from crowd where length = -1`)).toEqual({ n: 1000 });
  });

  test('a fill that ended in the middle goes on behind its last batch', async () => {
    await database.db.run(sql`alter table crowd add check (size is null or size <= 550)`);
    const step = (last: string): string =>
      `-- roost: step in batches
       with part as (select id from crowd where id > coalesce($1::text, '0')::integer order by id limit 100),
       done as (update crowd set size = ${last}, name = name || '!' from part where crowd.id = part.id returning crowd.id)
       select max(id)::text as next from done`;
    await file('000002_fill.sql', step('crowd.id'));
    await expect(run()).rejects.toThrow('000002_fill.sql failed');
    await file('000002_fill.sql', step('550'));
    expect(await run()).toEqual(['000002_fill.sql']);
    expect(
      await database.db.one(sql`select count(*)::int as n from crowd where name like '%!' and name not like '%!!'`),
    ).toEqual({ n: 1000 });
  });

  test('an index that was left half built is built anew', async () => {
    await database.db.run(sql`update crowd set size = 1`);
    await file(
      '000002_index.sql',
      '-- roost: step alone\ncreate unique index concurrently crowd_size on crowd (size);',
    );
    await expect(run()).rejects.toThrow('could not create unique index');
    const valid = sql`select indisvalid as valid from pg_index where indexrelid = 'crowd_size'::regclass`;
    expect(await database.db.one(valid)).toEqual({ valid: false });
    await database.db.run(sql`update crowd set size = id`);
    expect(await run()).toEqual(['000002_index.sql']);
    expect(await database.db.one(valid)).toEqual({ valid: true });
  });

  test('three migrators at once do it once', async () => {
    await file(
      '000002_steps.sql',
      `${filled}\n-- roost: step alone\ncreate index concurrently crowd_size on crowd (size)`,
    );
    const outcomes = await Promise.all([run(), run(), run()]);
    expect(outcomes.flat()).toEqual(['000002_steps.sql']);
  });

  test('writers go on while an index waits for an old transaction', async () => {
    await file('000002_index.sql', '-- roost: step alone\ncreate index concurrently crowd_size on crowd (size)');
    const writer = new pg.Client({ connectionString: database.url });
    await writer.connect();
    await writer.query('begin; update crowd set size = 5 where id = 5');
    const migrating = run();
    const waiting = {
      text: `select from pg_stat_activity where query like 'create index conc%' and wait_event_type = 'Lock'`,
      values: [],
    };
    while ((await database.db.run(waiting)) === 0);
    expect(await database.db.run(sql`update crowd set size = 6 where id = 6`)).toBe(1);
    await writer.query('commit');
    await writer.end();
    expect(await migrating).toEqual(['000002_index.sql']);
  });
});

test('the limits of the role do not end a migration', async () => {
  await database.db.run(sql`
    do $$ begin
      execute format('alter role current_user in database %I set statement_timeout = ''200ms''', current_database());
    end $$`);
  await file('000002_slow.sql', 'select pg_sleep(0.4)');
  await file('000003_alone.sql', '-- roost: step alone\nselect pg_sleep(0.4)');
  expect(await run()).toEqual(['000002_slow.sql', '000003_alone.sql']);
});

test.each([
  ['update crowd set size = 1;\n-- roost: step\nselect 1', 'no statement may stand before the first step'],
  ['-- roost: step\n-- nothing\n-- roost: step\nselect 1', 'a step is empty'],
  ['-- roost: step alone\nselect 1; select 2', 'is one statement'],
  ['-- roost: step slowly\nselect 1', 'is no line that a migration knows'],
])('%j is refused', async (body, sentence) => {
  await file('000002_wrong.sql', body);
  await expect(readMigrations(folder)).rejects.toThrow(sentence);
});
