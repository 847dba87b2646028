import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts';
import { type Db, openDb } from './db.ts';
import { withDirect } from './direct.ts';
import { realKit } from './kit.ts';
import { createLog } from './log.ts';
import { settleRoleLimits } from './role-limits.ts';
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

  test.each(['batch', 'tx'] as const)('that is given up half-way leaves no rejection alone (%s)', async (form) => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', note);
    try {
      const failing = db[form as 'batch']((tx) => {
        void tx.run(sql`select 1 / 0`);
        throw new Error('no idea');
      });
      await expect(failing).rejects.toThrow('no idea');
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
    }
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

describe('a statement that takes too long', () => {
  const slow = { text: 'select count(*) from generate_series(1, 200000000) as slowly', values: [] };
  const slowOnes = async (): Promise<number> =>
    database.db.run(sql`
      select from pg_stat_activity
      where state = 'active' and query like '%200000000) as slowly%' and pid <> pg_backend_pid()`);

  test.each(['alone', 'in a transaction', 'in a batch'])('is over in the server too: %s', async (how) => {
    const hasty = openDb(kit, { url: database.url, connectionsMax: 2, statementMsMax: 300, name: 'hasty' });
    try {
      for (let time = 0; time < 3; time += 1) {
        const failing =
          how === 'alone'
            ? hasty.run(slow)
            : how === 'in a batch'
              ? hasty.batch((tx) => [tx.run(slow)])
              : hasty.tx((tx) => tx.run(slow));
        await expect(failing).rejects.toThrow();
      }
      // Without being ended each goes on for a minute, and the test's own time is over before.
      while ((await slowOnes()) > 0);
      expect(await hasty.one(sql`select 1 as one`)).toEqual({ one: 1 });
    } finally {
      await hasty.close();
    }
  });

  test('is ended by the limits of the role, and whoever needs longer has it', async () => {
    await withDirect(database.url, 'test', async (client) => {
      await settleRoleLimits(client);
      // Twice is as once.
      await settleRoleLimits(client);
      await client.query(
        `do $$ begin execute format('alter role current_user in database %I set statement_timeout = ''100ms''', current_database()); end $$`,
      );
    });
    const limited = openDb(kit, { url: database.url, connectionsMax: 1, statementMsMax: 30_000, name: 'limited' });
    const patient = openDb(kit, {
      url: database.url,
      connectionsMax: 1,
      statementMsMax: 30_000,
      name: 'patient',
      patient: true,
    });
    try {
      await expect(limited.run(sql`select pg_sleep(60)`)).rejects.toMatchObject({ code: '57014' });
      expect(await patient.run(sql`select pg_sleep(0.3)`)).toBe(1);
      expect(await patient.tx((tx) => tx.run(sql`select pg_sleep(0.3)`))).toBe(1);
      expect(await patient.batch((tx) => [tx.run(sql`select pg_sleep(0.3)`)])).toEqual([1]);
      // Nothing of it stays with the connection.
      for (const [name, value] of [
        ['statement_timeout', '100ms'],
        ['lock_timeout', '2s'],
        ['idle_in_transaction_session_timeout', '5s'],
      ])
        expect(await limited.one(sql`select current_setting(${name}) as value`)).toEqual({ value });
    } finally {
      await limited.close();
      await patient.close();
    }
  });
});
