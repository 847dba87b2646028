import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts';
import { codeLevel, migrate } from './migrate.ts';
import { migrationsFolder, readMigrations } from './migration-files.ts';
import { sql } from './sql.ts';

let database: TestDatabase;
let folder: string;

beforeEach(async () => {
  database = await createTestDatabase({ migrated: false });
  folder = await mkdtemp(join(tmpdir(), 'roost-migrations-'));
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const file = (name: string, body: string, level = 1): Promise<void> =>
  writeFile(join(folder, name), `-- roost: min_code_level ${level}\n${body}\n`);
const run = (options: { codeLevel?: number } = {}): Promise<string[]> => migrate(database.url, { folder, ...options });
const names = async (): Promise<string[]> =>
  (await database.db.many<{ name: string }>(sql`select name from roost_migration order by number`)).map(
    (row) => row.name,
  );

describe('migrating', () => {
  test('runs what is new, in order, once', async () => {
    await file('000001_first.sql', 'create table first (id integer)');
    await file('000002_second.sql', 'alter table first add column name text');
    expect(await run()).toEqual(['000001_first.sql', '000002_second.sql']);
    expect(await run()).toEqual([]);
    await file('000003_third.sql', 'create table third (id integer)');
    expect(await run()).toEqual(['000003_third.sql']);
  });

  test('one that fails leaves nothing behind, names itself, and can be run again', async () => {
    await file('000001_first.sql', 'create table first (id integer)');
    await file('000002_second.sql', 'create table half (id integer); select 1 / 0');
    await expect(run()).rejects.toThrow('000002_second.sql failed: division by zero');
    expect(await names()).toEqual(['000001_first.sql']);
    expect(await database.db.one(sql`select to_regclass('half') as half`)).toEqual({ half: null });
    await file('000002_second.sql', 'create table half (id integer)');
    expect(await run()).toEqual(['000002_second.sql']);
  });

  test('a migrator killed in the middle leaves the work to the next one', async () => {
    await file('000001_slow.sql', 'create table slow (id integer); select pg_sleep(60)');
    const killed = run();
    killed.catch(() => {});
    await untilSeen(
      `select from pg_stat_activity where query like '%pg_sleep%' and datname = current_database() and pid <> pg_backend_pid()`,
    );
    await database.db.run(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'roost-migrate' and datname = current_database()`);
    await expect(killed).rejects.toThrow();
    await file('000001_slow.sql', 'create table slow (id integer)');
    expect(await run()).toEqual(['000001_slow.sql']);
  });

  test('five at once share the work and none fails', async () => {
    for (let number = 1; number <= 6; number += 1)
      await file(`00000${number}_step.sql`, `create table step${number} (id integer)`);
    const outcomes = await Promise.all([run(), run(), run(), run(), run()]);
    expect(outcomes.flat().sort()).toEqual(await names());
    expect(await names()).toHaveLength(6);
  });

  test('waits for a busy table by letting go and coming back', async () => {
    await file('000001_first.sql', 'create table busy (id integer)');
    await run();
    await file('000002_second.sql', 'alter table busy add column name text');
    const reader = new pg.Client({ connectionString: database.url });
    await reader.connect();
    await reader.query('begin; select * from busy');
    const migrating = run();
    // Only after it has given up once: its wait for the lock is seen, then seen to end while the reader still reads.
    const waiting = `select from pg_locks where not granted and relation = 'busy'::regclass`;
    await untilSeen(waiting);
    await untilGone(waiting);
    await reader.query('commit');
    await reader.end();
    expect(await migrating).toEqual(['000002_second.sql']);
  });
});

describe('refusals', () => {
  test('an edited old file is refused by name', async () => {
    await file('000001_first.sql', 'create table first (id integer)');
    await run();
    await file('000001_first.sql', 'create table first (id bigint)');
    await expect(run()).rejects.toMatchObject({
      code: 'MIGRATION_CHANGED',
      message: expect.stringContaining('000001_first.sql was edited'),
    });
  });

  test('Windows line ends are not an edit', async () => {
    await file('000001_first.sql', 'create table first (id integer)');
    await run();
    await writeFile(
      join(folder, '000001_first.sql'),
      '-- roost: min_code_level 1\r\ncreate table first (id integer)\r\n',
    );
    expect(await run()).toEqual([]);
  });

  test('an old file that is gone is refused, a newer release’s is not', async () => {
    for (const name of ['000001_a.sql', '000002_b.sql', '000003_c.sql']) await file(name, 'select 1');
    await run();
    await rm(join(folder, '000003_c.sql'));
    expect(await run()).toEqual([]);
    await rm(join(folder, '000001_a.sql'));
    await expect(run()).rejects.toMatchObject({
      code: 'MIGRATION_CHANGED',
      message: expect.stringContaining('000001_a.sql is missing'),
    });
  });

  test('a schema that needs newer code is refused before anything runs', async () => {
    await file('000001_first.sql', 'select 1');
    await file('000002_breaking.sql', 'select 1', 2);
    await run({ codeLevel: 2 });
    await file('000003_third.sql', 'create table third (id integer)');
    await expect(run({ codeLevel: 1 })).rejects.toMatchObject({
      code: 'DATABASE_NEWER',
      facts: { schemaNeeds: 2, thisCode: 1 },
    });
    expect(await names()).toHaveLength(2);
  });

  test('a database with somebody else’s tables is refused and left alone', async () => {
    await database.db.run(sql`create table customer (id integer)`);
    await file('000001_first.sql', 'create table first (id integer)');
    await expect(run()).rejects.toMatchObject({ code: 'DATABASE_FOREIGN', facts: { tables: ['customer'] } });
    expect(await database.db.one(sql`select to_regclass('roost_migration') as ours`)).toEqual({ ours: null });
  });

  test('somebody else’s schema is seen too', async () => {
    await database.db.run(sql`create schema shop`);
    await database.db.run(sql`create table shop.customer (id integer)`);
    await expect(run()).rejects.toMatchObject({ code: 'DATABASE_FOREIGN' });
  });

  test('a server that is not there is one clear line', async () => {
    await expect(migrate('postgresql://nobody:hunter22@127.0.0.1:1/none', { folder })).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      message: 'The database cannot be reached: connect ECONNREFUSED 127.0.0.1:1',
    });
  });

  test('a database that does not exist is one clear line', async () => {
    const url = new URL(database.url);
    url.pathname = '/no_such_database';
    await expect(migrate(url.href, { folder })).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      message: expect.stringContaining('no_such_database'),
    });
  });

  test('a user who may not create tables is one clear line', async () => {
    await database.db.run(sql`create role guest_of_test login`);
    const url = new URL(database.url);
    url.username = 'guest_of_test';
    try {
      await expect(migrate(url.href, { folder })).rejects.toMatchObject({
        code: 'DATABASE_UNFIT',
        message: expect.stringContaining('guest_of_test'),
      });
    } finally {
      await database.db.run(sql`drop role guest_of_test`);
    }
  });
});

describe('the files', () => {
  test('ours are readable and within this code’s level', async () => {
    const migrations = await readMigrations(migrationsFolder);
    expect(Math.max(...migrations.map((migration) => migration.minCodeLevel))).toBeLessThanOrEqual(codeLevel);
  });

  test.each([
    ['1_short.sql', '-- roost: min_code_level 1\n', 'named like'],
    ['000001_no_level.sql', 'create table x ();\n', 'first line'],
  ])('%s is refused', async (name, text, sentence) => {
    await writeFile(join(folder, name), text);
    await expect(readMigrations(folder)).rejects.toThrow(sentence);
  });

  test('two of one number are refused', async () => {
    await file('000001_a.sql', 'select 1');
    await file('000001_b.sql', 'select 1');
    await expect(readMigrations(folder)).rejects.toThrow('another migration has this number');
  });
});

/** Asks until the query has a row. The test's own time limit ends a wait for what never comes. */
async function untilSeen(query: string): Promise<void> {
  while ((await database.db.run({ text: query, values: [] })) === 0);
}

async function untilGone(query: string): Promise<void> {
  while ((await database.db.run({ text: query, values: [] })) > 0);
}
