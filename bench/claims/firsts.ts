import type { Bench } from '../lib/bench.ts';
import { beginCounting, statementTable } from '../lib/statements.ts';
import { quantile } from '../lib/statistics.ts';
import { startWords, Traffic } from '../lib/traffic.ts';
import { createWorld, install, learnAnswers, runTraffic } from '../lib/world.ts';

const contacts = 10_000;
const bots = 400;
const perSecond = 30;

export const firsts: Bench = {
  about: '10,000 first contacts (/start) at once over 400 bots: first post of all to the answer',
  async run(context) {
    const world = await createWorld(context);
    const { bots: connected, port, db, start } = await install(world, 'firsts', { count: bots, example: 'lead-form' });
    const server = await start();
    const answers = await learnAnswers(world, port, connected[0]!, startWords);
    const perBot = contacts / bots;
    const traffic = new Traffic(connected, { chats: perBot, words: startWords });
    const profiling = context.build.profileFolder !== undefined;
    if (profiling) await beginCounting(db);
    const cpuMs = server.cpuMs();
    const { sent, audit } = await runTraffic(world, traffic, answers, { port, count: contacts, connections: 100 });
    const ownMs = server.cpuMs() - cpuMs;
    if (profiling) context.say(await statementTable(db, contacts));
    const firstMs = sent.posted[0]!;
    const intakeMs = sent.answered.reduce((latest, ms) => Math.max(latest, ms), 0) - firstMs;
    const fromPost = audit.latenciesMs;
    // At once: everybody's clock starts with the first post, and nobody's later because others were taken in before.
    const arrived = audit.arrivedMs.map((ms) => ms - firstMs);
    const p95 = quantile(arrived, 0.95);
    const limitsAddMs = Math.floor((Math.ceil(0.95 * perBot) - 1) / perSecond) * 1_000;
    return {
      figures: {
        p95_ms: p95,
        p50_ms: quantile(arrived, 0.5),
        p95_from_own_post_ms: quantile(fromPost, 0.95),
        limits_add_ms: limitsAddMs,
        last_ms: audit.lastMs - firstMs,
        intake_ms: intakeMs,
        cpu_ms_per_message: ownMs / contacts,
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
