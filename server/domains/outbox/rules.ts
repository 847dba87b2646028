/** What becomes of a message after Telegram's answer, as data: the row's new state and what else must happen. */
export type Decision = {
  state: 0 | 2 | 3 | 4 | 5;
  doubts: number;
  error: string | null;
  pauseMs: number;
  /** Park the chat or the bot for this long. */
  park?: { scope: 'chat' | 'bot'; seconds: number };
  unreachable?: string;
  /** The message's own chat has this id now. */
  migrateTo?: number;
  tokenRefused?: true;
  /** Next time without formatting. */
  plain?: true;
  /** Next time to the chat itself, since its topic is gone. */
  threadless?: true;
  /** Nobody expects it any more: it takes no exit and counts as no loss. */
  unwanted?: true;
};

/** The part of a verdict that decides; the telegram domain reads the answers. */
export type VerdictLike =
  | { kind: 'sent' }
  | { kind: 'done'; reason: string }
  | { kind: 'retry_later'; seconds: number; scope: 'chat' | 'bot' }
  | { kind: 'blocked'; reason: string; words: string }
  | { kind: 'thread_gone'; reason: string }
  | { kind: 'migrate'; toChatId: number }
  | { kind: 'token_invalid'; reason: string }
  | { kind: 'plain_text_once'; reason: string }
  | { kind: 'permanent'; reason: string }
  | { kind: 'not_reached'; reason: string }
  | { kind: 'doubtful'; reason: string };

/** A chat parked longer than this leaves memory and the open index until its time has come. */
export const longParkSeconds = 10;
/** A repeatable call (edit, answer, question) whose answers keep getting lost is given up after so many tries. */
const repeatableTriesMax = 8;
/** One who is not reached is tried for ever, ever more rarely. */
const notReachedPauseMsMax = 60_000;

/**
 * The one place that decides. `plainAlready`: it was sent without formatting before. `inThread`: it names a topic, which
 * is taken away when that is gone. `alone`: it stands in a line of its
 * own (a question, an answer to a press), so that what Telegram refuses is the call, and no chat. `othersRefused`: another chat
 * of its bot was told to wait within the last second, so this is the bot's limit, not the chat's.
 */
export function decide(
  message: {
    tries: number;
    doubts: number;
    repeatable: boolean;
    plainAlready: boolean;
    inThread: boolean;
    alone: boolean;
    othersRefused: boolean;
  },
  verdict: VerdictLike,
): Decision {
  const base = { doubts: message.doubts, error: null, pauseMs: 0 };
  switch (verdict.kind) {
    case 'sent':
      return { ...base, state: 2 };
    case 'done':
      return { ...base, state: 2, error: verdict.reason };
    case 'retry_later': {
      const scope = message.othersRefused && !message.alone ? 'bot' : verdict.scope;
      return {
        ...base,
        state: scope === 'chat' && verdict.seconds > longParkSeconds ? 5 : 0,
        pauseMs: verdict.seconds * 1_000,
        error: `Telegram asked to wait ${verdict.seconds} s.`,
        park: { scope, seconds: verdict.seconds },
      };
    }
    case 'blocked':
      return { ...base, state: 3, error: verdict.words, ...(message.alone ? {} : { unreachable: verdict.reason }) };
    case 'thread_gone':
      return message.inThread
        ? { ...base, state: 0, error: verdict.reason, threadless: true }
        : { ...base, state: 3, error: verdict.reason };
    case 'migrate':
      return message.alone
        ? { ...base, state: 3, error: `The chat is ${verdict.toChatId} now.` }
        : { ...base, state: 0, migrateTo: verdict.toChatId };
    case 'token_invalid':
      return { ...base, state: 0, pauseMs: 5_000, error: verdict.reason, tokenRefused: true };
    case 'plain_text_once':
      return message.plainAlready
        ? { ...base, state: 3, error: verdict.reason }
        : { ...base, state: 0, error: verdict.reason, plain: true };
    case 'permanent':
      return { ...base, state: 3, error: verdict.reason };
    case 'not_reached':
      return { ...base, state: 0, error: verdict.reason, pauseMs: notReachedPauseMs(message.tries) };
    case 'doubtful':
      return message.repeatable
        ? decideRepeatable(message, verdict.reason)
        : decideDoubtful(message.doubts, verdict.reason);
  }
}

/** A message that is not called at all. */
export const refuseUncalled = ({ doubts }: { doubts: number }, error: string): Decision => ({
  state: 3,
  doubts,
  error,
  pauseMs: 0,
});

/** A send has no idempotency key: it is repeated once; a second lost answer is `unknown`, for the operator. */
export function decideDoubtful(doubts: number, reason: string): Decision {
  const lost = doubts + 1;
  return lost >= 2
    ? { state: 4, doubts: 2, error: reason, pauseMs: 0 }
    : { state: 0, doubts: lost, error: reason, pauseMs: 1_000 };
}

function decideRepeatable(message: { tries: number; doubts: number }, reason: string): Decision {
  if (message.tries >= repeatableTriesMax) return { state: 3, doubts: message.doubts, error: reason, pauseMs: 0 };
  return { state: 0, doubts: message.doubts, error: reason, pauseMs: Math.min(30_000, 500 * 2 ** message.tries) };
}

function notReachedPauseMs(tries: number): number {
  return Math.min(notReachedPauseMsMax, 500 * 2 ** Math.min(tries, 10));
}

/** Messages of one bot held in memory, of replies and of bulk each; the rest waits in the table. */
export const botWindowMax = 500;
/** Text of waiting messages in memory; a message has half a kilobyte as a rule, and a page with its blocks may have a hundred. */
export const waitingBytesMax = 32 * 2 ** 20;
/** How much of it bulk may have. */
export const waitingBulkBytesMax = waitingBytesMax / 2;
/** Calls of one bot under way at once: a bot whose calls hang must not hold the others' places. */
export const botInHandMax = 64;
/** How many of them bulk may have. */
export const botBulkInHandMax = 48;
/** Results not yet recorded; beyond it no new call is begun. */
export const unrecordedMax = 4_000;
