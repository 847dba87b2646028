import type { Db } from '../../kernel/db.ts';
import type { Kit } from '../../kernel/kit.ts';
import type { Signals } from '../../kernel/signals.ts';
import type { Directory, TokenWatch } from '../domains/bots/bots.ts';
import type { Node } from '../domains/nodes/nodes.ts';
import { createOutbox, type Outbox } from '../domains/outbox/worker.ts';
import type { Releases } from '../domains/projects/projects.ts';
import type { Telegram } from '../domains/telegram/telegram.ts';
import type { PressMint } from '../domains/turns/turns.ts';
import { createTurns, type Turns } from '../domains/turns/worker.ts';

export type Core = { turns: Turns; outbox: Outbox; counts: CoreCounts };

type CoreCounts = { turns: Record<string, number>; sends: Record<string, number>; calls: Record<string, number> };

export type CoreDeps = {
  kit: Kit;
  db: Db;
  node: Node;
  directory: Directory;
  releases: Releases;
  telegram: Telegram;
  tokens: TokenWatch;
  mint: PressMint;
  signals: Signals;
  took: (seconds: number) => void;
};

/** Works: runs the turns of the bots that this process owns and sends their messages. */
export function createCore(deps: CoreDeps): Core {
  const { kit, db, node, directory, signals } = deps;
  const counts: CoreCounts = { turns: {}, sends: {}, calls: {} };
  const ownedBuckets = (): number[] => node.buckets();
  const outbox = createOutbox({
    kit,
    db,
    node,
    ownedBuckets,
    telegram: deps.telegram,
    bots: directory,
    tokens: deps.tokens,
    eventsStored: (ids) => turns.look(ids),
    counted: (method, kind, state) => {
      add(counts.calls, `${method} ${codeClass[kind] ?? '4xx'}`);
      add(counts.sends, sendResults[state] ?? 'other');
    },
  });
  const turns: Turns = createTurns({
    kit,
    db,
    node,
    ownedBuckets,
    bots: directory,
    releases: deps.releases,
    mint: deps.mint,
    sending: {
      place: (messages) => outbox.sender.place(messages),
      committed: (placements, ids) => outbox.sender.committed(placements, ids),
      withdrawn: (placements) => outbox.sender.withdrawn(placements),
      freeUncalled: (turn) => outbox.sender.freeUncalled(turn),
      nudge: () => outbox.nudge(),
    },
    counted: (outcome, count) => {
      add(counts.turns, outcome, count);
    },
    took: deps.took,
    forward: (ids) => signals.send('inbox', ids),
  });
  // Messages first: a turn that is handed over must find the line of its chat as the last owner left it.
  node.addOwner(outbox);
  node.addOwner(turns);
  node.onReceivers(async (sole) => {
    if (sole) await turns.readAll();
  });
  signals.on('inbox', (ids) => (ids.length > 0 ? turns.look(ids) : void turns.readAll().catch(() => {})));
  signals.on('outbox', () => outbox.nudge());
  directory.onChange((change) => {
    if (change.kind === 'bot') {
      if (change.entry && node.owns(change.entry.bucket)) turns.look([change.id]);
    } else
      turns.look([...directory.entries()].filter((bot) => bot.project.id === change.project.id).map((bot) => bot.id));
    outbox.nudge();
  });
  return { turns, outbox, counts };
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
