// Chooses a way by chance, in the shares given.

import { exitMove, type MakeRunner } from '../runner.ts';

export const makeRandom: MakeRunner<'random'> = (_id, { props }) => {
  const total = props.branches.reduce((sum, branch) => sum + branch.weight, 0);
  return {
    run: (turn) => {
      let left = turn.chance() * total;
      const chosen = props.branches.find((branch) => {
        left -= branch.weight;
        return left < 0;
      });
      return exitMove((chosen ?? props.branches[0])?.id ?? '');
    },
  };
};
