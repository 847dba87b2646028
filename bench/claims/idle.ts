import type { Db } from '../../kernel/db.ts';
import { sql } from '../../kernel/sql.ts';
import type { Bench } from '../lib/bench.ts';
import { pause } from '../lib/clock.ts';
import { supportWords, Traffic } from '../lib/traffic.ts';
import { createWorld, type Installation, install, learnAnswers, runTraffic, type World } from '../lib/world.ts';

const many = 10_000;
const few = 100;
/** After the start, before anything is read: caches are filled, the first looks are over. */
const settleMs = 10_000;
const watchMs = 15_000;
const drainCount = 10_000;
/** Memory that is free is given back by and by. */
const afterDrainMs = 15_000;

export const idle: Bench = {
  about: '10,000 bots connected, no traffic, against 100; then after a drain',
  async run(context) {
    const world = await createWorld(context, { postgres: { shared_preload_libraries: 'pg_stat_statements' } });
    const small = await watch(world, await install(world, 'few', { count: few }));
    await small.server.stop();
    const installation = await install(world, 'many', { count: many });
    const big = await watch(world, installation);

    const { bots, port } = installation;
    const answers = await learnAnswers(world, port, bots[0]!, supportWords);
    const traffic = new Traffic(bots, { chats: 1 });
    const { audit } = await runTraffic(world, traffic, answers, { port, count: drainCount, connections: 100 });
    await pause(afterDrainMs);
    return {
      figures: {
        rss_mb: big.rssMb,
        rss_mb_100: small.rssMb,
        rss_after_drain_mb: big.server.rssMb(),
        queries_per_second: big.queriesPerSecond,
        queries_per_second_100: small.queriesPerSecond,
        cpu_percent: big.cpuPercent,
        cpu_percent_100: small.cpuPercent,
        start_ms: big.server.startMs,
        start_ms_100: small.server.startMs,
        lost: audit.lost,
      },
      bars: [
        { figure: 'rss_mb', atMost: 140 },
        { figure: 'queries_per_second', atMost: small.queriesPerSecond * 1.05 },
        { figure: 'lost', atMost: 0 },
      ],
      notes: [
        `memory ${(settleMs + watchMs) / 1_000} s after the start, and ${afterDrainMs / 1_000} s after ${drainCount} updates over all bots; start until it accepts updates`,
      ],
    };
  },
};

async function watch(world: World, installation: Installation) {
  const { db } = installation;
  await db.run(sql`create extension if not exists pg_stat_statements`);
  const server = await installation.start();
  await pause(settleMs);
  const before = { statements: await statements(db), cpuMs: server.cpuMs() };
  await pause(watchMs);
  const after = { statements: await statements(db), cpuMs: server.cpuMs() };
  world.context.say(await busiest(db));
  return {
    server,
    rssMb: server.rssMb(),
    // The count before is one of ours.
    queriesPerSecond: (after.statements - before.statements - 1) / (watchMs / 1_000),
    cpuPercent: ((after.cpuMs - before.cpuMs) / watchMs) * 100,
  };
}

async function statements(db: Db): Promise<number> {
  const row = await db.one<{ calls: number }>(sql`
    select coalesce(sum(calls), 0)::float8 as calls from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database())`);
  return row?.calls ?? 0;
}

async function busiest(db: Db): Promise<string> {
  const rows = await db.many<{ calls: number; ms: number; query: string }>(sql`
    select calls, total_exec_time as ms, regexp_replace(left(query, 90), '\\s+', ' ', 'g') as query from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database())
    order by calls desc limit 12`);
  return rows
    .map(({ calls, ms, query }) => `${String(calls).padStart(6)} calls ${ms.toFixed(1).padStart(8)} ms  ${query}`)
    .join('\n');
}
