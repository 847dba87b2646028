import type { BotView } from '../../domains/bots/bots.ts';
import { ago, plain } from '../cli/print.ts';

/** The argument that names a bot, the same in every command. */
export const botArgument = { name: 'BOT', about: '@username or id of the bot' } as const;

/** What a state means for somebody who looks at the list. */
const states: Readonly<Record<BotView['status'], string>> = {
  connecting: 'connecting',
  active: 'active',
  paused: 'paused',
  token_invalid: 'token refused',
  disconnected: 'disconnected',
};

export const stateOf = (bot: BotView): string => states[bot.status];

/** One bot, a fact a line. */
export function botLines(bot: BotView, nowMs: number): string[] {
  const facts: [string, string][] = [
    ['Bot', `@${bot.username} (${plain(bot.title)})`],
    ['Id', bot.publicId],
    ['Project', plain(bot.project)],
    ['State', stateOf(bot)],
    ['Updates come by', bot.receives ?? 'nothing: it is disconnected'],
    [
      'Kinds of updates',
      bot.allowedUpdates.length > 0 ? bot.allowedUpdates.join(', ') : 'none yet: publish the project',
    ],
    ['Connections', String(bot.maxConnections)],
    ['Waiting at Telegram', bot.pendingCount === null ? 'not known yet' : String(bot.pendingCount)],
    ['Looked at', ago(bot.checkedAt, nowMs)],
  ];
  if (bot.webhookProblem !== null) facts.push(['Problem', plain(bot.webhookProblem)]);
  if (bot.deliveryError !== null) facts.push(['Telegram says', plain(bot.deliveryError)]);
  return facts.map(([name, value]) => `${`${name}:`.padEnd(21)}${value}`);
}
