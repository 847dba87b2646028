import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../kernel/sql.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import {
  freeOrphans,
  insertMessages,
  markSending,
  openRows,
  type Placed,
  recentSends,
  recordResults,
  sendingRows,
} from './sql.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.close());

const token = 5;
const message = (key: string, state: 0 | 1 = 0): Placed => ({
  integrationId: 1,
  bucket: 3,
  key,
  chatId: 100,
  class: 0,
  method: 'sendMessage',
  params: '{}',
  target: null,
  report: null,
  state,
  ownerToken: state === 1 ? token : null,
});

const insert = (rows: readonly Placed[]) => database.db.tx((tx) => insertMessages(tx, rows));

const record = (key: string, state: 0 | 2 | 4, doubts: number) =>
  recordResults(database.db, [
    { integrationId: 1, key, token, state, doubts, messageId: null, error: null, pauseMs: 0 },
  ]);

describe('what counts against the limits after a takeover', () => {
  test('a message that came counts once, one whose answer was lost for every time it was sent', async () => {
    await insert(['sent', 'lost', 'unknown', 'repeated'].map((key) => message(key, 1)));
    await insert([message('waiting')]);
    await record('sent', 2, 0);
    await record('lost', 0, 1);
    await record('unknown', 4, 2);
    await record('repeated', 2, 1);
    expect(await recentSends(database.db, [3])).toHaveLength(1 + 1 + 2 + 2);
    expect(await recentSends(database.db, [4])).toEqual([]);
  });

  test('an album counts as all of its items', async () => {
    const params = JSON.stringify({ media: [{}, {}, {}] });
    await insert([{ ...message('album', 1), method: 'sendMediaGroup', params }, message('one', 1)]);
    expect((await sendingRows(database.db, [3])).map(({ places }) => places)).toEqual([3, 1]);
    await record('album', 2, 0);
    await record('one', 2, 0);
    const places = Object.fromEntries((await recentSends(database.db, [3])).map((row) => [row.places, true]));
    expect(Object.keys(places)).toEqual(['1', '3']);
  });

  test('what was refused, and so certainly did not come, does not count', async () => {
    await insert([message('refused', 1)]);
    await record('refused', 0, 0);
    expect(await recentSends(database.db, [3])).toEqual([]);
  });
});

describe('a message whose mark may have been committed', () => {
  const mark = (perhapsMarked: boolean, by = token) =>
    database.db.tx((tx) => markSending(tx, [{ integrationId: 1, key: 'a', token: by, perhapsMarked }]));

  test('is marked again under the same token, and by nobody else', async () => {
    await insert([message('a', 1)]);
    expect(await mark(false)).toEqual([]);
    expect(await mark(true, token + 1)).toEqual([]);
    expect(await mark(true)).toHaveLength(1);
  });

  test('is freed when nobody calls it, unless its result stands there meanwhile', async () => {
    await insert([message('a', 1), message('b', 1)]);
    await record('b', 2, 0);
    const rows = ['a', 'b'].map((key) => ({ integrationId: 1, key, token, tries: 1 }));
    expect(await freeOrphans(database.db, rows)).toBe(1);
    expect(await database.db.many(sql`select key, state from outbox order by id`)).toEqual([
      { key: 'a', state: 0 },
      { key: 'b', state: 2 },
    ]);
  });

  test('a statement that frees them and arrives late leaves alone what was marked anew since', async () => {
    await insert([message('a', 1)]);
    const rows = [{ integrationId: 1, key: 'a', token, tries: 1 }];
    expect(await freeOrphans(database.db, rows)).toBe(1);
    await mark(false);
    expect(await freeOrphans(database.db, rows)).toBe(0);
  });
});

test('one look at the table shows what waits and what it waits behind', async () => {
  await insert([message('first', 1), message('second')]);
  const rows = await openRows(database.db, { of: 0, buckets: [3], ids: [1], limit: 10, known: [] });
  expect(rows.map(({ key, state, owner_token }) => ({ key, state, owner_token }))).toEqual([
    { key: 'first', state: 1, owner_token: token },
    { key: 'second', state: 0, owner_token: null },
  ]);
});
