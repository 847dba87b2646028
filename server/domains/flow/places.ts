// In which kind of chat a turn happens, as far as Telegram's rules tell them apart. Pure.

import type { FlowEvent } from './event-types.ts';
import { isIncoming } from './event-view.ts';
import type { ConversationState } from './step-types.ts';
import type { Place } from './taken.ts';

/** The kind of the chat that a turn writes to. What is not known is taken for the kind in which Telegram takes least. */
export function placeOf(event: FlowEvent, conversation: ConversationState | null): Place {
  if (isIncoming(event)) {
    if (event.chat === null) return 'private';
    return event.chat.kind === 'unknown' ? placeOfId(event.chat.id) : event.chat.kind;
  }
  // A timer and a report name the chat by its number alone. Only in groups is a conversation one person's.
  const { chatId, userId } = event.conversation;
  const place = placeOfId(chatId);
  return place === 'channel' && (userId !== 0 || (conversation !== null && !conversation.channel)) ? 'group' : place;
}

/** Supergroups and channels have numbers of one kind, and fewer parts of a message are taken in channels. */
export function placeOfId(chatId: number): Place {
  if (chatId >= 0 || chatId < -(2 ** 52)) return 'private';
  return chatId > -1_000_000_000_000 ? 'group' : 'channel';
}
