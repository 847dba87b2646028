import { disconnectBot } from '../../domains/bots/bots.ts';
import { findBot } from '../../domains/ops/ops.ts';
import { defineCommand } from '../cli/command.ts';
import { botArgument } from './view.ts';

export const botDisconnect = defineCommand({
  name: 'bot disconnect',
  summary: 'Takes a bot off: its webhook is removed and its token forgotten',
  details: ['Its contacts and history stay. Connecting it again begins with them.'],
  args: [botArgument],
  options: { force: { type: 'flag', about: 'also when Telegram cannot be reached to remove the webhook' } },
  json: true,
  async run({ args, options, answer, installation }) {
    const { db, bots } = await installation();
    const { publicId, username } = await findBot(db, args.BOT);
    await disconnectBot(bots(), publicId, { evenIfUnreachable: options.force });
    answer({ disconnected: publicId }, [`Disconnected @${username}.`]);
  },
});
