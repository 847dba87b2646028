import { type ConversationWrite, writeConversations } from '../../contacts/contacts.ts';
import { stateText } from '../states.ts';
import { lastOf, type OutcomeRow } from './kinds.ts';

/** What is remembered of the conversation. */
export const conversations: OutcomeRow<ConversationWrite> = {
  collect: ({ turn: { need }, release, step, after: { conversation } }) =>
    conversation && step.changed.conversation
      ? {
          integrationId: need.integrationId,
          ...need.conversation,
          releaseNumber: release.number,
          state: stateText(conversation.state, conversation.seen),
          version: conversation.version,
        }
      : undefined,
  write: (tx, rows) => writeConversations(tx, latest(rows)),
  committed: (states, rows) => {
    for (const row of latest(rows)) states.conversationStands(row);
  },
};

const latest = (rows: readonly ConversationWrite[]): ConversationWrite[] =>
  lastOf(rows, (row) => `${row.integrationId} ${row.chatId} ${row.threadId} ${row.userId}`);
