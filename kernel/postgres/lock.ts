import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Refusal } from '../errors.ts';

export type FolderLock = { release(): void };

// SQLite's number for "somebody else holds the lock".
const sqliteBusy = 5;
/**
 * Two that begin in the same moment may each get half of SQLite's lock, and then both are told that it is taken: seen on a
 * busy machine, where neither of two starts ran. Asked again for a while, with SQLite's growing pauses, one of them gets it.
 */
const waitMsMax = 1_000;

/**
 * Makes this process the only Roost on `folder`, until `release` or its end. Undefined when another one is.
 *
 * The lock is the operating system's own, taken through SQLite (Node has no call for it): it ends with its
 * process, however that ends, so no file is ever left behind that somebody must judge stale. Process ids are
 * written beside it for people only: after a kill in a container the next process often has the same id.
 */
export function lockFolder(folder: string): FolderLock | undefined {
  const file = new DatabaseSync(join(folder, 'roost.lock'), { timeout: waitMsMax });
  try {
    file.exec('begin exclusive');
  } catch (error) {
    file.close();
    if ((error as { errcode?: number }).errcode === sqliteBusy) return undefined;
    throw error;
  }
  const pidFile = join(folder, 'roost.pid');
  // For people only: a full disk must not keep us from running.
  attempt(() => writeFileSync(pidFile, `${process.pid}\n`));
  let held = true;
  return {
    release() {
      if (!held) return;
      held = false;
      attempt(() => rmSync(pidFile, { force: true }));
      file.close();
    },
  };
}

/** The refusal of the second one, which names the first where it can. */
export function alreadyRunning(folder: string): Refusal {
  let holder = '';
  attempt(() => {
    holder = readFileSync(join(folder, 'roost.pid'), 'utf8').trim();
  });
  const who = holder === '' ? 'Another Roost' : `Another Roost (process ${holder})`;
  return new Refusal(
    'ALREADY_RUNNING',
    `${who} is running on the data folder ${folder}. Stop it first, or set DATA_DIR to another folder.`,
    { folder, holder },
  );
}

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // What is tried here is never needed.
  }
}
