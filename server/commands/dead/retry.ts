import { retryDead } from '../../domains/inbox/inbox.ts';
import { defineCommand } from '../cli/command.ts';
import { count } from '../cli/print.ts';
import { eachDead } from './each.ts';

export const deadRetry = defineCommand({
  name: 'dead retry',
  summary: 'Puts dead letters back into their chats, to be handled again',
  details: ['Each goes back to its place by arrival, with all attempts before it.'],
  examples: ['dead retry @support_bot 839201', 'dead retry @support_bot --all'],
  args: [
    { name: 'BOT', about: '@username or id of the bot' },
    { name: 'KEY', about: 'key of the update, as `dead list` shows it', optional: true },
  ],
  options: { all: { type: 'flag', about: 'every dead letter of this bot' } },
  changes: 'database',
  json: true,
  async run({ args, options, answer, installation }) {
    const { username, done } = await eachDead(
      await installation(),
      { bot: args.BOT, key: args.KEY, all: options.all },
      retryDead,
    );
    answer({ retried: done }, [
      done === 0
        ? `@${username} has no dead letters.`
        : `${count(done, 'update')} of @${username} will be handled again.`,
    ]);
  },
});
