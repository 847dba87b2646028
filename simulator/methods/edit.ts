import type { Message } from '@grammyjs/types';
import type { Call, Method } from '../api/call.ts';
import { checkGroup, findChat } from '../api/chats.ts';
import { readMarkup } from '../api/markup.ts';
import { badRequest } from '../api/refusal.ts';
import type { Content } from '../world/compose.ts';
import type { Conversation } from '../world/conversation.ts';
import type { MediaKind } from '../world/media.ts';
import { hasMedia } from '../world/media.ts';
import { readChecklist } from './contents.ts';
import { readMedia } from './media.ts';
import { readCaption, readText } from './send.ts';

/** The chat whose message is to be changed. A person who blocked the bot does not keep it from editing. */
export function existingChat(call: Call): Conversation {
  const chat = findChat(call);
  if (!chat.isPrivate) checkGroup(call, chat);
  return chat;
}

function target(call: Call, what = 'message to edit'): { chat: Conversation; message: Message } {
  const id = call.number('message_id');
  if (id === undefined) throw badRequest('message identifier is not specified');
  const chat = existingChat(call);
  const message = chat.messages.get(id);
  if (!message) throw badRequest(`${what} not found`);
  if (chat.chat.type !== 'channel' && message.from?.id !== call.bot.id) throw badRequest("message can't be edited");
  return { chat, message };
}

const CONTENT_FIELDS = [
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
  'live_photo',
  'checklist',
  'location',
  'poll',
  'rich_message',
  'link_preview_options',
  'reply_markup',
  'has_media_spoiler',
] as const;

function sameContent(one: Message, other: Message): boolean {
  return CONTENT_FIELDS.every((field) => JSON.stringify(one[field]) === JSON.stringify(other[field]));
}

/** Replaces some fields of a message: `gone` are taken away first. The keyboard is always the one given, or none. */
function change(call: Call, gone: readonly (keyof Message)[], content: Content): Message {
  const { chat, message } = target(call);
  const markup = readMarkup(call, chat);
  if (markup?.reply) throw badRequest('inline keyboard expected');
  const { reply_markup: _, ...rest } = message;
  const changed: Message = { ...rest };
  for (const field of gone) delete changed[field];
  Object.assign(changed, content, markup?.inline ? { reply_markup: markup.inline } : {});
  if (sameContent(message, changed)) {
    throw badRequest(
      'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
    );
  }
  changed.edit_date = call.world.date();
  call.messageId = changed.message_id;
  call.world.replace(chat, changed);
  return changed;
}

/** Messages sent through inline mode are not kept; editing them always works. */
function unlessInline(edit: Method): Method {
  return (call) =>
    call.text('inline_message_id') !== undefined && call.params.chat_id === undefined ? true : edit(call);
}

export const editMessageText = unlessInline((call) => {
  const content = call.object('rich_message')
    ? ({ rich_message: call.object('rich_message') } as unknown as Content)
    : readText(call);
  const { message } = target(call);
  if (message.text === undefined && message.rich_message === undefined)
    throw badRequest('there is no text in the message to edit');
  return change(call, ['text', 'entities', 'link_preview_options', 'rich_message'], content);
});

export const editMessageCaption = unlessInline((call) => {
  const content = readCaption(call.params);
  const { message } = target(call);
  if (!hasMedia(message)) throw badRequest('there is no caption in the message to edit');
  return change(call, ['caption', 'caption_entities', 'show_caption_above_media'], content);
});

const MEDIA_KINDS: ReadonlySet<string> = new Set(['photo', 'video', 'animation', 'audio', 'document', 'live_photo']);

export const editMessageMedia = unlessInline(async (call) => {
  const media = call.object('media') ?? {};
  if (typeof media.type !== 'string' || !MEDIA_KINDS.has(media.type))
    throw badRequest("can't parse InputMedia: media type is invalid");
  const { message } = target(call);
  if (
    message.media_group_id !== undefined &&
    message.photo === undefined &&
    message.video === undefined &&
    media.type !== 'document' &&
    media.type !== 'audio'
  ) {
    throw badRequest("message content type can't be changed to another");
  }
  const content = await readMedia(call, media.type as MediaKind, 'media', media.media, media);
  const gone = [
    'text',
    'entities',
    'caption',
    'caption_entities',
    'photo',
    'video',
    'animation',
    'audio',
    'document',
    'live_photo',
    'has_media_spoiler',
  ] as const;
  return change(call, gone, content);
});

export const editMessageReplyMarkup = unlessInline((call) => change(call, [], {}));

export const editMessageChecklist: Method = (call) => change(call, ['checklist'], readChecklist(call));

export const editMessageLiveLocation = unlessInline((call) => {
  const { message } = target(call);
  if (message.location?.live_period === undefined) throw badRequest("message can't be edited");
  const location = {
    ...message.location,
    latitude: call.need('latitude', 'latitude is empty'),
    longitude: call.need('longitude', 'longitude is empty'),
  };
  return change(call, [], { location });
});

export const stopMessageLiveLocation = unlessInline((call) => {
  const { message } = target(call);
  const { live_period: period, ...location } = message.location ?? {};
  if (period === undefined) throw badRequest("message can't be edited");
  return change(call, [], { location } as Content);
});

export const stopPoll: Method = (call) => {
  const { message } = target(call, 'message with poll to stop');
  if (!message.poll) throw badRequest('message with poll to stop not found');
  if (message.poll.is_closed) throw badRequest('poll has already been closed');
  return change(call, [], { poll: { ...message.poll, is_closed: true } }).poll;
};
