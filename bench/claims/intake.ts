import { sql } from '../../kernel/sql.ts';
import { startBaseline } from '../lib/baseline.ts';
import type { Bench } from '../lib/bench.ts';
import { median } from '../lib/statistics.ts';
import { statusCounts, supportWords, Traffic } from '../lib/traffic.ts';
import { createWorld, install, type World } from '../lib/world.ts';

const connections = 64;
const roundMs = 5_000;
const rounds = 4;
/** More than any round can post. */
const postsMax = 250_000;

export const intake: Bench = {
  about: 'the edge alone, webhooks as fast as 64 connections go; baseline: the same route storing nothing',
  async run(context) {
    const world = await createWorld(context);
    const { bots, port, db, start } = await install(world, 'intake', { count: 100 });
    await start({ roles: 'edge' });
    const bare = await startBaseline(world, { kind: 'bare', bots, words: supportWords });
    const traffic = new Traffic(bots, { chats: 20 });
    const rates = { ours: [] as number[], bare: [] as number[] };
    let accepted = 0;
    for (let round = 0; round <= rounds; round += 1) {
      const ours = await rateOf(world, traffic, port);
      const baseline = await rateOf(world, traffic, bare.port);
      accepted += ours.accepted;
      // The first round warms both up.
      if (round === 0) continue;
      rates.ours.push(ours.rate);
      rates.bare.push(baseline.rate);
    }
    const stored = await db.one<{ count: number }>(sql`select count(*) from inbox`);
    const rate = median(rates.ours);
    const baselineRate = median(rates.bare);
    return {
      figures: {
        rate,
        baseline_rate: baselineRate,
        ratio: median(rates.ours.map((each, at) => each / rates.bare[at]!)),
        lost: accepted - (stored?.count ?? 0),
      },
      bars: [
        { figure: 'ratio', atLeast: 0.4 },
        { figure: 'lost', atMost: 0 },
      ],
      notes: [`${rounds} interleaved pairs of ${roundMs / 1_000} s after one to warm up; medians; 100 bots x 20 chats`],
    };
  },
};

async function rateOf(world: World, traffic: Traffic, port: number): Promise<{ rate: number; accepted: number }> {
  const sent = await world.load.run(traffic.plan(postsMax, { port, connections, stopAfterMs: roundMs }));
  const statuses = statusCounts(sent);
  const accepted = statuses.get(200) ?? 0;
  if (accepted !== sent.count) throw new Error(`Not all were accepted: ${JSON.stringify([...statuses])}`);
  const lastMs = sent.answered.subarray(0, sent.count).reduce((latest, ms) => Math.max(latest, ms), 0);
  return { accepted, rate: (accepted / (lastMs - sent.posted[0]!)) * 1_000 };
}
