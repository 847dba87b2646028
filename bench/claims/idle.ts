import type { Bench } from '../lib/bench.ts';
import { pause } from '../lib/clock.ts';
import { beginCounting, countingStatements, statementsRun, statementTable } from '../lib/statements.ts';
import { supportWords, Traffic } from '../lib/traffic.ts';
import { createWorld, type Installation, install, learnAnswers, runTraffic, type World } from '../lib/world.ts';

const many = 10_000;
const few = 100;
/** After the start, before anything is read: caches are filled, the first looks are over. */
const settleMs = 10_000;
const watchMs = 15_000;
const drainCount = 10_000;
/** So many people write, each once: what is remembered of them must not grow with their number. */
const people = 100_000;
const peopleWithinMs = 300_000;
/** Memory that is free is given back by and by. */
const afterDrainMs = 15_000;

export const idle: Bench = {
  about: '10,000 bots connected, no traffic, against 100; then after a drain, and after 100,000 people',
  async run(context) {
    const world = await createWorld(context, { postgres: countingStatements });
    const small = await watch(world, await install(world, 'few', { count: few }));
    await small.server.stop();
    const installation = await install(world, 'many', { count: many });
    const big = await watch(world, installation);

    const { bots, port } = installation;
    const answers = await learnAnswers(world, port, bots[0]!, supportWords);
    const traffic = new Traffic(bots, { chats: 1 });
    const { audit } = await runTraffic(world, traffic, answers, { port, count: drainCount, connections: 100 });
    await pause(afterDrainMs);
    const rssAfterDrainMb = big.server.rssMb();
    const crowd = new Traffic(bots, { chats: people / many });
    const run = { port, count: people, connections: 100, withinMs: peopleWithinMs };
    const { audit: crowdAudit } = await runTraffic(world, crowd, answers, run);
    await pause(afterDrainMs);
    return {
      figures: {
        rss_mb: big.rssMb,
        rss_mb_100: small.rssMb,
        rss_after_drain_mb: rssAfterDrainMb,
        rss_after_100k_people_mb: big.server.rssMb(),
        queries_per_second: big.queriesPerSecond,
        queries_per_second_100: small.queriesPerSecond,
        cpu_percent: big.cpuPercent,
        cpu_percent_100: small.cpuPercent,
        start_ms: big.server.startMs,
        start_ms_100: small.server.startMs,
        lost: audit.lost + crowdAudit.lost,
      },
      bars: [
        { figure: 'rss_mb', atMost: 140 },
        { figure: 'rss_after_drain_mb', atMost: 220 },
        { figure: 'rss_after_100k_people_mb', atMost: 260 },
        { figure: 'queries_per_second', atMost: small.queriesPerSecond * 1.05 },
        { figure: 'lost', atMost: 0 },
      ],
      notes: [
        `memory ${(settleMs + watchMs) / 1_000} s after the start, and ${afterDrainMs / 1_000} s after ${drainCount} updates over all bots, and after ${people} people; start until it accepts updates`,
      ],
    };
  },
};

async function watch(world: World, installation: Installation) {
  const { db } = installation;
  const server = await installation.start();
  await pause(settleMs);
  await beginCounting(db);
  const cpuMs = server.cpuMs();
  await pause(watchMs);
  const statements = await statementsRun(db);
  world.context.say(await statementTable(db, 1));
  return {
    server,
    rssMb: server.rssMb(),
    queriesPerSecond: statements / (watchMs / 1_000),
    cpuPercent: ((server.cpuMs() - cpuMs) / watchMs) * 100,
  };
}
