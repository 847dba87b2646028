// The door of operations: who runs, probes and metrics.
import type { Db, Queryable } from '../../../kernel/db.ts';
import { diskFullRefusal } from '../../../kernel/disk-full.ts';
import { isDatabaseFault, Refusal } from '../../../kernel/errors.ts';
import {
  type AppliedMigration,
  type BotName,
  type FoundBot,
  type Process,
  selectBotByName,
  selectBotCounts,
  selectBotNames,
  selectMigrations,
  selectParkCount,
  selectProcesses,
  takeSomeDisk,
} from './sql.ts';

export { type Counts, type HotMetrics, type MetricSources, type QueueFigures, registerMetrics } from './metrics.ts';
export { opsRoutes, type Probe, type Probes, type ProcessInfo } from './routes.ts';
export type { AppliedMigration, BotName, FoundBot, Process } from './sql.ts';

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
