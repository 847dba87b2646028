import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/cluster.ts';
import { type Running, runScript } from '../support/running.ts';

/** What `npm start` runs, with a data folder of its own. */
export type Product = {
  /** Where its chat page is, without the key: `http://127.0.0.1:8420/simulator/`. */
  readonly address: string;
  /** The key of the control API, which stands behind the `#` of the printed address. */
  readonly key: string;
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
  let key = '';
  let running: Running | undefined;

  async function start(): Promise<void> {
    const env = { PATH: process.env['PATH'], DATA_DIR: join(folder, 'data'), PORT: port };
    running = runScript(main, { env: { ...env, NODE_OPTIONS: '--disable-warning=ExperimentalWarning' } }, ['start']);
    [, address = '', key = ''] = await running.line(/Talk to its demo bots: (\S+)#key=(\S+)/);
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
    get key() {
      return key;
    },
    stop,
    start,
    close,
  };
}
