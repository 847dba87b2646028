import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, type RoleName, readConfig } from '../../kernel/config.ts';
import type { Db } from '../../kernel/db.ts';
import { type Kit, realKit } from '../../kernel/kit.ts';
import { createLog } from '../../kernel/log.ts';
import { connectBot } from '../../server/domains/bots/bots.ts';
import { importProject, publish } from '../../server/domains/projects/projects.ts';
import { type RolesDeps, type RunningRoles, startRoles } from '../../server/roles/roles.ts';
import { type CallEntry, createSimulator, type Simulator, type SimulatorOptions } from '../../simulator/simulator.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

/** Everything of one installation in this process: database, simulated Telegram, server with all roles. */
export type Roost = {
  readonly db: Db;
  readonly database: TestDatabase;
  readonly simulator: Simulator;
  readonly running: RunningRoles;
  readonly kit: Kit;
  readonly log: string[];
  /** Publishes a document as a project, and connects a bot to it. */
  bot(document: object, options?: { name?: string }): Promise<{ id: number; token: string; publicId: string }>;
  /** What Telegram has accepted or refused so far, oldest first. */
  calls(filter?: { bot?: number; method?: string; chat?: number }): CallEntry[];
  /** Starts another process's worth of roles on the same database. */
  another(roles: readonly RoleName[]): Promise<RunningRoles>;
  close(): Promise<void>;
};

/** How the servers under test reach their database; LISTEN and migrations always go straight. */
export type Way = (database: TestDatabase) => Promise<{ url: string; stop(): Promise<void> }>;

let way: Way | undefined;

/** From now on every `startRoost` of this test file puts this between the servers and their database. */
export function reachDatabaseThrough(pooler: Way): void {
  way = pooler;
}

const masterKey = Buffer.alloc(32, 7);
const installationId = '00000000-0000-4000-8000-000000000001';

export async function startRoost(
  options: {
    roles?: readonly RoleName[];
    simulator?: SimulatorOptions;
    env?: Record<string, string>;
    telegram?: RolesDeps['telegram'];
  } = {},
): Promise<Roost> {
  const database = await createTestDatabase();
  const pooler = await way?.(database);
  const simulator = createSimulator({ latencyMs: 0, ...options.simulator });
  const apiRoot = await simulator.listen();
  const log: string[] = [];
  const kit = realKit(createLog({ level: 'debug', sink: { write: (line) => void log.push(line) } }));
  const config: Config = readConfig({
    DATABASE_URL: pooler?.url ?? database.url,
    // As with the embedded database, unless a pooler stands between.
    DATABASE_PREPARED: pooler ? 'no' : 'yes',
    PORT: '0',
    TELEGRAM_API_ROOT: apiRoot,
    PUBLIC_URL: 'http://127.0.0.1:1',
    ...options.env,
  });
  const ground = { url: pooler?.url ?? database.url, directUrl: database.url, id: installationId, masterKey };
  const all: RunningRoles[] = [];
  const begin = async (roles: readonly RoleName[]): Promise<RunningRoles> => {
    const running = await startRoles({ kit, config, version: 'test', ground, telegram: options.telegram }, roles);
    all.push(running);
    return running;
  };
  const running = await begin(options.roles ?? ['edge', 'core', 'control']);
  let names = 0;
  return {
    db: database.db,
    database,
    simulator,
    running,
    kit,
    log,
    another: begin,
    calls(filter = {}) {
      const found: CallEntry[] = [];
      for (let row = simulator.calls.start; row < simulator.calls.end; row += 1) {
        const call = simulator.calls.read(row);
        if (!call) continue;
        if (filter.bot !== undefined && call.bot_id !== filter.bot) continue;
        if (filter.method !== undefined && call.method !== filter.method) continue;
        if (filter.chat !== undefined && call.chat_id !== filter.chat) continue;
        found.push(call);
      }
      return found;
    },
    async bot(document, { name = `Project ${++names}` } = {}) {
      const project = await database.db.tx(async (tx) => {
        const imported = await importProject(tx, { name, bundle: { document: document as never, files: new Map() } });
        await publish(tx, imported.project.id, {});
        return imported.project;
      });
      const bot = simulator.createBot({ readsAllGroupMessages: true });
      const { bot: connected } = await connectBot(running.bots, {
        project: project.publicId,
        token: bot.token,
        webhookBase: running.address,
      });
      return { id: bot.id, token: bot.token, publicId: connected.publicId };
    },
    async close() {
      for (const each of all.reverse()) await each.stop();
      await simulator.close();
      await pooler?.stop();
      await database.close();
    },
  };
}

/** An example of the project, as its file stands. */
export async function example(name: string): Promise<object> {
  return JSON.parse(
    await readFile(join(import.meta.dirname, '..', '..', 'examples', name, 'flow.json'), 'utf8'),
  ) as object;
}

/** Reads again and again until it is so; the test's own time limit ends a wait that never does. */
export async function until<Value>(
  read: () => Value | Promise<Value>,
  holds: (value: Value) => boolean,
): Promise<Value> {
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
