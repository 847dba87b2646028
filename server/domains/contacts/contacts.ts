/** The people and chats a bot knows: what is remembered of them, and of each conversation. The caller owns the transaction. */
import type { Tx } from '../../../kernel/db.ts';
import { migrateContact, migrateConversations } from './sql.ts';

export { type Profile, profileText, toContactWrite } from './rules.ts';
export {
  type ContactRow,
  type ContactWrite,
  type ConversationRow,
  type ConversationWrite,
  findBotMemories,
  findContacts,
  findConversations,
  findUnreachable,
  markReachable,
  markUnreachable,
  writeBotMemories,
  writeContacts,
  writeConversations,
} from './sql.ts';

/**
 * Moves what is remembered of a chat to its new id. Repeating it changes nothing. Both statements leave at once. Timers
 * and reports keep the old id: `findConversations` says where it leads.
 */
export function migrateChat(tx: Tx, chat: { integrationId: number; fromId: number; toId: number }): Promise<unknown> {
  return Promise.all([migrateContact(tx, chat), migrateConversations(tx, chat)]);
}
