// Turns a text, files and buttons into `send` effects that Telegram accepts: long texts in parts, files as they may be grouped.

import { TELEGRAM_LIMITS } from '../../../contract/limits.ts';
import { isIncoming } from './event-view.ts';
import { fitsOne, partsOf } from './split.ts';
import type { AlbumItem, Effect, Entity, FileRef, Markup, Ref, SendMethod, SendParams } from './step-types.ts';
import type { RichText } from './texts.ts';
import type { Turn } from './turn.ts';
import { readOwn } from './values.ts';

/** A file to send and how. */
export type Sending = { readonly kind: string; readonly file: FileRef };

export type Delivery = {
  readonly chat: 'here' | number;
  readonly thread: number;
  readonly text: RichText;
  readonly files: readonly Sending[];
  readonly markup: Markup | undefined;
  /** Options that every message of the delivery has. */
  readonly options: Pick<
    SendParams,
    'disable_notification' | 'protect_content' | 'link_preview_options' | 'reply_parameters'
  >;
};

type Way = {
  readonly method: SendMethod;
  readonly field: 'photo' | 'video' | 'document' | 'audio' | 'animation' | 'voice' | 'video_note' | 'sticker';
  readonly caption: boolean;
};

const WAYS: { readonly [kind: string]: Way } = {
  photo: { method: 'sendPhoto', field: 'photo', caption: true },
  video: { method: 'sendVideo', field: 'video', caption: true },
  document: { method: 'sendDocument', field: 'document', caption: true },
  audio: { method: 'sendAudio', field: 'audio', caption: true },
  animation: { method: 'sendAnimation', field: 'animation', caption: true },
  voice: { method: 'sendVoice', field: 'voice', caption: true },
  videoNote: { method: 'sendVideoNote', field: 'video_note', caption: false },
  sticker: { method: 'sendSticker', field: 'sticker', caption: false },
};

/** True for what goes to the chat of the conversation itself. */
export function goesHere(effect: { readonly type: Effect['type']; readonly chat?: 'here' | number }): boolean {
  return effect.type === 'send' ? effect.chat === 'here' : ['edit', 'delete', 'typing'].includes(effect.type);
}

/** Makes it a reply to the message that began the turn, where there is one. */
export function replyTo(turn: Turn): Pick<Delivery['options'], 'reply_parameters'> {
  const id = isIncoming(turn.event) ? turn.event.messageId : 0;
  return id === 0 ? {} : { reply_parameters: { message_id: id, allow_sending_without_reply: true } };
}

/** Emits all messages of a delivery. Gives the key of the last one, which has the buttons, or '' when there was nothing to send. */
export function deliver(turn: Turn, delivery: Delivery): Ref {
  const { text, files, markup } = delivery;
  if (files.length === 0) return { key: sendText(turn, delivery, text), media: false };
  if (files.length > 1) return deliverAlbum(turn, delivery);
  const [only] = files as [Sending];
  const caption = text.text !== '' && fitsOne(text, TELEGRAM_LIMITS.captionChars) && wayOf(only).caption;
  if (caption || text.text === '')
    return {
      key: sendFile(turn, delivery, only, caption ? text : null, markup),
      media: true,
      ...(wayOf(only).caption ? {} : { bare: true }),
    };
  sendFile(turn, delivery, only, null, undefined);
  return { key: sendText(turn, delivery, text), media: false };
}

/** Albums carry no buttons: those go with the text, in a message of its own. */
function deliverAlbum(turn: Turn, delivery: Delivery): { readonly key: string; readonly media: boolean } {
  const { text, files, markup } = delivery;
  const asCaption =
    markup === undefined &&
    text.text !== '' &&
    fitsOne(text, TELEGRAM_LIMITS.captionChars) &&
    wayOf(files[0] as Sending).caption;
  let key = '';
  let caption = asCaption ? text : null;
  for (const group of groupFiles(files)) {
    const [first] = group as [Sending];
    key =
      group.length > 1
        ? sendAlbum(turn, delivery, group, caption)
        : sendFile(turn, delivery, first, caption, undefined);
    caption = null;
  }
  if (asCaption || text.text === '') return { key, media: true };
  return { key: sendText(turn, delivery, text), media: false };
}

/** Photos and videos mix; documents and audios stay among themselves; other kinds go alone. */
function groupFiles(files: readonly Sending[]): Sending[][] {
  const groups: { family: string; files: Sending[] }[] = [];
  for (const file of files) {
    const family = familyOf(file.kind);
    const last = groups.at(-1);
    if (last && family !== '' && last.family === family && last.files.length < TELEGRAM_LIMITS.albumItemsMax)
      last.files.push(file);
    else groups.push({ family, files: [file] });
  }
  return groups.map((group) => group.files);
}

/** Which kinds of files may share an album. */
export function familyOf(kind: string): string {
  if (kind === 'photo' || kind === 'video') return 'visual';
  return kind === 'document' || kind === 'audio' ? kind : '';
}

const wayOf = (sending: Sending): Way =>
  readOwn(WAYS, sending.kind) ?? { method: 'sendDocument', field: 'document', caption: true };

function captionParams(caption: RichText | null): { caption?: string; caption_entities?: readonly Entity[] } {
  if (caption === null || caption.text === '') return {};
  return { caption: caption.text, ...(caption.entities.length > 0 ? { caption_entities: caption.entities } : {}) };
}

const markupParams = (markup: Markup | undefined): { reply_markup?: Markup } =>
  markup ? { reply_markup: markup } : {};

function sendFile(
  turn: Turn,
  delivery: Delivery,
  sending: Sending,
  caption: RichText | null,
  markup: Markup | undefined,
): string {
  const way = wayOf(sending);
  const { link_preview_options: _preview, ...options } = delivery.options;
  const params: SendParams = {
    [way.field]: sending.file,
    ...captionParams(way.caption ? caption : null),
    ...markupParams(markup),
    ...options,
  };
  return turn.emit({ type: 'send', chat: delivery.chat, thread: delivery.thread, method: way.method, params });
}

function sendAlbum(turn: Turn, delivery: Delivery, group: readonly Sending[], caption: RichText | null): string {
  const { link_preview_options: _preview, ...options } = delivery.options;
  const media = group.map(
    (sending, index): AlbumItem => ({
      type: sending.kind as AlbumItem['type'],
      media: sending.file,
      ...captionParams(index === 0 ? caption : null),
    }),
  );
  return turn.emit({
    type: 'send',
    chat: delivery.chat,
    thread: delivery.thread,
    method: 'sendMediaGroup',
    params: { media, ...options },
  });
}

/** Sends a text in as many parts as it needs, the buttons under the last one. An empty text cannot be sent. */
function sendText(turn: Turn, delivery: Delivery, text: RichText): string {
  const parts = partsOf(text, TELEGRAM_LIMITS.textChars);
  const { reply_parameters: reply, ...options } = delivery.options;
  let key = '';
  for (const [index, part] of parts.entries()) {
    if (part.text === '') {
      turn.note(turn.block?.id ?? '', 'send', undefined, 'the text is empty, so nothing was sent');
      continue;
    }
    const isLast = index === parts.length - 1;
    const params: SendParams = {
      text: part.text,
      ...(part.entities.length > 0 ? { entities: part.entities } : {}),
      ...(isLast ? markupParams(delivery.markup) : {}),
      ...(index === 0 && reply ? { reply_parameters: reply } : {}),
      ...options,
    };
    key = turn.emit({ type: 'send', chat: delivery.chat, thread: delivery.thread, method: 'sendMessage', params });
  }
  return key;
}
