// The door of the Bot API client: how to call, what an answer means, and Telegram's limits.
import type { Kit } from '../../../kernel/kit.ts';
import { Client, type Telegram, type TelegramOptions } from './client.ts';

export type { CallOptions, Download, PollParams, Telegram, TelegramOptions } from './client.ts';
export { requestTimeoutMs, shortCalls } from './client.ts';
export { telegramLimits } from './limits.ts';
export type { Upload } from './multipart.ts';
export type * from './outcome.ts';
export type { BlockedReason, Verdict } from './rules.ts';
export { isConflict, isIdempotent, isWebhookConflict, verdict } from './rules.ts';

/** Opens the client. One serves all bots: connections belong to an API root, not to a bot (an idle Pool takes 18 KB). */
export function createTelegram(kit: Kit, options: TelegramOptions = {}): Telegram {
  return new Client(kit, options);
}
