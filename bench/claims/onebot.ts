import type { Bench } from '../lib/bench.ts';
import { supportWords, Traffic } from '../lib/traffic.ts';
import { createWorld, install, learnAnswers, runTraffic } from '../lib/world.ts';

const people = 500;
const perSecond = 30;

export const onebot: Bench = {
  about: '500 people write to one bot at once, limits on: last answer against what 30 a second allow',
  async run(context) {
    const world = await createWorld(context);
    const { bots, port, start } = await install(world, 'onebot', { count: 2 });
    await start();
    const [crowded, other] = bots;
    const answers = await learnAnswers(world, port, other!, supportWords);
    const traffic = new Traffic([crowded!], { chats: people });
    const { sent, audit } = await runTraffic(world, traffic, answers, { port, count: people, connections: 100 });
    const { calls } = await world.simulator.counters();
    const lastMs = audit.lastMs - sent.posted[0]!;
    // The first thirty at once, thirty more with every full second.
    const floorMs = Math.floor((people - 1) / perSecond) * 1_000;
    return {
      figures: {
        last_ms: lastMs,
        floor_ms: floorMs,
        ratio: lastMs / floorMs,
        refused_429: calls.by_code['429'] ?? 0,
        lost: audit.lost,
        repeated: audit.repeated,
      },
      bars: [
        { figure: 'ratio', atMost: 1.1 },
        { figure: 'refused_429', atMost: 0 },
        { figure: 'lost', atMost: 0 },
        { figure: 'repeated', atMost: 0 },
      ],
    };
  },
};
