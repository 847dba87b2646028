import { removeAround } from '../../../kernel/apart.ts';
import type { Db } from '../../../kernel/db.ts';
import type { Kit } from '../../../kernel/kit.ts';
import { type Loop, loop } from '../../../kernel/loop.ts';
import { lostKind, topicGoneKind } from './notices.ts';
import { deleteNotices, endOldNotices } from './sql.ts';
import { unformattedNotice } from './unformatted.ts';

export { createTroubles } from './troubles.ts';
export { unformattedTrouble } from './unformatted.ts';

/** A quarter: long enough to see what has come back again and again. */
const noticeDays = 90;
const rowsMax = 1_000;

/** Ends notices that pass by themselves, and forgets those that are over. Small batches with pauses, so that nobody waits behind it. */
export function createRetention(kit: Kit, db: Db): Loop {
  return loop(kit, 'notice-retention', async () => {
    await endOldNotices(db, { kind: unformattedNotice.kind, days: unformattedNotice.daysMax });
    await endOldNotices(db, { kind: topicGoneKind, days: unformattedNotice.daysMax });
    await endOldNotices(db, { kind: lostKind, days: noticeDays });
    const { removed, left, error } = await removeAround(rowsMax, (limit, skip) =>
      deleteNotices(db, { days: noticeDays, limit, skip }),
    );
    if (left > 0) kit.log.error({ err: error, notices: left }, 'retention.not_removed');
    return removed >= rowsMax ? 250 : 3_600_000;
  });
}
