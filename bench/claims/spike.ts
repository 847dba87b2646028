import { startBaseline } from '../lib/baseline.ts';
import type { Bench } from '../lib/bench.ts';
import { pause } from '../lib/clock.ts';
import { median, quantile, sum } from '../lib/statistics.ts';
import { supportWords, Traffic } from '../lib/traffic.ts';
import { createWorld, install, learnAnswers, runTraffic } from '../lib/world.ts';

const count = 500;
const connections = 100;
const warmUps = 3;
const rounds = 7;
/** Between two spikes, so that each meets the limits of its chats at rest. */
const restMs = 1_500;

type Spike = { lastMs: number; p95Ms: number; lost: number; repeated: number; disordered: number };

export const spike: Bench = {
  about: '500 updates at once over 100 bots x 5 chats: first post to last answer',
  async run(context) {
    const world = await createWorld(context);
    const { bots, port, start } = await install(world, 'spike', { count: 100 });
    await start();
    const answers = await learnAnswers(world, port, bots[0]!, supportWords);
    const common = { bots, words: supportWords, answers };
    const unsafe = await startBaseline(world, { kind: 'unsafe', ...common });
    const grammy = await startBaseline(world, { kind: 'grammy', ...common });
    const sides = { ours: port, unsafe: unsafe.port, grammy: grammy.port };
    const traffic = new Traffic(bots, { chats: 5 });
    const spikes: Record<keyof typeof sides, Spike[]> = { ours: [], unsafe: [], grammy: [] };
    for (let round = 0; round < warmUps + rounds; round += 1) {
      for (const side of Object.keys(sides) as (keyof typeof sides)[]) {
        await pause(restMs);
        const { sent, audit } = await runTraffic(world, traffic, answers, { port: sides[side], count, connections });
        const lastMs = audit.lastMs - sent.posted[0]!;
        const p95Ms = quantile(audit.latenciesMs, 0.95);
        if (round >= warmUps) spikes[side].push({ ...audit, lastMs, p95Ms });
      }
    }
    const lastOf = (side: keyof typeof sides): number => median(spikes[side].map((each) => each.lastMs));
    const lastMs = lastOf('ours');
    const grammyLastMs = lastOf('grammy');
    return {
      figures: {
        last_ms: lastMs,
        p95_ms: median(spikes.ours.map((each) => each.p95Ms)),
        unsafe_last_ms: lastOf('unsafe'),
        grammy_last_ms: grammyLastMs,
        lost: sum(spikes.ours.map((each) => each.lost)),
        repeated: sum(spikes.ours.map((each) => each.repeated)),
        disordered: sum(spikes.ours.map((each) => each.disordered)),
      },
      bars: [
        { figure: 'last_ms', atMost: Math.min(500, grammyLastMs) },
        { figure: 'lost', atMost: 0 },
        { figure: 'repeated', atMost: 0 },
        { figure: 'disordered', atMost: 0 },
      ],
      notes: [`medians of ${rounds} interleaved rounds after ${warmUps} to warm up; 100 connections`],
    };
  },
};
