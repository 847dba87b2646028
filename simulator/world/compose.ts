import type { Message, User } from '@grammyjs/types';
import type { Bot } from './bot.ts';
import type { Conversation } from './conversation.ts';
import type { World } from './world.ts';

/** Everything of a message that is not its number, date, chat or sender. */
export type Content = Partial<Message>;

/** A message in a chat, numbered and dated, not yet kept. Channels speak for themselves. */
export function composeMessage(world: World, chat: Conversation, from: User | undefined, content: Content): Message {
  const head: Record<string, unknown> = { message_id: chat.takeMessageId() };
  if (chat.chat.type === 'channel') head.sender_chat = chat.chat;
  else if (from) head.from = from;
  head.chat = chat.chat;
  head.date = world.date();
  return Object.assign(head, content) as unknown as Message;
}

/** The user object of a bot as it stands in messages: without the fields that only getMe shows. */
export function senderOf(bot: Bot): User {
  const { id, first_name, username } = bot.user;
  return { id, is_bot: true, first_name, username };
}

/** A message as it stands inside of another one: never a reply itself. */
export function quoted(message: Message): Message {
  const { reply_to_message: _, ...rest } = message;
  return rest as Message;
}
