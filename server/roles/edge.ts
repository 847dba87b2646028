import type { FastifyInstance } from 'fastify';
import { checkSecret } from '../domains/bots/bots.ts';
import { Intake } from '../domains/inbox/inbox.ts';
import { webhookRoutes } from '../domains/inbox/routes.ts';
import type { Groundwork } from './groundwork.ts';

export type Edge = {
  intake: Intake;
  counts: Record<string, number>;
  /** The routes, for a server that other roles share. */
  mount(app: FastifyInstance): void;
  /** No more is accepted; resolves when what was accepted is stored. */
  close(): Promise<void>;
};

/** Receives: checks the secret in memory, stores, answers. */
export function createEdge({ kit, db, node, directory, config }: Groundwork): Edge {
  const intake = new Intake(kit, db, node);
  const counts: Record<string, number> = { stored: 0, duplicate: 0, refused: 0, broken: 0, unavailable: 0 };
  let closed = false;
  return {
    intake,
    counts,
    mount(app) {
      void app.register(async (scope) => {
        webhookRoutes(scope, {
          admit: (publicId, secret) => {
            const bot = directory.byPublicId(publicId);
            return checkSecret(bot, secret, kit.now()) ? bot : undefined;
          },
          store: (incoming) => intake.store(incoming),
          accepts: () => !closed && node.receives(),
          counted: (result) => {
            counts[result] = (counts[result] ?? 0) + 1;
          },
          random: () => kit.random(),
          refusedPerMinuteMax: config.refusedPerMinuteMax,
          after: (ms, then) => void setTimeout(then, ms),
        });
      });
    },
    async close() {
      closed = true;
      await intake.drained();
    },
  };
}
