// The webhook secret: what is sent to Telegram, what is kept, and the comparison.
import type { BotEntry } from './directory.ts';

/**
 * True when `presented` is the bot's secret, or its previous one within its time. An unknown bot takes the
 * same time as a wrong secret and never passes; nor does an empty secret.
 */
export function checkSecret(
  _entry: Pick<BotEntry, 'secretHash' | 'previousSecretHash' | 'previousSecretUntilMs'> | undefined,
  _presented: string | undefined,
  _nowMs: number,
): boolean {
  throw new Error('In the making.');
}
