import type { Chat } from '@grammyjs/types';
import { Conversation, type InvoiceTerms, type Keyboard, type Status, type Topic } from '../world/conversation.ts';
import type { World } from '../world/world.ts';

/** A chat as it is kept on the disk. */
export type ChatRecord = {
  chat: Chat;
  bot: number | null;
  messages: [number, string][];
  members: [number, Status][];
  requests: number[];
  reactions: [string, unknown[]][];
  invoices: [number, InvoiceTerms][];
  /** Absent in folders of earlier versions. */
  topics?: [number, Topic][];
  extra: Record<string, unknown>;
  keyboard: Keyboard | null;
  pinned: number[];
  lastMessageId: number;
  opened: boolean;
  ban: Conversation['ban'] | null;
  migratedTo: number | null;
};

/** All of a chat but what was written in it. */
export function recordState(chat: Conversation): Omit<ChatRecord, 'messages'> {
  return {
    chat: chat.chat,
    bot: chat.bot?.id ?? null,
    members: [...chat.members],
    requests: [...chat.requests],
    reactions: [...chat.reactions],
    invoices: [...chat.invoices],
    topics: [...chat.topics],
    extra: chat.extra,
    keyboard: chat.keyboard ?? null,
    pinned: chat.pinned,
    lastMessageId: chat.lastMessageId,
    opened: chat.opened,
    ban: chat.ban ?? null,
    migratedTo: chat.migratedTo ?? null,
  };
}

export const recordChat = (chat: Conversation): ChatRecord => ({
  ...recordState(chat),
  messages: [...chat.messages.entries()],
});

function emptyChat(world: World, record: ChatRecord): Conversation | undefined {
  if (record.bot === null) {
    const group = new Conversation(record.chat);
    world.groups.set(group.id, group);
    return group;
  }
  const bot = world.bots.get(record.bot);
  const user = world.users.get(record.chat.id);
  return bot && user ? world.privateChat(bot, user) : undefined;
}

/** Puts a chat back. `skip` message numbers are left out, so that none is given twice. */
export function restoreChat(world: World, record: ChatRecord, skip: number): void {
  const chat = emptyChat(world, record);
  if (!chat) return;
  chat.messages.restore(record.messages);
  for (const [id, status] of record.members) chat.members.set(id, status);
  for (const id of record.requests) chat.requests.add(id);
  for (const [key, list] of record.reactions) chat.reactions.set(key, list);
  for (const [id, terms] of record.invoices) chat.invoices.set(id, terms);
  for (const [id, topic] of record.topics ?? []) chat.topics.set(id, topic);
  Object.assign(chat.extra, record.extra);
  chat.keyboard = record.keyboard ?? undefined;
  chat.pinned = record.pinned;
  chat.lastMessageId = record.lastMessageId + skip;
  chat.opened = record.opened;
  chat.ban = record.ban ?? undefined;
  chat.migratedTo = record.migratedTo ?? undefined;
}
