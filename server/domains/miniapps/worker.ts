import { removeAround } from '../../../kernel/apart.ts';
import type { Db } from '../../../kernel/db.ts';
import type { Kit } from '../../../kernel/kit.ts';
import { type Loop, loop } from '../../../kernel/loop.ts';
import { pruneUploads } from './uploads/sql.ts';

const filesAPass = 100;
const restMs = 600_000;

/** Files that were uploaded and never sent go after a day. */
export function createRetention(kit: Kit, db: Db): Loop {
  return loop(kit, 'upload-retention', async () => {
    const { removed, left, error } = await removeAround(filesAPass, (limit, skip) => pruneUploads(db, limit, skip));
    if (left > 0) kit.log.error({ err: error, files: left }, 'retention.not_removed');
    return removed >= filesAPass ? 0 : restMs;
  });
}
