import type { Bench } from '../lib/bench.ts';
import { quantile } from '../lib/statistics.ts';
import { supportWords, Traffic } from '../lib/traffic.ts';
import { createWorld, install, learnAnswers, runTraffic } from '../lib/world.ts';

/** One update every ten milliseconds: each is answered long before the next comes. */
const ratePerSecond = 100;
const warmUpCount = 1_000;
const count = 1_500;

export const latency: Bench = {
  about: 'one update at a time, no Telegram latency: from the post to sendMessage',
  async run(context) {
    const world = await createWorld(context, { latencyMs: 0 });
    const { bots, port, start } = await install(world, 'latency', { count: 50 });
    await start();
    const answers = await learnAnswers(world, port, bots[0]!, supportWords);
    const traffic = new Traffic(bots, { chats: 20 });
    await runTraffic(world, traffic, answers, { port, count: warmUpCount, connections: 8, ratePerSecond });
    const { audit } = await runTraffic(world, traffic, answers, { port, count, connections: 8, ratePerSecond });
    return {
      figures: {
        p50_ms: quantile(audit.latenciesMs, 0.5),
        p99_ms: quantile(audit.latenciesMs, 0.99),
        lost: audit.lost,
        repeated: audit.repeated,
        disordered: audit.disordered,
      },
      bars: [
        { figure: 'p50_ms', atMost: 4 },
        { figure: 'p99_ms', atMost: 15 },
      ],
      notes: [`${count} updates after ${warmUpCount} to warm up, ${ratePerSecond} a second, 50 bots x 20 chats`],
    };
  },
};
