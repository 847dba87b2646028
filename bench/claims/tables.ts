import { join } from 'node:path';
import type { Db } from '../../kernel/db.ts';
import { sql } from '../../kernel/sql.ts';
import { countRecords, type Find, findRecords } from '../../server/domains/tables/sql.ts';
import type { Answers } from '../lib/answers.ts';
import type { Bench } from '../lib/bench.ts';
import { connectBots } from '../lib/bots.ts';
import { startLoad } from '../lib/load.ts';
import { median, quantile } from '../lib/statistics.ts';
import { supportWords, Traffic } from '../lib/traffic.ts';
import { createWorld, install, learnAnswers, runTraffic, type World } from '../lib/world.ts';

const rows = 100_000;
const asks = 50;
const seconds = 20;
const ratePerSecond = 80;
const slowPerSecond = 10;
const slowFolder = join(import.meta.dirname, '..', 'lib', 'slow-table');

export const tables: Bench = {
  about: "find, count and filter over 100,000 rows; and another bot's answers while a bot waits for a slow table",
  async run(context) {
    const world = await createWorld(context);
    const { bots, port, db, start } = await install(world, 'tables', { count: 10 });
    const slow = await connectBots(db, world.simulator, { count: 1, perProject: 1, example: slowFolder, port });
    const asked = await askLargeTable(db, context.say);
    await makeSlow(db);
    await start();
    const answers = await learnAnswers(world, port, bots[0]!, supportWords);
    const traffic = new Traffic(bots, { chats: 20 });
    await watch(world, traffic, answers, port);

    const alone = await watch(world, traffic, answers, port);
    const slowLoad = await startLoad(context.scope, world.folder, 'slow');
    const slowPlan = new Traffic(slow, { chats: 50 }).plan(slowPerSecond * seconds, {
      port,
      connections: 8,
      ratePerSecond: slowPerSecond,
    });
    const flooding = slowLoad.run(slowPlan);
    const beside = await watch(world, traffic, answers, port);
    await flooding;
    const p95 = quantile(beside, 0.95);
    const alone95 = quantile(alone, 0.95);
    return {
      figures: {
        ...asked,
        other_bot_p95_ms: p95,
        other_bot_p95_ms_alone: alone95,
        other_bot_ratio: p95 / alone95,
        other_bot_max_ms: Math.max(...beside),
      },
      bars: [
        { figure: 'find_ms', atMost: 20 },
        { figure: 'count_ms', atMost: 20 },
        { figure: 'filter_ms', atMost: 20 },
        // Either will do: on a busy machine both sides are slow.
        p95 <= 30 ? { figure: 'other_bot_p95_ms', atMost: 30 } : { figure: 'other_bot_ratio', atMost: 1.5 },
      ],
      notes: [
        `${asks} asks of each kind, one after the other; of several kinds the slowest median`,
        `ten bots at ${ratePerSecond} a second for ${seconds} s, without and with a bot that gets ${slowPerSecond} updates a second, each with a write that takes a minute`,
      ],
    };
  },
};

/** Medians of what the tables are asked, each kind by itself, over as many rows as a table may have. */
async function askLargeTable(db: Db, say: (line: string) => void) {
  const project = await db.one<{ id: number }>(sql`select min(id) as id from project`);
  const place = { projectId: project!.id, name: 'goods' };
  await db.run(sql`
    insert into record_table (project_id, table_name, last_id, row_count) values (${place.projectId}, 'goods', ${rows}, ${rows})`);
  await db.run(sql`
    insert into record (project_id, table_name, id, values)
    select ${place.projectId}, 'goods', i, jsonb_build_object('title', 'Thing number ' || i || ' of many', 'price', i, 'place', i % 500)
    from generate_series(1, ${rows}::int) i`);
  await db.run(sql`vacuum analyze record`);
  const one: Find = { tests: [], sort: null, descending: false, limit: 1 };
  const price = (v: number) => [{ f: 'price', o: 'is', v }];
  const inPlace = (v: number) => [{ f: 'place', o: 'is', v }];
  const kinds: Record<string, Record<string, (at: number) => Promise<unknown>>> = {
    find_ms: {
      number: (at) => findRecords(db, place, { ...one, tests: [{ f: 'id', o: 'is', v: 1 + at * 1_999 }] }),
      value: (at) => findRecords(db, place, { ...one, tests: price(1 + at * 1_999) }),
      last: () => findRecords(db, place, { ...one, descending: true }),
    },
    count_ms: {
      all: () => countRecords(db, place, []),
      value: (at) => countRecords(db, place, inPlace(at)),
      words: () => countRecords(db, place, [{ f: 'title', o: 'contains', v: 'THING' }]),
    },
    filter_ms: {
      value: (at) => findRecords(db, place, { ...one, tests: inPlace(at), limit: 1_000 }),
      sorted: (at) => findRecords(db, place, { ...one, tests: inPlace(at), sort: 'title', limit: 1_000 }),
      words: () => findRecords(db, place, { ...one, tests: [{ f: 'title', o: 'contains', v: 'NUMBER' }], limit: 50 }),
    },
    // No index knows these: what they cost is shown, and bounded by the rows that a table may have.
    sort_all_ms: { words: () => findRecords(db, place, { ...one, sort: 'title' }) },
    rare_words_ms: {
      words: () => findRecords(db, place, { ...one, tests: [{ f: 'title', o: 'contains', v: 'NUMBER 77777 ' }] }),
    },
  };
  const figures: Record<string, number> = {};
  for (const [figure, asking] of Object.entries(kinds)) {
    for (const [name, ask] of Object.entries(asking)) {
      const times: number[] = [];
      for (let at = 0; at < asks; at += 1) {
        const before = performance.now();
        await ask(at);
        times.push(performance.now() - before);
      }
      say(`${figure} ${name}: ${median(times).toFixed(2)} ms`);
      figures[figure] = Math.max(figures[figure] ?? 0, median(times));
    }
  }
  return figures;
}

/** From now on each write to `notes` takes a minute. */
async function makeSlow(db: Db): Promise<void> {
  await db.run(sql`
    create function slowly() returns trigger language plpgsql as $$
    begin
      if new.table_name = 'notes' then perform pg_sleep(60); end if;
      return new;
    end $$`);
  await db.run(sql`create trigger slow before insert on record for each row execute function slowly()`);
}

/** From post to sendMessage, of the bots that ask no table. */
async function watch(world: World, traffic: Traffic, answers: Answers, port: number): Promise<number[]> {
  const count = ratePerSecond * seconds;
  const { audit } = await runTraffic(world, traffic, answers, { port, count, connections: 32, ratePerSecond });
  if (audit.lost + audit.disordered > 0) world.context.say(`wrong: ${audit.lost} lost, ${audit.disordered} disordered`);
  return audit.latenciesMs;
}
