import { isDatabaseFault } from '../../../kernel/errors.ts';
import { faultPoint } from '../../../kernel/faultpoint.ts';
import type { Kit } from '../../../kernel/kit.ts';
import type { BotEntry } from '../bots/bots.ts';
import { shortCalls, type Telegram, telegramLimits, type Verdict, verdict } from '../telegram/telegram.ts';
import { createPlaces, type Places } from './places.ts';

export type UrgentDeps = {
  kit: Kit;
  telegram: Pick<Telegram, 'callText'>;
  bots: { token(id: number): Promise<string> };
};

/** What is answered: a press of a button, or a checkout. */
export type UrgentKind = 'press' | 'checkout';

/**
 * What came of it: Telegram took the answer; it came too late or was not wanted any more; Telegram refused it for good;
 * or no try got through while there was time.
 */
export type UrgentEnd = { result: 'answered' | 'late' | 'refused' | 'given_up'; reason: string };

/**
 * A call that is worth nothing later: made at once, past the queue, and repeated while its time lasts, counted from
 * `sinceMs` (monotonic). Throws only where the bot's token cannot be had, other than for a fault of the database.
 */
export type UrgentCall = (
  bot: BotEntry,
  call: { kind: UrgentKind; method: string; params: string; sinceMs: number },
) => Promise<UrgentEnd>;

/** How long tries may be begun; one under way may last `answerMsMax` of its kind longer. */
const triesMsMax: Readonly<Record<UrgentKind, number>> = {
  // Whoever pressed has pressed again or gone by then: clients stop waiting at about 15 s.
  press: 10_000,
  checkout: telegramLimits.preCheckoutSeconds * 1_000,
};
const triesMax = 8;
const pauseMsMin = 250;
const pauseMsMax = 2_000;
/** One bot has at most this part of the places of a kind. */
const botShare = 1 / 8;

/** Only for answers (to presses, to checkouts): repeating them does no harm, and nothing of them is stored. */
export function createUrgentCall({ kit, telegram, bots }: UrgentDeps): UrgentCall {
  // As many as there are connections to one API root: a call that has a place waits for no connection.
  const placesOf = (kind: UrgentKind): Places => {
    const placesMax = shortCalls[kind].connectionsMax;
    return createPlaces({ placesMax, botPlacesMax: placesMax * botShare });
  };
  const places = { press: placesOf('press'), checkout: placesOf('checkout') };

  return async (bot, { kind, method, params, sinceMs }) => {
    const endMs = sinceMs + triesMsMax[kind];
    const once = async (): Promise<Verdict> => {
      await places[kind].take(bot.id);
      try {
        const address = { token: await bots.token(bot.id), apiRoot: bot.apiRoot };
        faultPoint('ack-before-call');
        return verdict(method, await telegram.callText(address, method, params, { kind, startByMs: endMs }));
      } catch (error) {
        // Only a bot that was asleep: tokens of those at work are in memory.
        if (!isDatabaseFault(error)) throw error;
        return { kind: 'not_reached', reason: 'The database did not give the token.' };
      } finally {
        places[kind].give(bot.id);
      }
    };
    for (let tries = 1; ; tries += 1) {
      const said = await once();
      const pauseMs = pauseBefore(said, tries);
      if (pauseMs === undefined) return endOf(said);
      if (tries >= triesMax || kit.monotonicMs() + pauseMs >= endMs)
        return { result: 'given_up', reason: wordsOf(said) };
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
}

/** How long to wait before the same once more; undefined where that would change nothing. */
function pauseBefore(said: Verdict, tries: number): number | undefined {
  switch (said.kind) {
    case 'retry_later':
      return said.seconds * 1_000;
    case 'not_reached':
    case 'doubtful':
      return Math.min(pauseMsMax, pauseMsMin * 2 ** (tries - 1));
    default:
      return undefined;
  }
}

function endOf(said: Verdict): UrgentEnd {
  if (said.kind === 'sent') return { result: 'answered', reason: '' };
  return { result: said.kind === 'done' ? 'late' : 'refused', reason: wordsOf(said) };
}

function wordsOf(said: Verdict): string {
  if (said.kind === 'retry_later') return `Telegram asked to wait ${said.seconds} s.`;
  return 'reason' in said ? said.reason : said.kind;
}
