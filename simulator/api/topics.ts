import type { Content } from '../world/compose.ts';
import type { Conversation } from '../world/conversation.ts';
import { topicFields } from '../world/topics.ts';
import type { Call } from './call.ts';
import { badRequest } from './refusal.ts';

const NOTHING: Content = {};

/** Which topic the call names, as its message will say it. Throws what Telegram says where there is none of that number. */
export function readTopic(call: Call, chat: Conversation): Content {
  const direct = call.number('direct_messages_topic_id');
  const thread = call.number('message_thread_id');
  if (direct === undefined && thread === undefined && !chat.isDirect) return NOTHING;
  if (thread !== undefined) return threadOf(call, chat, thread);
  if (!chat.isDirect) throw badRequest('chat is not a channel direct messages chat');
  if (direct === undefined) throw badRequest('channel direct messages topic must be specified');
  if (!chat.topics.has(direct)) throw badRequest('topic not found');
  return topicFields(call.world, chat, direct);
}

/** A topic of a forum; elsewhere in a supergroup the message that a thread began with. */
function threadOf(call: Call, chat: Conversation, thread: number): Content {
  const topic = chat.isDirect ? undefined : chat.topics.get(thread);
  if (topic?.closed && chat.statusOf(call.bot.id) !== 'administrator' && !chat.isPrivate)
    throw badRequest('TOPIC_CLOSED');
  const begins = chat.chat.type === 'supergroup' && !chat.isForum && !chat.isDirect && chat.messages.has(thread);
  // Benches write into chats that nobody made; their topics are made in the same way.
  if (topic || begins || call.world.settings.autoChats) return topicFields(call.world, chat, thread);
  throw badRequest('message thread not found');
}
