// A queue that stands: rows written into the inbox as intake writes them, while the bots are paused.
import type { Db } from '../../kernel/db.ts';
import { sql } from '../../kernel/sql.ts';
import type { Posts } from '../load/plan.ts';
import { messageUpdate } from '../load/updates.ts';
import type { BenchBot } from './bots.ts';

const rowsAnInsert = 5_000;

/** Writes updates into the inbox. They are worked on once their bots are. */
export async function standUpdates(
  db: Db,
  bots: readonly BenchBot[],
  posts: Posts,
  texts: readonly string[],
): Promise<void> {
  const atSeconds = Math.floor(Date.now() / 1_000);
  for (let from = 0; from < posts.target.length; from += rowsAnInsert) {
    const places = Array.from({ length: Math.min(rowsAnInsert, posts.target.length - from) }, (_, at) => from + at);
    const of = places.map((at) => bots[posts.target[at]!]!);
    const bodies = places.map((at) =>
      messageUpdate(posts.updateId[at]!, posts.chatId[at]!, texts[posts.text[at]!]!, atSeconds),
    );
    await db.run(sql`
      insert into inbox (integration_id, key, bucket, lane, body)
      select u.integration_id, u.key, u.bucket, u.lane, u.body
      from rows from (
        unnest(${of.map((bot) => bot.id)}::bigint[]),
        unnest(${places.map((at) => String(posts.updateId[at]))}::text[]),
        unnest(${of.map((bot) => bot.bucket)}::smallint[]),
        unnest(${places.map((at) => posts.chatId[at])}::bigint[]),
        json_array_elements(${`[${bodies.join(',')}]`}::json)
      ) with ordinality as u (integration_id, key, bucket, lane, body, place)
      order by u.place`);
  }
}

/** Of what stands after a round, so much is removed before the next. */
const removedShare = 0.75;

/**
 * Updates worked on long ago, as retention has not yet removed them: `count` rows with bodies and traces. Rounds of
 * retention have gone before: each has freed most pages in part, and the next rows stand in them in another order of time.
 */
export async function standHistory(
  db: Db,
  bots: readonly BenchBot[],
  { count, rounds }: { count: number; rounds: number },
): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await standRound(db, bots, round, round === 0 ? count : Math.round(count * removedShare));
    if (round === rounds - 1) break;
    await db.run(sql`delete from inbox where state = 2 and random() < ${removedShare}::float8`);
    await db.run(sql`vacuum (truncate off) inbox`);
  }
}

async function standRound(db: Db, bots: readonly BenchBot[], round: number, count: number): Promise<void> {
  const body = messageUpdate(123_456_789, 1_234_567_890, 'Здравствуйте', 1_700_000_000);
  const trace = JSON.stringify({ release: 1, outcome: 'handled', steps: [{ block: 'lostSay', exit: null, ms: 0 }] });
  await db.run(sql`
    insert into inbox (integration_id, key, bucket, lane, body, received_at, state, done_at, trace)
    select b.id, 'old' || ${round}::int || '-' || n, b.bucket, 500000000 + n % 100000, ${body}::json, now() - make_interval(secs => 86400 * (1 - n::float8 / ${count}::int)), 2,
      now() - make_interval(secs => 86400 * (1 - n::float8 / ${count}::int)), ${trace}::json
    from generate_series(1, ${count}::int) as n
    join unnest(${bots.map((_bot, at) => at)}::int[], ${bots.map((bot) => bot.id)}::bigint[], ${bots.map((bot) => bot.bucket)}::smallint[])
      as b (at, id, bucket) on b.at = n % ${bots.length}`);
}

export async function pendingCount(db: Db): Promise<number> {
  const row = await db.one<{ count: number }>(sql`select count(*) from inbox where state = 0`);
  return row?.count ?? 0;
}

/** Updates that are not worked on yet, and messages whose end is not known. */
export async function unfinishedCount(db: Db): Promise<number> {
  const row = await db.one<{ count: number }>(sql`
    select (select count(*) from inbox where state = 0) + (select count(*) from outbox where state < 2) as count`);
  return row?.count ?? 0;
}
