import { removeAround } from '../../../kernel/apart.ts';
import type { Db } from '../../../kernel/db.ts';
import type { Kit } from '../../../kernel/kit.ts';
import { type Loop, loop } from '../../../kernel/loop.ts';
import { pruneLost } from './losses/sql.ts';
import { pruneMessages } from './upkeep/sql.ts';

const rowsAPass = 2_000;
/** What was lost and has not happened again is told for so long. */
const lostDays = 90;

/** Retention: what was sent or refused goes after `hours`; `unknown` stays until an operator has seen it. */
export function createRetention(kit: Kit, db: Db, keep: { hours: number }): Loop {
  return loop(kit, 'outbox-retention', async () => {
    const { removed, left, error } = await removeAround(rowsAPass, (limit, skip) =>
      pruneMessages(db, { hours: keep.hours, limit, skip }),
    );
    if (left > 0) kit.log.error({ err: error, messages: left }, 'retention.not_removed');
    await pruneLost(db, { days: lostDays });
    return removed >= rowsAPass ? 250 : 60_000;
  });
}
