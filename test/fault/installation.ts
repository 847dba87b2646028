import type { RoleName } from '../../kernel/config.ts';
import { type Db, openDb } from '../../kernel/db.ts';
import { realKit } from '../../kernel/kit.ts';
import { createLog } from '../../kernel/log.ts';
import { type BotsDeps, connectBot, createVault } from '../../server/domains/bots/bots.ts';
import { importProject, publish } from '../../server/domains/projects/projects.ts';
import { createTelegram } from '../../server/domains/telegram/telegram.ts';
import { createSimulator, type Simulator, type SimulatorOptions } from '../../simulator/simulator.ts';
import { type Stall, watchStalls } from '../support/stalls.ts';
import { countingFlow } from './flow.ts';
import { createProxy, type TcpProxy } from './proxy.ts';
import { type Fault, masterKey, type ServerProcess, startServer } from './servers.ts';

export type TestBot = {
  readonly id: number;
  readonly token: string;
  readonly integrationId: number;
  readonly publicId: string;
  readonly project: { readonly id: number; readonly publicId: string };
};

/** One installation in pieces: a database, a simulated Telegram, servers as processes, a proxy before the receivers. */
export type Installation = {
  readonly db: Db;
  readonly simulator: Simulator;
  /** What Telegram delivers to: shares out among the receivers. */
  readonly front: TcpProxy;
  /** Every server that was ever started, in order. */
  readonly servers: ServerProcess[];
  readonly bots: TestBot[];
  /** When the simulated Telegram, which is this process, stood still. */
  readonly stalls: readonly Stall[];
  serve(roles: readonly RoleName[], options?: ServeOptions): Promise<ServerProcess>;
  /** The servers that have not ended. */
  living(): ServerProcess[];
  /** What processes said at their end, those that have ended; nothing of their log. */
  lastWords(): string[];
  /** Connects bots to the flow under test, or to another document; `polled` ones have no webhook. */
  connect(count: number, options?: { polled?: boolean; bundle?: Bundle }): Promise<TestBot[]>;
  close(): Promise<void>;
};

export type ServeOptions = { fault?: Fault; url?: string; directUrl?: string };

export type InstallationOptions = { url: string; simulator?: SimulatorOptions };

type Bundle = Parameters<typeof importProject>[1]['bundle'];

const counting: Bundle = { document: countingFlow as never, files: new Map() };

/** How impatient the simulated Telegram is: its retries come 20 times as fast, and it gives a receiver two seconds. */
const telegram: SimulatorOptions = { latencyMs: 20, speed: 20, webhookTimeoutMs: 2_000 };

export async function openInstallation(options: InstallationOptions): Promise<Installation> {
  const kit = realKit(createLog({ level: 'silent' }));
  const db = openDb(kit, { url: options.url, connectionsMax: 4, statementMsMax: 30_000, name: 'fault' });
  const simulator = createSimulator({ ...telegram, ...options.simulator });
  const apiRoot = await simulator.listen();
  const stalls = watchStalls();
  const front = await createProxy();
  const servers: ServerProcess[] = [];
  const bots: TestBot[] = [];
  const client = createTelegram(kit);
  const deps: BotsDeps = {
    kit,
    db,
    telegram: client,
    vault: createVault({ master: masterKey }),
    apiRootDefault: apiRoot,
    publicUrl: undefined,
  };
  const living = (): ServerProcess[] => servers.filter((server) => server.alive());
  const shareOut = (): void =>
    front.set(living().flatMap(({ roles, port }) => (roles.includes('edge') ? [{ port }] : [])));

  return {
    db,
    simulator,
    front,
    servers,
    bots,
    stalls: stalls.seen,
    living,
    lastWords: () =>
      servers.filter((server) => !server.alive()).map((server) => notLogged(server.output()).slice(-2_000)),
    async serve(roles, { fault, url = options.url, directUrl } = {}) {
      const chosen = { roles, url, apiRoot, ...(fault ? { fault } : {}), ...(directUrl ? { directUrl } : {}) };
      const server = await startServer(chosen, shareOut);
      servers.push(server);
      shareOut();
      return server;
    },
    async connect(count, { polled = false, bundle = counting } = {}) {
      const webhookBase = polled ? {} : { webhookBase: `http://127.0.0.1:${front.port}` };
      const fresh: TestBot[] = [];
      for (let index = 0; index < count; index += 1)
        fresh.push(await connectOne(deps, simulator, bots.length + index, { bundle, webhookBase }));
      bots.push(...fresh);
      return fresh;
    },
    async close() {
      await Promise.all(living().map((server) => server.kill()));
      await front.close();
      await client.close();
      await simulator.close();
      stalls.stop();
      await db.close();
    },
  };
}

/** A project of its own for every bot, so that nothing is shared that need not be. */
async function connectOne(
  deps: BotsDeps,
  simulator: Simulator,
  number: number,
  { bundle, webhookBase }: { bundle: Bundle; webhookBase: { webhookBase?: string } },
): Promise<TestBot> {
  const project = await deps.db.tx(async (tx) => {
    const imported = await importProject(tx, { name: `Project ${number}`, bundle });
    await publish(tx, imported.project.id, {});
    return imported.project;
  });
  const bot = simulator.createBot({ readsAllGroupMessages: true });
  const { bot: connected } = await connectBot(deps, {
    project: project.publicId,
    token: bot.token,
    maxConnections: 20,
    ...webhookBase,
  });
  const row = await deps.db.one<{ id: number }>({
    text: 'select id from integration where public_id = $1',
    values: [connected.publicId],
  });
  const { id, publicId } = project;
  return {
    id: bot.id,
    token: bot.token,
    integrationId: row?.id ?? 0,
    publicId: connected.publicId,
    project: { id, publicId },
  };
}

const notLogged = (output: string): string =>
  output
    .split('\n')
    .filter((line) => !line.startsWith('{'))
    .join('\n');
