import type { Message } from '@grammyjs/types';
import type { Call, Method } from '../api/call.ts';
import { writableChat } from '../api/chats.ts';
import { readMarkup } from '../api/markup.ts';
import { badRequest } from '../api/refusal.ts';
import type { Content } from '../world/compose.ts';
import type { MediaFacts, MediaKind } from '../world/media.ts';
import { mediaContent } from '../world/media.ts';
import { resolveFile } from './input-file.ts';
import { accept, readCaption } from './send.ts';

type Source = Readonly<Record<string, unknown>>;

/** What the caller says about its media. */
export function readFacts(source: Source): MediaFacts {
  const facts: MediaFacts = {};
  for (const name of ['duration', 'width', 'height', 'length'] as const) {
    const value = source[name];
    if (typeof value === 'number') facts[name] = value;
  }
  for (const name of ['performer', 'title', 'emoji'] as const) {
    const value = source[name];
    if (typeof value === 'string') facts[name] = value;
  }
  if (source.has_spoiler === true) facts.has_spoiler = true;
  return facts;
}

/** The message content of one media, its caption included. */
export async function readMedia(
  call: Call,
  kind: MediaKind,
  param: string,
  value: unknown,
  source: Source,
): Promise<Content> {
  const caption = readCaption(source);
  const file = await resolveFile(call, kind, param, value);
  const holder = { files: call.world.files, botId: call.bot.id };
  return { ...mediaContent(kind, file, holder, readFacts(source)), ...caption };
}

/** A method that sends one file. */
export function sendMedia(kind: MediaKind, param: string = kind): Method {
  return async (call) => {
    const chat = writableChat(call);
    const markup = readMarkup(call, chat);
    const content = await readMedia(call, kind, param, call.params[param], call.params);
    return accept(call, chat, content, markup);
  };
}

const ALBUM_KINDS: Readonly<Record<string, MediaKind>> = {
  photo: 'photo',
  video: 'video',
  audio: 'audio',
  document: 'document',
  live_photo: 'live_photo',
};

/** Documents and audio files are only grouped among themselves. */
function checkMix(kinds: readonly MediaKind[]): void {
  const alone = kinds.find((kind) => kind === 'document' || kind === 'audio');
  if (alone && kinds.some((kind) => kind !== alone)) throw badRequest(`${alone} can't be mixed with other media types`);
}

/** sendMediaGroup: all or nothing, one number a message, one group id. */
export const sendMediaGroup: Method = async (call) => {
  const chat = writableChat(call);
  const media = call.list('media') ?? [];
  if (media.length === 0 || media.length > 10)
    throw badRequest(media.length === 0 ? 'there are no media to send' : 'too many messages to send as an album');
  const items = media.map((item) =>
    typeof item === 'object' && item !== null ? (item as Record<string, unknown>) : {},
  );
  const kinds = items.map((item) => {
    const kind = ALBUM_KINDS[String(item.type)];
    if (!kind)
      throw badRequest("can't parse InputMedia: type must be one of photo, video, audio, document or live_photo");
    return kind;
  });
  checkMix(kinds);
  const contents: Content[] = [];
  for (const [index, item] of items.entries())
    contents.push(await readMedia(call, kinds[index] ?? 'photo', 'media', item.media, item));
  // One alone is an ordinary message.
  const group = contents.length > 1 ? { media_group_id: call.world.takeGroupId() } : {};
  call.spend(chat, contents.length, true);
  const messages: Message[] = contents.map((content) => accept(call, chat, { ...content, ...group }, undefined, true));
  return messages;
};

const PAID_KINDS: Readonly<Record<string, MediaKind>> = { photo: 'photo', video: 'video', live_photo: 'live_photo' };

/** sendPaidMedia. */
export const sendPaidMedia: Method = async (call) => {
  const chat = writableChat(call);
  const stars = call.need('star_count', 'parameter "star_count" is required');
  const paid: unknown[] = [];
  for (const item of call.list('media') ?? []) {
    const fields = item as Record<string, unknown>;
    const kind = PAID_KINDS[String(fields.type)];
    if (!kind) throw badRequest("can't parse InputPaidMedia: wrong type");
    const content = await readMedia(call, kind, 'media', fields.media, fields);
    paid.push({ type: kind, [kind]: content[kind as 'photo'] });
  }
  const content = { paid_media: { star_count: stars, paid_media: paid }, ...readCaption(call.params) } as Content;
  return accept(call, chat, content, readMarkup(call, chat));
};
