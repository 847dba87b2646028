import { audit } from '../lib/answers.ts';
import { startBaseline } from '../lib/baseline.ts';
import type { Bench } from '../lib/bench.ts';
import { setAllProjects } from '../lib/bots.ts';
import { monoMs, pause } from '../lib/clock.ts';
import { pendingCount, standUpdates } from '../lib/standing.ts';
import { beginCounting, statementTable } from '../lib/statements.ts';
import { supportWords, Traffic } from '../lib/traffic.ts';
import { createWorld, install, learnAnswers, runTraffic, untilSent } from '../lib/world.ts';
import { escaped } from '../load/updates.ts';

const count = 40_000;
const warmUpCount = 3_000;
/** As many as the client of both has towards Telegram: with fewer the baseline would wait for its sender. */
const baselineConnections = 512;

export const drain: Bench = {
  about: '40,000 updates standing in the inbox, 2,000 bots x 20 chats; baseline: sendMessage at once, nothing stored',
  async run(context) {
    const world = await createWorld(context);
    const { bots, port, db, start } = await install(world, 'drain', { count: 2_000 });
    const server = await start();
    const answers = await learnAnswers(world, port, bots[0]!, supportWords);
    const warmUp = new Traffic(bots, { chats: 20, chatsFrom: 100 });
    await runTraffic(world, warmUp, answers, { port, count: warmUpCount, connections: 64 });

    const profiling = context.build.profileFolder !== undefined;
    await setAllProjects(db, 'paused');
    await pause(2_500);
    const posts = new Traffic(bots, { chats: 20 }).next(count);
    await standUpdates(db, bots, posts, supportWords.map(escaped));
    await world.simulator.forget();
    if (profiling) await beginCounting(db);
    const resumedMs = monoMs();
    const cpuMs = server.cpuMs();
    const databaseMs = world.postgres.cpuMs();
    await setAllProjects(db, 'active');
    await untilSent(world, count, 90_000);
    const used = { cpu: server.cpuMs() - cpuMs, database: world.postgres.cpuMs() - databaseMs };
    if (profiling) context.say(await statementTable(db, count));
    const calls = await world.simulator.calls(0);
    const expected = new Map<number, { text: number; postedMs: number }[]>();
    for (const [at, chat] of posts.chatId.entries()) {
      expected.set(chat, [...(expected.get(chat) ?? []), { text: posts.text[at]!, postedMs: resumedMs }]);
    }
    const found = audit(expected, calls, answers);
    const pending = await pendingCount(db);
    await server.stop();

    const unsafe = await startBaseline(world, {
      kind: 'unsafe',
      bots,
      words: supportWords,
      answers,
      awaitsTelegram: true,
    });
    const baseline = { port: unsafe.port, connections: baselineConnections };
    await runTraffic(world, new Traffic(bots, { chats: 20, chatsFrom: 200 }), answers, {
      ...baseline,
      count: warmUpCount,
    });
    const compared = await runTraffic(world, new Traffic(bots, { chats: 20, chatsFrom: 300 }), answers, {
      ...baseline,
      count,
    });
    const rate = rateOf(found, count);
    const baselineRate = rateOf(compared.audit, count);
    return {
      figures: {
        rate,
        baseline_rate: baselineRate,
        ratio: rate / baselineRate,
        first_answer_ms: found.firstMs - resumedMs,
        cpu_ms_per_message: used.cpu / count,
        database_cpu_ms_per_message: used.database / count,
        lost: found.lost,
        repeated: found.repeated,
        disordered: found.disordered,
        queue_after: pending,
      },
      bars: [
        { figure: 'rate', atLeast: 2_000 },
        { figure: 'ratio', atLeast: 0.4 },
        { figure: 'lost', atMost: 0 },
        { figure: 'repeated', atMost: 0 },
        { figure: 'disordered', atMost: 0 },
      ],
      notes: ['rates from the first to the last message that Telegram took; stretch 4,000'],
    };
  },
};

function rateOf(found: { firstMs: number; lastMs: number }, messages: number): number {
  return ((messages - 1) / (found.lastMs - found.firstMs)) * 1_000;
}
