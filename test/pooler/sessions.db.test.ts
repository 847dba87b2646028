import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Db, openDb } from '../../kernel/db.ts';
import { type Kit, realKit } from '../../kernel/kit.ts';
import { createLog } from '../../kernel/log.ts';
import { createSignals } from '../../kernel/signals.ts';
import { sql } from '../../kernel/sql.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type PgBouncer, startPgBouncer } from '../support/pgbouncer.ts';
import { until } from '../support/roost.ts';
import { behindPgBouncer } from './behind.ts';

const serverConnections = 2;

behindPgBouncer('few sessions for many clients', () => {
  let database: TestDatabase;
  let pooler: PgBouncer;
  let pooled: Db;
  const log: string[] = [];
  const kit: Kit = realKit(createLog({ level: 'debug', sink: { write: (line) => void log.push(line) } }));

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.db.run(sql`create table tally (id integer primary key, count integer not null check (count < 100))`);
    pooler = await startPgBouncer(database, { serverConnections });
    pooled = openDb(kit, { url: pooler.url, connectionsMax: 20, statementMsMax: 20_000, name: 'pooled' });
  });
  afterAll(async () => {
    await pooled?.close();
    await pooler?.stop();
    await database?.close();
  });

  const tally = (): Promise<{ id: number; count: number }[]> =>
    database.db.many(sql`select id, count from tally order by id`);

  test('batches and transactions of many clients at once are each whole, and none sees half of another', async () => {
    await database.db.run(sql`insert into tally select id, 0 from generate_series(1, 2) id`);
    const add = sql`update tally set count = count + 1 where id = 1`;
    const addToo = sql`update tally set count = count + 1 where id = 2`;
    const work = Array.from({ length: 40 }, (_none, index) =>
      index % 2 === 0
        ? pooled.batch((tx) => [tx.run(add), tx.run(addToo)])
        : pooled.tx(async (tx) => {
            await tx.run(add);
            await tx.run(addToo);
          }),
    );
    const looks = Array.from({ length: 20 }, () =>
      pooled.one<{ parts: number }>(sql`select count(distinct count)::int as parts from tally where id in (1, 2)`),
    );
    expect(new Set((await Promise.all(looks)).map((row) => row?.parts))).toEqual(new Set([1]));
    await Promise.all(work);
    expect(await tally()).toEqual([
      { id: 1, count: 40 },
      { id: 2, count: 40 },
    ]);
  });

  test('a batch that fails leaves nothing, and nothing of it to the next client of its session', async () => {
    await database.db.run(sql`insert into tally values (3, 99), (4, 0)`);
    const broken = Array.from({ length: 10 }, () =>
      pooled.batch((tx) => [
        tx.run(sql`update tally set count = count + 1 where id = 4`),
        tx.run(sql`update tally set count = count + 1 where id = 3`),
      ]),
    );
    const whole = Array.from({ length: 10 }, () =>
      pooled.batch((tx) => [tx.run(sql`update tally set count = count + 1 where id = 4`)]),
    );
    const outcomes = await Promise.allSettled([...broken, ...whole]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 10 }, () => 'rejected'),
      ...Array.from({ length: 10 }, () => 'fulfilled'),
    ]);
    expect((await tally()).filter(({ id }) => id > 2)).toEqual([
      { id: 3, count: 99 },
      { id: 4, count: 10 },
    ]);
  });

  test('what processes tell each other goes out through the pooler and is heard past it', async () => {
    const heard: number[][] = [];
    const teller = createSignals(kit, pooled, database.url);
    const listener = createSignals(kit, pooled, database.url);
    listener.on('inbox', (ids) => void heard.push([...ids]));
    await listener.start();
    await teller.start();
    onTestFinished(async () => {
      await teller.stop();
      await listener.stop();
    });
    teller.send('inbox', [7, 8]);
    await until(
      () => heard,
      (all) => all.some((ids) => ids.length > 0),
    );
    // The empty one is said at the start: whatever happened while nobody listened.
    expect(heard).toEqual([[], [7, 8]]);
    const sessions = await database.db.many<{ query: string; who: string }>(sql`
      select query, application_name as who from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query ~* 'listen'`);
    expect(sessions.map(({ query }) => query)).toEqual(['listen roost', 'listen roost']);
    expect(log.filter((line) => line.includes('signals.'))).toEqual([]);
  });

  test('twenty clients never had more sessions than the pooler gives', async () => {
    const backends = await Promise.all(
      Array.from({ length: 60 }, () =>
        pooled.one<{ pid: number }>(sql`select pg_backend_pid() as pid, pg_sleep(0.01)`),
      ),
    );
    expect(new Set(backends.map((row) => row?.pid)).size).toBeLessThanOrEqual(serverConnections);
    expect(pooled.load().waiting).toBe(0);
  });
});
