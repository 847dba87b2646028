import type { Message } from '@grammyjs/types';
import { formatText } from '../text/format.ts';
import type { Content } from '../world/compose.ts';
import type { StoredFile } from '../world/files.ts';
import type { MediaFacts, MediaKind } from '../world/media.ts';
import { mediaContent } from '../world/media.ts';
import { mimeOf } from '../world/mime.ts';
import type { World } from '../world/world.ts';
import { say, sayIn } from './person.ts';
import type { Place } from './place.ts';
import { PeopleError, placeOf } from './place.ts';
import { inTopic } from './topics.ts';

/** A file in a person's hand: bytes (base64 in JSON), or the unique id of a file that was sent before. */
export type HeldFile = MediaFacts & {
  kind?: MediaKind;
  bytes?: Buffer;
  base64?: string;
  file_unique_id?: string;
  name?: string;
  mime?: string;
  caption?: string;
};

const NAMES: Readonly<Record<MediaKind, readonly [name: string, mime: string]>> = {
  photo: ['photo.png', 'image/png'],
  video: ['video.mp4', 'video/mp4'],
  animation: ['animation.mp4', 'video/mp4'],
  audio: ['audio.mp3', 'audio/mpeg'],
  document: ['file.txt', 'text/plain'],
  voice: ['voice.ogg', 'audio/ogg'],
  video_note: ['note.mp4', 'video/mp4'],
  sticker: ['sticker.webp', 'image/webp'],
  live_photo: ['live.mp4', 'video/mp4'],
};

/** One grey pixel: enough where a test does not care what the photo shows. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGOoBwAAgQCB3fH+rgAAAABJRU5ErkJggg==',
  'base64',
);

function fileOf(world: World, held: HeldFile, kind: MediaKind): StoredFile {
  if (held.file_unique_id !== undefined) {
    const known = world.files.byUniqueId(held.file_unique_id);
    if (!known) throw new PeopleError(`there is no file ${held.file_unique_id}`);
    return known;
  }
  const [name, mime] = NAMES[kind];
  const fallback = kind === 'photo' ? PIXEL : Buffer.from(`a ${kind}`);
  const bytes = held.bytes ?? (held.base64 === undefined ? fallback : Buffer.from(held.base64, 'base64'));
  return world.files.add(kind, held.name ?? name, held.mime ?? mimeOf(held.name ?? '') ?? mime, bytes);
}

function contentOf(world: World, held: HeldFile, botId: number): Content {
  const kind = held.kind ?? 'photo';
  if (!Object.hasOwn(NAMES, kind)) throw new PeopleError(`there is no media of kind "${kind}"`);
  const file = fileOf(world, held, kind);
  const content = mediaContent(kind, file, { files: world.files, botId }, held);
  if (held.caption) {
    const { text, entities } = formatText(held.caption, undefined, undefined);
    Object.assign(content, { caption: text }, entities.length > 0 ? { caption_entities: entities } : {});
  }
  return content;
}

/** Sends one file. */
export function sendFile(world: World, action: Place & HeldFile & { reply_to?: number }): Message {
  const { chat } = placeOf(world, action);
  return say(world, action, contentOf(world, action, chat.bot?.id ?? 0), action.reply_to);
}

/** Sends an album: as many updates as it has items, all with one media_group_id. */
export function sendAlbum(world: World, action: Place & { items: HeldFile[] }): Message[] {
  const { user, chat } = placeOf(world, action);
  const group = world.takeGroupId();
  const topic = inTopic(world, chat, user, action.topic);
  return action.items.map((item) =>
    sayIn(world, chat, user, { ...contentOf(world, item, chat.bot?.id ?? 0), media_group_id: group, ...topic }),
  );
}

export function sendContact(
  world: World,
  action: Place & { phone_number?: string; first_name?: string; last_name?: string; own?: boolean },
): Message {
  const { user } = placeOf(world, action);
  const own = action.own !== false;
  const contact = {
    phone_number: action.phone_number ?? '+79990000000',
    first_name: action.first_name ?? user.first_name,
    ...(action.last_name ? { last_name: action.last_name } : {}),
    ...(own ? { user_id: user.id } : {}),
  };
  return say(world, action, { contact });
}

export function sendLocation(world: World, action: Place & { latitude?: number; longitude?: number }): Message {
  return say(world, action, {
    location: { latitude: action.latitude ?? 55.7522, longitude: action.longitude ?? 37.6156 },
  });
}
