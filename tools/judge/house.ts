// An installation that lives as long as the judge sits: its own database, a simulated Telegram, all roles.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../kernel/config.ts';
import { roleNames } from '../../kernel/config-table.ts';
import { type Db, openDb } from '../../kernel/db.ts';
import { type Ground, openGround } from '../../kernel/installation.ts';
import { realKit } from '../../kernel/kit.ts';
import { createLog } from '../../kernel/log.ts';
import { connectBot } from '../../server/domains/bots/bots.ts';
import { importProject, type Project, publish } from '../../server/domains/projects/projects.ts';
import { type RunningRoles, startRoles } from '../../server/roles/roles.ts';
import { createSimulator, type Simulator } from '../../simulator/simulator.ts';
import { listener } from './listener.ts';

/** Where a bot's updates go, and with which secret: as Telegram was told. */
export type Webhook = { readonly url: string; readonly secret: string; readonly publicId: string };

export type House = {
  readonly db: Db;
  readonly simulator: Simulator;
  connect(): Promise<Webhook>;
  close(): Promise<void>;
};

/** Starts all of it; whatever was started goes again when a later part fails. */
export async function openHouse(logged: (line: string) => void): Promise<House> {
  const folder = await mkdtemp(join(tmpdir(), 'roost-judge-'));
  await chmod(folder, 0o755);
  const simulator = createSimulator({ autoChats: true, limits: false });
  const kit = realKit(createLog({ level: 'warn', sink: { write: logged } }));
  let ground: Ground | undefined;
  let db: Db | undefined;
  let running: RunningRoles | undefined;
  const close = async (): Promise<void> => {
    await running?.stop();
    await simulator.close();
    await db?.close();
    await ground?.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const apiRoot = await simulator.listen();
    const config = readConfig({ DATA_DIR: join(folder, 'data'), PORT: '0', TELEGRAM_API_ROOT: apiRoot });
    ground = await openGround(config, { as: 'serve', say: () => {} });
    db = openDb(kit, { url: ground.url, connectionsMax: 8, statementMsMax: 30_000, name: 'judge' });
    running = await startRoles(
      { kit, config, version: 'judge', ground: { ...ground, masterKey: ground.masterKey() } },
      roleNames,
    );
    await running.ready();
    const project = await prepareProject(db);
    return { db, simulator, connect: connector(simulator, running, project), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function prepareProject(db: Db): Promise<Project> {
  return db.tx(async (tx) => {
    const { project } = await importProject(tx, { name: 'Judge', bundle: { document: listener, files: new Map() } });
    await publish(tx, project.id, {});
    return project;
  });
}

function connector(simulator: Simulator, running: RunningRoles, project: Project): House['connect'] {
  return async () => {
    const bot = simulator.createBot();
    const request = { project: project.publicId, token: bot.token, webhookBase: running.address, maxConnections: 1 };
    const { bot: connected } = await connectBot(running.bots, request);
    if (bot.webhook === undefined) throw new Error('Telegram was told no webhook.');
    return { url: bot.webhook.url, secret: bot.webhook.secret, publicId: connected.publicId };
  };
}
