// Waits for a while.

import { durationMs } from '../durations.ts';
import { type MakeRunner, NEXT_MOVE, WAIT_MOVE } from '../runner.ts';

export const makeWait: MakeRunner<'wait'> = (_id, { props }) => {
  const delayMs = durationMs(props.for);
  return {
    run: (turn) => {
      turn.startWait('pause', delayMs);
      return WAIT_MOVE;
    },
    resume: (turn, event) => (event.kind === 'timer' && event.id === turn.wait?.timer ? NEXT_MOVE : null),
  };
};
