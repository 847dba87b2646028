// The one rule for each answer of Telegram. The only place that reads meaning into its error texts: codes
// alone do not tell (a 403 whose text is ALL_CAPS arrives as 400), and texts change, so they are compared
// without case and anywhere in the description ("Bad Request: " or "Forbidden: " may stand before them).
// Sources: tdlib/telegram-bot-api Client.cpp fail_query_with_error, and public reports.
import type { Outcome, Refused } from './outcome.ts';

/** Why a chat cannot be written to any more, until it says otherwise itself. */
export type BlockedReason =
  | 'blocked'
  | 'deactivated'
  | 'kicked'
  | 'not_member'
  | 'group_deleted'
  | 'never_started'
  | 'is_bot';

/** What is to be done after a call. Nothing else may be decided from an answer. */
export type Verdict =
  | { readonly kind: 'sent'; readonly result: unknown }
  /** There was nothing left to do: not modified, gone already, too late. */
  | { readonly kind: 'done'; readonly reason: string }
  /** Telegram said "not before". `chat` when the method has a chat; several chats at once are for the caller to notice. */
  | { readonly kind: 'retry_later'; readonly seconds: number; readonly scope: 'chat' | 'bot' }
  /** `words` are Telegram's, for the operator. */
  | { readonly kind: 'blocked'; readonly reason: BlockedReason; readonly words: string }
  /** The topic is gone or closed; the chat around it may still be there. */
  | { readonly kind: 'thread_gone'; readonly reason: string }
  | { readonly kind: 'migrate'; readonly toChatId: number }
  /** To be confirmed before it is believed: TokenWatch in bots. */
  | { readonly kind: 'token_invalid'; readonly reason: string }
  /** The markup, or a rich message as a whole, was not understood: once more as plain words. */
  | { readonly kind: 'plain_text_once'; readonly reason: string }
  | { readonly kind: 'permanent'; readonly reason: string }
  | { readonly kind: 'not_reached'; readonly reason: string }
  | { readonly kind: 'doubtful'; readonly reason: string };

/** A 429 that names no time; the shortest that does any good. */
const retrySecondsDefault = 5;
/** Longer waits are asked for again when this is over; a number without bound fits into no column. */
const retrySecondsMax = 30 * 86_400;

/** What an outcome means for the one who called. */
export function verdict(method: string, outcome: Outcome): Verdict {
  switch (outcome.kind) {
    case 'ok':
      return { kind: 'sent', result: outcome.result };
    case 'unreached':
      return { kind: 'not_reached', reason: outcome.reason };
    case 'doubtful':
      return { kind: 'doubtful', reason: outcome.reason };
    case 'refused':
      return refusedVerdict(method, outcome);
  }
}

/** Another program polls with this token, sets its webhook, or a webhook stands in the way of polling. */
export function isConflict(outcome: Outcome): outcome is Refused {
  return outcome.kind === 'refused' && outcome.code === 409;
}

/** A 409 because a webhook is set, as opposed to another poller. */
export function isWebhookConflict(outcome: Outcome): boolean {
  return isConflict(outcome) && says(outcome.description, 'webhook is active');
}

function refusedVerdict(method: string, refused: Refused): Verdict {
  const { code, description: text } = refused;
  const reason = `${code} ${text}`.trim();
  if (refused.migrateToChatId !== undefined) return { kind: 'migrate', toChatId: refused.migrateToChatId };
  // 420 is Telegram's inner form of 429 and should not reach bots.
  if (code === 429 || code === 420)
    return { kind: 'retry_later', seconds: waitSeconds(refused), scope: hasChat(method) ? 'chat' : 'bot' };
  // "terminated by other setWebhook": over in a moment; no send is ever answered so.
  if (code === 409) return { kind: 'retry_later', seconds: retrySecondsDefault, scope: 'bot' };
  if (code === 401) return { kind: 'token_invalid', reason };
  // A token that Telegram never gave is "404 Not Found"; a method it does not have says so.
  if (code === 404 && !says(text, 'method not found')) return { kind: 'token_invalid', reason };
  const blocked = blockedTexts.find(([part]) => says(text, part));
  if (blocked) return { kind: 'blocked', reason: blocked[1], words: reason };
  if (threadTexts.some((part) => says(text, part))) return { kind: 'thread_gone', reason };
  // For a send these words are about another message (the one it answers or copies): it did not go out.
  if (isIdempotent(method) && doneTexts.some((part) => says(text, part))) return { kind: 'done', reason };
  if (markupTexts.some((part) => says(text, part))) return { kind: 'plain_text_once', reason };
  return { kind: isPage(method) ? 'plain_text_once' : 'permanent', reason };
}

/** A server from before Bot API 10.1 knows no rich messages, and one block that Telegram refuses would lose all the words. */
const isPage = (method: string): boolean => method === 'sendRichMessage';

function waitSeconds(refused: Refused): number {
  const written = /retry after (\d+)/i.exec(refused.description)?.[1];
  const seconds = refused.retryAfterSeconds ?? (written === undefined ? retrySecondsDefault : Number(written));
  // 0 would be a tight loop.
  return Math.max(1, Math.min(retrySecondsMax, seconds));
}

function says(text: string, part: string): boolean {
  return text.toLowerCase().includes(part);
}

const blockedTexts: readonly (readonly [part: string, reason: BlockedReason])[] = [
  ['bot was blocked by the user', 'blocked'],
  ['user_is_blocked', 'blocked'],
  ['user is deactivated', 'deactivated'],
  ['user_deactivated', 'deactivated'],
  ['bot was kicked', 'kicked'],
  ['bot is not a member', 'not_member'],
  ['channel_private', 'not_member'],
  ['group chat was deleted', 'group_deleted'],
  ["bot can't initiate conversation", 'never_started'],
  ["bot can't send messages to bots", 'is_bot'],
  ['user_is_bot', 'is_bot'],
];

const threadTexts: readonly string[] = [
  'message thread not found',
  'topic_deleted',
  'topic_closed',
  'topic_id_invalid',
];

const doneTexts: readonly string[] = [
  'is not modified',
  'not_modified',
  'message to edit not found',
  'message to delete not found',
  'message to be edited not found',
  "message can't be edited",
  "message can't be deleted",
  'message_id_invalid',
  'message_delete_forbidden',
  'query is too old',
  'query id is invalid',
  'query_id_invalid',
];

const markupTexts: readonly string[] = [
  "can't parse entities",
  "can't parse message text",
  "can't parse caption",
  'entity_bounds_invalid',
  'entities_too_long',
];

/** Methods that speak to no chat: a 429 for one of them is the whole bot's. */
function hasChat(method: string): boolean {
  return !/^(answer|set(webhook|my|passport|sticker|custom|user)|delete(webhook|my|sticker)|get(me|my|webhook|updates|file|star|sticker|custom|user|business)|logout|close$)/i.test(
    method,
  );
}

/**
 * True where a repeat does no harm: edits, deletes, answers, settings, questions. Sends have no idempotency
 * key (tdlib/telegram-bot-api#126, #482), and whatever is not known here counts as a send.
 */
export function isIdempotent(method: string): boolean {
  if (sendsDespiteName.test(method)) return false;
  return harmless.test(method);
}

/** A guest or Mini App answer puts a message into a chat. */
const sendsDespiteName = /^answer(webapp|guest)/i;
const harmless =
  /^(edit|answer|delete|set|get|stop|pin|unpin|ban|unban|restrict|promote|approve|decline|leave|hide|unhide|close|reopen|revoke|read|verify|remove|logOut$|sendChatAction$)/i;
