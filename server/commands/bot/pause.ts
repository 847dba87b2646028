import { pauseBot } from '../../domains/bots/bots.ts';
import { findBot } from '../../domains/ops/ops.ts';
import { defineCommand } from '../cli/command.ts';
import { botArgument } from './view.ts';

export const botPause = defineCommand({
  name: 'bot pause',
  summary: 'Pauses one bot',
  details: ['What people write meanwhile is stored, in order, and answered after `bot resume`.'],
  args: [botArgument],
  options: {},
  changes: 'database',
  json: true,
  async run({ args, answer, installation }) {
    const { db, bots } = await installation();
    const bot = await pauseBot(bots(), (await findBot(db, args.BOT)).publicId);
    answer({ bot }, [`Paused @${bot.username}. Its updates are kept.`, `To go on: roost bot resume @${bot.username}`]);
  },
});
