import type { Bench } from '../lib/bench.ts';
import { quantile } from '../lib/statistics.ts';
import { startWords, Traffic } from '../lib/traffic.ts';
import { createWorld, install, learnAnswers, runTraffic } from '../lib/world.ts';

const contacts = 10_000;
const bots = 400;
const perSecond = 30;

export const firsts: Bench = {
  about: '10,000 first contacts (/start) at once over 400 bots: post to the answer',
  async run(context) {
    const world = await createWorld(context);
    const { bots: connected, port, start } = await install(world, 'firsts', { count: bots, example: 'lead-form' });
    await start();
    const answers = await learnAnswers(world, port, connected[0]!, startWords);
    const perBot = contacts / bots;
    const traffic = new Traffic(connected, { chats: perBot, words: startWords });
    const { sent, audit } = await runTraffic(world, traffic, answers, { port, count: contacts, connections: 100 });
    const firstMs = sent.posted[0]!;
    const intakeMs = sent.answered.reduce((latest, ms) => Math.max(latest, ms), 0) - firstMs;
    // From the first post of all: at once means that nobody's clock starts later because others came before.
    const arrived = audit.latenciesMs;
    const p95 = quantile(arrived, 0.95);
    const limitsAddMs = Math.floor((Math.ceil(0.95 * perBot) - 1) / perSecond) * 1_000;
    return {
      figures: {
        p95_ms: p95,
        p50_ms: quantile(arrived, 0.5),
        limits_add_ms: limitsAddMs,
        last_ms: audit.lastMs - firstMs,
        intake_ms: intakeMs,
        lost: audit.lost,
        repeated: audit.repeated,
      },
      bars: [
        { figure: 'p95_ms', atMost: 3_000 + limitsAddMs },
        { figure: 'lost', atMost: 0 },
        { figure: 'repeated', atMost: 0 },
      ],
      notes: [
        `100 connections; ${perBot} contacts a bot, one message each, so the limits of ${perSecond} a second add nothing; a fresh server`,
      ],
    };
  },
};
