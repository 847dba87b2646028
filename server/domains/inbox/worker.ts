import type { Db } from '../../../kernel/db.ts';
import type { Kit } from '../../../kernel/kit.ts';
import type { Loop } from '../../../kernel/loop.ts';
import { retention } from '../../../kernel/retention.ts';
import * as statements from './sql.ts';

/**
 * Retention: bodies and traces go after `bodyHours`, whole rows after `keyHours`. A redelivery comes within 24
 * hours and must still find its key; a numbering that Telegram restarts after a week of silence must not.
 */
export function createRetention(
  kit: Kit,
  db: Db,
  { bodyHours, keyHours }: { bodyHours: number; keyHours: number },
): Loop {
  return retention(kit, 'inbox-retention', {
    rowsAPass: 2_000,
    restMs: 60_000,
    remove: [
      (limit, skip) => statements.pruneBodies(db, { bodyHours, limit, skip }),
      (limit, skip) => statements.pruneKeys(db, { keyHours, limit, skip }),
    ],
  });
}
