import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../../kernel/sql.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { findEarlierPress } from './sql.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('a button counts as used where it was before the press came, not where the press itself has used it up', async () => {
  const { db } = database;
  await db.run(sql`insert into press (integration_id, token, used_at) values (1, 'once', now())`);
  await db.run(sql`
    insert into inbox (integration_id, key, bucket, lane, body, received_at)
    values (1, '10', 0, 7, '{}', now() - interval '1 minute'), (1, '11', 0, 7, '{}', now() + interval '1 second')`);
  const used = (key: string, token = 'once') => findEarlierPress(db, { integrationId: 1, token, key });
  expect(await used('10')).toBeUndefined();
  expect(await used('11')).toEqual({ used: 1 });
  expect(await used('11', 'another')).toBeUndefined();
});
