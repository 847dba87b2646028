import type { Message, PhotoSize } from '@grammyjs/types';
import type { Content } from './compose.ts';
import type { FileStore, StoredFile } from './files.ts';
import { imageSize } from './image-size.ts';

/** Kinds of media a message can carry. */
export type MediaKind =
  | 'photo'
  | 'video'
  | 'animation'
  | 'audio'
  | 'document'
  | 'voice'
  | 'video_note'
  | 'sticker'
  | 'live_photo';

/** What the sender says about the media beside the bytes. */
export type MediaFacts = {
  duration?: number;
  width?: number;
  height?: number;
  performer?: string;
  title?: string;
  length?: number;
  emoji?: string;
  has_spoiler?: boolean;
};

const THUMB_SIDE = 90;

/** A photo as Telegram lists it: a small size first, the full one last, each a file of its own. */
function photoSizes(file: StoredFile, holder: Holder): PhotoSize[] {
  const { width, height } = imageSize(file.bytes) ?? { width: 1280, height: 720 };
  const full = { ...namesOf(file, holder), width, height };
  const scale = THUMB_SIDE / Math.max(width, height);
  if (scale >= 1) return [full];
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  return [{ ...namesOf(holder.files.smallOf(file, size), holder), ...size }, full];
}

/** Who is shown a file: each bot knows it by an id of its own. */
export type Holder = { readonly files: FileStore; readonly botId: number };

const namesOf = (file: StoredFile, { files, botId }: Holder) => ({
  file_id: files.idFor(file, botId),
  file_unique_id: file.uniqueId,
  file_size: file.bytes.length,
});

/** The fields of a message that carries this file. */
export function mediaContent(kind: MediaKind, file: StoredFile, holder: Holder, facts: MediaFacts = {}): Content {
  const common = namesOf(file, holder);
  const named = { ...common, mime_type: file.mime, file_name: file.name };
  const size = { width: facts.width ?? 640, height: facts.height ?? 360 };
  const duration = facts.duration ?? 0;
  const spoiler: Content = facts.has_spoiler ? { has_media_spoiler: true } : {};
  switch (kind) {
    case 'photo':
      return { photo: photoSizes(file, holder), ...spoiler };
    case 'video':
      return { video: { ...named, ...size, duration }, ...spoiler };
    case 'animation': {
      const animation = { ...named, ...size, duration };
      return { animation, document: named, ...spoiler };
    }
    case 'audio': {
      const words = {
        ...(facts.performer ? { performer: facts.performer } : {}),
        ...(facts.title ? { title: facts.title } : {}),
      };
      return { audio: { ...named, duration, ...words } };
    }
    case 'voice':
      return { voice: { ...common, mime_type: file.mime, duration } };
    case 'video_note':
      return { video_note: { ...common, length: facts.length ?? 240, duration } };
    case 'sticker': {
      const { width, height } = imageSize(file.bytes) ?? { width: 512, height: 512 };
      const emoji = facts.emoji ? { emoji: facts.emoji } : {};
      return { sticker: { ...common, type: 'regular', width, height, is_animated: false, is_video: false, ...emoji } };
    }
    case 'live_photo':
      return { live_photo: { ...common, ...size, duration, mime_type: file.mime } };
    default:
      return { document: named };
  }
}

const MEDIA_FIELDS = [
  'photo',
  'video',
  'animation',
  'audio',
  'document',
  'voice',
  'video_note',
  'sticker',
  'live_photo',
  'paid_media',
] as const;

export function hasMedia(message: Message): boolean {
  return MEDIA_FIELDS.some((field) => message[field] !== undefined);
}

/** A message as another bot sees it: the same files under its own ids. */
export function rekey<Value>(value: Value, files: FileStore, botId: number): Value {
  const text = JSON.stringify(value, (name, part: unknown) => {
    if (name !== 'file_id' || typeof part !== 'string') return part;
    return files.rekey(part, botId);
  });
  return JSON.parse(text) as Value;
}
