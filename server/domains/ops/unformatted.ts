import type { Db } from '../../../kernel/db.ts';
import type { Kit } from '../../../kernel/kit.ts';
import { openNotice } from './ops.ts';

/** Over by itself a day after it was opened, and opened again when it goes on: nobody can say when a text is mended. */
export const unformattedNotice = { kind: 'outbox.unformatted', daysMax: 1 } as const;

/** One wrong text may be sent to thousands: a bot is told of this rarely. */
const tellEveryMs = 60_000;

const textSays = (username: string): string =>
  `Telegram could not read the formatting of a message of @${username}, so it was sent as plain text. Look at bold, links and the like in the texts of its flow.`;
const pageSays = (username: string): string =>
  `Telegram did not take a page that @${username} sent as a message, so its words were sent. A Local Bot API server from before Bot API 10.1 takes none: update it. Telegram's own refuses one in which something is wrong.`;

/**
 * Tells the operator of messages whose formatting Telegram could not read: a line in the log, at most one a minute for
 * a bot, and a notice. What Telegram says of it is not told: it repeats words of the message.
 */
export function createUnformatted(
  kit: Kit,
  db: Db,
): (bot: { publicId: string; username: string }, method: string) => void {
  const bots = new Map<string, { untold: number; toldMs: number }>();
  return ({ publicId, username }, method) => {
    const bot = bots.get(publicId) ?? { untold: 0, toldMs: Number.NEGATIVE_INFINITY };
    bots.set(publicId, bot);
    bot.untold += 1;
    const nowMs = kit.monotonicMs();
    if (nowMs - bot.toldMs < tellEveryMs) return;
    kit.log.warn({ bot: publicId, method, messages: bot.untold }, 'outbox.unformatted');
    bot.toldMs = nowMs;
    bot.untold = 0;
    const message = (method === 'sendRichMessage' ? pageSays : textSays)(username);
    openNotice(db, { kind: unformattedNotice.kind, subject: publicId, message }).catch((error: unknown) =>
      kit.log.warn({ bot: publicId, err: error }, 'notice.not_opened'),
    );
  };
}
