import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/cluster.ts';
import { type Running, runScript } from '../support/running.ts';

/** What `npm start` runs, with a data folder of its own. */
export type Product = {
  /** The address that it prints for people. */
  readonly address: string;
  /** Ctrl-C; resolves when it has ended. */
  stop(): Promise<void>;
  /** On the same port and the same data. */
  start(): Promise<void>;
  close(): Promise<void>;
};

const main = join(import.meta.dirname, '..', '..', 'server', 'main.ts');

export async function startProduct(): Promise<Product> {
  const folder = await mkdtemp(join(tmpdir(), 'roost-e2e-'));
  // Where root runs the tests, a system user runs the database and must be able to come in.
  await chmod(folder, 0o755);
  // The same one after a stop, so that a page that is open finds it again.
  const port = String(await freePort());
  let address = '';
  let running: Running | undefined;

  async function start(): Promise<void> {
    const env = { PATH: process.env['PATH'], DATA_DIR: join(folder, 'data'), PORT: port };
    running = runScript(main, { env: { ...env, NODE_OPTIONS: '--disable-warning=ExperimentalWarning' } }, ['start']);
    address = (await running.line(/Talk to its demo bots: (\S+)/))[1] ?? '';
  }

  async function stop(): Promise<void> {
    running?.kill('SIGINT');
    await running?.exit;
    running = undefined;
  }

  async function close(): Promise<void> {
    await stop();
    await rm(folder, { recursive: true, force: true });
  }

  try {
    await start();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    get address() {
      return address;
    },
    stop,
    start,
    close,
  };
}
