// Brings any update of Telegram to one shape. Nothing here throws: whatever came is stored and has to become an event.

import { isInheritedName } from '../../../contract/ids.ts';
import { appOf, visitorOf } from './app-event.ts';
import type { EventMember, EventPress, IncomingEvent, IncomingKind } from './event-types.ts';
import { chatAt, type Fields, fieldsOf, idAt, keyAt, objectAt, textAt, userAt } from './update-fields.ts';
import { hasMedia, messageContact, messageFiles, messageKind, messageLocation, messageText } from './update-message.ts';

export type UpdateMeta = { readonly key: string; readonly atMs: number };

type Reader = (content: Fields, event: Draft) => void;
type Draft = { -readonly [Key in keyof IncomingEvent]: IncomingEvent[Key] };

/** One reader a kind of update, as Bot API 10.3 lists them. */
const READERS: { readonly [updateKind: string]: Reader } = {
  message: readMessage,
  channel_post: readMessage,
  edited_message: as('edited', readMessage),
  edited_channel_post: as('edited', readMessage),
  business_message: as('business', readMessage),
  edited_business_message: as('business', readMessage),
  guest_message: as('guest', readMessage),
  business_connection: as('businessConnection', readFrom('user')),
  deleted_business_messages: as('businessDeleted', readFrom('')),
  message_reaction: as('reaction', readFrom('user')),
  message_reaction_count: as('reactionCount', readFrom('')),
  inline_query: as('inlineQuery', readQuery('query')),
  chosen_inline_result: as('chosenInline', readQuery('query')),
  callback_query: as('button', readPress),
  shipping_query: as('shipping', readFrom('from')),
  pre_checkout_query: as('preCheckout', readFrom('from')),
  purchased_paid_media: as('paidMediaBought', readFrom('from')),
  poll: as('pollState', readFrom('')),
  poll_answer: as('pollAnswer', readFrom('user')),
  my_chat_member: as('member', readMember(true)),
  chat_member: as('member', readMember(false)),
  chat_join_request: as('joinRequest', readFrom('from')),
  chat_boost: as('boost', readFrom('')),
  removed_chat_boost: as('boostRemoved', readFrom('')),
  managed_bot: as('managedBot', readFrom('user')),
  subscription: as('subscription', readFrom('user')),
  stopped_message_generation: as('generationStopped', readFrom('from')),
};

/** The kinds of updates that this code knows. */
export const UPDATE_KINDS: readonly string[] = Object.keys(READERS);

/** Keys of what visitors of the app have sent. Telegram's own have digits only, so no update can pass for one. */
const APP_KEY = 'app:';

/**
 * Brings a parsed update of any shape to one event, and what a visitor of the app has sent too. Never throws; what is
 * not known becomes kind 'unknown'.
 */
export function toEvents(update: unknown, meta: UpdateMeta): IncomingEvent {
  const event = emptyEvent(update, meta);
  const fields = fieldsOf(update);
  if (!fields) return event;
  if (meta.key.startsWith(APP_KEY)) {
    const content = objectAt(fields, 'roost');
    if (content) readApp(content, event);
    return event;
  }
  for (const updateKind of Object.keys(fields)) {
    const reader = Object.hasOwn(READERS, updateKind) ? READERS[updateKind] : undefined;
    const content = reader ? objectAt(fields, updateKind) : null;
    if (!reader || !content) continue;
    event.updateKind = updateKind;
    reader(content, event);
    return event;
  }
  event.updateKind =
    Object.keys(fields)
      .find((key) => key !== 'update_id' && !isInheritedName(key))
      ?.slice(0, 64) ?? '';
  return event;
}

function emptyEvent(original: unknown, meta: UpdateMeta): Draft {
  return {
    kind: 'unknown',
    updateKind: '',
    key: meta.key,
    atMs: meta.atMs,
    chat: null,
    thread: 0,
    user: null,
    messageId: 0,
    text: '',
    album: '',
    files: [],
    contact: null,
    location: null,
    member: null,
    press: null,
    pressedMedia: false,
    migratedTo: 0,
    migratedFrom: 0,
    app: null,
    original,
  };
}

/** The visitor's private chat is where the conversation is; a visitor of the site has a lane of that kind and no chat. */
function readApp(content: Fields, event: Draft): void {
  const kind = textAt(content, 'kind');
  const visitor = kind === 'app' || kind === 'language' ? visitorOf(content) : null;
  if (!visitor) return;
  event.kind = kind as 'app' | 'language';
  event.updateKind = 'roost';
  event.chat = { id: visitor.lane, kind: 'private', title: '', username: '' };
  event.user = visitor.user;
  event.app = appOf(content);
}

