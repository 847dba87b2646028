import { isDatabaseFault } from './errors.ts';

/**
 * Does `work` for all items at once. Where that fails for a lasting reason it falls apart into halves, down to the one
 * that is at fault: among 200 that takes 16 tries, and the others are done. `failed` is given that one; or all of a part for
 * which the database was away, since then nobody is at fault. Does not throw unless `failed` does.
 */
export async function apart<Item>(
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<void>,
  failed: (items: readonly Item[], error: unknown) => void | Promise<void>,
): Promise<void> {
  if (items.length === 0) return;
  try {
    await work(items);
  } catch (error) {
    if (items.length === 1 || isDatabaseFault(error)) return await failed(items, error);
    const half = Math.ceil(items.length / 2);
    await apart(items.slice(0, half), work, failed);
    await apart(items.slice(half), work, failed);
  }
}

/** Statements of one pass; what is left then is for the next. */
const triesMax = 64;

/**
 * The same for rows that only the database knows: `remove` takes away the next `limit` of those that are due, leaving out
 * `skip` at the front, and answers how many there were. One that cannot be taken away stays, and holds up no other.
 */
export async function removeAround(
  limit: number,
  remove: (limit: number, skip: number) => Promise<number>,
): Promise<{ removed: number; left: number; error: unknown }> {
  let size = limit;
  const outcome = { removed: 0, left: 0, error: undefined as unknown };
  for (let tries = 0; tries < triesMax && outcome.removed < limit; tries += 1) {
    try {
      const removed = await remove(size, outcome.left);
      outcome.removed += removed;
      if (removed < size) break;
      size = Math.min(limit, size * 2);
    } catch (error) {
      if (isDatabaseFault(error)) throw error;
      outcome.error = error;
      if (size === 1) outcome.left += 1;
      else size = Math.ceil(size / 2);
    }
  }
  return outcome;
}
