import type { Db } from '../../../kernel/db.ts';
import type { Kit } from '../../../kernel/kit.ts';
import { type Loop, loop } from '../../../kernel/loop.ts';
import type { LineBook } from './book.ts';
import * as statements from './sql.ts';

type Park = { integration_id: number; chat_id: number };

const pollMs = 1_000;
const strandedEveryMs = 60_000;
const parksAPass = 100;

/** Ends parks of our buckets whose time has come, so that their owner knows of it. */
export function createParkLoop(
  options: { kit: Kit; db: Db; book: LineBook; ownedBuckets(): number[] },
  over: (ended: readonly Park[]) => void,
): Loop {
  const { kit, db, book } = options;
  let strandedMs = 0;
  return loop(kit, 'outbox-parks', async () => {
    const ended = await statements.endParks(db, options.ownedBuckets());
    const gone = await endedByOthers(db, book, ended);
    // Messages that were parked in the very moment their park ended.
    if (gone.length > 0 || kit.monotonicMs() - strandedMs > strandedEveryMs) {
      strandedMs = kit.monotonicMs();
      await statements.freeStranded(db);
    }
    if (ended.length + gone.length > 0) over([...ended, ...gone]);
    return ended.length === parksAPass ? 0 : pollMs;
  });
}

/**
 * Chats that memory keeps as parked, and that have no park any more: a former owner has ended it while it still
 * could, or a turn has parked one message more while the park ended.
 */
async function endedByOthers(db: Db, book: LineBook, ended: readonly Park[]): Promise<Park[]> {
  const known = new Set(ended.map(nameOf));
  const overdue = book.overdueParks().filter((park) => !known.has(nameOf(park)));
  if (overdue.length === 0) return [];
  const standing = await statements.listParks(db, [...new Set(overdue.map((park) => park.bucket))]);
  for (const park of standing) known.add(nameOf(park));
  return overdue.filter((park) => !known.has(nameOf(park)));
}

const nameOf = (park: Park): string => `${park.integration_id} ${park.chat_id}`;
