import type { Message } from '@grammyjs/types';
import type { Call, Method } from '../api/call.ts';
import { writableChat } from '../api/chats.ts';
import type { Markup } from '../api/markup.ts';
import { applyReplyMarkup, readMarkup } from '../api/markup.ts';
import { badRequest } from '../api/refusal.ts';
import { readTopic } from '../api/topics.ts';
import { codePoints, formatText } from '../text/format.ts';
import type { Content } from '../world/compose.ts';
import { composeMessage, quoted, senderOf } from '../world/compose.ts';
import type { Conversation } from '../world/conversation.ts';

const TEXT_MAX = 4_096;
const CAPTION_MAX = 1_024;

/** Blanks and signs of no width: of these alone a text is empty (`strip_empty_characters` of tdlib). */
const NO_WORDS =
  /^[\s\0\u00a0\u1680\u180e\u2000-\u200f\u2028-\u202e\u202f\u205f\u2060-\u2064\u2800\u3000\ufeff\ufffc]*$/;

const hasWords = (text: string): boolean => !NO_WORDS.test(text);

/** The text of a call, checked and with its marks. */
export function readText(call: Call): Content {
  const raw = call.text('text');
  if (raw === undefined || raw === '') throw badRequest('message text is empty');
  const { text, entities } = formatText(raw, call.text('parse_mode'), call.list('entities'));
  if (!hasWords(text)) throw badRequest('text must be non-empty');
  if (text.length > TEXT_MAX && codePoints(text) > TEXT_MAX) throw badRequest('message is too long');
  const preview = call.object('link_preview_options');
  const content: Content = entities.length > 0 ? { text, entities } : { text };
  return preview
    ? { ...content, link_preview_options: preview as NonNullable<Message['link_preview_options']> }
    : content;
}

/** A caption, where there is one. */
export function readCaption(source: {
  caption?: unknown;
  parse_mode?: unknown;
  caption_entities?: unknown;
  show_caption_above_media?: unknown;
}): Content {
  if (typeof source.caption !== 'string' || source.caption === '') return {};
  const mode = typeof source.parse_mode === 'string' ? source.parse_mode : undefined;
  const marks = Array.isArray(source.caption_entities) ? source.caption_entities : undefined;
  const { text, entities } = formatText(source.caption, mode, marks);
  if (text.length > CAPTION_MAX && codePoints(text) > CAPTION_MAX) throw badRequest('message caption is too long');
  return {
    ...(hasWords(text) ? { caption: text } : {}),
    ...(entities.length > 0 ? { caption_entities: entities } : {}),
    ...(source.show_caption_above_media === true ? { show_caption_above_media: true } : {}),
  };
}

/** The message that is replied to; Telegram refuses one that is gone unless told not to mind. */
function readReply(call: Call, chat: Conversation): Content {
  const reply = call.object('reply_parameters');
  const id = reply?.message_id ?? call.number('reply_to_message_id');
  if (typeof id !== 'number') return {};
  const message = chat.messages.get(id);
  if (message) return { reply_to_message: quoted(message) as NonNullable<Message['reply_to_message']> };
  if (reply?.allow_sending_without_reply === true) return {};
  throw badRequest('message to be replied not found');
}

/** What every sending method can add. */
function readExtras(call: Call, chat: Conversation, markup: Markup | undefined): Content {
  const extras: Content = readReply(call, chat);
  if (markup?.inline) extras.reply_markup = markup.inline;
  if (call.flag('protect_content')) extras.has_protected_content = true;
  Object.assign(extras, readTopic(call, chat));
  const effect = call.text('message_effect_id');
  if (effect !== undefined) extras.effect_id = effect;
  return extras;
}

/** Accepts a message of the bot: counts it against the limits (unless it is counted), numbers it, puts it into the chat. */
export function accept(
  call: Call,
  chat: Conversation,
  content: Content,
  markup: Markup | undefined,
  counted = false,
): Message {
  const extras = readExtras(call, chat, markup);
  if (!counted) call.spend(chat);
  const message = composeMessage(call.world, chat, senderOf(call.bot), Object.assign(content, extras));
  call.messageId = message.message_id;
  if (markup) applyReplyMarkup(chat, markup, message.message_id);
  const json = JSON.stringify(message);
  call.accepted = { message, json };
  call.world.keep(chat, message, json);
  return message;
}

/** sendMessage: the hot path of every bench. */
export const sendMessage: Method = (call) => {
  const chat = writableChat(call);
  const content = readText(call);
  return accept(call, chat, content, readMarkup(call, chat));
};

export const sendChatAction: Method = (call) => {
  const chat = writableChat(call);
  const action = call.text('action') ?? '';
  if (
    !/^(typing|upload_(photo|video|voice|audio|document|video_note)|record_(video|voice|audio|video_note)|choose_sticker|find_location)$/.test(
      action,
    )
  ) {
    throw badRequest('wrong parameter action in request');
  }
  call.world.feed.publish('typing', chat.key, { bot_id: call.bot.id, action });
  return true;
};
