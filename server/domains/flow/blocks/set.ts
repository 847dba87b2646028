// Puts values into variables, one after another: a later one sees the earlier.

import type { PropsOf } from '../../../../contract/blocks/registry.ts';
import type { Value } from '../../../../contract/variables.ts';
import { failMove, type MakeRunner, type Making, NEXT_MOVE } from '../runner.ts';
import type { Turn } from '../turn.ts';

/** Does one assignment; gives the reason when it cannot. */
type Assign = (turn: Turn) => string | null;

export const makeSet: MakeRunner<'set'> = (_id, { props }, making) => {
  const assignments = props.set.map((one) => makeAssign(one, making));
  return {
    run: (turn) => {
      for (const assign of assignments) {
        const reason = assign(turn);
        if (reason !== null) return failMove(reason);
      }
      return NEXT_MOVE;
    },
  };
};

function makeAssign(one: PropsOf<'set'>['set'][number], making: Making): Assign {
  const { into } = one;
  if ('clear' in one) return (turn) => (into === 'contact.locale' ? forgetLocale(turn) : turn.clear(into));
  if ('value' in one) return (turn) => put(turn, into, one.value);
  const program = making.program(one.expr);
  return (turn) => (program === null ? 'the expression is wrong' : put(turn, into, turn.evaluate(program)));
}

function put(turn: Turn, into: string, value: Value): string | null {
  if (into !== 'contact.locale') return turn.set(into, value);
  return typeof value === 'string' && turn.chooseLocale(value) ? null : 'the bot does not speak that language';
}

function forgetLocale(turn: Turn): null {
  turn.chosenLocale = null;
  return null;
}
