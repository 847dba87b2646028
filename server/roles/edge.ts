import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { checkSecret } from '../domains/bots/bots.ts';
import { Intake } from '../domains/inbox/inbox.ts';
import { webhookRoutes } from '../domains/inbox/routes.ts';
import { type Assets, createMiniapps, type Miniapps } from '../domains/miniapps/miniapps.ts';
import { miniappRoutes, unreadablePage } from '../domains/miniapps/routes.ts';
import type { Groundwork } from './groundwork.ts';

export type Edge = {
  intake: Intake;
  /** Deliveries by `webhook result`, for the metrics. */
  counts: Readonly<Record<string, number>>;
  /** Mini Apps and sites; started with the process, stopped with it. */
  miniapps: Miniapps;
  /** The routes, for a server that other roles share. */
  mount(app: FastifyInstance): void;
  /** Answers an address that no route can read. */
  unreadable(request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply>;
  /** No more is accepted; resolves when what was accepted is stored. */
  close(): Promise<void>;
};

export type EdgeOptions = {
  /** The built runtime of Mini Apps. */
  readonly assets: Assets;
  /** A simulated Telegram inside this server: its script, and the key that vouches for its people. */
  readonly simulated?: SimulatedTelegram | undefined;
  /** Events that did not come through the intake stand in the inboxes of these bots. */
  eventsStored(integrationIds: readonly number[]): void;
};

export type SimulatedTelegram = {
  /** How the API root of its bots ends. */
  readonly prefix: string;
  readonly script: string;
  readonly key: string;
};

const deliveryResults = ['stored', 'duplicate', 'refused', 'broken', 'unavailable'];

/** Receives: checks the secret in memory, stores, answers; serves pages, and takes what their visitors send. */
export function createEdge(groundwork: Groundwork, options: EdgeOptions): Edge {
  const { kit, db, node, directory, config } = groundwork;
  const intake = new Intake(kit, db, node);
  const counts = Object.fromEntries(deliveryResults.map((result) => [`webhook ${result}`, 0]));
  let closed = false;
  const miniapps = edgeMiniapps(groundwork, options, () => !closed);
  return {
    intake,
    counts,
    miniapps,
    mount(app) {
      void app.register(async (scope) => miniappRoutes(scope, miniapps.deps));
      void app.register(async (scope) => {
        webhookRoutes(scope, {
          admit: (publicId, secret) => {
            const bot = directory.byPublicId(publicId);
            return checkSecret(bot, secret, kit.now()) ? bot : undefined;
          },
          store: (incoming) => intake.store(incoming),
          accepts: () => !closed && node.receives(),
          counted: (result) => {
            counts[`webhook ${result}`] = (counts[`webhook ${result}`] ?? 0) + 1;
          },
          random: () => kit.random(),
          refusedPerMinuteMax: config.refusedPerMinuteMax,
          after: (ms, then) => void setTimeout(then, ms),
        });
      });
    },
    unreadable: (request, reply) => unreadablePage(miniapps.deps, request, reply),
    async close() {
      closed = true;
      await intake.drained();
    },
  };
}

function edgeMiniapps(
  { kit, db, visitorsDb, directory, config, sealingKey }: Groundwork,
  { assets, simulated, eventsStored }: EdgeOptions,
  accepts: () => boolean,
): Miniapps {
  const real = { script: config.telegramAppScript, keys: config.telegramAppKeys };
  return createMiniapps({
    kit,
    db,
    reads: visitorsDb,
    directory,
    assets,
    publicUrl: config.publicUrl,
    telegramOf: (bot) =>
      simulated !== undefined && bot.apiRoot.endsWith(simulated.prefix)
        ? { script: simulated.script, keys: [...real.keys, simulated.key] }
        : real,
    visitorKey: sealingKey('roost visitors'),
    fileKey: sealingKey('roost files'),
    cacheBytesMax: config.appCacheBytesMax,
    eventsStored,
    pause,
    accepts,
  });
}
