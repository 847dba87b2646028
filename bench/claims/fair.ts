import { type Answers, audit } from '../lib/answers.ts';
import type { Bench } from '../lib/bench.ts';
import { pauseBot } from '../lib/bots.ts';
import { pause } from '../lib/clock.ts';
import { startLoad } from '../lib/load.ts';
import { median, quantile } from '../lib/statistics.ts';
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
const rounds = 5;
/** Within it every process hears that a bot is paused. */
const restMs = 3_000;

export const fair: Bench = {
  about:
    'one bot gets 10,000 updates at once, ten of the same bucket have steady traffic: post to sendMessage of the ten',
  async run(context) {
    const world = await createWorld(context);
    const { bots, port, db, start } = await install(world, 'fair', { count: others + rounds, bucket });
    await start();
    const quiet = bots.slice(rounds);
    const answers = await learnAnswers(world, port, quiet[0]!, supportWords);
    const traffic = new Traffic(quiet, { chats });
    const floodLoad = await startLoad(context.scope, world.folder, 'flood');
    await watchTen(world, traffic, answers, port);

    const found: Round[] = [];
    for (const [round, flooded] of bots.slice(0, rounds).entries()) {
      const quietLatencies = await watchTen(world, traffic, answers, port);
      const plan = new Traffic([flooded], { chats: floodChats }).plan(flood, { port, connections: 64 });
      const watching = watchTen(world, traffic, answers, port);
      await pause(1_000);
      const flooding = await floodLoad.run(plan);
      const latencies = await watching;
      found.push({
        p95: quantile(latencies, 0.95),
        p50: quantile(latencies, 0.5),
        quietP95: quantile(quietLatencies, 0.95),
        quietP50: quantile(quietLatencies, 0.5),
        floodMs: Math.max(...flooding.answered) - flooding.posted[0]!,
      });
      context.say(
        `round ${round + 1}: p95 ${found.at(-1)!.p95.toFixed(1)} ms, quiet ${found.at(-1)!.quietP95.toFixed(1)} ms`,
      );
      // It may say thirty a second, so most of its queue is still there; the next round floods another bot.
      await pauseBot(db, flooded.id);
      await pause(restMs);
    }
    const middle = (of: (round: Round) => number): number => median(found.map(of));
    const p95 = middle((each) => each.p95);
    return {
      figures: {
        p95_ms: p95,
        quiet_p95_ms: middle((each) => each.quietP95),
        ratio: median(found.map((each) => each.p95 / each.quietP95)),
        p50_ms: middle((each) => each.p50),
        quiet_p50_ms: middle((each) => each.quietP50),
        flood_ms: middle((each) => each.floodMs),
      },
      // Either will do: twice nearly nothing is still nearly nothing.
      bars: p95 <= 30 ? [{ figure: 'p95_ms', atMost: 30 }] : [{ figure: 'ratio', atMost: 2 }],
      notes: [
        `medians of ${rounds} rounds, each ${seconds} s without and ${seconds} s with a flood, at ${ratePerSecond} a second; the flood, ${floodChats} chats over 64 connections, begins after 1 s and was taken in in flood_ms`,
      ],
    };
  },
};

type Round = { p95: number; p50: number; quietP95: number; quietP50: number; floodMs: number };

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