/** Reads as another kind does, but calls it by its own name. */
function as(kind: IncomingKind, read: Reader): Reader {
  return (content, event) => {
    read(content, event);
    event.kind = kind;
  };
}

function readMessage(message: Fields, event: Draft): void {
  event.chat = chatAt(message, 'chat');
  // Anonymous administrators and channels write under their chat's name; Telegram puts a service account into `from`.
  event.user = objectAt(message, 'sender_chat') ? null : userAt(message, 'from');
  event.messageId = idAt(message, 'message_id');
  event.thread = threadOf(message);
  event.kind = messageKind(message);
  event.text = messageText(message);
  event.album = keyAt(message, 'media_group_id');
  event.files = messageFiles(message);
  event.contact = messageContact(message);
  event.location = messageLocation(message);
  event.migratedTo = idAt(message, 'migrate_to_chat_id');
  event.migratedFrom = idAt(message, 'migrate_from_chat_id');
}

/**
 * A reply in a group without topics carries a thread id too; only a topic is a place of its own. Who writes to a channel
 * directly has a topic of another kind, which is named in another way: kept below zero, so that neither is taken for the
 * other.
 */
function threadOf(message: Fields): number {
  const direct = objectAt(message, 'direct_messages_topic');
  if (direct) return -idAt(direct, 'topic_id') || 0;
  return message['is_topic_message'] === true ? idAt(message, 'message_thread_id') : 0;
}

/** Kinds of which only the place and the person are used so far. */
function readFrom(userField: string): Reader {
  return (content, event) => {
    event.chat = chatAt(content, 'chat');
    event.user = userField === '' ? null : userAt(content, userField);
    event.messageId = idAt(content, 'message_id');
    event.thread = idAt(content, 'message_thread_id');
  };
}

function readQuery(textField: string): Reader {
  return (content, event) => {
    event.user = userAt(content, 'from');
    event.text = textAt(content, textField);
  };
}

function readPress(query: Fields, event: Draft): void {
  const message = objectAt(query, 'message');
  event.user = userAt(query, 'from');
  event.chat = message ? chatAt(message, 'chat') : null;
  event.thread = message ? threadOf(message) : 0;
  event.messageId = message ? idAt(message, 'message_id') : 0;
  event.pressedMedia = message ? hasMedia(message) : false;
  const press: EventPress = {
    id: keyAt(query, 'id'),
    data: textAt(query, 'data'),
    block: '',
    button: '',
    use: 'foreign',
  };
  event.press = press;
}

/** The person is the one whose membership changed; of this bot's own membership, the one who changed it. */
function readMember(ofBot: boolean): Reader {
  return (content, event) => {
    const before = objectAt(content, 'old_chat_member');
    const after = objectAt(content, 'new_chat_member');
    const user = after ? userAt(after, 'user') : null;
    event.chat = chatAt(content, 'chat');
    event.user = ofBot ? userAt(content, 'from') : (user ?? userAt(content, 'from'));
    const member: EventMember = { ofBot, user, before: statusOf(before), after: statusOf(after) };
    event.member = member;
  };
}

/** 'restricted' says nothing about being there: `is_member` does. */
function statusOf(member: Fields | null): string {
  const status = member ? textAt(member, 'status') : '';
  return status === 'restricted' && member?.['is_member'] === false ? 'left' : status;
}

/** Makes one event of the updates of an album, in the order given. The first one names it; captions are joined. */
export function mergeAlbum(events: readonly IncomingEvent[]): IncomingEvent {
  const first = events[0];
  if (!first) throw new RangeError('an album has at least one message');
  if (events.length === 1) return first;
  const originals = events.map((event) => event.original);
  return {
    ...first,
    kind: first.kind === 'edited' ? 'edited' : 'album',
    text: events
      .map((event) => event.text)
      .filter((text) => text !== '')
      .join('\n\n'),
    files: events.flatMap((event) => event.files),
    original: originals,
  };
}

/** Own fields of the message behind an event, for kinds that keep more than this shape has. */
export function contentOf(event: IncomingEvent): { readonly [key: string]: unknown } | null {
  const fields = fieldsOf(event.original);
  return fields && event.updateKind !== '' ? objectAt(fields, event.updateKind) : null;
}
