import { removeAround } from '../../../kernel/apart.ts';
import type { Db } from '../../../kernel/db.ts';
import { faultPoint } from '../../../kernel/faultpoint.ts';
import type { Kit } from '../../../kernel/kit.ts';
import { type Loop, loop } from '../../../kernel/loop.ts';
import { retention } from '../../../kernel/retention.ts';
import { insertEvents } from '../inbox/inbox.ts';
import { pressDaysMax } from './presses.ts';
import { deleteDueTimers, nextTimer, prunePresses } from './sql.ts';

export { createLeftovers } from './leftovers.ts';
export { Turns, type TurnsOptions } from './scheduler.ts';

const timersAPass = 500;
const timerPauseMsMin = 20;
const timerPauseMsMax = 1_000;

/**
 * Moves due timers into the inbox and tells whose they were. Sleeps until the next one is due, a second at most:
 * others may set earlier ones.
 */
export function createTimers(kit: Kit, db: Db, moved: (integrationIds: readonly number[]) => void): Loop {
  return loop(kit, 'timers', async () => {
    const leftMs = (await nextTimer(db))?.left_ms ?? timerPauseMsMax;
    if (leftMs > 0) return Math.max(timerPauseMsMin, Math.min(timerPauseMsMax, leftMs));
    const { removed, left, error } = await removeAround(timersAPass, async (limit, skip) => {
      const events = await moveDueTimers(db, limit, skip);
      if (events.length > 0) {
        faultPoint('timer-after-move');
        moved(events.map(({ integrationId }) => integrationId));
      }
      return events.length;
    });
    if (left > 0) kit.log.error({ err: error, timers: left }, 'timers.not_moved');
    if (removed >= timersAPass) return 0;
    // One that cannot be moved is due for ever.
    return left > 0 ? timerPauseMsMax : timerPauseMsMin;
  });
}

/** Both or neither: an event that is not in the inbox is still a timer. */
function moveDueTimers(db: Db, limit: number, skip: number): Promise<readonly { integrationId: number }[]> {
  return db.tx(async (tx) => {
    const due = await deleteDueTimers(tx, limit, skip);
    if (due.length > 0) await insertEvents(tx, due);
    return due;
  });
}

/** Retention of used buttons: as long as a button can be pressed at all. */
export function createRetention(kit: Kit, db: Db): Loop {
  return retention(kit, 'press-retention', {
    rowsAPass: 2_000,
    restMs: 3_600_000,
    remove: [(limit, skip) => prunePresses(db, { days: pressDaysMax + 1, limit, skip })],
  });
}
