// Removes a message that was sent before.

import { type MakeRunner, NEXT_MOVE } from '../runner.ts';
import { findMessage } from './edit.ts';

export const makeDelete: MakeRunner<'delete'> = (id, { props }) => ({
  run: (turn) => {
    const found = findMessage(turn, props.target);
    if (found) turn.emit({ type: 'delete', target: found.target });
    else turn.note(id, 'delete', undefined, 'there is no message to delete');
    return NEXT_MOVE;
  },
});
