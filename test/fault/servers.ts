import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RoleName } from '../../kernel/config.ts';
import type { FaultPointName } from '../../kernel/faultpoint.ts';
import { type Running, runProgram } from '../support/running.ts';

/** Where a process is to die or freeze: `after` passes are let through first. */
export type Fault = { readonly point: FaultPointName; readonly after?: number; readonly action?: 'kill' | 'stop' };

export type ServerOptions = {
  readonly roles: readonly RoleName[];
  readonly url: string;
  readonly apiRoot: string;
  readonly fault?: Fault;
  /** Past any proxy, for LISTEN. */
  readonly directUrl?: string;
  readonly publicUrl?: string;
};

/** One `roost serve` as a process of its own. */
export type ServerProcess = {
  readonly pid: number;
  readonly roles: readonly RoleName[];
  readonly port: number;
  readonly exit: Running['exit'];
  /** False once it has ended. */
  alive(): boolean;
  frozen(): boolean;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
  /** SIGSTOP and SIGCONT. */
  freeze(): void;
  thaw(): void;
  /** SIGTERM; resolves when it has ended, with its exit code. */
  stop(): Promise<number | null>;
  /** What it logged under this name. */
  logged(message: string): Record<string, unknown>[];
  output(): string;
};

const root = join(import.meta.dirname, '..', '..');
const flags = ['--disable-warning=ExperimentalWarning'];

/** The master key of all installations under test. */
export const masterKey = Buffer.alloc(32, 7);

/**
 * Starts `server/main.ts serve` and resolves when it listens. One that is armed may reach its end before: it takes over
 * what a dead one has left while it starts; it has no port then. `ended` is called when it has gone.
 */
export async function startServer(options: ServerOptions, ended: () => void = () => {}): Promise<ServerProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'roost-fault-'));
  const main = join(root, 'server', 'main.ts');
  const args = [...flags, main, 'serve', '--roles', options.roles.join(',')];
  const running = runProgram(process.execPath, args, { env: environment(options, dataDir) });
  let alive = true;
  let frozen = false;
  const over = (): void => {
    alive = false;
    ended();
    void rm(dataDir, { recursive: true, force: true });
  };
  running.exit.then(over, over);
  const started = running.line(/"address":"http:\/\/[^"]*:(\d+)".*"server\.started"/);
  const line = await started.catch(async (error: Error) => {
    if (options.fault && (await running.exit).signal === 'SIGKILL') return undefined;
    throw error;
  });

  const send = (signal: NodeJS.Signals): void => {
    if (alive) running.kill(signal);
  };
  return {
    pid: running.pid,
    roles: options.roles,
    port: Number(line?.[1] ?? 0),
    exit: running.exit,
    alive: () => alive,
    frozen: () => frozen,
    kill: async () => {
      send('SIGKILL');
      await running.exit;
    },
    freeze: () => {
      frozen = true;
      send('SIGSTOP');
    },
    thaw: () => {
      frozen = false;
      send('SIGCONT');
    },
    stop: async () => {
      send('SIGTERM');
      return (await running.exit).code;
    },
    logged: (message) => linesOf(running.output()).filter((entry) => entry['msg'] === message),
    output: running.output,
  };
}

/** All that a server is told; nothing of the environment of the tests themselves. */
function environment(options: ServerOptions, dataDir: string): Record<string, string | undefined> {
  const { fault } = options;
  return {
    PATH: process.env['PATH'],
    DATABASE_URL: options.url,
    ...(options.directUrl === undefined ? {} : { DATABASE_DIRECT_URL: options.directUrl }),
    // As with the embedded database, unless a pooler stands between.
    DATABASE_PREPARED: options.directUrl === undefined ? 'yes' : 'no',
    DATA_DIR: dataDir,
    ROOST_KEY: masterKey.toString('hex'),
    PORT: '0',
    TELEGRAM_API_ROOT: options.apiRoot,
    PUBLIC_URL: options.publicUrl,
    LOG_LEVEL: 'debug',
    ...(fault ? { ROOST_FAULT: `${fault.point}:${fault.after ?? 0}:${fault.action ?? 'kill'}` } : {}),
  };
}

function linesOf(output: string): Record<string, unknown>[] {
  return output.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    try {
      return [JSON.parse(line) as Record<string, unknown>];
    } catch {
      return [];
    }
  });
}
