/**
 * Telegram's limits as arithmetic on times given in. About 30 messages a second a bot, one a second a chat with a
 * small burst, 20 a minute a group (Bots FAQ; the true limits are not fixed, so a 429 also slows us down).
 * The windows are a little longer than a second, so that jitter on the way cannot squeeze 31 into one.
 */
export const botPerWindow = 30;
export const botWindowMs = 1_030;
export const chatSpacingMs = 1_020;
export const chatBurst = 3;
export const groupPerMinute = 20;
export const groupWindowMs = 60_500;
const cleanMsForOneMore = 10_000;

/** At most `size` in any `windowMs`: remembers the last `size` moments. */
class SlidingWindow {
  readonly #moments: Float64Array;
  readonly #windowMs: number;
  #next = 0;

  constructor(size: number, windowMs: number) {
    this.#moments = new Float64Array(size).fill(Number.NEGATIVE_INFINITY);
    this.#windowMs = windowMs;
  }

  /** The first moment at which one more fits, when only `allowed` of the size may be used. */
  freeAtMs(allowed: number): number {
    const size = this.#moments.length;
    const index = (this.#next - Math.min(allowed, size) + 2 * size) % size;
    return (this.#moments[index] ?? 0) + this.#windowMs;
  }

  take(nowMs: number): void {
    this.#moments[this.#next] = nowMs;
    this.#next = (this.#next + 1) % this.#moments.length;
  }

  /** As if `count` had just been sent: where it is not known what a former owner sent. */
  fill(nowMs: number, count = this.#moments.length): void {
    for (let index = 0; index < count; index += 1) this.take(nowMs);
  }
}

/** The pace of one bot. After a 429 it halves, and gains one a second for each clean ten seconds. */
export class BotPace {
  readonly #window = new SlidingWindow(botPerWindow, botWindowMs);
  #allowed = botPerWindow;
  #cleanSinceMs = 0;

  freeAtMs(nowMs: number): number {
    if (this.#allowed < botPerWindow && nowMs - this.#cleanSinceMs >= cleanMsForOneMore) {
      const gained = Math.floor((nowMs - this.#cleanSinceMs) / cleanMsForOneMore);
      this.#allowed = Math.min(botPerWindow, this.#allowed + gained);
      this.#cleanSinceMs += gained * cleanMsForOneMore;
    }
    return this.#window.freeAtMs(this.#allowed);
  }

  take(nowMs: number): void {
    this.#window.take(nowMs);
  }

  slowDown(nowMs: number): void {
    this.#allowed = Math.max(1, Math.floor(this.#allowed / 2));
    this.#cleanSinceMs = nowMs;
  }

  fill(nowMs: number): void {
    this.#window.fill(nowMs);
  }
}

/** The pace of one chat: a private chat by spacing with a burst, a group (negative id) by its minute too. */
export class ChatPace {
  #earliestMs = Number.NEGATIVE_INFINITY;
  readonly #minute: SlidingWindow | undefined;

  constructor(chatId: number) {
    if (chatId < 0) this.#minute = new SlidingWindow(groupPerMinute, groupWindowMs);
  }

  freeAtMs(): number {
    const spaced = this.#earliestMs - (chatBurst - 1) * chatSpacingMs;
    return this.#minute ? Math.max(spaced, this.#minute.freeAtMs(groupPerMinute)) : spaced;
  }

  take(nowMs: number): void {
    this.#earliestMs = Math.max(this.#earliestMs, nowMs) + chatSpacingMs;
    this.#minute?.take(nowMs);
  }

  /** Counts a message that a former owner sent `agoMs` ago. */
  remember(sentMs: number): void {
    this.#earliestMs = Math.max(this.#earliestMs, sentMs) + chatSpacingMs;
    this.#minute?.take(sentMs);
  }
}

/** Methods that do not count: they are no messages, and are answered even while messages must wait. */
const uncounted = new Set(['getChatMember', 'getChat', 'answerCallbackQuery', 'answerPreCheckoutQuery', 'sendChatAction', 'deleteMessage', 'deleteMessages']);

export const countsAsMessage = (method: string): boolean => !uncounted.has(method);
