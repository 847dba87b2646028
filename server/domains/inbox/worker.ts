import { removeAround } from '../../../kernel/apart.ts';
import type { Db } from '../../../kernel/db.ts';
import type { Kit } from '../../../kernel/kit.ts';
import { type Loop, loop } from '../../../kernel/loop.ts';
import * as statements from './sql.ts';

const rowsAPass = 2_000;
const restMs = 60_000;
const busyMs = 250;

/**
 * Retention: bodies and traces go after `bodyHours`, whole rows after `keyHours`. A redelivery comes within 24
 * hours and must still find its key; a numbering that Telegram restarts after a week of silence must not.
 */
export function createRetention(kit: Kit, db: Db, keep: { bodyHours: number; keyHours: number }): Loop {
  return loop(kit, 'inbox-retention', async () => {
    const bodies = await removeAround(rowsAPass, (limit, skip) =>
      statements.pruneBodies(db, { bodyHours: keep.bodyHours, limit, skip }),
    );
    const keys = await removeAround(rowsAPass, (limit, skip) =>
      statements.pruneKeys(db, { keyHours: keep.keyHours, limit, skip }),
    );
    const left = bodies.left + keys.left;
    if (left > 0) kit.log.error({ err: keys.error ?? bodies.error, updates: left }, 'retention.not_removed');
    return bodies.removed >= rowsAPass || keys.removed >= rowsAPass ? busyMs : restMs;
  });
}
