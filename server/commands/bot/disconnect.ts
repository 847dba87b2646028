import { disconnectBot } from '../../domains/bots/bots.ts';
import { findBot } from '../../domains/ops/ops.ts';
import { endLeftovers, type Leftovers } from '../../domains/turns/turns.ts';
import { defineCommand } from '../cli/command.ts';
import { count } from '../cli/print.ts';
import { botArgument } from './view.ts';

export const botDisconnect = defineCommand({
  name: 'bot disconnect',
  summary: 'Takes a bot off: its webhook is removed and its token forgotten',
  details: [
    'Its contacts and history stay. What waits for it is ended and cannot be brought back: updates are not answered,',
    'messages are not sent, timers are deleted. What comes late, from calls under way, is ended within half a minute.',
    'To keep it, pause the bot instead: bot pause.',
  ],
  args: [botArgument],
  options: { force: { type: 'flag', about: 'also when Telegram cannot be reached to remove the webhook' } },
  changes: 'telegram',
  json: true,
  async run({ args, options, answer, installation }) {
    const { db, bots } = await installation();
    const { id, publicId, username } = await findBot(db, args.BOT);
    await disconnectBot(bots(), publicId, { evenIfUnreachable: options.force });
    const ended = await endLeftovers(db, [id]);
    answer({ disconnected: publicId, ended }, [`Disconnected @${username}.`, ...endedLines(ended)]);
  },
});

function endedLines({ updates, messages, timers }: Leftovers): string[] {
  if (updates + messages + timers === 0) return [];
  return [
    `Ended with it: ${count(updates, 'update')}, ${count(messages, 'message')} and ${count(timers, 'timer')} that waited.`,
  ];
}
