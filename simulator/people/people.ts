import type { Message, User } from '@grammyjs/types';
import type { PendingUpdate } from '../delivery/update-queue.ts';
import type { Conversation } from '../world/conversation.ts';
import type { NewUser, World } from '../world/world.ts';
import type { AppOpening, OpenedApp } from './apps.ts';
import { allowWriting, customMethod, initData, openApp } from './apps.ts';
import { setBlocked } from './block.ts';
import { edit, erase, react, vote } from './change.ts';
import type { Followed, Following } from './follow.ts';
import { follow } from './follow.ts';
import type { Membership, NewFilledGroup } from './groups.ts';
import * as groups from './groups.ts';
import type { Injection } from './inject.ts';
import { inject } from './inject.ts';
import { choose, inlineQuery, sendWebAppData } from './inline.ts';
import type { Payment, PaymentEnd } from './pay.ts';
import { forcePayment, pay, startPayment } from './pay.ts';
import { say, typed } from './person.ts';
import type { Place } from './place.ts';
import { findBot, findUser } from './place.ts';
import type { Press } from './press.ts';
import { press, pressKey } from './press.ts';
import type { HeldFile } from './share.ts';
import { sendAlbum, sendContact, sendFile, sendLocation } from './share.ts';
import { closeTopic, dropTopic, topic } from './topics.ts';

type Args<Work> = Work extends (world: World, action: infer Action) => unknown ? Action : never;

/** Everything people can do, as methods; the control API offers the same under `/control/act/<name>`. */
export class People {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  create(wish: NewUser = {}): User {
    return this.#world.createUser(wish);
  }

  /** The private chat of a person with a bot. */
  chat(place: { user: number; bot: number }): Conversation {
    return this.#world.privateChat(findBot(this.#world, place.bot), findUser(this.#world, place.user));
  }

  /** Writes a text or a command. */
  text(action: Place & { text: string; entities?: unknown[]; reply_to?: number }): Message {
    return say(this.#world, action, typed(action.text, action.entities), action.reply_to);
  }

  /** Opens the bot: `/start`, with the parameter of a deep link. */
  start(action: Place & { payload?: string }): Message {
    return this.text({ ...action, text: action.payload ? `/start ${action.payload}` : '/start' });
  }

  press(action: Press): { id: string } {
    return { id: press(this.#world, action).id };
  }

  key(action: Place & { text: string }): Message {
    return pressKey(this.#world, action);
  }

  block(action: Place): true {
    return setBlocked(this.#world, action, true);
  }

  unblock(action: Place): true {
    return setBlocked(this.#world, action, false);
  }

  /** Puts bytes into a bot's queue as they are. */
  inject(action: Injection): PendingUpdate | undefined {
    return inject(this.#world, action);
  }

  /** Sends a photo, video, document, voice ...; bytes or base64, a grey pixel where nothing is given. */
  media(action: Place & HeldFile & { reply_to?: number }): Message {
    return sendFile(this.#world, action);
  }

  album(action: Place & { items: HeldFile[] }): Message[] {
    return sendAlbum(this.#world, action);
  }

  contact(action: Args<typeof sendContact>): Message {
    return sendContact(this.#world, action);
  }

  location(action: Args<typeof sendLocation>): Message {
    return sendLocation(this.#world, action);
  }

  edit(action: Args<typeof edit>): Message {
    return edit(this.#world, action);
  }

  erase(action: Args<typeof erase>): true {
    return erase(this.#world, action);
  }

  react(action: Args<typeof react>): true {
    return react(this.#world, action);
  }

  vote(action: Args<typeof vote>): true {
    return vote(this.#world, action);
  }

  /** Pays an invoice and waits for the end. */
  pay(action: Payment): Promise<PaymentEnd> {
    return pay(this.#world, action);
  }

  startPayment(action: Payment): true {
    return startPayment(this.#world, action);
  }

  /** A successful_payment that nobody was asked about. */
  forcePayment(action: Payment): PaymentEnd {
    return forcePayment(this.#world, action);
  }

  createGroup(wish: NewFilledGroup = {}): Conversation {
    return groups.createGroup(this.#world, wish);
  }

  /** Comes into a group, or brings a bot there. */
  join(action: Membership): true {
    return groups.change(this.#world, action, 'member');
  }

  leave(action: Membership): true {
    return groups.change(this.#world, action, 'left');
  }

  kick(action: Membership): true {
    return groups.change(this.#world, action, 'kicked');
  }

  promote(action: Membership): true {
    return groups.change(this.#world, action, 'administrator');
  }

  requestJoin(action: Args<typeof groups.requestJoin>): true {
    return groups.requestJoin(this.#world, action);
  }

  migrate(action: { chat: number }): Conversation {
    return groups.migrate(this.#world, action);
  }

  deleteGroup(action: { chat: number }): true {
    return groups.remove(this.#world, action);
  }

  /** Opens a topic of a forum; the number of this message is the topic's. */
  topic(action: Args<typeof topic>): Message {
    return topic(this.#world, action);
  }

  closeTopic(action: Args<typeof closeTopic>): true {
    return closeTopic(this.#world, action);
  }

  deleteTopic(action: Args<typeof dropTopic>): true {
    return dropTopic(this.#world, action);
  }

  /** The account is gone: bots get 403 "user is deactivated". */
  deactivate(action: { user: number }): true {
    const user = findUser(this.#world, action.user);
    for (const bot of this.#world.bots.values()) {
      const chat = bot.privates.get(user.id);
      if (chat) chat.ban = 'deactivated';
    }
    return true;
  }

  inlineQuery(action: Args<typeof inlineQuery>): Promise<unknown[]> {
    return inlineQuery(this.#world, action);
  }

  choose(action: Args<typeof choose>): true {
    return choose(this.#world, action);
  }

  webAppData(action: Args<typeof sendWebAppData>): Message {
    return sendWebAppData(this.#world, action);
  }

  /** Opens a Mini App: by a button, a key, the menu button or a link. Gives its address and its signed launch. */
  openApp(action: AppOpening): OpenedApp {
    return openApp(this.#world, action);
  }

  /** Presses a t.me link: opens its app, starts its bot, or says that it leads elsewhere. */
  follow(action: Following): Followed {
    return follow(this.#world, action);
  }

  /** A signed launch alone; stale or spoiled where a test asks for it. */
  initData(action: Args<typeof initData>): string {
    return initData(this.#world, action);
  }

  customMethod(action: Args<typeof customMethod>): unknown {
    return customMethod(this.#world, action);
  }

  allowWriting(action: Args<typeof allowWriting>): Message {
    return allowWriting(this.#world, action);
  }
}
