import type { Db } from '../../kernel/db.ts';
import { type PendingRow, pendingBots, pendingByBot, pendingRows } from '../domains/inbox/inbox.ts';
import { botNames, findBot } from '../domains/ops/ops.ts';
import { defineCommand } from './cli/command.ts';
import { ago, count, duration, table } from './cli/print.ts';
import { numberOf } from './cli/values.ts';
import { botLabel } from './dead/view.ts';

const buckets = Array.from({ length: 256 }, (_, index) => index);

/** Index entries that one look may read, shared among the bots that have something waiting. */
const entriesMax = 200_000;
/** Of one bot, when its chats are shown. */
const rowsMax = 500;
const bytesMax = 16 * 2 ** 20;

export const queue = defineCommand({
  name: 'queue',
  summary: 'Shows whose updates wait: the longest queues, or the chats of one bot',
  details: ['Only the index of what waits is read, so it may be asked at any time, however long the queue is.'],
  examples: ['queue', 'queue --bot @support_bot'],
  args: [],
  options: {
    bot: { type: 'text', value: 'BOT', about: 'the chats of this bot instead' },
    limit: { type: 'text', value: 'NUMBER', about: 'how many lines at most; 20 when absent' },
  },
  json: true,
  async run({ options, answer, installation, kit }) {
    const limit = options.limit === undefined ? 20 : numberOf(options.limit, '--limit', 10_000);
    const { db } = await installation();
    const { value, lines } =
      options.bot === undefined ? await byBot(db, limit, kit.now()) : await byLane(db, options.bot, limit);
    answer(value, lines);
  },
});

type Shown = { value: object; lines: string[] };

async function byBot(db: Db, limit: number, nowMs: number): Promise<Shown> {
  const waiting = await pendingBots(db, buckets);
  const depthMax = Math.max(10, Math.floor(entriesMax / Math.max(1, waiting.length)));
  const ids = waiting.map((row) => row.integration_id);
  const queues =
    ids.length === 0 ? [] : await pendingByBot(db, { buckets: waiting.map((row) => row.bucket), ids, limit: depthMax });
  const top = queues.slice(0, limit);
  const names = await botNames(
    db,
    top.map((row) => row.integration_id),
  );
  const rows = top.map((row) => [
    botLabel(names.get(row.integration_id), row.integration_id),
    names.get(row.integration_id)?.project ?? '',
    row.depth >= depthMax ? `${depthMax}+` : String(row.depth),
    ago(row.oldest_at, nowMs),
  ]);
  const value = {
    botsWaiting: waiting.length,
    depthMax,
    bots: top.map((row) => ({
      bot: names.get(row.integration_id)?.publicId ?? null,
      depth: row.depth,
      oldestAt: row.oldest_at,
    })),
  };
  if (rows.length === 0) return { value, lines: ['Nothing waits: every update was handled.'] };
  const more = waiting.length > top.length ? [`${count(waiting.length, 'bot')} wait in all; more with --limit.`] : [];
  return { value, lines: [...table([['BOT', 'PROJECT', 'WAITING', 'OLDEST'], ...rows]), ...more] };
}

type Lane = { chat: number; waiting: number; oldestSeconds: number; attempts: number; againSeconds: number | null };

/** The chats of one bot, by the first rows of its queue. A chat whose first update is tried again later says when. */
async function byLane(db: Db, name: string, limit: number): Promise<Shown> {
  const bot = await findBot(db, name);
  const rows = await pendingRows(db, { buckets: [bot.bucket], ids: [bot.id], limit: rowsMax, bytesMax, known: [] });
  const lanes = new Map<number, Lane>();
  for (const row of rows) {
    const lane = lanes.get(row.lane);
    if (lane !== undefined) lane.waiting += 1;
    else lanes.set(row.lane, firstOf(row));
  }
  const top = [...lanes.values()]
    .sort((a, b) => b.waiting - a.waiting || b.oldestSeconds - a.oldestSeconds)
    .slice(0, limit);
  const value = { bot: bot.publicId, rowsLooked: rows.length, lanes: top };
  if (top.length === 0) return { value, lines: [`Nothing of @${bot.username} waits.`] };
  const shown = top.map((lane) => [
    String(lane.chat),
    String(lane.waiting),
    `${duration(lane.oldestSeconds)} ago`,
    String(lane.attempts),
    lane.againSeconds === null ? '' : `tried again in ${duration(lane.againSeconds)}`,
  ]);
  const isCut = rows.length === rowsMax || rows.length < (rows[0]?.found ?? 0);
  const cut = isCut ? [`Seen: the first ${count(rows.length, 'update')} of its queue.`] : [];
  return { value, lines: [...table([['CHAT', 'WAITING', 'OLDEST', 'ATTEMPTS', ''], ...shown]), ...cut] };
}

/** A chat by the head of its queue. */
function firstOf(row: PendingRow): Lane {
  const againSeconds = row.left_ms !== null && row.left_ms > 0 ? row.left_ms / 1000 : null;
  return { chat: row.lane, waiting: 1, oldestSeconds: row.age_ms / 1000, attempts: row.attempts, againSeconds };
}
