import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../kernel/sql.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

describe('a test database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());

  test('holds the migrated schema', async () => {
    const buckets = await database.db.one<{ count: number }>(sql`select count(*) from bucket`);
    expect(buckets?.count).toBe(256);
  });

  test('is reached over TCP too', async () => {
    const client = new pg.Client({ connectionString: database.tcpUrl });
    await client.connect();
    const { rows } = await client.query('select 1 as one');
    await client.end();
    expect(rows).toEqual([{ one: 1 }]);
  });

  test('is its own: another one does not see its rows', async () => {
    const other = await createTestDatabase();
    await database.db.run(sql`insert into park values (1, 1, now())`);
    expect(await other.db.one<{ count: number }>(sql`select count(*) from park`)).toEqual({ count: 0 });
    await other.close();
  });

  test('keeps every letter, and sorts by code point', async () => {
    const row = await database.db.one(sql`
      select current_setting('server_encoding') as encoding, upper('жизнь') as upper, 'a' < 'B' as by_alphabet`);
    expect(row).toEqual({ encoding: 'UTF8', upper: 'ЖИЗНЬ', by_alphabet: false });
  });
});

test('a connection that was never closed fails the test', async () => {
  const database = await createTestDatabase({ leakMsMax: 1_000 });
  const forgotten = new pg.Client({ connectionString: database.url, application_name: 'forgotten' });
  forgotten.on('error', () => {});
  await forgotten.connect();
  await expect(database.close()).rejects.toThrow('forgotten');
});
