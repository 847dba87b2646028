import { type Service, startAll, stopAll } from '../../kernel/service.ts';
import { createTroubles } from '../domains/notices/worker.ts';
import { createOutbox } from '../domains/outbox/worker.ts';
import { openMedia } from '../domains/projects/projects.ts';
import { createTimers, Turns } from '../domains/turns/worker.ts';
import type { Groundwork } from './groundwork.ts';
import { createTelling } from './telling.ts';

export type Core = Service & {
  turns: Turns;
  counts: CoreCounts;
  /** Tells the metrics, which read what is made here and so are made after it. */
  observe(observers: Observers): void;
  /** The longest wait that Telegram has asked for, of those that are not over. */
  longestWaitSeconds(): number;
};

/** `took`: from the arrival of an update to its commit; `called`: one call to Telegram. Seconds. */
type Observers = { took(seconds: number): void; called(seconds: number): void };

type CoreCounts = { turns: Record<string, number>; sends: Record<string, number>; calls: Record<string, number> };

/** Works: runs the turns of the bots that this process owns and sends their messages. */
export function createCore(groundwork: Groundwork): Core {
  const { kit, db, tablesDb, node, directory, releases, telegram, tokens, mint, signals, appAddress } = groundwork;
  let observers: Observers = { took: () => {}, called: () => {} };
  const counts: CoreCounts = { turns: {}, sends: {}, calls: {} };
  const ownedBuckets = (): number[] => node.buckets();
  const outbox = createOutbox({
    kit,
    db,
    node,
    ownedBuckets,
    telegram,
    bots: directory,
    tokens,
    openFile: async (id, sha256) => {
      const project = directory.byId(id)?.project.id;
      return project === undefined ? undefined : openMedia(db, project, sha256);
    },
    eventsStored: (ids) => turns.look(ids),
    counted: (method, kind, state, seconds) => {
      observers.called(seconds);
      add(counts.calls, `${method} ${codeClass[kind] ?? '4xx'}`);
      add(counts.sends, kind === 'plain_text_once' && state === 0 ? 'plain' : (sendResults[state] ?? 'other'));
    },
    ...createTelling(directory, createTroubles(kit, db)),
    closedChats: {
      reasonOf: (id, chatId) => turns.reach.reasonOf(id, chatId),
      close: (id, chatId, reason) => turns.reach.learn(id, chatId, reason),
    },
  });
  const turns: Turns = new Turns({
    kit,
    db,
    tablesDb,
    node,
    ownedBuckets,
    bots: directory,
    releases,
    mint,
    appAddress,
    sending: {
      place: (messages) => outbox.sender.place(messages),
      committed: (placements, ids) => outbox.sender.committed(placements, ids),
      withdrawn: (placements) => outbox.sender.withdrawn(placements),
      reread: (integrationId, bucket) => {
        outbox.sender.reread(integrationId, bucket);
        outbox.nudge();
      },
    },
    counted: (outcome, count) => {
      add(counts.turns, outcome, count);
    },
    took: (seconds) => observers.took(seconds),
    forward: (ids) => signals.send('inbox', ids),
  });
  // Messages first: a turn that is handed over must find the line of its chat as the last owner left it.
  node.addOwner(outbox);
  node.addOwner(turns);
  node.onReceivers(async (sole) => {
    if (sole) await turns.readAll();
  });
  signals.on('inbox', (ids) => (ids.length > 0 ? turns.look(ids) : void turns.readAll().catch(() => {})));
  directory.onChange((change) => {
    if (change.kind === 'bot') {
      if (!change.entry) outbox.sender.book.forgetBot(change.id);
      if (change.entry && node.owns(change.entry.bucket)) turns.look([change.id]);
    } else
      turns.look([...directory.entries()].filter((bot) => bot.project.id === change.project.id).map((bot) => bot.id));
    outbox.nudge();
  });
  const timers = createTimers(kit, db, (ids) => {
    turns.look(ids);
    // Those that others own; who gets a needless hint finds nothing.
    signals.send('inbox', ids);
  });
  const services = [outbox, turns, timers];
  return {
    name: 'core',
    turns,
    counts,
    observe: (given) => {
      observers = given;
    },
    longestWaitSeconds: () => outbox.sender.longestWaitMs() / 1_000,
    start: () => startAll(services),
    stop: () => stopAll(services),
  };
}

/** What an answer meant, as a class of status codes for the metrics. */
const codeClass: Readonly<Record<string, string>> = {
  sent: '2xx',
  done: '4xx',
  retry_later: '429',
  doubtful: 'lost',
  not_reached: 'unreached',
};
const sendResults = ['again', 'sending', 'sent', 'refused', 'unknown', 'parked'];

function add(counts: Record<string, number>, name: string, count = 1): void {
  counts[name] = (counts[name] ?? 0) + count;
}
