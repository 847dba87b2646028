import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/sql.ts';
import { audit } from '../fault/audit.ts';
import { type Crowd, createCrowd } from '../fault/crowd.ts';
import { gather, isFinished, unfinished } from '../fault/evidence.ts';
import { type Installation, openInstallation } from '../fault/installation.ts';
import type { ServerProcess } from '../fault/servers.ts';
import { until } from '../fault/waiting.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type PgBouncer, startPgBouncer } from '../support/pgbouncer.ts';
import { behindPgBouncer } from './behind.ts';

// One after the other on the same installation: each leaves it working, and the auditor looks at all that was so far.
behindPgBouncer('processes that share a database behind PgBouncer', () => {
  let database: TestDatabase;
  let pooler: PgBouncer;
  let installation: Installation;
  let crowd: Crowd;
  let processes: ServerProcess[];

  beforeAll(async () => {
    database = await createTestDatabase();
    pooler = await startPgBouncer(database, { serverConnections: 4 });
    installation = await openInstallation({ url: database.url });
    const way = { url: pooler.url, directUrl: database.url };
    processes = await Promise.all([
      installation.serve(['edge', 'core'], way),
      installation.serve(['edge', 'core'], way),
      installation.serve(['control'], way),
    ]);
    crowd = createCrowd(installation.simulator, await installation.connect(8), { chatsABot: 3 });
  });
  afterAll(async () => {
    await installation?.close();
    await pooler?.stop();
    await database?.close();
  });

  const owned = (): Promise<{ pid: number; buckets: number }[]> =>
    database.db.many(sql`
      select n.pid, count(*)::int as buckets from bucket b join node n on n.id = b.owner
      where n.ended is null group by n.pid`);

  const finish = async (): Promise<void> => {
    await until('everything to be answered', () => unfinished(installation), isFinished);
    expect(audit(await gather(installation, crowd))).toEqual([]);
  };

  test('two receive and two work: every chat is answered in order, once', async () => {
    await until('both to own bots', owned, (rows) => rows.filter(({ buckets }) => buckets === 128).length === 2);
    crowd.sayAll(3);
    await finish();
  });

  test('one whose lease has run out loses its bots to the other, and gets some again', async () => {
    const [victim] = processes as [ServerProcess];
    crowd.sayAll(1);
    await database.db.run(sql`update node set lease_until = now() - interval '1 second' where pid = ${victim.pid}`);
    crowd.sayAll(1);
    await until(
      'the lapse to be noticed',
      () => victim.logged('node.lapsed'),
      (lines) => lines.length > 0,
    );
    await until('both to own bots', owned, (rows) => rows.filter(({ buckets }) => buckets === 128).length === 2);
    crowd.sayAll(1);
    await finish();
    expect(victim.alive()).toBe(true);
  });

  test('one that is killed is followed by the other', async () => {
    const [victim, heir] = processes as [ServerProcess, ServerProcess];
    crowd.sayAll(1);
    await victim.kill();
    crowd.sayAll(1);
    await until('the other to own all', owned, (rows) => rows.length === 1 && rows[0]?.buckets === 256);
    expect((await owned())[0]?.pid).toBe(heir.pid);
    await finish();
  });

  test('all of them listen past the pooler', async () => {
    const [, heir, control] = processes as [ServerProcess, ServerProcess, ServerProcess];
    const sessions = await database.db.many<{ query: string }>(
      sql`select query from pg_stat_activity where datname = current_database() and query = 'listen roost'`,
    );
    expect(sessions).toHaveLength(2);
    for (const server of [heir, control]) expect(server.logged('signals.not_connected')).toEqual([]);
  });
});
