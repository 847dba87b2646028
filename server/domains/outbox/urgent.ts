import { faultPoint } from '../../../kernel/faultpoint.ts';
import type { Kit } from '../../../kernel/kit.ts';
import type { BotEntry } from '../bots/bots.ts';
import { type Telegram, verdict } from '../telegram/telegram.ts';

export type UrgentDeps = {
  kit: Kit;
  telegram: Pick<Telegram, 'callText'>;
  bots: { token(id: number): Promise<string> };
};

/** A call that is worth nothing later: made at once, past the queue, and repeated only until its time is over. */
export type UrgentCall = (bot: BotEntry, call: { method: string; params: string; withinMs: number }) => Promise<void>;

const retryPauseMs = 300;

/** Only for answers (to presses, to checkouts): repeating them does no harm, and nothing of them is stored. */
export function createUrgentCall(deps: UrgentDeps): UrgentCall {
  return async (bot, { method, params, withinMs }) => {
    const endMs = deps.kit.monotonicMs() + withinMs;
    const address = { token: await deps.bots.token(bot.id), apiRoot: bot.apiRoot };
    for (;;) {
      faultPoint('ack-before-call');
      const said = verdict(method, await deps.telegram.callText(address, method, params));
      const again = said.kind === 'not_reached' || said.kind === 'doubtful';
      if (!again || deps.kit.monotonicMs() + retryPauseMs > endMs) return;
      await new Promise((resolve) => setTimeout(resolve, retryPauseMs));
    }
  };
}
