import { dropDead } from '../../domains/inbox/inbox.ts';
import { defineCommand } from '../cli/command.ts';
import { count } from '../cli/print.ts';
import { eachDead } from './each.ts';

export const deadDrop = defineCommand({
  name: 'dead drop',
  summary: 'Gives dead letters up for good',
  details: ['They are marked as ignored and removed with everything else of their age. This cannot be taken back.'],
  examples: ['dead drop @support_bot 839201'],
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
      dropDead,
    );
    answer({ dropped: done }, [
      done === 0 ? `@${username} has no dead letters.` : `Gave up ${count(done, 'update')} of @${username}.`,
    ]);
  },
});
