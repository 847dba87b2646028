import { appsOf } from '../apps/bot-apps.ts';
import type { Bot } from '../world/bot.ts';
import type { Conversation } from '../world/conversation.ts';

/** A bot as the control API shows it, its token included: this is no real Telegram. */
export function botView(bot: Bot): Record<string, unknown> {
  return {
    id: bot.id,
    token: bot.token,
    username: bot.user.username,
    first_name: bot.user.first_name,
    apps: appsOf(bot),
    next_update_id: bot.queue.nextUpdateId,
    pending: bot.queue.pending.size,
    dropped: bot.queue.dropped,
    webhook: bot.webhook
      ? { url: bot.webhook.url, max_connections: bot.webhook.maxConnections, has_secret: bot.webhook.secret !== '' }
      : null,
  };
}

/** A chat without its messages. */
export function chatView(chat: Conversation): Record<string, unknown> {
  return {
    key: chat.key,
    chat: chat.chat,
    bot: chat.bot?.id ?? null,
    opened: chat.opened,
    ban: chat.ban ?? null,
    migrated_to: chat.migratedTo ?? null,
    members: Object.fromEntries(chat.members),
    keyboard: chat.keyboard?.markup ?? null,
    pinned: chat.pinned,
    last_message_id: chat.lastMessageId,
  };
}
