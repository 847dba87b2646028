import { existsSync, statSync } from 'node:fs';
import { readFile, rename, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '../errors.ts';
import { errorText } from '../redact.ts';
import { findBinaries, usableBinaries } from './binaries.ts';
import { type Cluster, clusterDatabase, clusterUser, ensureCluster } from './cluster.ts';
import { diskIsFull } from './disk.ts';
import { explained, prepareFolder } from './folder.ts';
import { alreadyRunning, type FolderLock, lockFolder } from './lock.ts';
import { findPlace, type Place, socketFolderOf } from './place.ts';
import { findLiving, findReady, type Postmaster, spawnPostmaster, stopPostmaster, untilReady } from './postmaster.ts';
import { productSettings } from './settings.ts';

export type EmbeddedOptions = {
  readonly dataDir: string;
  /** This data folder already belongs to an installation: a cluster that is not there is lost, not new. */
  readonly known: boolean;
  /** Told what a person should know, one line each. */
  readonly say: (line: string) => void;
};

/** The embedded PostgreSQL: where it is reached, and how it is left. */
export type EmbeddedPostgres = {
  readonly url: string;
  /** The folder of its data. */
  readonly data: string;
  /** True when a PostgreSQL that a killed Roost had left running was taken over. */
  readonly adopted: boolean;
  /** Stops it, waits until it is gone, and lets the data folder go. */
  stop(): Promise<void>;
};

/**
 * Starts the PostgreSQL of a data folder and keeps it running; refuses when another Roost has the folder. It is
 * the first thing to start and must be the last to stop.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  await prepareFolder(options.dataDir);
  const locks: FolderLock[] = [];
  try {
    take(locks, options.dataDir);
    return await startLocked(options, locks);
  } catch (error) {
    release(locks);
    throw await explained(error, options.dataDir);
  }
}

const borrowMsMax = 30_000;

/**
 * The PostgreSQL of a data folder for a command that runs beside a server: the server's own where one runs,
 * otherwise one started for the command alone.
 */
export async function borrowEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const giveUpAt = performance.now() + borrowMsMax;
  for (;;) {
    try {
      return await startEmbedded(options);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'ALREADY_RUNNING') throw error;
      const lent = await lend(options.dataDir);
      if (lent !== undefined) return lent;
      // The server has the folder and its database is still coming up, or already going down.
      if (performance.now() > giveUpAt) throw error;
    }
    await pause(100);
  }
}

async function lend(dataDir: string): Promise<EmbeddedPostgres | undefined> {
  const place = await findPlace(dataDir, true).catch(() => undefined);
  const postmaster = place && (await findReady(place.data));
  if (place === undefined || postmaster === undefined) return undefined;
  return { url: urlOf(postmaster.socketFolder), data: place.data, adopted: false, stop: async () => {} };
}

function take(locks: FolderLock[], folder: string): void {
  const lock = lockFolder(folder);
  if (lock === undefined) throw alreadyRunning(folder);
  locks.push(lock);
}

function release(locks: readonly FolderLock[]): void {
  for (const lock of locks) lock.release();
}

async function startLocked(options: EmbeddedOptions, locks: FolderLock[]): Promise<EmbeddedPostgres> {
  const place = await findPlace(options.dataDir, options.known);
  // Copies of a data folder share what its signpost names.
  if (place.elsewhere) take(locks, place.folder);
  const binaries = await usableBinaries(findBinaries(), place.folder, place.account);
  const cluster: Cluster = { data: place.data, binaries, account: place.account };
  const { made } = await ensureCluster(cluster);
  if (made && place.elsewhere) {
    options.say(
      `The database lies in ${place.folder}: PostgreSQL does not run as root, and its system user cannot enter ${options.dataDir}.`,
    );
  }

  const living = await findLiving(place.data);
  const adopted = living !== undefined && (await untilReady(place.data, living));
  const socketFolder = adopted ? living.socketFolder : await socketFolderOf(place);
  const start = (): Promise<Postmaster> => startPostmaster(cluster, place, socketFolder);
  const keeper = keep(adopted ? living : await start(), start, options.say);
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await keeper.stop();
    // A short one in /tmp is not needed any more; one in the place holds nothing and stays.
    if (dirname(socketFolder) !== place.folder) await rmdir(socketFolder).catch(() => {});
    release(locks);
  };
  return { url: urlOf(socketFolder), data: place.data, adopted, stop: () => (stopping ??= stop()) };
}

// Everything is said, since whatever is not comes from PGPORT, PGSSLMODE and the like of the user's shell.
const urlOf = (socketFolder: string): string =>
  `postgresql://${clusterUser}@localhost:5432/${clusterDatabase}?host=${encodeURIComponent(socketFolder)}&sslmode=disable`;

const logBytesMax = 4 * 1024 * 1024;

async function startPostmaster(cluster: Cluster, place: Place, socketFolder: string): Promise<Postmaster> {
  const logFile = join(place.folder, 'postgres.log');
  if (existsSync(logFile) && statSync(logFile).size > logBytesMax) await rename(logFile, `${logFile}.1`);
  const logged = existsSync(logFile) ? statSync(logFile).size : 0;
  const postmaster = spawnPostmaster(cluster, { settings: productSettings, socketFolder, logFile });
  if (await untilReady(cluster.data, postmaster)) return postmaster;
  if (await diskIsFull(cluster.data)) throw new Refusal('DISK_FULL', undefined, { folder: place.folder });
  const said = (await readFile(logFile)).subarray(logged).toString().trim();
  throw new Refusal(
    'POSTGRES_FAILED',
    `The embedded PostgreSQL could not be started. Its log ${logFile} says: ${lastReason(said)}`,
    { log: logFile },
  );
}

/** The last line that says why: a fatal one where there is one, since more may follow it. */
function lastReason(log: string): string {
  const lines = log.split('\n');
  return errorText(lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? lines.at(-1) ?? '');
}

const restartPauseMsMax = 30_000;

/**
 * Starts it again whenever it ends by itself (out of memory, a full disk): callers meanwhile get faults, and
 * try again. Pauses grow from half a second to half a minute.
 */
function keep(
  first: Postmaster,
  start: () => Promise<Postmaster>,
  say: (line: string) => void,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let running: Postmaster | undefined = first;

  async function again(): Promise<Postmaster | undefined> {
    for (let failures = 0; !stopping.signal.aborted; failures += 1) {
      await pause(Math.min(500 * 2 ** failures, restartPauseMsMax), undefined, { signal: stopping.signal }).catch(
        () => {},
      );
      if (stopping.signal.aborted) return undefined;
      try {
        return await start();
      } catch (error) {
        say(errorText(error));
      }
    }
    return undefined;
  }

  async function watch(): Promise<void> {
    while (running !== undefined) {
      await running.exited;
      running = undefined;
      if (stopping.signal.aborted) return;
      say('The embedded PostgreSQL ended by itself. It is started again.');
      running = await again();
      // `stop` may have come while this one was starting, and has not seen it.
      if (running !== undefined && stopping.signal.aborted) await stopPostmaster(running, 'fast');
    }
  }

  const watching = watch();
  return {
    async stop() {
      stopping.abort();
      if (running !== undefined) await stopPostmaster(running, 'fast');
      await watching;
    },
  };
}
