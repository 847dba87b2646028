// Everything a bench stands on: a durable PostgreSQL, the simulator, the load, and servers under test.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Db } from '../../kernel/db.ts';
import { sql } from '../../kernel/sql.ts';
import { freePort } from '../../test/support/cluster.ts';
import type { Plan, Posts, Sent } from '../load/plan.ts';
import { escaped } from '../load/updates.ts';
import { type Answers, type Audit, answersFrom, audit } from './answers.ts';
import { type BenchBot, type BotsOptions, connectBots, openBenchDb } from './bots.ts';
import { until } from './clock.ts';
import { type Load, startLoad } from './load.ts';
import { webhookPathOf } from './paths.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import type { Scope } from './scope.ts';
import { type Build, type Server, startServer } from './server.ts';
import { type Simulator, startSimulator } from './simulator.ts';
import { countingStatements } from './statements.ts';
import { acceptedPosts, statusCounts, type Traffic } from './traffic.ts';

/** What a bench is given. */
export type Context = {
  readonly scope: Scope;
  readonly build: Build;
  /** How many bots share a project, and so a release in memory. */
  readonly perProject: number;
  /** Words on the way, for people. */
  say(line: string): void;
};

export type World = {
  readonly folder: string;
  readonly context: Context;
  readonly postgres: Postgres;
  readonly simulator: Simulator;
  readonly load: Load;
};

/** An installation: a database with bots in it and, once started, a server. */
export type Installation = {
  readonly db: Db;
  readonly databaseUrl: string;
  readonly port: number;
  readonly bots: BenchBot[];
  start(options?: { roles?: string }): Promise<Server>;
};

export async function createWorld(
  context: Context,
  options: { latencyMs?: number; postgres?: Readonly<Record<string, string>> } = {},
): Promise<World> {
  const { scope } = context;
  const folder = await mkdtemp(join(tmpdir(), 'roost-bench-'));
  scope.add(() => rm(folder, { recursive: true, force: true }));
  const profiling = context.build.profileFolder === undefined ? {} : countingStatements;
  const postgres = await startPostgres(scope, { ...profiling, ...options.postgres });
  const simulator = await startSimulator(scope, { folder, latencyMs: options.latencyMs ?? 120 });
  return { folder, context, postgres, simulator, load: await startLoad(scope, folder) };
}

/** Makes a database with bots. `start` runs a server on it. */
export async function install(
  world: World,
  name: string,
  options: Omit<BotsOptions, 'port' | 'perProject'> & Partial<Pick<BotsOptions, 'perProject'>>,
): Promise<Installation> {
  const { scope, build, perProject } = world.context;
  const databaseUrl = await world.postgres.createDatabase(name);
  const db = openBenchDb(scope, databaseUrl);
  const port = await freePort();
  const bots = await connectBots(db, world.simulator, { perProject, ...options, port });
  await db.run(sql`analyze`);
  const apiRoot = world.simulator.address;
  const { folder } = world;
  return {
    db,
    databaseUrl,
    port,
    bots,
    start: ({ roles } = {}) =>
      startServer(scope, {
        folder,
        name,
        databaseUrl,
        apiRoot,
        build,
        port,
        ...(roles === undefined ? {} : { roles }),
      }),
  };
}

/** Asks a bot every word once, each in a chat of its own, and learns the answers. */
export async function learnAnswers(
  world: World,
  port: number,
  bot: BenchBot,
  words: readonly string[],
): Promise<Answers> {
  await world.simulator.forget();
  const count = words.length;
  const plan: Plan = {
    port,
    connections: 1,
    targets: [{ path: webhookPathOf(bot.publicId), secret: bot.secret }],
    texts: words.map(escaped),
    posts: {
      target: new Int32Array(count),
      chatId: Float64Array.from(words, (_word, index) => learningChat + index),
      text: Uint8Array.from(words, (_word, index) => index),
      updateId: Float64Array.from(words, (_word, index) => 400_000_000 + index),
    },
  };
  const statuses = statusCounts(await world.load.run(plan));
  if (statuses.get(200) !== count) throw new Error(`The first updates were answered with ${[...statuses.keys()]}.`);
  await untilSent(world, count, 10_000);
  const calls = await world.simulator.calls(0);
  await world.simulator.forget();
  return answersFrom(
    calls.sort((a, b) => Number(a.chat_id) - Number(b.chat_id)),
    count,
  );
}

/** Far from the chats of `Traffic`. */
const learningChat = 900_000_000;

/** How many messages Telegram has taken since the log was last forgotten. */
export async function messagesTaken(world: World): Promise<number> {
  const { calls } = await world.simulator.counters();
  return (calls.by_method['sendMessage'] ?? 0) - (calls.by_code['429'] ?? 0);
}

/** Waits until Telegram has taken so many messages since the log was last forgotten. */
export async function untilSent(world: World, count: number, withinMs: number): Promise<void> {
  let taken = 0;
  const enough = async (): Promise<boolean> => (taken = await messagesTaken(world)) >= count;
  await until(enough, { what: `${count} answers`, withinMs, everyMs: 100 }).catch((error) => {
    // What is missing shows in the audit; a bench that breaks off here would tell less.
    world.context.say(`${String(error)}; ${taken} came`);
  });
}

export type RunResult = { posts: Posts; sent: Sent; audit: Audit; statuses: Map<number, number> };

/** Posts, waits for all answers, and audits them. */
export async function runTraffic(
  world: World,
  traffic: Traffic,
  answers: Answers,
  options: { port: number; count: number; connections: number; ratePerSecond?: number; withinMs?: number },
): Promise<RunResult> {
  const { port, count, connections, ratePerSecond } = options;
  await world.simulator.forget();
  const plan = traffic.plan(count, { port, connections, ...(ratePerSecond === undefined ? {} : { ratePerSecond }) });
  const sent = await world.load.run(plan);
  const statuses = statusCounts(sent);
  await untilSent(world, statuses.get(200) ?? 0, options.withinMs ?? 60_000);
  const calls = await world.simulator.calls(0);
  return { posts: plan.posts, sent, statuses, audit: audit(acceptedPosts(plan.posts, sent), calls, answers) };
}
