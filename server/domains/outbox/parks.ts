import { apart } from '../../../kernel/apart.ts';
import type { Db } from '../../../kernel/db.ts';
import { isDatabaseFault } from '../../../kernel/errors.ts';
import type { Kit } from '../../../kernel/kit.ts';
import { type Loop, loop } from '../../../kernel/loop.ts';
import type { LineBook } from './book.ts';
import { listParks } from './sql.ts';
import * as statements from './upkeep/sql.ts';

type Park = { integration_id: number; chat_id: number };

const pollMs = 1_000;
const strandedEveryMs = 60_000;
const parksAPass = 100;
const strandedAPass = 2_000;
/** A park that cannot be ended though the database works (a bug) is tried again after this. */
const putOffSeconds = 60;

/** Ends parks of our buckets whose time has come, so that their owner knows of it. */
export function createParkLoop(
  options: { kit: Kit; db: Db; book: LineBook; ownedBuckets(): number[] },
  over: (ended: readonly Park[]) => void,
): Loop {
  const { kit, db, book } = options;
  let strandedMs = 0;
  return loop(kit, 'outbox-parks', async () => {
    const due = await statements.dueParks(db, options.ownedBuckets(), parksAPass);
    const ended = await endEach(kit, db, due);
    const gone = await endedByOthers(db, book, ended);
    // Messages that were parked in the very moment their park ended.
    if (gone.length > 0 || kit.monotonicMs() - strandedMs > strandedEveryMs) {
      strandedMs = kit.monotonicMs();
      await freeStranded(kit, db);
    }
    if (ended.length + gone.length > 0) over([...ended, ...gone]);
    return due.length === parksAPass && ended.length > 0 ? 0 : pollMs;
  });
}

/** Ends what is due; one that cannot be ended holds up no other. */
async function endEach(kit: Kit, db: Db, due: readonly Park[]): Promise<Park[]> {
  const ended: Park[] = [];
  await apart(
    due,
    async (parks) => void ended.push(...(await statements.endParks(db, parks))),
    async (parks, error) => {
      if (isDatabaseFault(error)) throw error;
      kit.log.error({ err: error, integration: parks[0]?.integration_id }, 'outbox.park_not_ended');
      await statements.putOffPark(db, parks[0] as Park, putOffSeconds).catch((later: unknown) => {
        if (isDatabaseFault(later)) throw later;
      });
    },
  );
  return ended;
}

async function freeStranded(kit: Kit, db: Db): Promise<void> {
  const stranded = await statements.strandedRows(db, strandedAPass);
  await apart(
    stranded,
    async (rows) => void (await statements.freeStranded(db, rows)),
    (rows, error) => {
      if (isDatabaseFault(error)) throw error;
      kit.log.error({ err: error, integration: rows[0]?.integration_id }, 'outbox.not_freed');
    },
  );
}

/**
 * Chats that memory keeps as parked, and that have no park any more: a former owner has ended it while it still
 * could, or a turn has parked one message more while the park ended.
 */
async function endedByOthers(db: Db, book: LineBook, ended: readonly Park[]): Promise<Park[]> {
  const known = new Set(ended.map(nameOf));
  const overdue = book.overdueParks().filter((park) => !known.has(nameOf(park)));
  if (overdue.length === 0) return [];
  const standing = await listParks(db, [...new Set(overdue.map((park) => park.bucket))]);
  for (const park of standing) known.add(nameOf(park));
  return overdue.filter((park) => !known.has(nameOf(park)));
}

const nameOf = (park: Park): string => `${park.integration_id} ${park.chat_id}`;
