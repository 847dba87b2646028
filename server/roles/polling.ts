import type { Service } from '../../kernel/service.ts';
import { createPoller } from '../domains/bots/worker.ts';
import { Intake, readUpdate } from '../domains/inbox/inbox.ts';
import type { Acknowledger } from '../domains/turns/turns.ts';
import type { Turns } from '../domains/turns/worker.ts';
import type { Groundwork } from './groundwork.ts';

/** Where there is no public address: the owner of a bot asks Telegram for its updates and stores them like any other. */
export function createPolling(
  { kit, db, bots, directory, tokens, node }: Groundwork,
  turns: Turns,
  acknowledger: Acknowledger,
): Service & { intake: Intake } {
  // The owner itself receives, so its own lease is what it stores under.
  const intake = new Intake(kit, db, { id: () => node.id(), receives: () => node.buckets().length > 0 });
  intake.onStored((rows, repeated) => {
    acknowledger.take([...rows, ...repeated]);
    turns.handOver(rows, repeated);
  });
  const poller = createPoller(bots, {
    directory,
    tokenWatch: tokens,
    owns: (bucket) => node.owns(bucket),
    store: (bot, updates) => intake.storeInOrder(updates.map(({ body }) => readUpdate(bot, body))),
  });
  return { name: poller.name, start: () => poller.start(), stop: () => poller.stop(), intake };
}
