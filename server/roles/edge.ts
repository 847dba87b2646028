import type { FastifyInstance } from 'fastify';
import type { Db } from '../../kernel/db.ts';
import type { Kit } from '../../kernel/kit.ts';
import { checkSecret, type Directory } from '../domains/bots/bots.ts';
import { createIntake, type Intake } from '../domains/inbox/inbox.ts';
import { webhookRoutes } from '../domains/inbox/routes.ts';
import type { Node } from '../domains/nodes/nodes.ts';

export type Edge = {
  intake: Intake;
  counts: Record<string, number>;
  /** The routes, for a server that other roles share. */
  mount(app: FastifyInstance): void;
  /** No more is accepted; resolves when what was accepted is stored. */
  close(): Promise<void>;
};

/** Receives: checks the secret in memory, stores, answers. */
export function createEdge(deps: {
  kit: Kit;
  db: Db;
  node: Node;
  directory: Directory;
  refusedPerMinuteMax: number;
}): Edge {
  const { kit, db, node, directory } = deps;
  const intake = createIntake(kit, db, node);
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
          refusedPerMinuteMax: deps.refusedPerMinuteMax,
        });
      });
    },
    async close() {
      closed = true;
      await intake.drained();
    },
  };
}
