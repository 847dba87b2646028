import type { Message } from '@grammyjs/types';
import type { Call, Method } from '../api/call.ts';
import { badRequest } from '../api/refusal.ts';
import type { Conversation } from '../world/conversation.ts';
import { existingChat } from './edit.ts';

/** A bot can delete what is younger than this. */
const DELETE_SECONDS_MAX = 48 * 3600;

function canDelete(call: Call, chat: Conversation, message: Message): boolean {
  const admin = chat.statusOf(call.bot.id) === 'administrator';
  const young = call.world.date() - message.date <= DELETE_SECONDS_MAX;
  return (young && (chat.isPrivate || message.from?.id === call.bot.id)) || admin;
}

export const deleteMessage: Method = (call) => {
  const id = call.need('message_id', 'message identifier is not specified');
  const chat = existingChat(call);
  const message = chat.messages.get(id);
  if (!message) throw badRequest('message to delete not found');
  if (!canDelete(call, chat, message)) throw badRequest("message can't be deleted");
  call.messageId = id;
  call.world.erase(chat, id);
  return true;
};

/** deleteMessages passes over what it does not find. */
export const deleteMessages: Method = (call) => {
  const ids = call.list('message_ids') ?? [];
  if (ids.length === 0) throw badRequest('message identifiers are not specified');
  if (ids.length > 100) throw badRequest('too many message identifiers specified');
  const chat = existingChat(call);
  for (const id of ids) {
    const message = typeof id === 'number' ? chat.messages.get(id) : undefined;
    if (message && canDelete(call, chat, message)) call.world.erase(chat, message.message_id);
  }
  return true;
};
