/**
 * Telegram's limits as arithmetic on times given in. About 30 messages a second a bot, one a second a chat with a
 * small burst, 20 a minute a group (Bots FAQ; the true limits are not fixed, so a 429 also slows us down).
 * The windows are a little longer than a second, so that jitter on the way cannot squeeze 31 into one; and what
 * counts is the moment of the call, not of the decision, which a slow commit may lie between.
 */
export const botPerWindow = 30;
export const botWindowMs = 1_030;
export const chatSpacingMs = 1_020;
export const chatBurst = 3;
export const groupPerMinute = 20;
export const groupWindowMs = 60_500;
const cleanMsForOneMore = 10_000;

/** Places in a window, one after another, taken before the call is made. */
export type Slot = { turn: number; places: number };

/** At most `size` in any `windowMs`: remembers the last `size` moments. A slot whose call is still to come blocks. */
class SlidingWindow {
  readonly #moments: Float64Array;
  readonly #windowMs: number;
  /** Counts slots for ever; the ring index is its remainder. */
  #taken = 0;

  constructor(size: number, windowMs: number) {
    this.#moments = new Float64Array(size).fill(Number.NEGATIVE_INFINITY);
    this.#windowMs = windowMs;
  }

  /** The first moment at which so many more fit, when only `allowed` of the size may be used; an empty window takes any number. */
  freeAtMs(allowed: number, places = 1): number {
    const size = this.#moments.length;
    const back = Math.max(1, Math.min(allowed, size) - places + 1);
    return (this.#moments[(this.#taken - back + 2 * size) % size] ?? 0) + this.#windowMs;
  }

  /** Takes places for a call that is still to come. */
  reserve(places = 1): Slot {
    const slot = { turn: this.#taken, places };
    this.#taken += places;
    this.use(slot, Number.POSITIVE_INFINITY);
    return slot;
  }

  /** The call of reserved places is made now; or it will not be made, which frees them the same way. */
  use({ turn, places }: Slot, nowMs: number): void {
    const size = this.#moments.length;
    // A place that a later one has taken over is long past.
    for (let place = turn; place < turn + places; place += 1)
      if (this.#taken - place <= size) this.#moments[place % size] = nowMs;
  }

  take(nowMs: number, places = 1): void {
    this.use(this.reserve(places), nowMs);
  }

  /** From when on all places are free; Infinity while a call is still to come. */
  emptyAtMs(): number {
    return (
      this.#moments.reduce((latest, moment) => Math.max(latest, moment), Number.NEGATIVE_INFINITY) + this.#windowMs
    );
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

  /** Bulk (class 1) has four fifths of the places: 24 of 30 a second. */
  freeAtMs(nowMs: number, places = 1, of: 0 | 1 = 0): number {
    this.#regain(nowMs);
    const allowed = of === 0 ? this.#allowed : Math.max(1, Math.floor((this.#allowed * 4) / 5));
    return this.#window.freeAtMs(allowed, places);
  }

  reserve(places = 1): Slot {
    return this.#window.reserve(places);
  }

  use(slot: Slot, nowMs: number): void {
    this.#window.use(slot, nowMs);
  }

  take(nowMs: number, places = 1): void {
    this.#window.take(nowMs, places);
  }

  /** True when it would count as one that has never sent: nothing of it has to be remembered. */
  isRested(nowMs: number): boolean {
    this.#regain(nowMs);
    return this.#allowed === botPerWindow && this.#window.emptyAtMs() < nowMs;
  }

  #regain(nowMs: number): void {
    if (this.#allowed === botPerWindow || nowMs - this.#cleanSinceMs < cleanMsForOneMore) return;
    const gained = Math.floor((nowMs - this.#cleanSinceMs) / cleanMsForOneMore);
    this.#allowed = Math.min(botPerWindow, this.#allowed + gained);
    this.#cleanSinceMs += gained * cleanMsForOneMore;
  }

  slowDown(nowMs: number): void {
    this.#allowed = Math.max(1, Math.floor(this.#allowed / 2));
    this.#cleanSinceMs = nowMs;
  }

  fill(nowMs: number): void {
    this.#window.fill(nowMs);
  }
}

/**
 * The pace of one chat: a private chat by spacing with a burst, a group (negative id) by its minute too. An album is one
 * message to a person's spacing, and all of its items to a group's minute.
 */
export class ChatPace {
  #earliestMs = Number.NEGATIVE_INFINITY;
  #tookMs = 0;
  #slot: Slot | undefined;
  readonly #minute: SlidingWindow | undefined;

  constructor(chatId: number) {
    if (chatId < 0) this.#minute = new SlidingWindow(groupPerMinute, groupWindowMs);
  }

  /** True when it would count as one that has never sent: three seconds after the last for a person, a minute for a group. */
  isRested(nowMs: number): boolean {
    return this.#earliestMs < nowMs && (this.#minute === undefined || this.#minute.emptyAtMs() < nowMs);
  }

  freeAtMs(places = 1): number {
    const spaced = this.#earliestMs - (chatBurst - 1) * chatSpacingMs;
    return this.#minute ? Math.max(spaced, this.#minute.freeAtMs(groupPerMinute, places)) : spaced;
  }

  take(nowMs: number, places = 1): void {
    this.#earliestMs = Math.max(this.#earliestMs, nowMs) + chatSpacingMs;
    this.#slot = this.#minute?.reserve(places);
    this.#minute?.use(this.#slot as Slot, nowMs);
    this.#tookMs = nowMs;
  }

  /** What was taken last is called, or has arrived, only at this moment: everything moves by as much. */
  called(nowMs: number): void {
    this.#earliestMs += Math.max(0, nowMs - this.#tookMs);
    this.#tookMs = Math.max(this.#tookMs, nowMs);
    if (this.#slot) this.#minute?.use(this.#slot, nowMs);
  }

  /** Counts a message that a former owner sent `agoMs` ago. */
  remember(sentMs: number, places = 1): void {
    this.#earliestMs = Math.max(this.#earliestMs, sentMs) + chatSpacingMs;
    this.#minute?.take(sentMs, places);
  }
}

/**
 * How long an answer usually takes, by API root. What one takes beyond that may all have passed before the call
 * arrived (a busy machine, a slow way), and then it counts there that much later: without this 41 messages were seen
 * to arrive within one second on a machine under load. Nothing is usual at first, so the first ones count late.
 */
export class RoundTrips {
  readonly #usualMs = new Map<string, number>();

  /** Notes one round trip and says how much longer than usual it took; seconds where a process was frozen. */
  extraMs(apiRoot: string, tookMs: number): number {
    if (this.#usualMs.size >= 1_000) this.#usualMs.clear();
    const usualMs = this.#usualMs.get(apiRoot) ?? 0;
    this.#usualMs.set(apiRoot, tookMs < usualMs ? tookMs : usualMs + (tookMs - usualMs) * 0.02);
    return Math.max(0, tookMs - usualMs);
  }
}

/** Two chats that are refused within this time show that it is the bot's limit. */
const refusalMs = 1_000;

/** The last refusal (429) of a bot, to tell a chat's limit from the bot's. Monotonic milliseconds. */
export class Refusals {
  #atMs = Number.NEGATIVE_INFINITY;
  #chatId = 0;

  /** Another chat was refused a moment ago. */
  elsewhere(chatId: number, nowMs: number): boolean {
    return this.#chatId !== chatId && nowMs - this.#atMs < refusalMs;
  }

  add(chatId: number, nowMs: number): void {
    this.#chatId = chatId;
    this.#atMs = nowMs;
  }

  isRested(nowMs: number): boolean {
    return nowMs - this.#atMs > refusalMs;
  }
}

/** Methods that do not count: they are no messages, and are answered even while messages must wait. */
const uncounted = new Set([
  'getChatMember',
  'getChat',
  'answerCallbackQuery',
  'answerPreCheckoutQuery',
  'sendChatAction',
  'deleteMessage',
  'deleteMessages',
]);

/** How many messages a call counts as: none, one, or the items of an album, each of which is a message to Telegram. */
export function placesOf(method: string, params: string): number {
  if (uncounted.has(method)) return 0;
  return method === 'sendMediaGroup' ? ((JSON.parse(params) as { media?: unknown[] }).media?.length ?? 1) : 1;
}
