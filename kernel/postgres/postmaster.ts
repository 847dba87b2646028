import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '../errors.ts';
import { asAccount } from './account.ts';
import { programOf } from './binaries.ts';
import { type Cluster, clusterEnv } from './cluster.ts';
import { answersSignals, isAlive, processesOf } from './processes.ts';

/** Each cluster has a socket folder of its own, so all sockets have PostgreSQL's usual name. */
export const socketName = '.s.PGSQL.5432';

/** A running PostgreSQL, started by us or found. */
export type Postmaster = {
  readonly pid: number;
  readonly socketFolder: string;
  /** Resolves when it is gone. */
  readonly exited: Promise<void>;
};

/** What postmaster.pid says, as far as it says it yet. Line 8 is the state, padded with blanks. */
type PidFile = { readonly pid: number; readonly socketFolder: string; readonly state: string };

const pidFileOf = (data: string): string => join(data, 'postmaster.pid');

async function readPidFile(data: string): Promise<PidFile | undefined> {
  const lines = (await readFile(pidFileOf(data), 'utf8').catch(() => '')).split('\n');
  // A negative number is a single-user process; it counts as well.
  const pid = Math.abs(Number(lines[0]));
  if (!Number.isInteger(pid) || pid === 0) return undefined;
  return { pid, socketFolder: lines[4] ?? '', state: lines[7]?.trim() ?? '' };
}

export type StartOptions = {
  readonly settings: Readonly<Record<string, string>>;
  readonly socketFolder: string;
  /** Where its own messages go. */
  readonly logFile: string;
};

/**
 * Starts it detached, as the leader of a session of its own: Ctrl-C in a terminal goes to the whole process
 * group, and would end the database before the work in hand is done. Settings go on the command line, so that
 * a start writes nothing before PostgreSQL itself does.
 */
export function spawnPostmaster(cluster: Cluster, options: StartOptions): Postmaster {
  const settings = { listen_addresses: '', ...options.settings, unix_socket_directories: options.socketFolder };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = openSync(options.logFile, 'a');
  try {
    const child = spawn(programOf(cluster.binaries, 'postgres'), ['-D', cluster.data, ...args], {
      detached: true,
      stdio: ['ignore', log, log],
      env: clusterEnv,
      cwd: dirname(cluster.data),
      ...asAccount(cluster.account),
    });
    const exited = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    });
    return { pid: child.pid ?? 0, socketFolder: options.socketFolder, exited };
  } finally {
    closeSync(log);
  }
}

const lookMs = 100;
const aliveLookMs = 500;
const leaveMsMax = 60_000;

/** The PostgreSQL that works on this data and answers, if there is one. Only looks. */
export async function findReady(data: string): Promise<Postmaster | undefined> {
  const file = await readPidFile(data);
  if (file?.state !== 'ready') return undefined;
  return (await processesOf(data)).includes(file.pid) ? living(file) : undefined;
}

/**
 * Finds a PostgreSQL that already works on this data: one that a killed Roost left behind. Waits for one that
 * is just coming up or going down. When none lives, nothing of it is left in the way of a new one. Only for
 * whoever holds the lock of the data folder.
 */
export async function findLiving(data: string): Promise<Postmaster | undefined> {
  const giveUpAt = performance.now() + leaveMsMax;
  for (;;) {
    const ready = await findReady(data);
    if (ready !== undefined) return ready;
    const processes = await processesOf(data);
    if (processes.length === 0) return clearPidFile(data);
    // It is on its way up or down, or its postmaster was killed and the last children are noticing it.
    const replaying = await readPidFile(data).then((file) => file?.state === 'starting');
    if (!replaying && performance.now() > giveUpAt) {
      throw new Refusal(
        'POSTGRES_FAILED',
        `Processes of an earlier PostgreSQL still work on ${data} and do not end: ${processes.join(', ')}.`,
      );
    }
    await pause(lookMs);
  }
}

function living(file: PidFile): Postmaster {
  const gone = async (): Promise<void> => {
    while (await isAlive(file.pid)) await pause(aliveLookMs);
  };
  return { pid: file.pid, socketFolder: file.socketFolder, exited: gone() };
}

/**
 * PostgreSQL clears the files of a dead postmaster by itself, but judges "dead" by whether the process id
 * answers to a signal. It does when the number belongs to somebody else by now, or when nobody buries the dead
 * (the first process of many containers does not), and then PostgreSQL would refuse to start for ever. We know
 * better: no process works on the data. The files are removed only in that case; otherwise PostgreSQL's own
 * check, which also looks at the shared memory named there, is left to do its work.
 */
async function clearPidFile(data: string): Promise<undefined> {
  const file = await readPidFile(data);
  if (file === undefined || !answersSignals(file.pid)) return;
  await rm(pidFileOf(data));
  if (file.socketFolder === '') return;
  await rm(join(file.socketFolder, `${socketName}.lock`), { force: true });
  await rm(join(file.socketFolder, socketName), { force: true });
}

/**
 * Waits until it accepts connections. False when it ended instead. There is no deadline: after a crash it
 * replays its log first, which takes as long as it takes, and it is alive all the while.
 */
export async function untilReady(data: string, postmaster: Postmaster): Promise<boolean> {
  let gone = false;
  void postmaster.exited.then(() => {
    gone = true;
  });
  while (!gone) {
    const file = await readPidFile(data);
    if (file?.pid === postmaster.pid && file.state === 'ready') return true;
    await Promise.race([pause(25), postmaster.exited]);
  }
  return false;
}

// PostgreSQL's own words for how to stop: fast ends the sessions and writes everything down, immediate is a crash.
const stopSignals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

/** Asks it to stop and waits until it is gone. */
export async function stopPostmaster(postmaster: Postmaster, mode: keyof typeof stopSignals): Promise<void> {
  // 0 is one that could not be started; as a target of a signal it would mean all of our own group.
  if (postmaster.pid === 0) return;
  try {
    process.kill(postmaster.pid, stopSignals[mode]);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ESRCH') throw error;
  }
  await postmaster.exited;
}
