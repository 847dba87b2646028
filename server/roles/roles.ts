// The wiring of a process: what its roles need, made by hand in one place, started in order and stopped in reverse.
import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import type { Config, RoleName } from '../../kernel/config.ts';
import { createHttp, listen } from '../../kernel/http.ts';
import type { Kit } from '../../kernel/kit.ts';
import type { BotsDeps } from '../domains/bots/bots.ts';
import type { Assets } from '../domains/miniapps/miniapps.ts';
import { listMigrations } from '../domains/ops/ops.ts';
import { createUrgentCall } from '../domains/outbox/outbox.ts';
import type { TelegramOptions } from '../domains/telegram/telegram.ts';
import { createAcknowledger } from '../domains/turns/turns.ts';
import { createControl } from './control.ts';
import { createCore } from './core.ts';
import { createEdge, type SimulatedTelegram } from './edge.ts';
import { createGroundwork, type Groundwork, type RolesGround } from './groundwork.ts';
import { createPolling } from './polling.ts';
import { createProbes } from './probes.ts';
import { runtimeAssets } from './runtime-assets.ts';

export type RolesDeps = {
  readonly kit: Kit;
  readonly config: Config;
  readonly version: string;
  readonly ground: RolesGround;
  /** In tests only. */
  readonly telegram?: TelegramOptions | undefined;
  /** Mounted beside the routes of the roles: the simulator of `start`. */
  readonly mounted?: {
    readonly prefix: string;
    readonly plugin: FastifyPluginCallback;
    /** Where apps of its bots find its stand-in for Telegram's script, below the prefix, and its public key. */
    readonly apps?: { readonly script: string; readonly key: string };
  };
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
  const assets = roles.includes('edge') ? await runtimeAssets() : undefined;
  const groundwork = createGroundwork(deps.kit, deps.config, deps.ground, roles, deps.telegram);
  const parts = createParts(groundwork, roles, assets, simulatedOf(deps));
  const app = createHttp(deps.kit, {
    trustedProxies: [...deps.config.trustedProxies],
    ...(parts.edge && { unreadable: parts.edge.unreadable }),
  });
  const state = { draining: false };
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    state.draining = true;
    stopping ??= stopParts(app, groundwork, parts);
    return stopping;
  };
  try {
    await mountAll(app, deps, groundwork, parts, roles, () => state.draining);
    const address = await startParts(app, groundwork, parts);
    const { edge } = parts;
    const ready = (): Promise<void> => (edge ? groundwork.node.receiverReady() : Promise.resolve());
    return { address, bots: groundwork.bots, ready, stop };
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
}

type Parts = ReturnType<typeof createParts>;

function simulatedOf({ mounted }: RolesDeps): SimulatedTelegram | undefined {
  if (mounted?.apps === undefined) return undefined;
  const { prefix, apps } = mounted;
  return { prefix, script: `${prefix}${apps.script}`, key: apps.key };
}

function createParts(
  groundwork: Groundwork,
  roles: readonly RoleName[],
  assets: Assets | undefined,
  simulated: SimulatedTelegram | undefined,
) {
  const { signals, directory, node } = groundwork;
  const core = roles.includes('core') ? createCore(groundwork) : undefined;
  const eventsStored = (ids: readonly number[]): void => {
    core?.turns.look(ids);
    // Those that others own; who gets a needless hint finds nothing.
    signals.send('inbox', ids);
  };
  const edge = assets && createEdge(groundwork, { assets, simulated, eventsStored });
  const control = roles.includes('control') ? createControl(groundwork) : undefined;
  const call = createUrgentCall({ ...groundwork, bots: directory });
  const acknowledger = createAcknowledger({ ...groundwork, bots: directory, call });
  const polling = core ? createPolling(groundwork, core.turns, acknowledger) : undefined;
  edge?.intake.onStored((rows, repeated) => {
    acknowledger.take([...rows, ...repeated]);
    if (core) core.turns.handOver(rows, repeated);
    else
      for (const part of [rows, repeated])
        signals.send(
          'inbox',
          part.map((row) => row.integrationId),
        );
  });
  signals.on('nodes', () => node.nudge());
  return { edge, core, control, acknowledger, polling };
}

async function mountAll(
  app: FastifyInstance,
  { version, ground, mounted }: RolesDeps,
  groundwork: Groundwork,
  { edge, core, polling, acknowledger }: Parts,
  roles: readonly RoleName[],
  draining: () => boolean,
): Promise<void> {
  const schemaLevel = (await listMigrations(groundwork.db)).at(-1)?.number ?? 0;
  const probes = createProbes({
    ...groundwork,
    edge,
    core,
    polling,
    acknowledger,
    failures: [edge, polling].flatMap((part) => (part ? [part.intake.failures] : [])),
    roles,
    version,
    identity: ground.id,
    schemaLevel,
    draining,
  });
  core?.observe({
    took: (seconds) => probes.hot.updateProcessing.observe(seconds),
    called: (seconds) => probes.hot.telegramSeconds.observe(seconds),
  });
  await app.register(probes.plugin);
  edge?.mount(app);
  if (mounted) await app.register(mounted.plugin, { prefix: mounted.prefix });
}

/** Listens before it joins: a bot that is connected in a moment finds its address open. */
async function startParts(
  app: FastifyInstance,
  groundwork: Groundwork,
  { edge, core, polling, control }: Parts,
): Promise<string> {
  const { directory, signals, tokens, node, config } = groundwork;
  await directory.start();
  await edge?.miniapps.start();
  await signals.start();
  await tokens.start();
  await core?.start();
  const address = await listen(app, { host: config.host, port: config.port });
  await node.start(address);
  signals.send('nodes');
  await polling?.start();
  await control?.start();
  return address;
}

async function stopParts(app: FastifyInstance, groundwork: Groundwork, parts: Parts): Promise<void> {
  const { edge, core, control, acknowledger, polling } = parts;
  const { node, tokens, signals, directory, telegram, leaseDb, tablesDb, visitorsDb, db } = groundwork;
  await polling?.stop();
  await edge?.close();
  await acknowledger.drained();
  await node.stop();
  // The others take over what was let go, at once and not at their next look.
  signals.send('nodes');
  await core?.stop();
  await control?.stop();
  await tokens.stop();
  await signals.stop();
  await edge?.miniapps.stop();
  await directory.stop();
  await app.close();
  await telegram.close();
  await leaseDb.close();
  await Promise.all([tablesDb.among.close(), tablesDb.apart.close()]);
  await visitorsDb.close();
  await db.close();
}
