import { Refusal } from '../../../kernel/errors.ts';
import { closeNotices, listNotices, lostKind } from '../../domains/notices/notices.ts';
import { findBot } from '../../domains/ops/ops.ts';
import { forgetLost } from '../../domains/outbox/outbox.ts';
import { defineCommand } from '../cli/command.ts';
import { count } from '../cli/print.ts';

export const lostSeen = defineCommand({
  name: 'lost seen',
  summary: 'Takes refused messages that you have looked at off the list',
  details: ['Nothing is sent or changed for anybody. What is refused afterwards is listed again.'],
  examples: ['lost seen --all', 'lost seen @support_bot'],
  args: [{ name: 'BOT', about: '@username or id of the bot', optional: true }],
  options: { all: { type: 'flag', about: 'of every bot' } },
  changes: 'database',
  json: true,
  async run({ args, options, answer, installation }) {
    if ((args.BOT === undefined) !== options.all) throw new Refusal('USAGE', 'Name a bot, or say --all.');
    const { db } = await installation();
    const bot = args.BOT === undefined ? undefined : await findBot(db, args.BOT);
    const seen = await forgetLost(db, { integrationId: bot?.id ?? null });
    for (const { kind, subject } of await listNotices(db))
      if (kind === lostKind && (bot === undefined || subject === bot.publicId)) await closeNotices(db, [kind], subject);
    answer({ seen }, [
      seen === 0 ? 'There was nothing to take off the list.' : `Took ${count(seen, 'message')} off the list.`,
    ]);
  },
});
