import type { Message, User } from '@grammyjs/types';
import type { Content } from './compose.ts';
import { composeMessage } from './compose.ts';
import type { Conversation } from './conversation.ts';
import type { World } from './world.ts';

/** Icons of topics that say no colour; Telegram has six, and this is its first. */
export const TOPIC_COLOR = 7_322_096;
/** Topics of direct messages are numbered apart from people, so that nobody takes the one for the other. */
const DIRECT_TOPIC_FIRST = 5_000_000_001;

/** Opens a topic of a forum: its service message gives it its number. */
export function openTopic(world: World, chat: Conversation, by: User, name: string): Message {
  const created = { forum_topic_created: { name, icon_color: TOPIC_COLOR }, is_topic_message: true } as Content;
  const message = composeMessage(world, chat, by, created);
  Object.assign(message, { message_thread_id: message.message_id });
  chat.topics.set(message.message_id, { name, closed: false });
  world.keep(chat, message);
  return message;
}

/** The topic is gone with everything that was written in it. */
export function deleteTopic(world: World, chat: Conversation, id: number): boolean {
  if (!chat.topics.delete(id)) return false;
  for (const message of [...chat.messages.values()])
    if (message.message_thread_id === id) world.erase(chat, message.message_id);
  return true;
}

/** The topic of a person in the direct messages of a channel, made when it is first needed. */
export function directTopic(chat: Conversation, user: User): number {
  for (const [id, { userId }] of chat.topics) if (userId === user.id) return id;
  const id = DIRECT_TOPIC_FIRST + chat.topics.size;
  chat.topics.set(id, { name: user.first_name, closed: false, userId: user.id });
  return id;
}

/** What a message says of the topic it stands in. */
export function topicFields(world: World, chat: Conversation, id: number): Content {
  if (!chat.isDirect) return { message_thread_id: id, ...(chat.topics.has(id) ? { is_topic_message: true } : {}) };
  const user = world.users.get(chat.topics.get(id)?.userId ?? 0);
  return { direct_messages_topic: { topic_id: id, ...(user ? { user } : {}) } } as Content;
}
