// The server under test, as a process of its own.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../test/support/cluster.ts';
import { bundleServer } from '../../tools/bundle.ts';
import { masterKey } from './bots.ts';
import { lastLines, startChild } from './child.ts';
import { monoMs, until } from './clock.ts';
import { cpuMsOf, rssMbOf } from './proc.ts';
import type { Scope } from './scope.ts';

/** How the server is run: what production runs, or the sources as they are; with a profile of its CPU or without. */
export type Build = { readonly kind: 'bundle' | 'source'; readonly script: string; readonly profileFolder?: string };

export type Server = {
  readonly port: number;
  readonly pid: number;
  /** From the start of the process until it accepts updates. */
  readonly startMs: number;
  readonly logFile: string;
  cpuMs(): number;
  rssMb(): number;
  stop(): Promise<void>;
  /** kill -9; resolves when it is gone. */
  kill(): Promise<void>;
};

export type ServerOptions = {
  readonly folder: string;
  readonly name: string;
  readonly databaseUrl: string;
  readonly apiRoot: string;
  readonly build: Build;
  readonly roles?: string;
  readonly port?: number;
};

const root = join(import.meta.dirname, '..', '..');
const startMsMax = 60_000;

export async function prepareBuild(kind: Build['kind'], profileFolder?: string): Promise<Build> {
  const script =
    kind === 'bundle' ? await bundleServer(join(root, '.cache', 'bench-dist')) : join(root, 'server', 'main.ts');
  return { kind, script, ...(profileFolder === undefined ? {} : { profileFolder }) };
}

/** Starts `serve` with all roles unless said otherwise, and waits until it accepts updates. */
export async function startServer(scope: Scope, options: ServerOptions): Promise<Server> {
  const { build } = options;
  const port = options.port ?? (await freePort());
  const dataDir = join(options.folder, `data-${options.name}`);
  await mkdir(dataDir, { recursive: true });
  const startedMs = monoMs();
  const child = startChild(scope, {
    script: build.script,
    args: ['serve', ...(options.roles === undefined ? [] : ['--roles', options.roles])],
    env: {
      DATABASE_URL: options.databaseUrl,
      // As with the embedded database of an installation: nothing stands between.
      DATABASE_PREPARED: 'yes',
      DATA_DIR: dataDir,
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      TELEGRAM_API_ROOT: options.apiRoot,
      ROOST_KEY: Buffer.from(masterKey).toString('hex'),
      LOG_LEVEL: 'info',
    },
    nodeFlags: [
      '--disable-warning=ExperimentalWarning',
      ...(build.profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${build.profileFolder}`]),
    ],
    logFile: join(options.folder, `server-${options.name}.log`),
  });
  const ready = async (): Promise<boolean> => {
    if (child.ended()) throw new Error(`The server did not start:\n${lastLines(child)}`);
    return isReady(port);
  };
  await until(ready, { what: `the server to be ready, see ${child.logFile}`, withinMs: startMsMax, everyMs: 10 });
  return {
    port,
    pid: child.pid,
    startMs: monoMs() - startedMs,
    logFile: child.logFile,
    cpuMs: () => cpuMsOf(child.pid),
    rssMb: () => rssMbOf(child.pid),
    stop: () => child.stop(),
    kill: () => child.kill(),
  };
}

async function isReady(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
