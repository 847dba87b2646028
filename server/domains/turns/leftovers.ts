import type { Db } from '../../../kernel/db.ts';
import type { Kit } from '../../../kernel/kit.ts';
import { type Loop, loop } from '../../../kernel/loop.ts';
import { disconnectedAmong } from '../bots/bots.ts';
import { endPending, pendingBots } from '../inbox/inbox.ts';
import { endWaiting, openBots, parkedBots } from '../outbox/outbox.ts';
import { dropTimers, timerBots } from './sql.ts';

/** What was ended of a bot that is not connected any more. */
export type Leftovers = { readonly updates: number; readonly messages: number; readonly timers: number };

const rowsAPass = 2_000;
/** How soon what comes late is ended too: a call's result, a delivery that was under way. */
const restMs = 15_000;
const busyMs = 100;
const allBuckets = Array.from({ length: 256 }, (_, bucket) => bucket);

/**
 * Ends what waits for these bots, which are disconnected: updates are ignored, messages refused, timers deleted. At most
 * 2,000 of each in a statement, until nothing is left. What a process has in hand ends there. A bot that is connected
 * again is another one here, so nobody would ever come for it.
 */
export async function endLeftovers(db: Db, integrationIds: readonly number[]): Promise<Leftovers> {
  const all = { updates: 0, messages: 0, timers: 0 };
  for (let isMore = integrationIds.length > 0; isMore; ) {
    const ended = await endSome(db, integrationIds);
    all.updates += ended.updates;
    all.messages += ended.messages;
    all.timers += ended.timers;
    isMore = isFull(ended);
  }
  return all;
}

/** Timers first: one that is due becomes an update. */
async function endSome(db: Db, ids: readonly number[]): Promise<Leftovers> {
  const timers = await dropTimers(db, { ids, limit: rowsAPass });
  const updates = await endPending(db, { ids, limit: rowsAPass });
  const messages = await endWaiting(db, { ids, limit: rowsAPass });
  return { updates, messages, timers };
}

const isFull = ({ updates, messages, timers }: Leftovers): boolean => Math.max(updates, messages, timers) >= rowsAPass;

/** Ends what waits for disconnected bots, whenever it came. Asks one probe a bot that has something waiting. */
export function createLeftovers(kit: Kit, db: Db): Loop {
  return loop(kit, 'leftovers', async () => {
    const waiting = [
      ...(await pendingBots(db, allBuckets)),
      ...(await openBots(db, allBuckets)),
      ...(await parkedBots(db)),
      ...(await timerBots(db)),
    ];
    const ids = await disconnectedAmong(db, [...new Set(waiting.map((bot) => bot.integration_id))]);
    if (ids.length === 0) return restMs;
    const ended = await endSome(db, ids);
    kit.log.info({ bots: ids.length, ...ended }, 'bots.leftovers_ended');
    return isFull(ended) ? busyMs : restMs;
  });
}
