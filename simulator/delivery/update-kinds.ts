import type { Update } from '@grammyjs/types';

export type UpdateKind = Exclude<keyof Update, 'update_id'>;

/** What an update is ordered by: Telegram keeps one queue for each of these (telegram.md 3.3). */
type LaneClass = 'chat' | 'callback' | 'inline' | 'chosen' | 'pay' | 'my' | 'member' | 'other';

type KindRule = { lane: LaneClass; seconds: number };

const DAY = 86_400;

/** Lane class and lifetime of every kind. */
export const updateKinds = {
  message: { lane: 'chat', seconds: DAY },
  edited_message: { lane: 'chat', seconds: DAY },
  channel_post: { lane: 'chat', seconds: DAY },
  edited_channel_post: { lane: 'chat', seconds: DAY },
  business_connection: { lane: 'other', seconds: DAY },
  business_message: { lane: 'other', seconds: DAY },
  edited_business_message: { lane: 'other', seconds: DAY },
  deleted_business_messages: { lane: 'other', seconds: DAY },
  guest_message: { lane: 'chat', seconds: DAY },
  stopped_message_generation: { lane: 'chat', seconds: DAY },
  message_reaction: { lane: 'other', seconds: DAY },
  message_reaction_count: { lane: 'other', seconds: DAY },
  inline_query: { lane: 'inline', seconds: 30 },
  chosen_inline_result: { lane: 'chosen', seconds: 600 },
  callback_query: { lane: 'callback', seconds: 150 },
  shipping_query: { lane: 'pay', seconds: 150 },
  pre_checkout_query: { lane: 'pay', seconds: 150 },
  purchased_paid_media: { lane: 'other', seconds: DAY },
  poll: { lane: 'other', seconds: DAY },
  poll_answer: { lane: 'other', seconds: DAY },
  my_chat_member: { lane: 'my', seconds: DAY },
  chat_member: { lane: 'member', seconds: DAY },
  chat_join_request: { lane: 'member', seconds: DAY },
  chat_boost: { lane: 'other', seconds: DAY },
  removed_chat_boost: { lane: 'other', seconds: DAY },
  managed_bot: { lane: 'other', seconds: DAY },
  subscription: { lane: 'other', seconds: DAY },
} satisfies Record<UpdateKind, KindRule>;

/** Sent only to bots that name them. */
const OPT_IN: ReadonlySet<string> = new Set(['chat_member', 'message_reaction', 'message_reaction_count']);

export function isUpdateKind(name: string): name is UpdateKind {
  return Object.hasOwn(updateKinds, name);
}

/** Whether a bot with this setting receives this kind. */
export function isWanted(kind: UpdateKind, allowed: ReadonlySet<string> | null): boolean {
  return allowed === null ? !OPT_IN.has(kind) : allowed.has(kind);
}

/**
 * The lane of an update. `subject` is the chat for chats and own membership, the user for presses, payments and
 * others' membership, and whatever names it (poll, business connection) for the rest.
 */
export function laneOf(kind: UpdateKind, subject: number | string): string {
  const { lane } = updateKinds[kind];
  return lane === 'other' ? `${kind}:${subject}` : `${lane}:${subject}`;
}
