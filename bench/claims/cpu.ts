import type { Bench } from '../lib/bench.ts';
import { beginCounting, statementTable } from '../lib/statements.ts';
import { quantile } from '../lib/statistics.ts';
import { supportWords, Traffic } from '../lib/traffic.ts';
import { createWorld, install, learnAnswers, runTraffic } from '../lib/world.ts';

const seconds = 20;
const warmUpCount = 10_000;
const connections = 64;

export const cpu: Bench = {
  about: 'own CPU a message, all roles, without database and simulator, at 300/s and at 1,500/s',
  async run(context) {
    const world = await createWorld(context);
    const { bots, port, db, start } = await install(world, 'cpu', { count: 500 });
    const server = await start();
    const answers = await learnAnswers(world, port, bots[0]!, supportWords);
    const traffic = new Traffic(bots, { chats: 20 });
    await runTraffic(world, traffic, answers, { port, count: warmUpCount, connections, ratePerSecond: 1_500 });

    const profiling = context.build.profileFolder !== undefined;

    async function costAt(ratePerSecond: number) {
      if (profiling) await beginCounting(db);
      const cpuMs = server.cpuMs();
      const databaseMs = world.postgres.cpuMs();
      const count = ratePerSecond * seconds;
      const { audit } = await runTraffic(world, traffic, answers, { port, count, connections, ratePerSecond });
      const messages = audit.latenciesMs.length;
      if (profiling) context.say(`At ${ratePerSecond} a second:\n${await statementTable(db, messages)}`);
      return {
        own: (server.cpuMs() - cpuMs) / messages,
        database: (world.postgres.cpuMs() - databaseMs) / messages,
        p95Ms: quantile(audit.latenciesMs, 0.95),
        lost: audit.lost,
      };
    }

    const slow = await costAt(300);
    const fast = await costAt(1_500);
    return {
      figures: {
        cpu_ms_per_message: fast.own,
        cpu_ms_per_message_300: slow.own,
        database_cpu_ms_per_message: fast.database,
        database_cpu_ms_per_message_300: slow.database,
        p95_ms: fast.p95Ms,
        p95_ms_300: slow.p95Ms,
        lost: fast.lost + slow.lost,
      },
      bars: [
        { figure: 'cpu_ms_per_message', atMost: 0.4 },
        { figure: 'cpu_ms_per_message_300', atMost: 0.8 },
        { figure: 'database_cpu_ms_per_message_300', atMost: 0.9 },
        { figure: 'lost', atMost: 0 },
      ],
      notes: [
        `${seconds} s each after ${warmUpCount} to warm up; 500 bots x 20 chats; user and system time of the process`,
      ],
    };
  },
};
