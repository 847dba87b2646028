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
  let emptiedUntilMs = 0;
  return loop(kit, 'inbox-retention', async () => {
    const bodies = await statements.pruneBodies(db, {
      sinceMs: emptiedUntilMs,
      bodyHours: keep.bodyHours,
      limit: rowsAPass,
    });
    const full = bodies?.emptied === rowsAPass;
    if (bodies && !full) emptiedUntilMs = bodies.until_ms;
    const keys = await statements.pruneKeys(db, { keyHours: keep.keyHours, limit: rowsAPass });
    return full || keys === rowsAPass ? busyMs : restMs;
  });
}
