import { insertPresses } from '../sql.ts';
import type { OutcomeRow } from './kinds.ts';

/** The token of a button that may be pressed once, used up by this turn. */
export const presses: OutcomeRow<{ integrationId: number; token: string }> = {
  collect: ({ turn: { bot, press, event }, singleUse }) =>
    singleUse && press && event.kind === 'button' && 'press' in event && event.press?.use === 'first'
      ? { integrationId: bot.id, token: press.token }
      : undefined,
  write: insertPresses,
};
