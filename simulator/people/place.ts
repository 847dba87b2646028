import type { User } from '@grammyjs/types';
import type { Bot } from '../world/bot.ts';
import type { Conversation } from '../world/conversation.ts';
import type { World } from '../world/world.ts';

/** A mistake in what a test or a page asked a person to do. */
export class PeopleError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PeopleError';
  }
}

/** Where a person acts: a bot's number for the private chat, or a group's number; and a topic of it. */
export type Place = { user: number; bot?: number; chat?: number; topic?: number };

export function findUser(world: World, id: number): User {
  const user = world.users.get(id);
  if (!user) throw new PeopleError(`there is no person ${id}`);
  return user;
}

export function findBot(world: World, id: number): Bot {
  const bot = world.bots.get(id);
  if (!bot) throw new PeopleError(`there is no bot ${id}`);
  return bot;
}

/** The person and the chat of an action. A group must have the person in it. */
export function placeOf(world: World, place: Place): { user: User; chat: Conversation } {
  const user = findUser(world, place.user);
  if (place.chat !== undefined && place.chat < 0) {
    const chat = world.groups.get(place.chat);
    if (!chat) throw new PeopleError(`there is no chat ${place.chat}`);
    if (!chat.isDirect && !chat.has(user.id)) throw new PeopleError(`${user.first_name} is not in chat ${place.chat}`);
    return { user, chat };
  }
  if (place.bot === undefined) throw new PeopleError('say which bot or which group');
  return { user, chat: world.privateChat(findBot(world, place.bot), user) };
}
