import type { Chat, User } from '@grammyjs/types';
import type { Bot } from './bot.ts';
import { History } from './history.ts';

/** What somebody is in a group or channel. */
export type Status = 'creator' | 'administrator' | 'member' | 'restricted' | 'left' | 'kicked';

/** The keyboard under a person's input field, as the last message that carried one set it. */
export type Keyboard = { markup: Record<string, unknown>; messageId: number };

/** What is paid for with an invoice; people never see the payload. */
export type InvoiceTerms = {
  botId: number;
  title: string;
  currency: string;
  total: number;
  payload: string;
  subscription?: number;
};

/**
 * A topic of a forum, by the number of the message that opened it; or, in the direct messages of a channel, everything
 * between one person and the channel, by a number of its own.
 */
export type Topic = { name: string; closed: boolean; userId?: number };

/** Why a bot cannot send here, and the reverse. */
export type Ban = 'blocked' | 'deactivated' | 'deleted';

/**
 * One chat: a person with one bot, or a group or channel with everybody in it. It gives out message numbers
 * and keeps the last messages; a message is replaced when it is edited, never changed.
 */
export class Conversation {
  readonly chat: Chat;
  /** The bot of a private chat. */
  readonly bot: Bot | undefined;
  /** The person of a private chat. */
  readonly peer: User | undefined;
  /** Groups and channels: what people and bots are in it, by id. */
  readonly members = new Map<number, Status>();
  readonly messages = new History();
  /** Names the chat across bots: the same person talks to several bots in several chats of the same id. */
  readonly key: string;
  /** What set* methods added to getChat. */
  readonly extra: Record<string, unknown> = {};
  /** People who asked to join. */
  readonly requests = new Set<number>();
  /** Reactions, by message and who gave them: `<message>:<user or bot>`. */
  readonly reactions = new Map<string, unknown[]>();
  /** What an invoice of this chat asks for, by its message. */
  readonly invoices = new Map<number, InvoiceTerms>();
  /** What is written in parts, by `message_thread_id` or `direct_messages_topic_id`. Those that were deleted are gone. */
  readonly topics = new Map<number, Topic>();
  lastMessageId = 0;
  keyboard: Keyboard | undefined;
  pinned: number[] = [];
  /** The bot may write only after the person wrote first. */
  opened = false;
  ban: Ban | undefined;
  migratedTo: number | undefined;
  /** When the next message may be accepted: private chats use one number, groups a window. */
  nextFreeMs = 0;
  window: number[] | undefined;

  constructor(chat: Chat, bot?: Bot, peer?: User) {
    this.chat = chat;
    this.bot = bot;
    this.peer = peer;
    this.key = bot ? `${bot.id}:${chat.id}` : `${chat.id}`;
  }

  get id(): number {
    return this.chat.id;
  }

  get isPrivate(): boolean {
    return this.bot !== undefined;
  }

  get isForum(): boolean {
    return this.bot ? this.bot.user.has_topics_enabled : 'is_forum' in this.chat && this.chat.is_forum === true;
  }

  /** The direct messages of a channel: a chat of its own, in which each person has a topic. */
  get isDirect(): boolean {
    return 'is_direct_messages' in this.chat && this.chat.is_direct_messages === true;
  }

  takeMessageId(): number {
    this.lastMessageId += 1;
    return this.lastMessageId;
  }

  statusOf(id: number): Status {
    return this.members.get(id) ?? 'left';
  }

  has(id: number): boolean {
    const status = this.members.get(id);
    return status !== undefined && status !== 'left' && status !== 'kicked';
  }
}
