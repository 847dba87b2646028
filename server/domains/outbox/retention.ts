import type { Db } from '../../../kernel/db.ts';
import type { Kit } from '../../../kernel/kit.ts';
import type { Loop } from '../../../kernel/loop.ts';
import { retention } from '../../../kernel/retention.ts';
import { pruneLost } from './losses/sql.ts';
import { pruneMessages } from './upkeep/sql.ts';

/** What was lost and has not happened again is told for so long. */
const lostDays = 90;

/** Retention: what was sent or refused goes after `hours`; `unknown` stays until an operator has seen it. */
export function createRetention(kit: Kit, db: Db, { hours }: { hours: number }): Loop {
  return retention(kit, 'outbox-retention', {
    rowsAPass: 2_000,
    restMs: 60_000,
    remove: [(limit, skip) => pruneMessages(db, { hours, limit, skip })],
    first: () => pruneLost(db, { days: lostDays }),
  });
}
