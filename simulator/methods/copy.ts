import type { Message } from '@grammyjs/types';
import type { Call, Method } from '../api/call.ts';
import { checkGroup, findChat, writableChat } from '../api/chats.ts';
import { readMarkup } from '../api/markup.ts';
import { badRequest } from '../api/refusal.ts';
import { readTopic } from '../api/topics.ts';
import type { Content } from '../world/compose.ts';
import { composeMessage, senderOf } from '../world/compose.ts';
import type { Conversation } from '../world/conversation.ts';
import { hasMedia, rekey } from '../world/media.ts';
import { accept, readCaption } from './send.ts';

/** Fields that make up what a message says; all others belong to the message itself. */
const COPIED = [
  'text',
  'entities',
  'caption',
  'caption_entities',
  'show_caption_above_media',
  'photo',
  'video',
  'animation',
  'audio',
  'document',
  'voice',
  'video_note',
  'sticker',
  'live_photo',
  'location',
  'venue',
  'contact',
  'poll',
  'dice',
  'has_media_spoiler',
  'link_preview_options',
  'rich_message',
] as const;

function contentOf(call: Call, message: Message): Content {
  const content: Record<string, unknown> = {};
  for (const field of COPIED) if (message[field] !== undefined) content[field] = message[field];
  return (hasMedia(message) ? rekey(content, call.world.files, call.bot.id) : content) as Content;
}

function sourceChat(call: Call): Conversation {
  const chat = findChat(call, 'from_chat_id');
  if (!chat.isPrivate) checkGroup(call, chat);
  return chat;
}

/** Service messages have no content and cannot be copied or forwarded. */
function isService(message: Message): boolean {
  return COPIED.every((field) => message[field] === undefined) && message.invoice === undefined;
}

function sourceMessage(call: Call, verb: 'copy' | 'forward'): Message {
  const id = call.need('message_id', 'message identifier is not specified');
  const message = sourceChat(call).messages.get(id);
  if (!message) throw badRequest(`message to ${verb} not found`);
  const done = verb === 'copy' ? 'copied' : 'forwarded';
  if (isService(message) || message.has_protected_content) throw badRequest(`message can't be ${done}`);
  return message;
}

function originOf(message: Message): NonNullable<Message['forward_origin']> {
  if (message.forward_origin) return message.forward_origin;
  if (message.chat.type === 'channel')
    return { type: 'channel', chat: message.chat, message_id: message.message_id, date: message.date };
  if (message.from) return { type: 'user', sender_user: message.from, date: message.date };
  return { type: 'hidden_user', sender_user_name: 'Deleted Account', date: message.date };
}

export const copyMessage: Method = (call) => {
  const chat = writableChat(call);
  const content = contentOf(call, sourceMessage(call, 'copy'));
  if (call.params.caption !== undefined && content.text === undefined) {
    delete content.caption;
    delete content.caption_entities;
    Object.assign(content, readCaption(call.params));
  }
  const message = accept(call, chat, content, readMarkup(call, chat));
  return { message_id: message.message_id };
};

export const forwardMessage: Method = (call) => {
  const chat = writableChat(call);
  const source = sourceMessage(call, 'forward');
  return accept(call, chat, { ...contentOf(call, source), forward_origin: originOf(source) }, undefined);
};

/** Copies or forwards many: what is gone is passed over, numbers must rise. */
function many(verb: 'copy' | 'forward'): Method {
  return (call) => {
    const chat = writableChat(call);
    const from = sourceChat(call);
    const ids = (call.list('message_ids') ?? []).filter((id): id is number => typeof id === 'number');
    if (ids.length === 0 || ids.length > 100)
      throw badRequest(ids.length === 0 ? 'message identifiers are not specified' : `too many messages to ${verb}`);
    if (ids.some((id, index) => index > 0 && id <= (ids[index - 1] ?? 0)))
      throw badRequest('message identifiers must be in a strictly increasing order');
    const found = ids
      .map((id) => from.messages.get(id))
      .filter((message): message is Message => message !== undefined && !isService(message));
    if (found.length === 0) throw badRequest(`there are no messages to ${verb}`);
    call.spend(chat, found.length, true);
    return found.map((source) => {
      const content = contentOf(call, source);
      if (call.flag('remove_caption')) delete content.caption;
      if (verb === 'forward') content.forward_origin = originOf(source);
      Object.assign(content, readTopic(call, chat));
      const message = composeMessage(call.world, chat, senderOf(call.bot), content);
      call.world.keep(chat, message);
      return { message_id: message.message_id };
    });
  };
}

export const copyMessages = many('copy');
export const forwardMessages = many('forward');
