import type { Answers } from '../lib/answers.ts';
import { textOf } from '../lib/answers.ts';
import type { Bench } from '../lib/bench.ts';
import { monoMs, pause, until } from '../lib/clock.ts';
import type { Call } from '../lib/simulator.ts';
import { unfinishedCount } from '../lib/standing.ts';
import { sum } from '../lib/statistics.ts';
import { supportWords, Traffic } from '../lib/traffic.ts';
import { createWorld, type Installation, install, learnAnswers, runTraffic, type World } from '../lib/world.ts';
import type { Plan, Posts, Sent } from '../load/plan.ts';

/** 6,000 chats: each hears a message every two seconds. */
const bots = 200;
const chats = 30;
const ratePerSecond = 3_000;
const telegramMs = 5;
const connections = 100;
const warmUpCount = 6_000;
const kills = 5;
/** From the beginning of the flood to the kill; a few milliseconds more each time, so that no kill meets the same moment. */
const untilKillMs = 4_000;
/** What Telegram has answered earlier than this before the kill must have been recorded. */
const recordedWithinMs = 20;

type Kill = { lost: number; disordered: number; repeated: number; inTheAir: number };

export const crash: Bench = {
  about: `kill -9 under ${ratePerSecond} updates a second, ${kills} times: what is lost, out of order or sent twice`,
  async run(context) {
    const world = await createWorld(context, { latencyMs: telegramMs });
    const installation = await install(world, 'crash', { count: bots });
    const { port } = installation;
    let server = await installation.start();
    const answers = await learnAnswers(world, port, installation.bots[0]!, supportWords);
    const traffic = new Traffic(installation.bots, { chats });
    const found: Kill[] = [];
    for (let round = 0; round < kills; round += 1) {
      await runTraffic(world, traffic, answers, { port, count: warmUpCount, connections, ratePerSecond: 1_500 });
      await world.simulator.forget();
      const plan = traffic.plan(ratePerSecond * 10, { port, connections, ratePerSecond });
      const loading = world.load.run(plan);
      await pause(untilKillMs + round * 7);
      const killedMs = monoMs();
      await server.kill();
      const sent = await loading;
      server = await installation.start();
      await deliverAgain(world, installation, plan, sent);
      const calls = await world.simulator.calls(0);
      const kill = { ...compare(plan.posts, sent.count, calls, answers), inTheAir: inTheAir(calls, killedMs) };
      context.say(`kill ${round + 1}: ${JSON.stringify(kill)} of ${sent.count}`);
      found.push(kill);
    }
    const repeated = sum(found.map((kill) => kill.repeated));
    const air = sum(found.map((kill) => kill.inTheAir));
    return {
      figures: {
        lost: sum(found.map((kill) => kill.lost)),
        disordered: sum(found.map((kill) => kill.disordered)),
        repeated,
        in_the_air: air,
        repeated_share: repeated / Math.max(1, air),
      },
      bars: [
        { figure: 'lost', atMost: 0 },
        { figure: 'disordered', atMost: 0 },
        { figure: 'repeated_share', atMost: 1 },
      ],
      notes: [
        `Telegram answers after ${telegramMs} ms; sums over ${kills} kills, each ${untilKillMs / 1_000} s into the flood`,
        `in_the_air: calls that Telegram had not answered ${recordedWithinMs} ms before the kill`,
      ],
    };
  },
};

/** As Telegram does: what was not answered with 200 comes again. Then waits until nothing is under way any more. */
async function deliverAgain(world: World, { db, port }: Installation, plan: Plan, sent: Sent): Promise<void> {
  const again = [...sent.status.subarray(0, sent.count).keys()].filter((at) => sent.status[at] !== 200);
  const { target, chatId, text, updateId } = plan.posts;
  const posts: Posts = {
    target: Int32Array.from(again, (at) => target[at]!),
    chatId: Float64Array.from(again, (at) => chatId[at]!),
    text: Uint8Array.from(again, (at) => text[at]!),
    updateId: Float64Array.from(again, (at) => updateId[at]!),
  };
  const delivered = await world.load.run({ ...plan, posts, port, ratePerSecond: 1_000 });
  const refused = delivered.status.filter((status) => status !== 200).length;
  if (refused > 0) throw new Error(`${refused} updates were refused when they came again.`);
  await until(async () => (await unfinishedCount(db)) === 0, { what: 'nothing under way', withinMs: 120_000 });
}

/** Chat by chat: what was posted against what was answered. The words of a chat never repeat at once, so a repeat shows. */
function compare(posts: Posts, count: number, calls: readonly Call[], answers: Answers): Omit<Kill, 'inTheAir'> {
  const wordOf = new Map(answers.map((answer, index) => [answer.text, index]));
  const wanted = new Map<number, number[]>();
  for (let at = 0; at < count; at += 1) push(wanted, posts.chatId[at]!, posts.text[at]!);
  const given = new Map<number, number[]>();
  for (const call of calls) {
    if (call.accepted && call.method === 'sendMessage' && typeof call.chat_id === 'number')
      push(given, call.chat_id, wordOf.get(textOf(call)) ?? -1);
  }
  const total = { lost: 0, disordered: 0, repeated: 0 };
  for (const [chat, words] of wanted) {
    const heard = given.get(chat) ?? [];
    const once = heard.filter((word, at) => word !== heard[at - 1]);
    total.repeated += heard.length - once.length;
    total.lost += Math.max(0, words.length - once.length);
    total.repeated += Math.max(0, once.length - words.length);
    if (once.length === words.length && once.some((word, at) => word !== words[at])) total.disordered += 1;
  }
  return total;
}

function push(lists: Map<number, number[]>, key: number, value: number): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Calls that were made before the kill and whose answer was not out some milliseconds before it. */
function inTheAir(calls: readonly Call[], killedMs: number): number {
  const sinceMs = killedMs - recordedWithinMs - telegramMs;
  return calls.filter((call) => call.arrived_mono > sinceMs && call.arrived_mono <= killedMs + telegramMs).length;
}
