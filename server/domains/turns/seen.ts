// One message under two update_ids has its effect once. Pure.

/**
 * The messages that a conversation has had last: the chat, then their numbers in it, the newest last. Telegram can
 * deliver a message under a second update_id (nickoala/telepot#46 and #18: the same message_id, one after the other).
 */
export type Seen = readonly number[];

/** The messages of a turn: their chat and numbers; several for an album, and the mark by which it is known again. */
export type Messages = { readonly chatId: number; readonly ids: readonly number[]; readonly album?: number };

/**
 * So many are remembered, or all parts of the last album. Each by its number, not as "up to this one": a dead letter
 * that is put back has a lower number than what was handled meanwhile.
 */
const seenMax = 8;

/**
 * Which messages these updates bring; undefined where they bring something else. An edit has the number of its message
 * and comes as often as somebody edits; messages of business accounts are counted in another mailbox; 0 is no number.
 */
export function messagesOf(updates: readonly unknown[]): Messages | undefined {
  const ids: number[] = [];
  let chatId = 0;
  let album = 0;
  for (const update of updates) {
    const { message, channel_post: post } = (update ?? {}) as { message?: Content; channel_post?: Content };
    const content = message ?? post;
    const id = content?.message_id;
    const chat = content?.chat?.id;
    if (!isNumber(id) || !isNumber(chat)) return undefined;
    ids.push(id);
    chatId = chat;
    if (typeof content?.media_group_id === 'string' && content.media_group_id !== '')
      album = albumMark(content.media_group_id);
  }
  return album === 0 ? { chatId, ids } : { chatId, ids, album };
}

type Content = { message_id?: unknown; chat?: { id?: unknown } | null; media_group_id?: unknown } | null;

/** Stands among the numbers of messages, so it is below 0, where no message has its number. */
function albumMark(group: string): number {
  let hash = 0;
  for (let index = 0; index < group.length; index += 1) hash = (Math.imul(hash, 31) + group.charCodeAt(index)) >>> 0;
  return -1 - hash;
}

const isNumber = (id: unknown): id is number => typeof id === 'number' && Number.isSafeInteger(id) && id !== 0;

/** True where the conversation has had all of them. */
export function hasSeen(seen: Seen, messages: Messages | undefined): boolean {
  return messages !== undefined && seen[0] === messages.chatId && messages.ids.every((id) => seen.indexOf(id, 1) > 0);
}

/**
 * True for parts of an album that was answered before they came, later than anybody waits for: they would begin once more
 * what the album has begun.
 */
export function isLate(seen: Seen, messages: Messages | undefined): boolean {
  return messages?.album !== undefined && seen[0] === messages.chatId && seen.indexOf(messages.album, 1) > 0;
}

/** What is remembered after a turn. Numbers of another chat (the group is a supergroup now) are forgotten. */
export function withSeen(seen: Seen, messages: Messages | undefined): Seen {
  if (!messages) return seen;
  const { chatId, ids, album } = messages;
  const fresh = album === undefined ? ids : [album, ...ids];
  const all = seen[0] === chatId ? [...seen.slice(1), ...fresh] : fresh;
  return [chatId, ...all.slice(-Math.max(seenMax, fresh.length))];
}

/** The parts of an album, each once. */
export function distinctParts<Part>(parts: readonly Part[], updateOf: (part: Part) => unknown): readonly Part[] {
  if (parts.length === 1) return parts;
  const ids = new Set<number>();
  return parts.filter((part) => {
    const id = messagesOf([updateOf(part)])?.ids[0];
    const isNew = id === undefined || !ids.has(id);
    if (id !== undefined) ids.add(id);
    return isNew;
  });
}
