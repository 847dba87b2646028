import type { Service } from '../../kernel/service.ts';
import { createPoller } from '../domains/bots/worker.ts';
import { Intake, readUpdate } from '../domains/inbox/inbox.ts';
import type { Acknowledger } from '../domains/turns/turns.ts';
import type { Turns } from '../domains/turns/worker.ts';
import type { Groundwork } from './groundwork.ts';

export type Polling = Service & {
  intake: Intake;
  /** Polled updates by `polling result`, for the metrics. */
  counts(): Readonly<Record<string, number>>;
};

/** Where there is no public address: the owner of a bot asks Telegram for its updates and stores them like any other. */
export function createPolling(
  { kit, db, bots, directory, tokens, node }: Groundwork,
  turns: Turns,
  acknowledger: Acknowledger,
): Polling {
  // The owner itself receives, so its own lease is what it stores under.
  const intake = new Intake(kit, db, { id: () => node.id(), receives: () => node.buckets().length > 0 });
  let stored = 0;
  let duplicate = 0;
  intake.onStored((rows, repeated) => {
    stored += rows.length;
    duplicate += repeated.length;
    acknowledger.take([...rows, ...repeated]);
    turns.handOver(rows, repeated);
  });
  const poller = createPoller(bots, {
    directory,
    tokenWatch: tokens,
    owns: (bucket) => node.owns(bucket),
    store: (bot, updates) => intake.storeInOrder(updates.map(({ body }) => readUpdate(bot, body))),
  });
  return {
    name: poller.name,
    start: () => poller.start(),
    stop: () => poller.stop(),
    intake,
    counts: () => ({
      'polling stored': stored,
      'polling duplicate': duplicate,
      'polling unavailable': intake.failures.total,
    }),
  };
}
