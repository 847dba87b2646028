// What can happen to a conversation. Telegram's updates are brought to one shape; everything else has its own.

import type { Value } from '../../../contract/variables.ts';

/** What an update is about. A message is named by what it holds; the other kinds of updates by what happened. */
export type IncomingKind =
  // messages of people and channels
  | 'text'
  | 'photo'
  | 'video'
  | 'document'
  | 'voice'
  | 'audio'
  | 'animation'
  | 'videoNote'
  | 'sticker'
  | 'contact'
  | 'location'
  | 'venue'
  | 'poll'
  | 'dice'
  | 'story'
  | 'album'
  | 'game'
  | 'checklist'
  | 'paidMedia'
  | 'richMessage'
  | 'invoice'
  | 'payment'
  | 'refund'
  | 'webAppData'
  | 'shared'
  | 'newMembers'
  | 'leftMember'
  | 'migrated'
  | 'service'
  // what is not a new message
  | 'edited'
  | 'button'
  | 'member'
  | 'joinRequest'
  | 'reaction'
  | 'reactionCount'
  | 'boost'
  | 'boostRemoved'
  | 'inlineQuery'
  | 'chosenInline'
  | 'shipping'
  | 'preCheckout'
  | 'pollState'
  | 'pollAnswer'
  | 'paidMediaBought'
  | 'business'
  | 'businessConnection'
  | 'businessDeleted'
  | 'guest'
  | 'managedBot'
  | 'subscription'
  | 'generationStopped'
  // of the app: what a visitor has sent, and the language that was chosen there
  | 'app'
  | 'language'
  | 'unknown';

export type ChatKind = 'private' | 'group' | 'channel' | 'unknown';

export type EventChat = {
  readonly id: number;
  /** Groups and supergroups are one kind here. */
  readonly kind: ChatKind;
  readonly title: string;
  readonly username: string;
};

export type EventUser = {
  readonly id: number;
  readonly isBot: boolean;
  readonly firstName: string;
  readonly lastName: string;
  readonly username: string;
  /** Telegram's language code, '' when unknown. */
  readonly language: string;
};

/** A file as Telegram names it; of a photo the largest size. */
export type EventFile = {
  readonly kind: 'photo' | 'video' | 'document' | 'voice' | 'audio' | 'animation' | 'videoNote' | 'sticker';
  readonly fileId: string;
  readonly uniqueId: string;
  readonly name: string;
  readonly mime: string;
  /** 0 when Telegram did not say. */
  readonly bytes: number;
};

export type EventContact = {
  readonly phone: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly userId: number;
};
export type EventLocation = { readonly latitude: number; readonly longitude: number };

/** A change of somebody's membership. `ofBot` is a change of this bot itself. */
export type EventMember = {
  readonly ofBot: boolean;
  readonly user: EventUser | null;
  readonly before: string;
  readonly after: string;
};

/**
 * A press of a button. `toEvents` only knows `data`; whoever minted the token fills in `block`, `button` and `use`
 * before the turn. 'foreign': not a token of ours. 'again': a token that was used up before.
 */
export type EventPress = {
  readonly id: string;
  readonly data: string;
  readonly block: string;
  readonly button: string;
  readonly use: 'first' | 'again' | 'foreign';
  /** Key of the effect that sent the button's message, where the caller knows it: tells an old question from the present one. */
  readonly source?: string;
};

/** One thing of an order: `price` is that of one piece. */
export type OrderLine = {
  readonly title: string;
  /** The same in the language of the project, where that is another one. */
  readonly projectTitle?: string | undefined;
  readonly variant: string;
  readonly count: number;
  readonly price: number;
};

/** What a visitor of the app has sent: a form by its id, its values by their fields, and the order where there is one. */
export type EventApp = {
  readonly form: string;
  readonly values: { readonly [field: string]: Value };
  /** The same as the visitor reads it: titles for rows, times for slots, addresses for files. */
  readonly words: { readonly [field: string]: string };
  /** Those of them that are others in the language of the project, in which its owner and its tables read. */
  readonly projectWords?: { readonly [field: string]: string } | undefined;
  /** The language of the page, which the visitor has read and filled in. */
  readonly locale?: string | undefined;
  /** The number that the visitor was told. */
  readonly number: number;
  readonly total: number;
  readonly lines: readonly OrderLine[];
  /** A name: Telegram's, else the field `name` of the form; '' without either. */
  readonly visitor: string;
};

/** An update of Telegram, brought to one shape. Every field is always there; ids that are missing are 0. */
export type IncomingEvent = {
  readonly kind: IncomingKind;
  /** The field of the update, as `message` or `callback_query`; '' when none is known. */
  readonly updateKind: string;
  /** The unique identity of the update: keys of effects begin with it. */
  readonly key: string;
  readonly atMs: number;
  readonly chat: EventChat | null;
  /** Topic of a forum, 0 outside of one. */
  readonly thread: number;
  readonly user: EventUser | null;
  readonly messageId: number;
  /** Text or caption, without NUL and lone surrogates. Offsets in `original` still fit it. */
  readonly text: string;
  readonly album: string;
  readonly files: readonly EventFile[];
  readonly contact: EventContact | null;
  readonly location: EventLocation | null;
  readonly member: EventMember | null;
  readonly press: EventPress | null;
  /** The message that a pressed button hangs on has no text but a caption. */
  readonly pressedMedia: boolean;
  /** A group became another chat: the other id, else 0. */
  readonly migratedTo: number;
  readonly migratedFrom: number;
  readonly app: EventApp | null;
  readonly original: unknown;
};

/** Which conversation an event belongs to. Numbers; 0 where something does not apply. */
export type ConversationKey = { readonly chatId: number; readonly threadId: number; readonly userId: number };

type Internal = { readonly key: string; readonly atMs: number; readonly conversation: ConversationKey };

/** A wait, an input or an outside call ran out of time: `id` is the id of the `timer` effect. */
export type TimerEvent = Internal & { readonly kind: 'timer'; readonly id: string };

/** The answer to a `call` effect. `result` is what Telegram returned. */
export type CallResultEvent = Internal & {
  readonly kind: 'callResult';
  readonly id: string;
  readonly ok: boolean;
  readonly result?: unknown;
  readonly error?: string;
};

/**
 * A message of ours could not be delivered for good. `block` is the block in the key of its effect. `depth`: how many such
 * events led here, one out of the other.
 */
export type BlockedEvent = Internal & { readonly kind: 'blocked'; readonly block: string; readonly depth?: number };

export type FlowEvent = IncomingEvent | TimerEvent | CallResultEvent | BlockedEvent;
