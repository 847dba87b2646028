import type { Db } from '../../kernel/db.ts';
import type { Kit } from '../../kernel/kit.ts';
import type { Service } from '../../kernel/service.ts';
import type { BotsDeps, Directory, TokenWatch } from '../domains/bots/bots.ts';
import { createPoller } from '../domains/bots/worker.ts';
import { createIntake, readUpdate } from '../domains/inbox/inbox.ts';
import type { Node } from '../domains/nodes/nodes.ts';
import type { Acknowledger } from '../domains/turns/turns.ts';
import type { Turns } from '../domains/turns/worker.ts';

/** Where there is no public address: the owner of a bot asks Telegram for its updates and stores them like any other. */
export function createPolling(deps: {
  kit: Kit;
  db: Db;
  directory: Directory;
  bots: BotsDeps;
  tokens: TokenWatch;
  node: Node;
  turns: Turns;
  acknowledger: Acknowledger;
}): Service {
  const { kit, db, node } = deps;
  // The owner itself receives, so its own lease is what it stores under.
  const intake = createIntake(kit, db, { id: () => node.id(), receives: () => node.buckets().length > 0 });
  intake.onStored((rows, repeated) => {
    deps.acknowledger.take(rows);
    deps.turns.handOver(rows, repeated);
  });
  return createPoller(deps.bots, {
    directory: deps.directory,
    tokenWatch: deps.tokens,
    owns: (bucket) => node.owns(bucket),
    store: async (bot, updates) => {
      await Promise.all(updates.map(({ body }) => intake.store(readUpdate(bot, body))));
    },
  });
}
