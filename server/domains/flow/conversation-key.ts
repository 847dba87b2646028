// Which conversation an event belongs to.

import type { CompiledRelease } from './compile.ts';
import type { ConversationKey, FlowEvent } from './event-types.ts';
import { isIncoming } from './event-view.ts';

/** One a (chat, thread) in private chats and channels; in groups one a (chat, thread, person) unless the flow says otherwise. */
export function conversationKey(release: CompiledRelease, event: FlowEvent): ConversationKey {
  if (!isIncoming(event)) return event.conversation;
  const { chat, user } = event;
  // A press under an inline message and queries have no chat: the person's own chat with the bot stands in.
  if (!chat) return { chatId: user?.id ?? 0, threadId: 0, userId: 0 };
  const apart = chat.kind === 'group' && release.document.groups !== 'chat';
  return { chatId: chat.id, threadId: event.thread, userId: apart ? (user?.id ?? 0) : 0 };
}
