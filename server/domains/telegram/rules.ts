// The one rule for each answer of Telegram.
import type { Outcome } from './outcome.ts';

/** Why a chat cannot be written to any more, until it says otherwise itself. */
export type BlockedReason = 'blocked' | 'deactivated' | 'kicked' | 'not_member' | 'group_deleted' | 'never_started' | 'is_bot';

/** What is to be done after a call. Nothing else may be decided from an answer. */
export type Verdict =
  | { readonly kind: 'sent'; readonly result: unknown }
  /** There was nothing left to do: not modified, gone already, too late. */
  | { readonly kind: 'done'; readonly reason: string }
  /** Telegram said "not before". `chat` when the method has a chat; several chats at once are for the caller to notice. */
  | { readonly kind: 'retry_later'; readonly seconds: number; readonly scope: 'chat' | 'bot' }
  | { readonly kind: 'blocked'; readonly reason: BlockedReason }
  | { readonly kind: 'migrate'; readonly toChatId: number }
  /** To be confirmed before it is believed: tokenRefused in bots. */
  | { readonly kind: 'token_invalid'; readonly reason: string }
  /** The markup was not understood: once more without it. */
  | { readonly kind: 'plain_text_once'; readonly reason: string }
  | { readonly kind: 'permanent'; readonly reason: string }
  | { readonly kind: 'not_reached'; readonly reason: string }
  | { readonly kind: 'doubtful'; readonly reason: string };

/** What an outcome means for the one who called. */
export function verdict(_method: string, _outcome: Outcome): Verdict {
  throw new Error('In the making.');
}

/** True where a repeat does no harm: edits, deletes, answers, settings, questions. Sends have no idempotency key. */
export function isIdempotent(_method: string): boolean {
  throw new Error('In the making.');
}
