import type { Answers } from '../lib/answers.ts';
import { startBaseline } from '../lib/baseline.ts';
import type { Bench } from '../lib/bench.ts';
import { pause } from '../lib/clock.ts';
import { quantile } from '../lib/statistics.ts';
import { supportWords, Traffic } from '../lib/traffic.ts';
import { createWorld, install, learnAnswers, runTraffic, type World } from '../lib/world.ts';

/** 25,000 chats: each hears a message every five seconds at most, up to 5,000 a second. */
const bots = 1_000;
const chats = 25;
const warmUpCount = 10_000;
const stepSeconds = 6;
const steps = 6;
const slowest = 500;
const fastest = 5_000;
/** A step is kept up with when its answers are over so soon after its last post. */
const behindMsMax = 500;
const connections = 100;
/** Before the run at half: the steps above what can be kept leave dead rows, which PostgreSQL clears away for some seconds. */
const restMs = 10_000;

export const steady: Bench = {
  about: 'the highest rate without a growing backlog, by bisection; each chat at most every 5 s',
  async run(context) {
    const world = await createWorld(context);
    const { bots: connected, port, start } = await install(world, 'steady', { count: bots });
    await start();
    const answers = await learnAnswers(world, port, connected[0]!, supportWords);
    const traffic = new Traffic(connected, { chats });
    await runTraffic(world, traffic, answers, { port, count: warmUpCount, connections, ratePerSecond: 1_000 });
    let kept = 0;
    let below = slowest;
    let above = fastest;
    let rate = 2_000;
    for (let step = 0; step < steps; step += 1) {
      const { fine, behindMs, p95Ms } = await tryRate(world, traffic, answers, port, rate);
      context.say(
        `${rate}/s: ${fine ? 'kept up' : 'fell behind'}, ${Math.round(behindMs)} ms behind, p95 ${Math.round(p95Ms)} ms`,
      );
      if (fine) kept = below = rate;
      else above = rate;
      rate = Math.round((below + above) / 20) * 10;
    }
    const unsafe = await startBaseline(world, { kind: 'unsafe', bots: connected, words: supportWords, answers });
    const halfRate = Math.max(1, Math.round(kept / 2));
    const load = { count: halfRate * 10, connections, ratePerSecond: halfRate };
    await runTraffic(world, traffic, answers, { ...load, port: unsafe.port, count: halfRate * 2 });
    await pause(restMs);
    const half = await runTraffic(world, traffic, answers, { ...load, port });
    await pause(restMs);
    const compared = await runTraffic(world, traffic, answers, { ...load, port: unsafe.port });
    const p95 = quantile(half.audit.latenciesMs, 0.95);
    const unsafeP95 = quantile(compared.audit.latenciesMs, 0.95);
    return {
      figures: {
        rate: kept,
        p50_ms_at_half: quantile(half.audit.latenciesMs, 0.5),
        p95_ms_at_half: p95,
        unsafe_p95_ms_at_half: unsafeP95,
        p95_ratio_at_half: p95 / unsafeP95,
        lost: half.audit.lost,
      },
      bars: [
        { figure: 'rate', atLeast: 1_500 },
        // Either will do: on a machine that has slowed down, the unsafe route says what is possible at all.
        p95 <= 30 ? { figure: 'p95_ms_at_half', atMost: 30 } : { figure: 'p95_ratio_at_half', atMost: 2 },
        { figure: 'lost', atMost: 0 },
      ],
      notes: [
        `${steps} steps of ${stepSeconds} s between ${slowest} and ${fastest} a second, a rest of ${restMs / 1_000} s, then 10 s at half of it, and the unsafe route at the same rate after it; ${bots} bots x ${chats} chats`,
      ],
    };
  },
};

async function tryRate(world: World, traffic: Traffic, answers: Answers, port: number, ratePerSecond: number) {
  const count = ratePerSecond * stepSeconds;
  const { sent, audit } = await runTraffic(world, traffic, answers, { port, count, connections, ratePerSecond });
  const lastPostMs = sent.posted[sent.count - 1] ?? 0;
  const behindMs = Math.max(audit.lastMs - lastPostMs, sent.lateMsMax);
  // What stands in the way of the next step must be over.
  await pause(1_500);
  return { fine: behindMs <= behindMsMax && audit.lost === 0, behindMs, p95Ms: quantile(audit.latenciesMs, 0.95) };
}
