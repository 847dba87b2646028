import { showBot } from '../../domains/bots/bots.ts';
import { findBot } from '../../domains/ops/ops.ts';
import { defineCommand } from '../cli/command.ts';
import { botArgument, botLines } from './view.ts';

export const botShow = defineCommand({
  name: 'bot show',
  summary: 'Shows one bot: its state, its webhook, what Telegram says of it',
  args: [botArgument],
  options: {},
  json: true,
  async run({ args, answer, installation, kit }) {
    const { db, bots } = await installation();
    const bot = await showBot(bots(), (await findBot(db, args.BOT)).publicId);
    answer({ bot }, botLines(bot, kit.now()));
  },
});
