import type { Db, Tx } from '../../../kernel/db.ts';
import { faultPoint } from '../../../kernel/faultpoint.ts';
import { completeRows } from '../inbox/inbox.ts';
import { fence } from '../nodes/nodes.ts';
import { insertMessages, type NewMessage, type Placement } from '../outbox/outbox.ts';
import { limitTimes } from './sql.ts';
import type { DoneTurn } from './stages.ts';
import type { States } from './states.ts';
import { gather, settleRows, type Writes, writeRows } from './writes/writes.ts';

/** Where the messages of a commit are placed before it and released after it. */
export type Sending = {
  place(messages: readonly NewMessage[]): Placement[];
  committed(placements: readonly Placement[], ids: ReadonlyMap<string, number>): void;
  withdrawn(placements: readonly Placement[]): void;
};

const stateDone = 2;
const stateIgnored = 4;

/** Under what turns are committed: where their messages go, what is remembered, and the owner and the tokens of their buckets. */
export type CommitDeps = { sending: Sending; states: States; owner: string; tokens: ReadonlyMap<number, number> };

/**
 * Commits turns together: the done marks, what is remembered, timers and messages, behind the fence of the
 * buckets, in one transaction and one round trip. Throws, and nothing is kept, when any guard fails; the caller
 * then runs them one by one. Messages leave only after the commit.
 */
export async function commitTurns(db: Db, deps: CommitDeps, turns: readonly DoneTurn[]): Promise<void> {
  const commit = begin(deps, turns);
  let inserted: Inserted;
  try {
    faultPoint('turn-before-commit');
    [inserted] = await db.batch((tx) => statementsOf(tx, deps, commit));
    faultPoint('turn-after-commit');
  } catch (error) {
    deps.sending.withdrawn(commit.placements);
    throw error;
  }
  settle(deps, commit, inserted);
}

/**
 * The same for turns that ask: what they ask and the turns themselves are one transaction, in which they are run by
 * `prepare`. No statement of it takes longer than `statementMs`.
 */
export async function commitAsking(
  db: Db,
  deps: CommitDeps & { readonly statementMs: number },
  prepare: (tx: Tx) => Promise<readonly DoneTurn[]>,
): Promise<readonly DoneTurn[]> {
  let commit = begin(deps, []);
  let inserted: Inserted = [];
  try {
    await db.tx(async (tx) => {
      await limitTimes(tx, deps.statementMs);
      commit = begin(deps, await prepare(tx));
      faultPoint('turn-before-commit');
      // All are awaited, so that no rejection is left alone; the earliest failure is the true reason.
      const outcomes = await Promise.allSettled(statementsOf(tx, deps, commit));
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
      inserted = (outcomes[0] as PromiseFulfilledResult<Inserted>).value;
    });
    faultPoint('turn-after-commit');
  } catch (error) {
    deps.sending.withdrawn(commit.placements);
    throw error;
  }
  settle(deps, commit, inserted);
  return commit.turns;
}

type Inserted = { integration_id: number; key: string; id: number }[];

/** Turns that are written together: their messages have their places, their rows stand by kind. */
type Commit = {
  readonly turns: readonly DoneTurn[];
  readonly placements: readonly Placement[];
  readonly rows: Writes['rows'];
};

function begin({ sending }: CommitDeps, turns: readonly DoneTurn[]): Commit {
  const writes = turns.map(({ result }) => result.writes);
  return { turns, placements: sending.place(writes.flatMap(({ messages }) => messages)), rows: gather(writes) };
}

/** The statements of a commit, the messages first; nobody waits between them. */
function statementsOf(
  tx: Tx,
  { owner, tokens }: CommitDeps,
  { turns, placements, rows }: Commit,
): [Promise<Inserted>, ...Promise<unknown>[]] {
  const messages = placements.map((placement) => placement.row);
  return [
    messages.length > 0 ? insertMessages(tx, messages) : Promise.resolve([]),
    fence(tx, owner, tokens),
    complete(tx, turns),
    ...writeRows(tx, rows),
  ];
}

/** The commit stands: memory follows it, and its messages may leave. */
function settle({ sending, states }: CommitDeps, { placements, rows }: Commit, inserted: Inserted): void {
  settleRows(states, rows);
  sending.committed(placements, new Map(inserted.map((row) => [`${row.integration_id} ${row.key}`, row.id])));
}

function complete(tx: Tx, turns: readonly DoneTurn[]): Promise<number> {
  return completeRows(
    tx,
    turns.flatMap(({ items, result }) =>
      items.map((item, index) => ({
        integrationId: item.integrationId,
        key: item.key,
        state: result.outcome === 'ignored' ? stateIgnored : stateDone,
        trace: index === 0 ? result.trace : null,
      })),
    ),
  );
}
