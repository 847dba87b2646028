// What a message holds: its kind, its files, what was shared with it.

import type { EventContact, EventFile, EventLocation, IncomingKind } from './event-types.ts';
import { type Fields, fieldsOf, idAt, listAt, objectAt, textAt } from './update-fields.ts';

/** Kinds by the field that proves them, the telling ones first: an animation also has `document`, a venue `location`. */
const KIND_FIELDS: readonly (readonly [string, IncomingKind])[] = [
  ['successful_payment', 'payment'],
  ['refunded_payment', 'refund'],
  ['web_app_data', 'webAppData'],
  ['users_shared', 'shared'],
  ['chat_shared', 'shared'],
  ['user_shared', 'shared'],
  ['new_chat_members', 'newMembers'],
  ['left_chat_member', 'leftMember'],
  ['migrate_to_chat_id', 'migrated'],
  ['migrate_from_chat_id', 'migrated'],
  ['animation', 'animation'],
  ['audio', 'audio'],
  ['live_photo', 'photo'],
  ['photo', 'photo'],
  ['sticker', 'sticker'],
  ['story', 'story'],
  ['video_note', 'videoNote'],
  ['video', 'video'],
  ['voice', 'voice'],
  ['document', 'document'],
  ['paid_media', 'paidMedia'],
  ['checklist', 'checklist'],
  ['contact', 'contact'],
  ['dice', 'dice'],
  ['game', 'game'],
  ['poll', 'poll'],
  ['venue', 'venue'],
  ['location', 'location'],
  ['rich_message', 'richMessage'],
  ['invoice', 'invoice'],
];

/** Fields that stand beside every content; any other own field of a message without content is a service notice. */
const FRAME_FIELDS: ReadonlySet<string> = new Set([
  'message_id',
  'message_thread_id',
  'direct_messages_topic',
  'from',
  'sender_chat',
  'sender_boost_count',
  'sender_business_bot',
  'sender_tag',
  'receiver_user',
  'ephemeral_message_id',
  'date',
  'guest_query_id',
  'business_connection_id',
  'chat',
  'forward_origin',
  'is_topic_message',
  'is_automatic_forward',
  'reply_to_message',
  'external_reply',
  'quote',
  'reply_to_story',
  'reply_to_checklist_task_id',
  'reply_to_poll_option_id',
  'via_bot',
  'guest_bot_caller_user',
  'guest_bot_caller_chat',
  'edit_date',
  'has_protected_content',
  'is_from_offline',
  'is_paid_post',
  'media_group_id',
  'author_signature',
  'paid_star_count',
  'link_preview_options',
  'suggested_post_info',
  'effect_id',
  'reply_markup',
  'entities',
  'caption',
  'caption_entities',
]);

/** What a message is about. */
export function messageKind(message: Fields): IncomingKind {
  if (typeof message['text'] === 'string') return 'text';
  for (const [field, kind] of KIND_FIELDS) {
    if (Object.hasOwn(message, field) && message[field] !== null) return kind;
  }
  return Object.keys(message).some((field) => !FRAME_FIELDS.has(field)) ? 'service' : 'unknown';
}

/** Text of a text message or caption of a file. */
export function messageText(message: Fields): string {
  return textAt(message, 'text') || textAt(message, 'caption');
}

/** True for a message whose words are a caption: edits of it go another way. */
export function hasMedia(message: Fields): boolean {
  return FILE_KINDS.some(([field]) => objectAt(message, field) !== null) || listAt(message, 'photo').length > 0;
}

const FILE_KINDS: readonly (readonly [string, EventFile['kind']])[] = [
  ['animation', 'animation'],
  ['audio', 'audio'],
  ['sticker', 'sticker'],
  ['video_note', 'videoNote'],
  ['video', 'video'],
  ['voice', 'voice'],
  ['document', 'document'],
];

/** The file of a message: of a photo the largest size, of an animation not the document that comes with it. */
export function messageFiles(message: Fields): EventFile[] {
  const live = objectAt(message, 'live_photo');
  const sizes = [...listAt(message, 'photo'), ...(live ? listAt(live, 'photo') : [])]
    .map(fieldsOf)
    .filter((size) => size !== null);
  const largest = sizes.reduce<Fields | null>(
    (best, size) => (best === null || area(size) > area(best) ? size : best),
    null,
  );
  if (largest) return onlyNamed([toFile(largest, 'photo')]);
  for (const [field, kind] of FILE_KINDS) {
    const file = objectAt(message, field);
    if (file) return onlyNamed([toFile(file, kind)]);
  }
  return [];
}

const area = (size: Fields): number => idAt(size, 'width') * idAt(size, 'height');
const onlyNamed = (files: EventFile[]): EventFile[] => files.filter((file) => file.fileId !== '');

function toFile(file: Fields, kind: EventFile['kind']): EventFile {
  return {
    kind,
    fileId: textAt(file, 'file_id'),
    uniqueId: textAt(file, 'file_unique_id'),
    name: textAt(file, 'file_name'),
    mime: textAt(file, 'mime_type'),
    bytes: Math.max(0, idAt(file, 'file_size')),
  };
}

export function messageContact(message: Fields): EventContact | null {
  const contact = objectAt(message, 'contact');
  const phone = contact ? textAt(contact, 'phone_number') : '';
  if (!contact || phone === '') return null;
  return {
    phone,
    firstName: textAt(contact, 'first_name'),
    lastName: textAt(contact, 'last_name'),
    userId: idAt(contact, 'user_id'),
  };
}

export function messageLocation(message: Fields): EventLocation | null {
  const venue = objectAt(message, 'venue');
  const location = objectAt(message, 'location') ?? (venue ? objectAt(venue, 'location') : null);
  const latitude = location?.['latitude'];
  const longitude = location?.['longitude'];
  const isPlace =
    typeof latitude === 'number' &&
    typeof longitude === 'number' &&
    Math.abs(latitude) <= 90 &&
    Math.abs(longitude) <= 180;
  return isPlace ? { latitude, longitude } : null;
}
