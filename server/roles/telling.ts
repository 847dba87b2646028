import type { BotEntry } from '../domains/bots/bots.ts';
import { lostKind, topicGoneKind } from '../domains/notices/notices.ts';
import { type createTroubles, unformattedTrouble } from '../domains/notices/worker.ts';
import { adviceOn, isTheirChoice, type Loss } from '../domains/outbox/outbox.ts';

export type Telling = {
  unformatted(bot: BotEntry, method: string): void;
  misplaced(bot: BotEntry, chatId: number): void;
  lost(loss: Loss): void;
};

/** What an operator is told of messages that did not go out as they were meant. */
export function createTelling(
  bots: { byId(id: number): BotEntry | undefined },
  tell: ReturnType<typeof createTroubles>,
): Telling {
  return {
    unformatted: (bot, method) => tell(unformattedTrouble(bot, method)),
    misplaced: ({ publicId, username }, chatId) =>
      tell({
        kind: topicGoneKind,
        bot: publicId,
        message: `A topic of chat ${chatId} that @${username} writes to is gone or closed, so its messages go to the chat itself. Name another topic in the flow, or open it.`,
      }),
    lost: (loss) => {
      const bot = bots.byId(loss.integrationId);
      if (!bot || isTheirChoice(loss.reason)) return;
      const { publicId, username } = bot;
      const said = `Telegram refuses messages of @${username} for good, the first to chat ${loss.chatId}: "${loss.words}".`;
      tell({
        kind: lostKind,
        bot: publicId,
        method: loss.method,
        message: `${said} ${adviceOn(loss)} All reasons: roost lost list`,
      });
    },
  };
}
