import type { Db } from '../../kernel/db.ts';
import { sql } from '../../kernel/sql.ts';
import { pruneBodies, pruneKeys } from '../../server/domains/inbox/sql.ts';
import type { Bench } from '../lib/bench.ts';
import { setAllProjects } from '../lib/bots.ts';
import { pause, until } from '../lib/clock.ts';
import { standHistory, standUpdates } from '../lib/standing.ts';
import { median } from '../lib/statistics.ts';
import { supportWords, Traffic } from '../lib/traffic.ts';
import { createWorld, install, learnAnswers, messagesTaken, runTraffic, untilSent, type World } from '../lib/world.ts';
import { escaped } from '../load/updates.ts';

const botCount = 1_000;
const chats = 120;
const processed = 1_000_000;
/** Rounds of retention: in each, three quarters of the rows went and as many came. */
const rounds = 6;
const pending = 100_000;
const count = 8_000;
const pairs = 5;

export const history: Bench = {
  about:
    'drain with 0 and with 1,000,000 processed rows, six rounds of retention and 100,000 pending behind, five interleaved pairs',
  async run(context) {
    const world = await createWorld(context);
    const empty = await open(world, 'empty', { processed: 0, pending: 0 });
    const full = await open(world, 'full', { processed, pending });
    const sides = [empty, full];
    for (let pair = 0; pair < pairs; pair += 1) {
      for (const side of pair % 2 === 0 ? sides : [...sides].reverse()) await side.measure();
    }
    const [clean, old] = [median(empty.costs), median(full.costs)];
    return {
      figures: {
        ratio: old / clean,
        cpu_ms_per_message_empty: clean,
        cpu_ms_per_message_full: old,
        database_ms_per_message_empty: median(empty.databaseCosts),
        database_ms_per_message_full: median(full.databaseCosts),
        retention_look_ms: await lookMs(full.db),
      },
      bars: [
        { figure: 'ratio', atLeast: 0.9, atMost: 1.15 },
        { figure: 'retention_look_ms', atMost: 20 },
      ],
      notes: [
        `${pairs} pairs of drains of ${count} of ${botCount} bots; CPU of server and database until Telegram took ${count} messages, by messages taken`,
      ],
    };
  },
};

/** How long retention looks for what there is not, which it does every minute. */
async function lookMs(db: Db): Promise<number> {
  const times: number[] = [];
  for (let look = 0; look < 9; look += 1) {
    const before = performance.now();
    await pruneBodies(db, { bodyHours: 48, limit: 2_000, skip: 0 });
    await pruneKeys(db, { keyHours: 96, limit: 2_000, skip: 0 });
    times.push(performance.now() - before);
  }
  return median(times);
}

/** A database, its server, and bots whose queue stands while they are paused. */
async function open(world: World, name: string, behind: { processed: number; pending: number }) {
  const installation = await install(world, name, { count: botCount });
  const { db, bots, port } = installation;
  if (behind.processed > 0) await standHistory(db, bots, { count: behind.processed, rounds });
  const traffic = new Traffic(bots, { chats });
  const server = await installation.start();
  const answers = await learnAnswers(world, port, bots[0]!, supportWords);
  await runTraffic(world, new Traffic(bots, { chats: 5, chatsFrom: 5_000 }), answers, {
    port,
    count: 3_000,
    connections: 64,
  });
  await rest(world, db);
  const texts = supportWords.map(escaped);
  await standUpdates(db, bots, traffic.next(behind.pending), texts);
  await db.run(sql`vacuum analyze inbox`);
  await db.run(sql`checkpoint`);
  const costs: number[] = [];
  const databaseCosts: number[] = [];
  return {
    db,
    costs,
    databaseCosts,
    async measure() {
      await standUpdates(db, bots, traffic.next(count), texts);
      await world.simulator.forget();
      const before = { own: server.cpuMs(), database: world.postgres.cpuMs() };
      await setAllProjects(db, 'active');
      await untilSent(world, count, 60_000);
      const after = { own: server.cpuMs(), database: world.postgres.cpuMs() };
      const taken = await messagesTaken(world);
      await rest(world, db);
      costs.push((after.own - before.own + after.database - before.database) / taken);
      databaseCosts.push((after.database - before.database) / taken);
      // What was taken beyond the count is put behind again.
      const beyond = (await messagesTaken(world)) - count;
      if (behind.pending > 0 && beyond > 0) await standUpdates(db, bots, traffic.next(beyond), texts);
    },
  };
}

/** Pauses all bots and waits until nothing is under way. */
async function rest(world: World, db: Db): Promise<void> {
  await setAllProjects(db, 'paused');
  let last = -1;
  const still = async (): Promise<boolean> => {
    const before = last;
    last = await messagesTaken(world);
    return last === before;
  };
  await until(still, { what: 'the bots to pause', withinMs: 30_000, everyMs: 500 });
  await pause(500);
}
