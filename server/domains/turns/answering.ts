import type { Db, Tx } from '../../../kernel/db.ts';
import type { Kit } from '../../../kernel/kit.ts';
import type { Answer, Ask } from '../flow/flow.ts';
import type { Asked, AskKinds } from './asks/kinds.ts';
import type { Budget } from './budget.ts';
import { type CommitDeps, commitAsking } from './commit.ts';
import { AsksApart, isTimeUp, NeedsTime, SlowTurn } from './failures.ts';
import { type Answering, type PrepareDeps, prepareTurns } from './prepare.ts';
import type { Chosen, DoneTurn } from './stages.ts';

export type AnsweringDeps = PrepareDeps & {
  readonly kit: Kit;
  readonly db: Db;
  /** What turns may ask, and who answers. */
  readonly asks: AskKinds;
};

/** What one statement that answers a turn may take: among the others, and apart from them. */
const statementMsMax = { among: 1_000, apart: 3_000 };
/** What all questions of one run of turns may take. */
const askingMsMax = 3_000;

/**
 * Runs turns that ask, in the transaction that commits them. `budget` is what their project has taken lately: while it is
 * over, a statement may take longer, apart from the others; without one it may not. Throws `SlowTurn` and `NeedsTime` for
 * what takes too long, and `AsksApart` where one asks what only a turn that is alone, in the run of its project, may ask.
 */
export async function runAsking(
  deps: AnsweringDeps,
  commit: CommitDeps,
  chosen: readonly Chosen[],
  budget?: Budget,
): Promise<readonly DoneTurn[]> {
  const { kit, db } = deps;
  const apart = budget?.isOver() === true;
  const startMs = kit.monotonicMs();
  const takenMs = (): number => kit.monotonicMs() - startMs;
  try {
    const statementMs = apart ? statementMsMax.apart : statementMsMax.among;
    return await commitAsking(db, { ...commit, statementMs }, async (tx) => {
      const answering: Answering = (asked) => {
        if (takenMs() > askingMsMax) throw new SlowTurn(`Its questions take more than ${askingMsMax} ms.`);
        return answerAll(deps, tx, asked, budget !== undefined && chosen.length === 1);
      };
      return (await prepareTurns(deps, commit.states, chosen, answering)).done;
    });
  } catch (error) {
    if (!isTimeUp(error) || !budget) throw error;
    if (apart) throw new SlowTurn(`A question to a table takes more than ${statementMsMax.apart} ms.`);
    budget.overdraw();
    throw new NeedsTime();
  } finally {
    budget?.spend(takenMs());
  }
}

/** Kind by kind, since each answers all of its questions in one go. `alone`: anything may be asked. */
async function answerAll(
  { asks, kit }: AnsweringDeps,
  tx: Tx,
  asked: readonly Asked[],
  alone: boolean,
): Promise<readonly Answer[]> {
  const answers: Answer[] = new Array(asked.length);
  for (const kind of Object.keys(asks) as Ask['kind'][]) {
    const places = [...asked.keys()].filter((place) => (asked[place] as Asked).ask.kind === kind);
    if (places.length === 0) continue;
    if (!asks[kind].together && !alone) throw new AsksApart();
    const some = await asks[kind].answer(
      tx,
      places.map((place) => asked[place] as Asked),
      kit.now(),
    );
    for (const [index, place] of places.entries()) answers[place] = some[index] as Answer;
  }
  return answers;
}
