import type { Trouble } from './troubles.ts';

/** Over by itself a day after it was opened, and opened again when it goes on: nobody can say when a text is mended. */
export const unformattedNotice = { kind: 'outbox.unformatted', daysMax: 1 } as const;

const textSays = (username: string): string =>
  `Telegram could not read the formatting of a message of @${username}, so it was sent as plain text. Look at bold, links and the like in the texts of its flow.`;
const pageSays = (username: string): string =>
  `Telegram did not take a page that @${username} sent as a message, so its words were sent. A Local Bot API server from before Bot API 10.1 takes none: update it. Telegram's own refuses one in which something is wrong.`;

/**
 * What an operator is told of a message whose formatting Telegram could not read. What Telegram says of it is not told: it
 * repeats words of the message.
 */
export const unformattedTrouble = (bot: { publicId: string; username: string }, method: string): Trouble => ({
  kind: unformattedNotice.kind,
  bot: bot.publicId,
  method,
  message: (method === 'sendRichMessage' ? pageSays : textSays)(bot.username),
});
