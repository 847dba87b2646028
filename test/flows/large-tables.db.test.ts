// What is asked again and again of tables that grow: by its plan, since time says little on a small machine.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Queryable } from '../../kernel/db.ts';
import { sql } from '../../kernel/sql.ts';
import { pruneBodies, pruneKeys } from '../../server/domains/inbox/sql.ts';
import { recentSends, renameChat } from '../../server/domains/outbox/sql.ts';
import { pruneMessages } from '../../server/domains/outbox/upkeep/sql.ts';
import { countRecords, findRecords } from '../../server/domains/tables/sql.ts';
import { prunePresses } from '../../server/domains/turns/sql.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { planOf } from '../support/plans.ts';

let database: TestDatabase;
const rounds = 4;
const rowsARound = 20_000;

/** A round is a time of retention: what was handled evenly in it, and then removed but for the last quarter. */
beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  for (let round = 0; round < rounds; round += 1) {
    await db.run(sql`
      insert into inbox (integration_id, key, bucket, lane, body, received_at, state, done_at)
      select 1, ${round} || '-' || i, 1, 1, '{"a":"some words of a person"}', now() - i * interval '4 days' / ${rowsARound}, 2, now()
      from generate_series(1, ${rowsARound}::int) i`);
    await db.run(sql`
      insert into outbox (integration_id, bucket, key, chat_id, method, params, state, created_at, sent_at, message_id)
      select 1, 1, ${round} || '-' || i, i % 5000, 'sendMessage', '{"text":"some words of a bot"}', 2, t, t, i
      from generate_series(1, ${rowsARound}::int) i cross join lateral (select now() - i * interval '7 days' / ${rowsARound} as t) as at`);
    await db.run(sql`
      insert into press (integration_id, token, used_at)
      select 1, ${round} || '-' || i, now() - i * interval '90 days' / ${rowsARound} from generate_series(1, ${rowsARound}::int) i`);
    if (round === rounds - 1) break;
    // The pages that were freed are used again by the next round, in another order of time.
    for (const table of ['inbox', 'outbox', 'press']) {
      await db.run({
        text: `delete from ${table} where ${'ctid'} in (select ctid from ${table} order by random() limit ${rowsARound * 0.75})`,
        values: [],
      });
      await db.run({ text: `vacuum (truncate off) ${table}`, values: [] });
    }
  }
  await db.run(sql`update inbox set body = null where received_at < now() - interval '2 days'`);
  for (const table of ['inbox', 'outbox', 'press']) await db.run({ text: `vacuum analyze ${table}`, values: [] });
});
afterAll(() => database.close());

const pagesOf = async (table: string): Promise<number> =>
  (
    await database.db.one<{ pages: number }>({
      text: `select (pg_relation_size('${table}') / 8192)::int as pages`,
      values: [],
    })
  )?.pages ?? 0;

describe('retention that finds nothing looks at next to nothing, however often it has gone round', () => {
  test.each([
    [
      'inbox',
      'bodies',
      (db: Parameters<typeof pruneBodies>[0]) => pruneBodies(db, { bodyHours: 48, limit: 2_000, skip: 0 }),
    ],
    ['inbox', 'keys', (db: Parameters<typeof pruneKeys>[0]) => pruneKeys(db, { keyHours: 97, limit: 2_000, skip: 0 })],
    [
      'outbox',
      'messages',
      (db: Parameters<typeof pruneKeys>[0]) => pruneMessages(db, { hours: 169, limit: 2_000, skip: 0 }),
    ],
    [
      'press',
      'presses',
      (db: Parameters<typeof pruneKeys>[0]) => prunePresses(db, { days: 91, limit: 2_000, skip: 0 }),
    ],
  ] as const)('%s: %s', async (table, _what, prune) => {
    const plan = await planOf(database.db, prune);
    expect(plan.text).not.toContain('Seq Scan');
    expect(await pagesOf(table)).toBeGreaterThan(100);
    expect(plan.pages).toBeLessThan(30);
  });
});

test('a new owner counts what was sent in the last minute without looking at what was sent before', async () => {
  const plan = await planOf(database.db, (db) => recentSends(db, [1]));
  expect(plan.text).not.toContain('Seq Scan');
  expect(plan.pages).toBeLessThan(30);
});

test('that a group became a supergroup costs nothing for each message that was ever sent', async () => {
  const plan = await planOf(database.db, (db) => renameChat(db, { integrationId: 1, fromId: -77, toId: -10077 }));
  expect(plan.text).not.toContain('Seq Scan');
  expect(plan.pages).toBeLessThan(30);
});

test('what waits and what is parked goes on in the supergroup, what was sent stays where it was', async () => {
  const { db } = database;
  await db.run(sql`
    insert into outbox (integration_id, bucket, key, chat_id, method, params, state, owner_token)
    select 7, (hashint8(7) & 255)::smallint, 's' || s, -70, 'sendMessage', '{}', s, case s when 1 then 5 end from unnest(array[0, 1, 2, 3, 5]) s`);
  await renameChat(db, { integrationId: 7, fromId: -70, toId: -10070 });
  const moved = await db.many<{ state: number }>(
    sql`select state from outbox where integration_id = 7 and chat_id = -10070 order by state`,
  );
  expect(moved.map((row) => row.state)).toEqual([0, 1, 5]);
});

describe('a table of 100,000 rows', () => {
  const place = { projectId: 1, name: 'goods' };
  beforeAll(async () => {
    const { db } = database;
    await db.run(sql`insert into project (public_id, name) values ('p', 'P')`);
    await db.run(
      sql`insert into record_table (project_id, table_name, last_id, row_count) values (1, 'goods', 100000, 100000)`,
    );
    await db.run(sql`
      insert into record (project_id, table_name, id, values)
      select 1, 'goods', i, jsonb_build_object('title', 'Thing number ' || i || ' of many', 'price', i) from generate_series(1, 100000) i`);
    await db.run(sql`vacuum analyze record`);
  });
  const find = { tests: [], sort: null, descending: false, limit: 1 };

  test.each([
    [
      'a row by its number',
      (db: Queryable) => findRecords(db, place, { ...find, tests: [{ f: 'id', o: 'is', v: 70_000 }] }),
    ],
    [
      'a row by a value',
      (db: Queryable) => findRecords(db, place, { ...find, tests: [{ f: 'price', o: 'is', v: 70_000 }] }),
    ],
    [
      'how many have a value',
      (db: Queryable) => countRecords(db, place, [{ f: 'title', o: 'is', v: 'Thing number 7 of many' }]),
    ],
    [
      'the first that has a word',
      (db: Queryable) => findRecords(db, place, { ...find, tests: [{ f: 'title', o: 'contains', v: 'THING' }] }),
    ],
    ['the last row', (db: Queryable) => findRecords(db, place, { ...find, descending: true })],
    ['how many there are', (db: Queryable) => countRecords(db, place, [])],
  ] as const)('%s is found by an index', async (_what, ask) => {
    const plan = await planOf(database.db, ask);
    expect(plan.text).not.toContain('Seq Scan on record r');
    expect(plan.pages).toBeLessThan(40);
  });

  test('how many have a word is counted up to ten thousand', async () => {
    expect(await countRecords(database.db, place, [{ f: 'title', o: 'contains', v: 'thing' }])).toEqual({
      count: 10_000,
    });
    expect(await countRecords(database.db, place, [{ f: 'title', o: 'contains', v: 'NUMBER 77 ' }])).toEqual({
      count: 1,
    });
  });
});
