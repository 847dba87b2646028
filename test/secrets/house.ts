import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSimulator, type Simulator } from '../../simulator/simulator.ts';
import { createProxy, type TcpProxy } from '../fault/proxy.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type Running, runScript } from '../support/running.ts';
import type { Order, Outcome } from './commands.ts';
import { type EchoFront, openEchoFront } from './echo.ts';
import { createNeedles, type Needles } from './needles.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * An installation as processes, each with secrets in its environment, before a Telegram that repeats them. Whatever
 * any of them writes is kept.
 */
export type House = {
  readonly database: TestDatabase;
  /** Between the processes and their database. */
  readonly wire: TcpProxy;
  readonly simulator: Simulator;
  readonly front: EchoFront;
  readonly needles: Needles;
  readonly env: Env;
  readonly password: string;
  readonly masterKey: Buffer;
  /** What was written, by who wrote it. */
  readonly written: Map<string, string>;
  /** Runs commands of `roost` in a process for all of them; what they wrote is kept under their names. */
  cli(orders: readonly Order[]): Promise<Outcome[]>;
  /** Runs `roost serve` until it listens. */
  serve(): Promise<{ port: number; running: Running }>;
  /** Runs `roost serve` until it ends by itself. */
  serveInVain(name: string, env: Env): Promise<Outcome>;
  /** A bot of the simulated Telegram, whose token is a secret from now on. */
  newBot(): { id: number; token: string };
  mend(): void;
  tear(): void;
  close(): Promise<void>;
};

const script = join(import.meta.dirname, 'commands.ts');
const main = join(import.meta.dirname, '..', '..', 'server', 'main.ts');
const flags = { PATH: process.env['PATH'], NODE_OPTIONS: '--disable-warning=ExperimentalWarning' };

export async function openHouse(): Promise<House> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'roost-secrets-'));
  const wire = await createProxy();
  const simulator = createSimulator({ autoChats: true, limits: false });
  const front = await openEchoFront();
  front.target = await simulator.listen();
  const needles = createNeedles();
  const masterKey = randomBytes(32);
  // With what must be encoded in an address, and what could end a pattern too early.
  const password = `p@ss:w/o r%d"${randomBytes(6).toString('hex')}`;
  needles.add('master key', masterKey);
  needles.add('database password', password);
  const env: Env = {
    ...flags,
    DATABASE_URL: withPassword(database.tcpUrl, password, wire.port),
    DATA_DIR: join(dataDir, 'data'),
    ROOST_KEY: masterKey.toString('base64'),
    TELEGRAM_API_ROOT: front.address,
    PORT: '0',
    LOG_LEVEL: 'debug',
  };
  const written = new Map<string, string>();
  const all: Running[] = [];
  const start = (path: string, args: readonly string[], more: Env = {}): Running => {
    const running = runScript(path, { env: { ...env, ...more } }, args);
    all.push(running);
    return running;
  };
  const mend = (): void => wire.set([{ port: Number(new URL(database.tcpUrl).port) }]);
  mend();
  return {
    database,
    wire,
    simulator,
    front,
    needles,
    env,
    password,
    masterKey,
    written,
    mend,
    tear: () => {
      wire.set([]);
      wire.cut();
    },
    async cli(orders) {
      const running = start(script, [JSON.stringify(orders)]);
      await running.exit;
      // Whatever else the process wrote counts as well.
      written.set(`process of "${orders[0]?.name}"`, running.output());
      const outcomes = running
        .output()
        .split('\n')
        .flatMap((line) => (line.startsWith('outcome ') ? [JSON.parse(line.slice(8)) as Outcome] : []));
      for (const { name, text } of outcomes) written.set(name, text);
      if (outcomes.length !== orders.length) throw new Error(running.output());
      return outcomes;
    },
    async serveInVain(name, more) {
      const running = start(main, ['serve'], more);
      const { code } = await running.exit;
      written.set(name, running.output());
      return { name, code: code ?? -1, text: running.output() };
    },
    async serve() {
      const running = start(main, ['serve']);
      const line = await running.line(/"address":"http:\/\/[^"]*:(\d+)".*"server\.started"/);
      return { port: Number(line[1]), running };
    },
    newBot() {
      const { id, token } = simulator.createBot({ readsAllGroupMessages: true });
      needles.add(`token of bot ${id}`, token);
      needles.add(`secret half of the token of bot ${id}`, token.slice(token.indexOf(':') + 1));
      return { id, token };
    },
    async close() {
      mend();
      for (const running of all) running.kill('SIGTERM');
      await Promise.all(all.map((running) => running.exit));
      await front.close();
      await simulator.close();
      await wire.close();
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The address of the database with a password that its server does not ask for, and another port. */
function withPassword(url: string, password: string, port: number): string {
  const address = new URL(url);
  address.password = encodeURIComponent(password);
  address.port = String(port);
  return address.href;
}
