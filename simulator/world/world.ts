import { randomInt } from 'node:crypto';
import type { Chat, Message, User, UserFromGetMe } from '@grammyjs/types';
import { AppKey } from '../apps/app-key.ts';
import { AppStorage } from '../apps/app-storage.ts';
import type { Clock } from '../clock.ts';
import type { Outward } from '../delivery/outward.ts';
import type { UpdateKind } from '../delivery/update-kinds.ts';
import { isWanted } from '../delivery/update-kinds.ts';
import type { PendingUpdate } from '../delivery/update-queue.ts';
import { UpdateQueue } from '../delivery/update-queue.ts';
import type { Random } from '../random.ts';
import { between } from '../random.ts';
import type { Settings } from '../settings.ts';
import { Bot } from './bot.ts';
import { Conversation } from './conversation.ts';
import { Feed } from './feed.ts';
import { FileStore } from './files.ts';
import { Payments } from './payments.ts';
import { Queries } from './queries.ts';

/** What a new bot may be told; the rest is made up. */
export type NewBot = {
  token?: string;
  id?: number;
  username?: string;
  first_name?: string;
  readsAllGroupMessages?: boolean;
  nextUpdateId?: number;
  /** Its private chats have topics. */
  topics?: boolean;
};

export type NewUser = Partial<User> & { first_name?: string };

export type NewGroup = {
  id?: number;
  type?: 'group' | 'supergroup' | 'channel';
  title?: string;
  username?: string;
  is_forum?: boolean;
  /** The direct messages of a channel: a supergroup in which each person has a topic. */
  is_direct_messages?: boolean;
};

/** What a world is given that the settings do not say. */
export type WorldParts = {
  readonly outward: Outward;
  /** The folder of a Local Bot API server. */
  readonly local?: string | undefined;
  /** A seed repeats everything, tokens too: for tests and benches. */
  readonly secrets: 'seeded' | 'unguessable';
};

const TOKEN_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';

/** Everybody and everything: bots, people, chats, files, open questions. */
export class World {
  readonly clock: Clock;
  readonly settings: Settings;
  readonly random: Random;
  /** Fetches the files that bots name by an address. */
  readonly outward: Outward;
  readonly #secrets: WorldParts['secrets'];
  readonly feed: Feed;
  readonly files: FileStore;
  readonly queries: Queries;
  readonly payments: Payments;
  readonly appKey = new AppKey();
  readonly appStorage = new AppStorage();
  readonly botsByToken = new Map<string, Bot>();
  readonly bots = new Map<number, Bot>();
  readonly users = new Map<number, User>();
  readonly groups = new Map<number, Conversation>();
  /** Numbers to be given out next. */
  readonly next = { bot: 7_000_000_001, user: 100_001, group: 1_000_000_001, album: 13_000_000_000_001 };

  constructor(clock: Clock, settings: Settings, random: Random, parts: WorldParts) {
    this.clock = clock;
    this.settings = settings;
    this.random = random;
    this.outward = parts.outward;
    this.#secrets = parts.secrets;
    this.feed = new Feed(Math.floor(clock.wall()).toString(36));
    this.files = new FileStore(random, parts.local);
    this.queries = new Queries(clock, random);
    this.payments = new Payments(random);
  }

  /** Seconds of the date, as Telegram dates things. */
  date(): number {
    return Math.floor(this.clock.wall() / 1000);
  }

