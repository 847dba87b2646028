import type { Db } from '../../../kernel/db.ts';
import type { Kit } from '../../../kernel/kit.ts';
import type { Loop } from '../../../kernel/loop.ts';
import { retention } from '../../../kernel/retention.ts';
import { lostKind, topicGoneKind } from './notices.ts';
import { deleteNotices, endOldNotices } from './sql.ts';
import { unformattedNotice } from './unformatted.ts';

export { createTroubles } from './troubles.ts';
export { unformattedTrouble } from './unformatted.ts';

/** A quarter: long enough to see what has come back again and again. */
const noticeDays = 90;

/** Ends notices that pass by themselves, and forgets those that are over. */
export function createRetention(kit: Kit, db: Db): Loop {
  return retention(kit, 'notice-retention', {
    rowsAPass: 1_000,
    restMs: 3_600_000,
    remove: [(limit, skip) => deleteNotices(db, { days: noticeDays, limit, skip })],
    first: async () => {
      await endOldNotices(db, { kind: unformattedNotice.kind, days: unformattedNotice.daysMax });
      await endOldNotices(db, { kind: topicGoneKind, days: unformattedNotice.daysMax });
      await endOldNotices(db, { kind: lostKind, days: noticeDays });
    },
  });
}
