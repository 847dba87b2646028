// What an operator should hear about the bots as a whole.
import type { Queryable } from '../../../kernel/db.ts';
import { countTroubles } from './sql.ts';

/** One check: fine or not, in a sentence that says what to do. */
export type Check = { readonly name: string; readonly isFine: boolean; readonly message: string };

/** More than this waiting at Telegram for one bot means that deliveries do not get through. */
const pendingMax = 500;

/** Tokens that are refused, webhooks that are not as they should be, deliveries that pile up at Telegram. */
export async function checkBots(q: Queryable): Promise<Check[]> {
  const found = await countTroubles(q, pendingMax);
  const { token_invalid: refused = 0, problems = 0, behind = 0 } = found ?? {};
  return [
    check(
      'bots.tokens',
      refused,
      'Telegram accepts every token.',
      `${bots(refused)} stopped: Telegram refuses the token. Get a new one from @BotFather for each.`,
    ),
    check(
      'bots.webhooks',
      problems,
      'Every webhook is as it should be.',
      `${bots(problems)} with a webhook problem. \`roost bot list\` says which and what.`,
    ),
    check(
      'bots.deliveries',
      behind,
      'No deliveries pile up at Telegram.',
      `${bots(behind)} with more than ${pendingMax} updates waiting at Telegram. Look whether this server can be reached from outside.`,
    ),
  ];
}

function check(name: string, count: number, fine: string, trouble: string): Check {
  return { name, isFine: count === 0, message: count === 0 ? fine : trouble };
}

function bots(count: number): string {
  return count === 1 ? 'One bot' : `${count} bots`;
}
