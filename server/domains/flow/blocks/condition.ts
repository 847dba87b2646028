// Goes the way of the first branch that holds.

import { exitMove, type MakeRunner } from '../runner.ts';

export const makeCondition: MakeRunner<'condition'> = (_id, { props }, making) => {
  const branches = props.branches.map((branch) => ({ id: branch.id, holds: making.condition(branch.when) }));
  return { run: (turn) => exitMove(branches.find((branch) => branch.holds(turn))?.id ?? 'else') };
};
