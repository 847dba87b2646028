import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts';
import { type Db, openDb } from './db.ts';
import { realKit } from './kit.ts';
import { createLog } from './log.ts';
import { sql } from './sql.ts';

const kit = realKit(createLog({ level: 'silent' }));
let database: TestDatabase;
let db: Db;

beforeEach(async () => {
  database = await createTestDatabase();
  // One connection: whatever a batch leaves behind on it, the next statement meets.
  db = openDb(kit, { url: database.url, connectionsMax: 1, statementMsMax: 10_000, name: 'one' });
  await db.run(sql`create table thing (id int primary key)`);
});
afterEach(async () => {
  await db.close();
  await database.close();
});

const things = () => db.many(sql`select id from thing order by id`);

describe('a batch', () => {
  test('keeps all of its statements and gives their answers', async () => {
    const [first, count] = await db.batch((tx) => [
      tx.one(sql`insert into thing values (1) returning id`),
      tx.run(sql`insert into thing values (2)`),
    ]);
    expect([first, count]).toEqual([{ id: 1 }, 1]);
    expect(await things()).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test('keeps none when one fails, and throws the reason, not its consequence', async () => {
    const failing = db.batch((tx) => [
      tx.run(sql`insert into thing values (1)`),
      tx.run(sql`insert into thing values (1)`),
      tx.run(sql`insert into thing values (3)`),
    ]);
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(await things()).toEqual([]);
  });

  test('keeps none when a guard does not hold', async () => {
    await expect(
      db.batch((tx) => [tx.run(sql`insert into thing values (1)`), tx.run(sql`select must(false, 'rain')`)]),
    ).rejects.toThrow('guard: rain');
    expect(await things()).toEqual([]);
  });

  test('that cannot even be put together leaves its connection outside of any transaction', async () => {
    const failing = db.batch(() => {
      throw new Error('no idea');
    });
    await expect(failing).rejects.toThrow('no idea');
    await db.run(sql`insert into thing values (1)`);
    await expect(
      db.batch((tx) => [tx.run(sql`insert into thing values (2)`), tx.run(sql`select 1 / 0`)]),
    ).rejects.toThrow();
    expect(await things()).toEqual([{ id: 1 }]);
  });
});

describe('a transaction', () => {
  test('is undone by any throw', async () => {
    const failing = db.tx(async (tx) => {
      await tx.run(sql`insert into thing values (1)`);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await things()).toEqual([]);
  });

  test('whose statement failed and was swallowed is refused at its end', async () => {
    const failing = db.tx(async (tx) => {
      await tx.run(sql`insert into thing values (1)`);
      await tx.run(sql`select 1 / 0`).catch(() => {});
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await things()).toEqual([]);
  });
});