  /** The next number that nobody was given by name. */
  #free(kind: 'bot' | 'user', taken: ReadonlyMap<number, unknown>): number {
    while (taken.has(this.next[kind])) this.next[kind] += 1;
    return this.next[kind]++;
  }

  /** A new bot, or the one that has this token already. */
  createBot(wish: NewBot = {}): Bot {
    const known = wish.token === undefined ? undefined : this.botsByToken.get(wish.token);
    if (known) return known;
    const id = wish.id ?? (wish.token ? Number(wish.token.split(':')[0]) : this.#free('bot', this.bots));
    if (!Number.isSafeInteger(id) || this.bots.has(id))
      throw new Error(`a bot needs a number of its own, ${id} is none`);
    const token = wish.token ?? this.#newToken(id);
    const user: UserFromGetMe = {
      id,
      is_bot: true,
      first_name: wish.first_name ?? `Bot ${this.bots.size + 1}`,
      username: wish.username ?? `sim${id}_bot`,
      can_join_groups: true,
      can_read_all_group_messages: wish.readsAllGroupMessages ?? false,
      can_manage_bots: false,
      supports_inline_queries: true,
      can_connect_to_business: false,
      has_main_web_app: false,
      has_topics_enabled: wish.topics ?? false,
      allows_users_to_create_topics: false,
      supports_guest_queries: false,
      supports_join_request_queries: false,
    };
    const bot = new Bot(token, user, new UpdateQueue(this.clock, this.settings, this.random));
    bot.servedSince = this.clock.mono();
    if (wish.nextUpdateId !== undefined) bot.queue.nextUpdateId = wish.nextUpdateId;
    this.bots.set(id, bot);
    this.botsByToken.set(token, bot);
    this.feed.publish('bot', '', { id, first_name: user.first_name });
    return bot;
  }

  #newToken(id: number): string {
    let secret = '';
    const { length } = TOKEN_LETTERS;
    const pick = (): number => (this.#secrets === 'seeded' ? between(this.random, 0, length - 1) : randomInt(length));
    for (let index = 0; index < 35; index++) secret += TOKEN_LETTERS[pick()];
    return `${id}:${secret}`;
  }

  /** The old token stops working, as at @BotFather; the new one is made up where none is given. */
  revokeToken(bot: Bot, token = this.#newToken(bot.id)): string {
    this.botsByToken.delete(bot.token);
    bot.token = token;
    this.botsByToken.set(bot.token, bot);
    return bot.token;
  }

  createUser(wish: NewUser = {}): User {
    const id = wish.id ?? this.#free('user', this.users);
    const user: User = { ...wish, id, is_bot: false, first_name: wish.first_name ?? `Person ${id}` };
    this.users.set(id, user);
    this.feed.publish('user', '', user);
    return user;
  }

  /** A group or channel with nobody in it. */
  createGroup(wish: NewGroup = {}): Conversation {
    const type = wish.type ?? 'supergroup';
    const number = wish.id ?? (type === 'group' ? -this.next.group++ : -1_000_000_000_000 - this.next.group++);
    const title = wish.title ?? 'Group';
    const names = wish.username ? { username: wish.username } : {};
    const chat = {
      id: number,
      type,
      title,
      ...names,
      ...(wish.is_forum ? { is_forum: true } : {}),
      ...(wish.is_direct_messages ? { is_direct_messages: true } : {}),
    } as Chat;
    const conversation = new Conversation(chat);
    this.groups.set(number, conversation);
    return conversation;
  }

  /** The chat of a person with a bot, made when it is first needed. */
  privateChat(bot: Bot, user: User): Conversation {
    let chat = bot.privates.get(user.id);
    if (!chat) {
      const { id, first_name, last_name, username } = user;
      const peer = {
        id,
        first_name,
        ...(last_name ? { last_name } : {}),
        ...(username ? { username } : {}),
        type: 'private',
      } as Chat;
      chat = new Conversation(peer, bot, user);
      bot.privates.set(user.id, chat);
    }
    return chat;
  }

  /** What the messages of one album share. */
  takeGroupId(): string {
    return String(this.next.album++);
  }

  /** Hands an update to a bot, unless the bot does not want its kind. */
  update(
    bot: Bot,
    kind: UpdateKind,
    subject: number | string,
    chatId: number,
    payload: unknown,
  ): PendingUpdate | undefined {
    if (!isWanted(kind, bot.allowedUpdates)) return undefined;
    return bot.queue.push({ kind, subject, chatId, payload });
  }

  /** Puts a message into a chat and shows it to people; updates are the caller's. `json` is the message once more. */
  keep(chat: Conversation, message: Message, json = JSON.stringify(message)): void {
    chat.messages.set(message, json, this.settings.historyMax);
    this.feed.publish('message', chat.key, message);
  }

  replace(chat: Conversation, message: Message): void {
    chat.messages.set(message, JSON.stringify(message), this.settings.historyMax);
    this.feed.publish('edit', chat.key, message);
  }

  erase(chat: Conversation, messageId: number): boolean {
    if (!chat.messages.delete(messageId)) return false;
    this.feed.publish('delete', chat.key, { message_id: messageId });
    return true;
  }
}
