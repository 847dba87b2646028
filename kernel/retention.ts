import { removeAround } from './apart.ts';
import type { Kit } from './kit.ts';
import { type Loop, loop } from './loop.ts';

/** What one kind of rows is removed with: the next `limit` of those that are due, but for the first `skip`; answers how many. */
export type Remove = (limit: number, skip: number) => Promise<number>;

export type RetentionOptions = {
  /** Rows of one statement, so that it never holds anybody up. */
  readonly rowsAPass: number;
  /** Until the next look, where nothing is left. */
  readonly restMs: number;
  readonly remove: readonly Remove[];
  /** Done before each pass. */
  readonly first?: () => Promise<unknown>;
};

/** Between two passes while there is more. */
const busyMs = 250;

/**
 * Removes what is old in small batches with pauses, so that nobody waits behind it. A row that cannot be removed stays, holds
 * up no other, and is told in the log as `retention.not_removed` under the loop's name.
 */
export function retention(kit: Kit, name: string, options: RetentionOptions): Loop {
  const { rowsAPass, restMs, remove, first } = options;
  return loop(kit, name, async () => {
    await first?.();
    let more = false;
    for (const one of remove) {
      const { removed, left, error } = await removeAround(rowsAPass, one);
      if (left > 0) kit.log.error({ err: error, retention: name, rows: left }, 'retention.not_removed');
      more ||= removed >= rowsAPass;
    }
    return more ? busyMs : restMs;
  });
}
