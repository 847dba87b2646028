// The door of operations: who runs, what an operator should know, probes and metrics.
import type { Db, Queryable } from '../../../kernel/db.ts';
import { diskFullRefusal } from '../../../kernel/disk-full.ts';
import { isDatabaseFault, Refusal } from '../../../kernel/errors.ts';
import { redact } from '../../../kernel/redact.ts';
import {
  type AppliedMigration,
  type BotName,
  closeOpenNotice,
  deleteNotices,
  endOldNotices,
  type FoundBot,
  insertNotice,
  type Notice,
  type Process,
  selectBotByName,
  selectBotCounts,
  selectBotNames,
  selectMigrations,
  selectOpenNotices,
  selectParkCount,
  selectProcesses,
  takeSomeDisk,
} from './sql.ts';

export { type Counts, type HotMetrics, type MetricSources, type QueueFigures, registerMetrics } from './metrics.ts';
export { opsRoutes, type Probe, type Probes, type ProcessInfo } from './routes.ts';
export type { AppliedMigration, BotName, FoundBot, Notice, Process } from './sql.ts';

/** Kinds of notices on messages: some were refused for good, or went past a topic that is gone. */
export const lostKind = 'outbox.lost';
export const topicGoneKind = 'outbox.topic_gone';

const noticesMax = 100;
const messageCharsMax = 1_000;

/** The migrations that have run, in order; the last one's number is the level of the schema. */
export function listMigrations(db: Queryable): Promise<AppliedMigration[]> {
  return selectMigrations(db);
}

/** The processes that have a row, oldest first. */
export function listProcesses(db: Queryable): Promise<Process[]> {
  return selectProcesses(db);
}

/**
 * Whether the disk of the database takes nothing any more: then updates are refused, and nothing in the tables says so.
 * A user who may not make temporary tables learns nothing.
 */
export async function isDatabaseFull(db: Db): Promise<boolean> {
  try {
    await db.tx(takeSomeDisk);
    return false;
  } catch (error) {
    if (diskFullRefusal(error) !== undefined) return true;
    if (isDatabaseFault(error)) throw error;
    return false;
  }
}

/** How many bots there are in each state. */
export async function countBots(db: Queryable): Promise<Record<string, number>> {
  return Object.fromEntries((await selectBotCounts(db)).map(({ status, bots }) => [status, bots]));
}

/** How many bots and chats Telegram has told to wait. */
export async function countParks(db: Queryable): Promise<number> {
  return (await selectParkCount(db))?.parked ?? 0;
}

/** Names for the bots of these numbers. */
export async function botNames(db: Queryable, ids: readonly number[]): Promise<Map<number, BotName>> {
  if (ids.length === 0) return new Map();
  return new Map((await selectBotNames(db, [...new Set(ids)])).map((bot) => [bot.id, bot]));
}

/** A bot by public id or @username, disconnected ones included: their dead letters are still there. */
export async function findBot(db: Queryable, name: string): Promise<FoundBot> {
  const bot = await selectBotByName(db, name.replace(/^@/, ''));
  if (bot === undefined) throw new Refusal('BOT_NOT_FOUND', `There is no bot "${name}" here.`);
  return bot;
}

/** What is open now, newest first. */
export function openNotices(db: Queryable): Promise<Notice[]> {
  return selectOpenNotices(db, noticesMax);
}

/** Tells the operator something; answers false when it was told before and is not over yet. */
export async function openNotice(
  db: Queryable,
  notice: { kind: string; subject: string; message: string },
): Promise<boolean> {
  const message = redact(notice.message).slice(0, messageCharsMax);
  return (await insertNotice(db, { ...notice, message })) !== undefined;
}

/** Says that it is over; answers false when nothing was open. */
export async function closeNotice(db: Queryable, notice: { kind: string; subject: string }): Promise<boolean> {
  return (await closeOpenNotice(db, notice)) > 0;
}

/** Says of a kind of notice that what was opened so long ago is over. Answers how many. */
export function endNotices(db: Queryable, old: { kind: string; days: number }): Promise<number> {
  return endOldNotices(db, old);
}

/** Forgets notices that are long over, but for the first `skip`. Answers how many; `limit` of them means that there may be more. */
export function pruneNotices(db: Queryable, prune: { days: number; limit: number; skip: number }): Promise<number> {
  return deleteNotices(db, prune);
}
