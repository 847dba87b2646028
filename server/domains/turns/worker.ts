import type { Db } from '../../../kernel/db.ts';
import { faultPoint } from '../../../kernel/faultpoint.ts';
import type { Kit } from '../../../kernel/kit.ts';
import { type Loop, loop } from '../../../kernel/loop.ts';
import { pressDaysMax } from './presses.ts';
import { moveDueTimers, nextTimer, prunePresses } from './sql.ts';

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
    const rows = await moveDueTimers(db, timersAPass);
    if (rows.length > 0) {
      faultPoint('timer-after-move');
      moved(rows.map((row) => row.integration_id));
    }
    if (rows.length === timersAPass) return 0;
    const next = await nextTimer(db);
    return Math.max(timerPauseMsMin, Math.min(timerPauseMsMax, next?.left_ms ?? timerPauseMsMax));
  });
}

/** Retention of used buttons: as long as a button can be pressed at all. */
export function createRetention(kit: Kit, db: Db): Loop {
  return loop(kit, 'press-retention', async () => {
    const removed = await prunePresses(db, { days: pressDaysMax + 1, limit: 2_000 });
    return removed === 2_000 ? 250 : 3_600_000;
  });
}
