import { sql } from '../../kernel/sql.ts';
import { makePublicId, makeSecret } from '../../server/domains/bots/secret.ts';
import { audit } from '../lib/answers.ts';
import type { Bench } from '../lib/bench.ts';
import type { BenchBot } from '../lib/bots.ts';
import { pause } from '../lib/clock.ts';
import { startLoad } from '../lib/load.ts';
import { webhookPathOf } from '../lib/paths.ts';
import { pendingCount } from '../lib/standing.ts';
import { quantile } from '../lib/statistics.ts';
import { acceptedPosts, statusCounts, supportWords, Traffic } from '../lib/traffic.ts';
import { createWorld, install, learnAnswers, untilSent } from '../lib/world.ts';
import type { Plan, Sent } from '../load/plan.ts';

const requests = 900;
const connections = 100;
/** Repeated, so that enough valid updates fall into the storms for a 95th percentile. */
const storms = 6;
const stormEveryMs = 1_500;
const ratePerSecond = 500;
const seconds = 20;
/** The valid traffic runs alone first. */
const quietMs = 9_000;
/** What a storm does may be felt for a little longer. */
const aftermathMs = 50;

export const abuse: Bench = {
  about: '900 requests on 100 connections with wrong secrets and unknown ids while valid traffic runs',
  async run(context) {
    const world = await createWorld(context);
    const { bots, port, db, start } = await install(world, 'abuse', { count: 100 });
    await start();
    const answers = await learnAnswers(world, port, bots[0]!, supportWords);
    const abuser = await startLoad(context.scope, world.folder, 'abuse');
    const traffic = new Traffic(bots, { chats: 40 });
    const before = await rows();
    const plan = traffic.plan(ratePerSecond * seconds, { port, connections: 32, ratePerSecond });
    await world.simulator.forget();
    const valid = world.load.run(plan);
    await pause(quietMs);
    const heard: Sent[] = [];
    for (let storm = 0; storm < storms; storm += 1) {
      heard.push(await abuser.run(stormPlan(bots, port)));
      await pause(stormEveryMs);
    }
    const sent = await valid;
    await untilSent(world, sent.count, 20_000);
    const posted = acceptedPosts(plan.posts, sent);
    const found = audit(posted, await world.simulator.calls(0), answers);

    async function rows(): Promise<number> {
      return (await db.one<{ count: number }>(sql`select count(*) from inbox`))?.count ?? 0;
    }
    const written = (await rows()) - before - (statusCounts(sent).get(200) ?? 0);
    const spans = heard.map((each) => [each.posted[0]!, Math.max(...each.answered) + aftermathMs] as const);
    const startMs = sent.posted[0]!;
    const latencyIn = (holds: (ms: number) => boolean): number[] => latencies(posted, found.latenciesMs, holds);
    const stormy = latencyIn((ms) => spans.some(([from, to]) => ms >= from && ms <= to));
    // The first seconds warm up.
    const quiet = latencyIn((ms) => ms > startMs + 3_000 && ms < startMs + quietMs);
    return {
      figures: {
        refused: Math.min(...heard.map(refusedOf)),
        valid_p95_ratio: quantile(stormy, 0.95) / quantile(quiet, 0.95),
        valid_p95_ms: quantile(stormy, 0.95),
        quiet_p95_ms: quantile(quiet, 0.95),
        valid_samples: stormy.length,
        storm_ms: Math.max(...spans.map(([from, to]) => to - from - aftermathMs)),
        unauthorized: statusCounts(heard[0]!).get(401) ?? 0,
        too_many: statusCounts(heard[0]!).get(429) ?? 0,
        rows_written: written,
        queue_after: await pendingCount(db),
        valid_lost: found.lost,
      },
      bars: [
        { figure: 'refused', atLeast: requests, atMost: requests },
        { figure: 'valid_p95_ratio', atMost: 1.5 },
        { figure: 'rows_written', atMost: 0 },
        { figure: 'queue_after', atMost: 0 },
        { figure: 'valid_lost', atMost: 0 },
      ],
      notes: [
        `${storms} storms of ${requests} as fast as ${connections} connections go, within ${ratePerSecond} valid updates a second; p95 of the valid ones in the storms against those before`,
      ],
    };
  },
};

const refusedOf = (sent: Sent): number => (statusCounts(sent).get(401) ?? 0) + (statusCounts(sent).get(429) ?? 0);

/** Half with a wrong secret to bots that exist, a third to bots that do not, the rest without a secret. */
function stormPlan(bots: readonly BenchBot[], port: number): Plan {
  const targets = bots.flatMap(({ publicId }, at) => [
    { path: webhookPathOf(publicId), secret: makeSecret() },
    { path: webhookPathOf(makePublicId()), secret: makeSecret() },
    { path: webhookPathOf(publicId), secret: at % 2 === 0 ? makeSecret() : '' },
  ]);
  return {
    port,
    connections,
    targets,
    texts: ['abuse'],
    posts: {
      target: Int32Array.from({ length: requests }, (_, at) => at % targets.length),
      chatId: new Float64Array(requests).fill(800_000_000),
      text: new Uint8Array(requests),
      updateId: Float64Array.from({ length: requests }, (_, at) => 300_000_000 + at),
    },
  };
}

/** Latencies of the posts whose moment passes; `audit` gives them chat by chat, in order. */
function latencies(
  posted: ReadonlyMap<number, readonly { postedMs: number }[]>,
  found: readonly number[],
  holds: (ms: number) => boolean,
): number[] {
  const moments = [...posted.values()].flat();
  if (moments.length !== found.length) throw new Error('Some answers are missing, so latencies cannot be told apart.');
  return found.filter((_, at) => holds(moments[at]!.postedMs));
}
