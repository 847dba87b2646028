import { type Answers, audit } from '../lib/answers.ts';
import type { Bench } from '../lib/bench.ts';
import { pause } from '../lib/clock.ts';
import { startLoad } from '../lib/load.ts';
import { quantile } from '../lib/statistics.ts';
import { acceptedPosts, supportWords, Traffic } from '../lib/traffic.ts';
import { createWorld, install, learnAnswers, untilSent, type World } from '../lib/world.ts';

const flood = 10_000;
const floodChats = 500;
const others = 10;
const chats = 20;
/** Eight a second for each of the ten: each chat every 2.5 s. */
const ratePerSecond = 80;
const seconds = 20;
const bucket = 7;

export const fair: Bench = {
  about:
    'one bot gets 10,000 updates at once, ten of the same bucket have steady traffic: post to sendMessage of the ten',
  async run(context) {
    const world = await createWorld(context);
    const { bots, port, start } = await install(world, 'fair', { count: others + 1, bucket });
    await start();
    const [flooded, ...quiet] = bots;
    const answers = await learnAnswers(world, port, quiet[0]!, supportWords);
    const traffic = new Traffic(quiet, { chats });
    await watchTen(world, traffic, answers, port);
    const quietLatencies = await watchTen(world, traffic, answers, port);

    const floodLoad = await startLoad(context.scope, world.folder, 'flood');
    const plan = new Traffic([flooded!], { chats: floodChats }).plan(flood, { port, connections: 64 });
    const watching = watchTen(world, traffic, answers, port);
    await pause(1_000);
    const flooding = await floodLoad.run(plan);
    const floodMs = Math.max(...flooding.answered) - flooding.posted[0]!;
    const latencies = await watching;
    const p95 = quantile(latencies, 0.95);
    const quietP95 = quantile(quietLatencies, 0.95);
    return {
      figures: {
        p95_ms: p95,
        quiet_p95_ms: quietP95,
        ratio: p95 / quietP95,
        p50_ms: quantile(latencies, 0.5),
        quiet_p50_ms: quantile(quietLatencies, 0.5),
        flood_ms: floodMs,
      },
      // Either will do: twice nearly nothing is still nearly nothing.
      bars: p95 <= 30 ? [{ figure: 'p95_ms', atMost: 30 }] : [{ figure: 'ratio', atMost: 2 }],
      notes: [
        `${seconds} s at ${ratePerSecond} a second; the flood, ${floodChats} chats over 64 connections, begins after 1 s and was taken in in flood_ms`,
      ],
    };
  },
};

/** Latencies of the ten bots while they get their steady traffic. */
async function watchTen(world: World, traffic: Traffic, answers: Answers, port: number): Promise<number[]> {
  await world.simulator.forget();
  const plan = traffic.plan(ratePerSecond * seconds, { port, connections: 32, ratePerSecond });
  const sent = await world.load.run(plan);
  const posted = acceptedPosts(plan.posts, sent);
  await untilSent(world, sent.count, 10_000);
  await pause(1_000);
  const calls = (await world.simulator.calls(0)).filter((call) => posted.has(Number(call.chat_id)));
  const found = audit(posted, calls, answers);
  if (found.lost + found.repeated + found.disordered > 0)
    world.context.say(`wrong: ${JSON.stringify({ ...found, latenciesMs: 0 })}`);
  return found.latenciesMs;
}
