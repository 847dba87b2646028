import type { Bench } from '../lib/bench.ts';
import { pause } from '../lib/clock.ts';
import { median, quantile } from '../lib/statistics.ts';
import { supportWords, Traffic } from '../lib/traffic.ts';
import { createWorld, install, learnAnswers, runTraffic, type World } from '../lib/world.ts';

const fewBots = 100;
const manyBots = 10_000;
/** So many chats on both sides: the same traffic, spread otherwise. */
const chats = 10_000;
const pairs = 5;
const count = 5_000;
const ratePerSecond = 1_000;
const connections = 64;

export const many: Bench = {
  about: 'the same traffic over 100 and over 10,000 bots, five interleaved pairs',
  async run(context) {
    const world = await createWorld(context);
    const sides = [await open(world, 'few', fewBots), await open(world, 'many', manyBots)] as const;
    for (let pair = 0; pair < pairs; pair += 1) {
      // Whoever goes first changes, so that neither always meets the quieter machine.
      for (const side of pair % 2 === 0 ? sides : [...sides].reverse()) await side.measure();
    }
    const [small, big] = sides;
    const lost = [...small.lost, ...big.lost].reduce((total, each) => total + each, 0);
    return {
      figures: {
        ratio: median(big.costs) / median(small.costs),
        cpu_ms_per_message_100: median(small.costs),
        cpu_ms_per_message_10000: median(big.costs),
        p95_ms_100: median(small.p95s),
        p95_ms_10000: median(big.p95s),
        lost,
      },
      bars: [
        { figure: 'ratio', atLeast: 0.9, atMost: 1.1 },
        { figure: 'lost', atMost: 0 },
      ],
      notes: [
        `${pairs} pairs of ${count} updates at ${ratePerSecond} a second over ${chats} chats; medians; ${context.perProject} bots a project`,
      ],
    };
  },
};

async function open(world: World, name: string, bots: number) {
  const installation = await install(world, name, { count: bots });
  const { port } = installation;
  const server = await installation.start();
  const answers = await learnAnswers(world, port, installation.bots[0]!, supportWords);
  const traffic = new Traffic(installation.bots, { chats: chats / bots });
  const sides = { costs: [] as number[], p95s: [] as number[], lost: [] as number[] };
  // Every chat once: what is measured later are no first contacts.
  await runTraffic(world, traffic, answers, { port, count: chats, connections, ratePerSecond: 1_500 });
  return {
    ...sides,
    async measure() {
      await pause(1_000);
      const cpuMs = server.cpuMs();
      const { audit } = await runTraffic(world, traffic, answers, { port, count, connections, ratePerSecond });
      sides.costs.push((server.cpuMs() - cpuMs) / count);
      sides.p95s.push(quantile(audit.latenciesMs, 0.95));
      sides.lost.push(audit.lost);
    },
  };
}
