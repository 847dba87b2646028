import type { Message, User } from '@grammyjs/types';
import type { PendingUpdate } from '../delivery/update-queue.ts';
import type { Conversation } from '../world/conversation.ts';
import type { NewUser, World } from '../world/world.ts';
import type { Injection } from './inject.ts';
import { inject } from './inject.ts';
import type { Place } from './person.ts';
import { findBot, findUser, say, typed } from './person.ts';
import type { Press } from './press.ts';
import { press, pressKey, setBlocked } from './press.ts';

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
    setBlocked(this.#world, action, true);
    return true;
  }

  unblock(action: Place): true {
    setBlocked(this.#world, action, false);
    return true;
  }

  /** Puts bytes into a bot's queue as they are. */
  inject(action: Injection): PendingUpdate | undefined {
    return inject(this.#world, action);
  }
}
