/**
 * Updates as received: stored once under (bot, key), handed out in order a lane, ended as done, ignored or dead
 * letter. The caller owns the transaction; guards raise RG001 and undo it whole.
 */
export { type DeadRow, deadCount, dropDead, listDead, retryDead, showDead } from './dead/sql.ts';
export type { FailedStores } from './failed-stores.ts';
export { type Incoming, Intake, type StoredUpdate } from './intake.ts';
export { readUpdate } from './reading.ts';
export { attemptsMax, retryPauseMs } from './rules.ts';
export {
  completeRows,
  endPending,
  insertEvents,
  killRow,
  markAttempts,
  type PendingRow,
  pendingBots,
  pendingByBot,
  pendingFigures,
  pendingRows,
} from './sql.ts';
