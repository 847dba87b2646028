// The wiring of a process: what its roles need, made by hand in one place, started in order and stopped in reverse.
import { hkdfSync } from 'node:crypto';
import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import type { Config, RoleName } from '../../kernel/config.ts';
import { openDb } from '../../kernel/db.ts';
import { createHttp, listen } from '../../kernel/http.ts';
import type { Ground } from '../../kernel/installation.ts';
import type { Kit } from '../../kernel/kit.ts';
import { createSignals } from '../../kernel/signals.ts';
import { type BotsDeps, createDirectory, createTokenWatch, createVault } from '../domains/bots/bots.ts';
import { createNode } from '../domains/nodes/nodes.ts';
import { listMigrations } from '../domains/ops/ops.ts';
import { createUrgentCall } from '../domains/outbox/outbox.ts';
import { createReleases } from '../domains/projects/projects.ts';
import { createTelegram } from '../domains/telegram/telegram.ts';
import { createAcknowledger, createPressMint } from '../domains/turns/turns.ts';
import { createControl } from './control.ts';
import { createCore } from './core.ts';
import { createEdge } from './edge.ts';
import { createPolling } from './polling.ts';
import { createProbes } from './probes.ts';

/** What the roles stand on: a database that is there, is ours, and has the newest schema. */
export type RolesGround = Pick<Ground, 'url' | 'directUrl' | 'id' | 'masterKey'>;

export type RolesDeps = {
  readonly kit: Kit;
  readonly config: Config;
  readonly version: string;
  readonly ground: RolesGround;
  /** Mounted beside the routes of the roles: the simulator of `start`. */
  readonly mounted?: { readonly prefix: string; readonly plugin: FastifyPluginCallback };
};

/** What runs: where it listens, and how it is ended in order. */
export type RunningRoles = {
  /** As others reach it, without a slash at its end: `http://127.0.0.1:8420`. */
  readonly address: string;
  /** The bots' dependencies of this process, its directory included. */
  readonly bots: BotsDeps;
  /** Resolves when updates are accepted (at once where there is no edge here). */
  ready(): Promise<void>;
  /** Readiness fails first, intake stops, turns in hand end, buckets are released. Twice is fine. */
  stop(): Promise<void>;
};

/** Starts these roles in this process. Whatever was started is stopped again when a later part fails. */
export async function startRoles(deps: RolesDeps, roles: readonly RoleName[]): Promise<RunningRoles> {
  const { kit, config, ground } = deps;
  const parts = createParts(deps, roles);
  const { directory, node, signals, tokens, edge, core, control, polling, acknowledger } = parts;
  let draining = false;
  let stopping: Promise<void> | undefined;

  const app = createHttp(kit, { trustedProxies: [...config.trustedProxies] });
  const schemaLevel = (await listMigrations(parts.db)).at(-1)?.number ?? 0;
  const probes = createProbes({
    ...parts,
    kit,
    roles,
    version: deps.version,
    identity: ground.id,
    schemaLevel,
    draining: () => draining,
  });
  parts.watch.took = (seconds) => probes.hot.updateProcessing.observe(seconds);
  await app.register(probes.plugin);
  edge?.mount(app);
  if (deps.mounted) await app.register(deps.mounted.plugin, { prefix: deps.mounted.prefix });

  async function stopAll(): Promise<void> {
    draining = true;
    await polling?.stop();
    await edge?.close();
    await acknowledger?.drained();
    await node.stop();
    await core?.turns.stop();
    await core?.outbox.stop();
    await control?.stop();
    await tokens.stop();
    await signals.stop();
    await directory.stop();
    await app.close();
    await parts.telegram.close();
    await parts.leaseDb.close();
    await parts.db.close();
  }

  const stop = (): Promise<void> => (stopping ??= stopAll());
  try {
    const address = await start(app, parts, { host: config.host, port: config.port });
    return { address, bots: parts.bots, ready: () => (edge ? node.receiverReady() : Promise.resolve()), stop };
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
}

type Parts = ReturnType<typeof createParts>;

function createParts(deps: RolesDeps, roles: readonly RoleName[]) {
  const { kit, config, ground } = deps;
  // A statement is given up well under a third of a lease, so that no owner writes under a lease it has lost.
  const db = openDb(kit, {
    url: ground.url,
    connectionsMax: config.databaseConnectionsMax,
    statementMsMax: 4_500,
    name: 'roles',
  });
  const vault = createVault({ master: ground.masterKey });
  const telegram = createTelegram(kit);
  const directory = createDirectory(kit, db, { vault, apiRootDefault: config.telegramApiRoot });
  const bots: BotsDeps = {
    kit,
    db,
    telegram,
    vault,
    apiRootDefault: config.telegramApiRoot,
    publicUrl: config.publicUrl,
    directory,
  };
  const tokens = createTokenWatch(bots);
  const signals = createSignals(kit, db, ground.directUrl);
  const releases = createReleases(kit, db);
  // Renewals have connections of their own: a busy pool must not cost the lease.
  const leaseDb = openDb(kit, { url: ground.url, connectionsMax: 2, statementMsMax: 4_000, name: 'lease' });
  const node = createNode(kit, leaseDb, { roles });
  const mint = createPressMint(Buffer.from(hkdfSync('sha256', ground.masterKey, ground.id, 'roost presses', 32)));
  const isEdge = roles.includes('edge');
  const isCore = roles.includes('core');
  const edge = isEdge
    ? createEdge({ kit, db, node, directory, refusedPerMinuteMax: config.refusedPerMinuteMax })
    : undefined;
  // The metrics read what is made here, so what they observe themselves is bound after.
  const watch: { took: (seconds: number) => void } = { took: () => {} };
  const took = (seconds: number): void => watch.took(seconds);
  const core = isCore
    ? createCore({ kit, db, node, directory, releases, telegram, tokens, mint, signals, took })
    : undefined;
  const acknowledger =
    isEdge || isCore
      ? createAcknowledger({
          kit,
          db,
          call: createUrgentCall({ kit, telegram, bots: directory }),
          bots: directory,
          releases,
          mint,
        })
      : undefined;
  const polling =
    core && acknowledger
      ? createPolling({ kit, db, bots, directory, tokens, node, turns: core.turns, acknowledger })
      : undefined;
  const control = roles.includes('control') ? createControl({ kit, db, bots, tokens, keep: config.keep }) : undefined;
  edge?.intake.onStored((rows, repeated) => {
    acknowledger?.take(rows);
    if (core) core.turns.handOver(rows, repeated);
    else
      signals.send(
        'inbox',
        [...rows, ...repeated].map((row) => row.integrationId),
      );
  });
  signals.on('bots', () => directory.nudge());
  signals.on('nodes', () => node.nudge());
  return {
    db,
    vault,
    telegram,
    directory,
    bots,
    tokens,
    signals,
    releases,
    leaseDb,
    node,
    mint,
    edge,
    core,
    acknowledger,
    polling,
    control,
    watch,
  };
}

/** Listens before it joins: a bot that is connected in a moment finds its address open. */
async function start(app: FastifyInstance, parts: Parts, at: { host: string; port: number }): Promise<string> {
  await parts.directory.start();
  await parts.signals.start();
  await parts.tokens.start();
  await parts.core?.outbox.start();
  await parts.core?.turns.start();
  const address = await listen(app, at);
  await parts.node.start();
  parts.signals.send('nodes');
  await parts.polling?.start();
  await parts.control?.start();
  return address;
}
