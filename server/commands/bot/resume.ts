import { resumeBot } from '../../domains/bots/bots.ts';
import { findBot } from '../../domains/ops/ops.ts';
import { defineCommand } from '../cli/command.ts';
import { botArgument } from './view.ts';

export const botResume = defineCommand({
  name: 'bot resume',
  summary: 'Lets a paused bot go on',
  args: [botArgument],
  options: {},
  changes: 'telegram',
  json: true,
  async run({ args, answer, installation }) {
    const { db, bots } = await installation();
    const bot = await resumeBot(bots(), (await findBot(db, args.BOT)).publicId);
    answer({ bot }, [`@${bot.username} goes on, with what was stored meanwhile first.`]);
  },
});
