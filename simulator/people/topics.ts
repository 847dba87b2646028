import type { Message, User } from '@grammyjs/types';
import type { Content } from '../world/compose.ts';
import type { Conversation } from '../world/conversation.ts';
import { deleteTopic, directTopic, openTopic, topicFields } from '../world/topics.ts';
import type { World } from '../world/world.ts';
import type { Place } from './place.ts';
import { PeopleError, placeOf } from './place.ts';
import { showToBots } from './visibility.ts';

/** Where in a chat a person writes: the topic that was named, and in the direct messages of a channel one's own. */
export function inTopic(world: World, chat: Conversation, user: User, topic: number | undefined): Content {
  if (chat.isDirect) return topicFields(world, chat, directTopic(chat, user));
  if (topic === undefined) return {};
  if (!chat.topics.has(topic)) throw new PeopleError(`there is no topic ${topic} here`);
  return topicFields(world, chat, topic);
}

/** Opens a topic; its number is the number of this message. */
export function topic(world: World, action: Place & { name?: string }): Message {
  const { user, chat } = placeOf(world, action);
  if (!chat.isForum) throw new PeopleError(`chat ${chat.id} has no topics`);
  const message = openTopic(world, chat, user, action.name ?? 'Topic');
  showToBots(world, chat, message);
  return message;
}

/** Closes a topic: only administrators write there then. */
export function closeTopic(world: World, action: Place & { topic: number }): true {
  const found = placeOf(world, action).chat.topics.get(action.topic);
  if (!found) throw new PeopleError(`there is no topic ${action.topic} here`);
  found.closed = true;
  return true;
}

/** Deletes a topic with what was written there; bots are not told, as in life. */
export function dropTopic(world: World, action: Place & { topic: number }): true {
  if (!deleteTopic(world, placeOf(world, action).chat, action.topic))
    throw new PeopleError(`there is no topic ${action.topic} here`);
  return true;
}
