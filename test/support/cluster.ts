import { spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findAccount } from '../../kernel/postgres/account.ts';
import { findBinaries, usableBinaries } from '../../kernel/postgres/binaries.ts';
import { type Cluster, clusterDatabase, clusterUser, ensureCluster } from '../../kernel/postgres/cluster.ts';
import { type Postmaster, spawnPostmaster, stopPostmaster, untilReady } from '../../kernel/postgres/postmaster.ts';
import { testSettings } from '../../kernel/postgres/settings.ts';

export type TestCluster = {
  readonly folder: string;
  readonly socketFolder: string;
  readonly port: number;
  /** The address of `database`, over the private socket or over TCP on the loopback. */
  url(database?: string): string;
  tcpUrl(database?: string): string;
  /** Ends it as a power cut would and starts it again on the same data, socket and port. */
  crash(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/** TEST_POSTGRES=default: as a distribution installs it, to see that nothing leans on settings of ours. */
const baseSettings = process.env['TEST_POSTGRES'] === 'default' ? {} : testSettings;

/**
 * Starts a throw-away PostgreSQL in a folder of its own, on a free port. It cannot outlive this process, even
 * one that is killed: a small shell holds the reading end of a pipe and ends it when the pipe closes.
 */
export async function startTestCluster(settings: Readonly<Record<string, string>> = {}): Promise<TestCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'roost-pg-'));
  await chmod(folder, 0o755);
  const account = await findAccount();
  const place = join(folder, 'place');
  const socketFolder = join(folder, 's');
  for (const path of [place, socketFolder]) {
    await mkdir(path, { mode: 0o700 });
    if (account) await chown(path, account.uid, account.gid);
  }
  const cluster: Cluster = {
    data: join(place, 'data'),
    binaries: await usableBinaries(findBinaries(), folder, account),
    account,
  };
  await ensureCluster(cluster, { trustHost: true });

  let postmaster: Postmaster;
  let port = 0;
  const run = async (): Promise<void> => {
    // A free port can be taken by somebody else between looking and listening; then the next one is tried.
    for (let attempt = 0; ; attempt += 1) {
      if (attempt > 0 || port === 0) port = await freePort();
      const all = { ...baseSettings, ...settings, listen_addresses: '127.0.0.1', port: String(port) };
      const logFile = join(folder, 'postgres.log');
      postmaster = spawnPostmaster(cluster, { settings: all, socketFolder, logFile });
      if (await untilReady(cluster.data, postmaster)) break;
      if (attempt === 5) throw new Error(`The test database did not start. See ${logFile}`);
    }
    guard(postmaster, cluster.data, folder);
  };
  await run();

  return {
    folder,
    socketFolder,
    get port() {
      return port;
    },
    url: (database = clusterDatabase) =>
      `postgresql://${clusterUser}@localhost:${port}/${database}?host=${socketFolder}&sslmode=disable`,
    tcpUrl: (database = clusterDatabase) => `postgresql://${clusterUser}@127.0.0.1:${port}/${database}?sslmode=disable`,
    crash: async () => {
      await stopPostmaster(postmaster, 'immediate');
    },
    restart: run,
    stop: async () => {
      await stopPostmaster(postmaster, 'immediate');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Ends the postmaster and removes its folder when this process goes, however it goes. */
function guard(postmaster: Postmaster, data: string, folder: string): void {
  // Its pid file says when it is gone: where nobody reaps the dead, their pids live on.
  const script = `
    read -r _
    kill -QUIT "$1" 2>/dev/null
    for _ in $(seq 100); do test -e "$2/postmaster.pid" || break; sleep 0.05; done
    rm -rf "$3"`;
  const shell = spawn('/bin/sh', ['-c', script, 'sh', String(postmaster.pid), data, folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.unref();
  // The pipe must not keep this process alive; closing it at the end is the whole signal.
  (shell.stdin as unknown as { unref(): void }).unref();
  void postmaster.exited.then(() => shell.kill('SIGKILL'));
}

/**
 * A port on which nobody listens. It lies below those that the system gives away by itself: any connection that
 * somebody opens may take one of these, also while whoever was promised the port is being started anew.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; ; attempt += 1) {
    const port = randomInt(portMin, portMax);
    const server = createServer();
    try {
      await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
      await new Promise((resolve) => server.close(resolve));
      return port;
    } catch (error) {
      if (attempt === 100) throw error;
    }
  }
}

const portMin = 20_000;
/** Linux gives away ports from 32,768 on, other systems from 49,152. */
const portMax = 32_768;

/** A name that nobody else has, short enough for a database. */
export const uniqueName = (prefix: string): string => `${prefix}_${randomBytes(6).toString('hex')}`;
