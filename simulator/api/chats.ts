import type { Conversation } from '../world/conversation.ts';
import type { Call } from './call.ts';
import { badRequest, forbidden, migrated } from './refusal.ts';
import { readTopic } from './topics.ts';

/** The words Telegram uses for a chat's type. */
function typeWords(chat: Conversation): string {
  const { type } = chat.chat;
  return type === 'group' ? 'group chat' : type === 'supergroup' ? 'supergroup chat' : 'channel chat';
}

function privateChatOf(call: Call, id: number): Conversation {
  const known = call.bot.privates.get(id);
  if (known) return known;
  const user = call.world.users.get(id);
  if (user) {
    if (!call.world.settings.autoChats) return call.world.privateChat(call.bot, user);
  } else if (!call.world.settings.autoChats) {
    throw badRequest('chat not found');
  }
  const chat = call.world.privateChat(call.bot, user ?? { id, is_bot: false, first_name: `Person ${id}` });
  chat.opened = true;
  return chat;
}

/** A group that nobody made; benches may write to it all the same. */
function strangeGroup(call: Call, id: number): Conversation {
  if (!call.world.settings.autoChats) throw badRequest('chat not found');
  const group = call.world.createGroup({ id, type: id < -1_000_000_000_000 ? 'supergroup' : 'group' });
  group.members.set(call.bot.id, 'member');
  return group;
}

/** The chat that a parameter names, by number or @username. */
export function findChat(call: Call, param = 'chat_id'): Conversation {
  const id = call.params[param];
  if (typeof id === 'number') {
    if (id > 0) return privateChatOf(call, id);
    return call.world.groups.get(id) ?? strangeGroup(call, id);
  }
  if (typeof id !== 'string' || id === '') throw badRequest(`${param} is empty`);
  const name = id.replace(/^@/, '').toLowerCase();
  for (const group of call.world.groups.values()) {
    if ('username' in group.chat && group.chat.username?.toLowerCase() === name) return group;
  }
  throw badRequest('chat not found');
}

/** Throws what Telegram says where the bot cannot write (or read) in a private chat. */
function checkPrivate(chat: Conversation): void {
  if (chat.ban === 'blocked') throw forbidden('bot was blocked by the user');
  if (chat.ban === 'deactivated') throw forbidden('user is deactivated');
  if (!chat.opened) throw forbidden("bot can't initiate conversation with a user");
}

/** Throws what Telegram says where the bot is not in a group or channel. */
export function checkGroup(call: Call, chat: Conversation): void {
  if (chat.migratedTo !== undefined) throw migrated(chat.migratedTo);
  if (chat.ban === 'deleted') throw forbidden('the group chat was deleted');
  const status = chat.statusOf(call.bot.id);
  if (status === 'kicked') throw forbidden(`bot was kicked from the ${typeWords(chat)}`);
  if (status === 'left') throw forbidden(`bot is not a member of the ${typeWords(chat)}`);
}

/** The chat of a message to send, where the bot may send it. */
export function writableChat(call: Call): Conversation {
  const chat = findChat(call);
  if (chat.isPrivate) checkPrivate(chat);
  else checkSending(call, chat);
  readTopic(call, chat);
  return chat;
}

function checkSending(call: Call, chat: Conversation): void {
  checkGroup(call, chat);
  const status = chat.statusOf(call.bot.id);
  if (chat.chat.type === 'channel' && status !== 'administrator')
    throw badRequest('need administrator rights in the channel chat');
  if (status === 'restricted') throw badRequest('not enough rights to send text messages to the chat');
}
