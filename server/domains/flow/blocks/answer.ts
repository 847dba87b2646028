// Answers a press whose button is marked "answers later".

import { TELEGRAM_LIMITS } from '../../../../contract/limits.ts';
import { type MakeRunner, NEXT_MOVE } from '../runner.ts';
import { headOf } from '../taken.ts';

export const makeAnswer: MakeRunner<'answer'> = (id, { props }) => ({
  run: (turn) => {
    if (!turn.mayAnswer()) {
      turn.note(id, 'answer', undefined, 'no press waits for an answer');
      return NEXT_MOVE;
    }
    const text =
      props.text === undefined ? '' : headOf(turn.text(props.text).text, TELEGRAM_LIMITS.callbackAnswerChars);
    turn.answer({ ...(text === '' ? {} : { text }), ...(props.alert && text !== '' ? { alert: true } : {}) });
    return NEXT_MOVE;
  },
});
