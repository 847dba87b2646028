import type { Chat, User } from '@grammyjs/types';
import { composeMessage } from '../world/compose.ts';
import type { Conversation, Status } from '../world/conversation.ts';
import { setStatus } from '../world/membership.ts';
import type { NewGroup, World } from '../world/world.ts';
import { findUser, PeopleError } from './place.ts';
import { showToBots } from './visibility.ts';

/** A group with people and bots in it from the start. */
export type NewFilledGroup = NewGroup & { creator?: number; members?: number[]; bots?: number[]; admins?: number[] };

function groupOf(world: World, id: number): Conversation {
  const chat = world.groups.get(id);
  if (!chat) throw new PeopleError(`there is no group ${id}`);
  return chat;
}

/** Somebody who does what nobody in particular does. */
function actorOf(world: World, chat: Conversation, id: number | undefined): User {
  if (id !== undefined) return findUser(world, id);
  for (const [member, status] of chat.members) {
    const user = world.users.get(member);
    if (user && status === 'creator') return user;
  }
  return world.users.values().next().value ?? world.createUser({ first_name: 'Owner' });
}

/** Makes a group; its bots hear that they were added. `admins` names people and bots. */
export function createGroup(world: World, wish: NewFilledGroup = {}): Conversation {
  const chat = world.createGroup(wish);
  const { creator, members = [], bots = [], admins = [] } = wish;
  if (creator !== undefined) chat.members.set(findUser(world, creator).id, 'creator');
  for (const id of members) if (!chat.has(id)) chat.members.set(findUser(world, id).id, 'member');
  for (const id of admins) if (world.users.has(id)) chat.members.set(id, 'administrator');
  const actor = actorOf(world, chat, creator);
  for (const id of [...bots, ...admins]) {
    if (world.bots.has(id)) setStatus(world, chat, actor, id, admins.includes(id) ? 'administrator' : 'member');
  }
  return chat;
}

export type Membership = { chat: number; user?: number; bot?: number; by?: number };

/** Changes what a person or bot is in a group. */
export function change(world: World, action: Membership, status: Status): true {
  const chat = groupOf(world, action.chat);
  const id = action.user ?? action.bot;
  if (id === undefined || !(world.users.has(id) || world.bots.has(id))) throw new PeopleError('say which user or bot');
  setStatus(world, chat, actorOf(world, chat, action.by ?? action.user), id, status);
  return true;
}

/** Asks to join; an administrator bot decides. */
export function requestJoin(world: World, action: { chat: number; user: number; bio?: string }): true {
  const chat = groupOf(world, action.chat);
  const user = findUser(world, action.user);
  chat.requests.add(user.id);
  const request = {
    chat: chat.chat,
    from: user,
    user_chat_id: user.id,
    date: world.date(),
    ...(action.bio ? { bio: action.bio } : {}),
  };
  for (const [id, status] of chat.members) {
    const bot = status === 'administrator' ? world.bots.get(id) : undefined;
    if (bot) world.update(bot, 'chat_join_request', user.id, chat.id, request);
  }
  return true;
}

/** Turns a group into a supergroup: a new number, and one service message on each side. */
export function migrate(world: World, action: { chat: number }): Conversation {
  const old = groupOf(world, action.chat);
  if (old.chat.type !== 'group') throw new PeopleError('only a group can become a supergroup');
  const fresh = world.createGroup({ type: 'supergroup', title: (old.chat as Chat.GroupChat).title });
  for (const [id, status] of old.members) fresh.members.set(id, status);
  const actor = actorOf(world, old, undefined);
  const there = composeMessage(world, old, actor, { migrate_to_chat_id: fresh.id });
  world.keep(old, there);
  showToBots(world, old, there);
  old.migratedTo = fresh.id;
  const here = composeMessage(world, fresh, actor, { migrate_from_chat_id: old.id });
  world.keep(fresh, here);
  showToBots(world, fresh, here);
  return fresh;
}

/** The group is gone for everybody. */
export function remove(world: World, action: { chat: number }): true {
  groupOf(world, action.chat).ban = 'deleted';
  return true;
}
