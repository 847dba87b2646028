import type { DeadRow } from '../../domains/inbox/inbox.ts';
import type { BotName } from '../../domains/ops/ops.ts';

/** The arguments that name one dead letter, as `dead list` shows them. */
export const deadArguments = [
  { name: 'BOT', about: '@username or id of the bot' },
  { name: 'KEY', about: 'key of the update, as `dead list` shows it' },
] as const;

/** A dead letter as programs see it, without its body. */
export function deadView(row: DeadRow, bot: BotName | undefined): object {
  return {
    bot: bot?.publicId ?? null,
    username: bot?.username ?? null,
    key: row.key,
    attempts: row.attempts,
    receivedAt: row.received_at,
    diedAt: row.done_at,
    error: row.error,
  };
}

export const botLabel = (bot: BotName | undefined, id: number): string =>
  bot === undefined ? `bot ${id}` : `@${bot.username}`;
