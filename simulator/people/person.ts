import type { Message, User } from '@grammyjs/types';
import { formatText } from '../text/format.ts';
import type { Content } from '../world/compose.ts';
import { composeMessage, quoted } from '../world/compose.ts';
import type { Conversation } from '../world/conversation.ts';
import { topicFields } from '../world/topics.ts';
import type { World } from '../world/world.ts';
import { unblock } from './block.ts';
import type { Place } from './place.ts';
import { PeopleError, placeOf } from './place.ts';
import { inTopic } from './topics.ts';
import { showToBots } from './visibility.ts';

/** A person's message comes into a chat: writing to a bot opens the chat and takes a block away. */
export function say(world: World, place: Place, content: Content, replyTo?: number): Message {
  const { user, chat } = placeOf(world, place);
  return sayIn(world, chat, user, { ...content, ...inTopic(world, chat, user, place.topic) }, replyTo);
}

export function sayIn(world: World, chat: Conversation, user: User, content: Content, replyTo?: number): Message {
  if (chat.isPrivate) {
    if (chat.ban === 'blocked') unblock(world, chat, user);
    chat.opened = true;
  }
  if (replyTo !== undefined) {
    const target = chat.messages.get(replyTo);
    if (!target) throw new PeopleError(`there is no message ${replyTo} to reply to`);
    content.reply_to_message = quoted(target) as NonNullable<Message['reply_to_message']>;
    if (target.is_topic_message && content.message_thread_id === undefined && target.message_thread_id !== undefined)
      Object.assign(content, topicFields(world, chat, target.message_thread_id));
  }
  const message = composeMessage(world, chat, user, content);
  world.keep(chat, message);
  showToBots(world, chat, message);
  return message;
}

/** A text as a person types it: commands, links and mentions are found in it. */
export function typed(text: string, entities?: readonly unknown[]): Content {
  const formatted = formatText(text, undefined, entities);
  return formatted.entities.length > 0
    ? { text: formatted.text, entities: formatted.entities }
    : { text: formatted.text };
}
