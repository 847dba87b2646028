import type { Db } from '../../../kernel/db.ts';
import type { Kit } from '../../../kernel/kit.ts';
import type { Loop } from '../../../kernel/loop.ts';
import { retention } from '../../../kernel/retention.ts';
import { pruneUploads } from './uploads/sql.ts';

/** Files that were uploaded and never sent go after a day. */
export function createRetention(kit: Kit, db: Db): Loop {
  return retention(kit, 'upload-retention', {
    rowsAPass: 100,
    restMs: 600_000,
    remove: [(limit, skip) => pruneUploads(db, limit, skip)],
  });
}
