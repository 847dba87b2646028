import type { Message } from '@grammyjs/types';
import type { UpdateKind } from '../delivery/update-kinds.ts';
import type { Bot } from '../world/bot.ts';
import type { Conversation } from '../world/conversation.ts';
import { hasMedia, rekey } from '../world/media.ts';
import type { World } from '../world/world.ts';

/** Whether a bot in privacy mode is shown a group's message: commands, replies to it, mentions of it, service messages. */
function concerns(bot: Bot, message: Message): boolean {
  if (message.reply_to_message?.from?.id === bot.id) return true;
  const text = message.text ?? message.caption;
  if (text === undefined)
    return (
      !message.photo && !message.video && !message.document && !message.voice && !message.location && !message.contact
    );
  const name = bot.user.username.toLowerCase();
  const command = /^\/\w+(?:@(\w+))?/.exec(text);
  if (command) return command[1] === undefined || command[1].toLowerCase() === name;
  return text.toLowerCase().includes(`@${name}`);
}

function kindOf(chat: Conversation, edited: boolean): UpdateKind {
  if (chat.chat.type === 'channel') return edited ? 'edited_channel_post' : 'channel_post';
  return edited ? 'edited_message' : 'message';
}

/** Hands a person's message to every bot that can see it. */
export function showToBots(world: World, chat: Conversation, message: Message, edited = false): void {
  const kind = kindOf(chat, edited);
  if (chat.bot) {
    if (!chat.ban) world.update(chat.bot, kind, chat.id, chat.id, message);
    return;
  }
  for (const [id, status] of chat.members) {
    const bot = world.bots.get(id);
    if (!bot || status === 'left' || status === 'kicked') continue;
    const sees =
      bot.user.can_read_all_group_messages ||
      status === 'administrator' ||
      chat.chat.type === 'channel' ||
      concerns(bot, message);
    if (sees) world.update(bot, kind, chat.id, chat.id, hasMedia(message) ? rekey(message, world.files, id) : message);
  }
}
