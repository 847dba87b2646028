import { Refusal } from '../../../kernel/errors.ts';
import { findBot } from '../../domains/ops/ops.ts';
import { markSeen } from '../../domains/outbox/outbox.ts';
import { defineCommand } from '../cli/command.ts';
import { count } from '../cli/print.ts';

export const unknownSeen = defineCommand({
  name: 'unknown seen',
  summary: 'Takes messages that you have looked at off the list',
  details: ['Nothing is sent or changed for anybody. What is new afterwards is listed again.'],
  examples: ['unknown seen --all', 'unknown seen @support_bot', 'unknown seen @support_bot --key 839201/hello/0'],
  args: [{ name: 'BOT', about: '@username or id of the bot', optional: true }],
  options: {
    all: { type: 'flag', about: 'of every bot' },
    key: { type: 'text', value: 'KEY', about: 'only this message, by the key that `unknown list --json` shows' },
  },
  changes: 'database',
  json: true,
  async run({ args, options, answer, installation }) {
    if ((args.BOT === undefined) !== options.all) throw new Refusal('USAGE', 'Name a bot, or say --all.');
    const { db } = await installation();
    const bot = args.BOT === undefined ? undefined : await findBot(db, args.BOT);
    const seen = await markSeen(db, { integrationId: bot?.id ?? null, key: options.key ?? null });
    // Who names one message means it: a key that was mistyped must not look like one that was taken off.
    if (seen === 0 && options.key !== undefined)
      throw new Refusal('NOT_FOUND', `No message with the key "${options.key}" is on the list of this bot.`);
    answer({ seen }, [
      seen === 0 ? 'There was nothing to take off the list.' : `Took ${count(seen, 'message')} off the list.`,
    ]);
  },
});
