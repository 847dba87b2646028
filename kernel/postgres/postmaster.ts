import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { asAccount } from './account.ts';
import { programOf } from './binaries.ts';
import { type Cluster, clusterEnv } from './cluster.ts';

/** What postmaster.pid says. Line 8 is the state, padded with blanks. */
export type PidFile = { readonly pid: number; readonly startedAtSeconds: number; readonly socketFolder: string; readonly ready: boolean };

export async function readPidFile(data: string): Promise<PidFile | undefined> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Math.abs(Number(lines[0]));
  if (!Number.isInteger(pid) || pid === 0) return undefined;
  return { pid, startedAtSeconds: Number(lines[2]), socketFolder: lines[4] ?? '', ready: lines[7]?.trim() === 'ready' };
}

/** A running PostgreSQL, started by us or adopted. */
export type Postmaster = {
  readonly pid: number;
  /** Resolves when it is gone. */
  readonly exited: Promise<void>;
};

export type StartOptions = {
  readonly settings: Readonly<Record<string, string>>;
  readonly socketFolder: string;
  /** Where its own messages go. */
  readonly logFile: string;
};

/**
 * Starts it detached, as the leader of a session of its own: Ctrl-C in a terminal goes to the whole process
 * group, and would end the database before the work in hand is done.
 */
export function spawnPostmaster(cluster: Cluster, options: StartOptions): { child: ChildProcess; postmaster: Postmaster } {
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
    const exited = once(child, 'exit').then(
      () => {},
      () => {},
    );
    return { child, postmaster: { pid: child.pid ?? 0, exited } };
  } finally {
    closeSync(log);
  }
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
    if (file?.pid === postmaster.pid && file.ready) return true;
    await Promise.race([pause(25), postmaster.exited]);
  }
  return false;
}

// PostgreSQL's own words for how to stop: smart waits for clients, fast rolls them back, immediate is a crash.
const stopSignals = { smart: 'SIGTERM', fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

/** Asks it to stop and waits until it is gone. */
export async function stopPostmaster(postmaster: Postmaster, mode: keyof typeof stopSignals): Promise<void> {
  try {
    process.kill(postmaster.pid, stopSignals[mode]);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ESRCH') throw error;
  }
  await postmaster.exited;
}
