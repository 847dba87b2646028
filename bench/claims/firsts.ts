import type { Bench } from '../lib/bench.ts';
import { pause } from '../lib/clock.ts';
import { beginCounting, statementTable } from '../lib/statements.ts';
import { median, quantile, sum } from '../lib/statistics.ts';
import { startWords, Traffic } from '../lib/traffic.ts';
import { createWorld, install, learnAnswers, runTraffic } from '../lib/world.ts';

const contacts = 10_000;
const bots = 400;
const perBot = contacts / bots;
const perSecond = 30;
/** After the first flood, which meets a process that has done nothing yet; everybody in each is new. */
const rounds = 5;
/** Between two floods, so that each meets the limits of its bots at rest. */
const restMs = 3_000;

type Flood = {
  readonly p95Ms: number;
  readonly p50Ms: number;
  readonly fromPostMs: number;
  readonly lastMs: number;
  readonly intakeMs: number;
  readonly cpuMs: number;
  readonly lost: number;
  readonly repeated: number;
};

export const firsts: Bench = {
  about: '10,000 first contacts (/start) at once over 400 bots: first post of all to the answer',
  async run(context) {
    const world = await createWorld(context);
    const { bots: connected, port, db, start } = await install(world, 'firsts', { count: bots, example: 'lead-form' });
    const server = await start();
    const answers = await learnAnswers(world, port, connected[0]!, startWords);
    const profiling = context.build.profileFolder !== undefined;

    async function flood(round: number): Promise<Flood> {
      const traffic = new Traffic(connected, { chats: perBot, words: startWords, chatsFrom: round * perBot });
      const cpuMs = server.cpuMs();
      const { sent, audit } = await runTraffic(world, traffic, answers, { port, count: contacts, connections: 100 });
      const firstMs = sent.posted[0]!;
      // At once: everybody's clock starts with the first post, and nobody's later because others were taken in before.
      const arrived = audit.arrivedMs.map((ms) => ms - firstMs);
      const result = {
        p95Ms: quantile(arrived, 0.95),
        p50Ms: quantile(arrived, 0.5),
        fromPostMs: quantile(audit.latenciesMs, 0.95),
        lastMs: audit.lastMs - firstMs,
        intakeMs: sent.answered.reduce((latest, ms) => Math.max(latest, ms), 0) - firstMs,
        cpuMs: (server.cpuMs() - cpuMs) / contacts,
        lost: audit.lost,
        repeated: audit.repeated,
      };
      context.say(`p95 ${Math.round(result.p95Ms)} ms, own CPU ${result.cpuMs.toFixed(3)} ms a message`);
      return result;
    }

    if (profiling) await beginCounting(db);
    const fresh = await flood(0);
    if (profiling) context.say(await statementTable(db, contacts));
    const floods: Flood[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      await pause(restMs);
      floods.push(await flood(round));
    }
    const middle = (figure: keyof Flood): number => median(floods.map((each) => each[figure]));
    const limitsAddMs = Math.floor((Math.ceil(0.95 * perBot) - 1) / perSecond) * 1_000;
    return {
      figures: {
        p95_ms: middle('p95Ms'),
        p50_ms: middle('p50Ms'),
        p95_from_own_post_ms: middle('fromPostMs'),
        limits_add_ms: limitsAddMs,
        last_ms: middle('lastMs'),
        intake_ms: middle('intakeMs'),
        cpu_ms_per_message: middle('cpuMs'),
        fresh_p95_ms: fresh.p95Ms,
        fresh_cpu_ms_per_message: fresh.cpuMs,
        lost: sum([fresh, ...floods].map((each) => each.lost)),
        repeated: sum([fresh, ...floods].map((each) => each.repeated)),
      },
      bars: [
        { figure: 'p95_ms', atMost: 3_000 + limitsAddMs },
        { figure: 'lost', atMost: 0 },
        { figure: 'repeated', atMost: 0 },
      ],
      notes: [
        `medians of ${rounds} floods of people who are all new; fresh: the flood before them, which meets a server that has just started`,
        `100 connections; ${perBot} contacts a bot, one message each, so the limits of ${perSecond} a second add nothing`,
      ],
    };
  },
};
