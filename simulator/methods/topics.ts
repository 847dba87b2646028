import type { Call, Method } from '../api/call.ts';
import { checkGroup, findChat } from '../api/chats.ts';
import { badRequest } from '../api/refusal.ts';
import { senderOf } from '../world/compose.ts';
import type { Conversation, Topic } from '../world/conversation.ts';
import { deleteTopic, openTopic, TOPIC_COLOR } from '../world/topics.ts';

/** A chat with topics, where the bot may change them. */
function forumOf(call: Call): Conversation {
  const chat = findChat(call);
  if (!chat.isPrivate) checkGroup(call, chat);
  if (!chat.isForum) throw badRequest('the chat is not a forum');
  if (!chat.isPrivate && chat.statusOf(call.bot.id) !== 'administrator')
    throw badRequest('not enough rights to manage topics in the chat');
  return chat;
}

function topicOf(call: Call, chat: Conversation): Topic {
  const topic = chat.topics.get(call.need('message_thread_id', 'message thread identifier is not specified'));
  if (!topic) throw badRequest('TOPIC_ID_INVALID');
  return topic;
}

export const createForumTopic: Method = (call) => {
  const chat = forumOf(call);
  const name = call.text('name') ?? '';
  if (name === '' || [...name].length > 128) throw badRequest('TOPIC_TITLE_INVALID');
  const { message_id: id } = openTopic(call.world, chat, senderOf(call.bot), name);
  return { message_thread_id: id, name, icon_color: call.number('icon_color') ?? TOPIC_COLOR };
};

export const editForumTopic: Method = (call) => {
  const topic = topicOf(call, forumOf(call));
  topic.name = call.text('name') || topic.name;
  return true;
};

function closes(closed: boolean): Method {
  return (call) => {
    const topic = topicOf(call, forumOf(call));
    if (topic.closed === closed) throw badRequest('TOPIC_NOT_MODIFIED');
    topic.closed = closed;
    return true;
  };
}

export const closeForumTopic = closes(true);
export const reopenForumTopic = closes(false);

export const deleteForumTopic: Method = (call) => {
  const chat = forumOf(call);
  topicOf(call, chat);
  return deleteTopic(call.world, chat, call.number('message_thread_id') ?? 0);
};
