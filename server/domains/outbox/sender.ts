import { TimeHeap } from '../../../kernel/heap.ts';
import { atTurnsEnd } from '../../../kernel/soon.ts';
import { shortCalls } from '../telegram/telegram.ts';
import { LineBook } from './book.ts';
import { Caller, type CallerDeps } from './caller.ts';
import { Flights } from './files.ts';
import type { BotLine, ChatLine } from './lines.ts';
import { Marker } from './marker.ts';
import { freshMessage, type Message } from './message.ts';
import { botInHandMax, botWindowMax, unrecordedMax } from './rules.ts';
import type { NewMessage, Placed } from './sql.ts';

/**
 * Calls under way at once in one process, as many as there are connections for sends. With Telegram's 120 ms, 3,000
 * messages a second keep 360 of them busy, and each commit of turns adds up to 200 at once. With 512 five of six messages of
 * a flood found no place, and were marked by a statement of their own: 10,000 first contacts took 2.9 s in place of 2.3.
 */
export const inHandMax = shortCalls.send.connectionsMax;

export type SenderDeps = CallerDeps;

/** A message placed in a turn's commit, until the commit is known. With a `chat` it takes its place there then. */
export type Placement = { row: Placed; message: Message; chat: ChatLine | undefined };

const markBatchMax = 200;
const marksMax = 4;
const lookAgainMs = 100;
const suspectPauseMs = 2_000;

/**
 * Sends what the bots of our buckets have to say: one message at a time a chat, replies before bulk, all bots
 * taking turns, within Telegram's limits. A message is called only after a commit has marked it as `sending`
 * under our token: the turn's own commit where it may go at once, else one of ours.
 */
export class Sender {
  readonly #deps: SenderDeps;
  readonly book: LineBook;
  readonly #caller: Caller;
  readonly #marker: Marker;
  readonly #ready: BotLine[] = [];
  readonly #queued = new Set<BotLine>();
  readonly #later = new TimeHeap<BotLine>();
  #inHand = 0;
  readonly #schedule = atTurnsEnd(() => this.#pump());
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
    const flights = new Flights((botId) => {
      const line = this.book.find(botId);
      if (line) this.attend(line);
    });
    this.book = new LineBook(deps.kit.monotonicMs, flights);
    this.#caller = new Caller(deps, this.book, {
      ended: (message, again) => this.#ended(message, again),
      add: (message) => this.add(message),
    });
    this.#marker = new Marker(deps, this.book, {
      marked: (message, token) => void this.#caller.call(message, token),
      left: (message, again) => this.#ended(message, again),
    });
  }

  /**
   * Decides, before a turn commits, how each of its messages is stored: sent right after the commit (its place in
   * the limits is taken now), waiting, or parked. Follow with `committed` or `withdrawn`.
   */
  place(messages: readonly NewMessage[]): Placement[] {
    const nowMs = this.#deps.kit.monotonicMs();
    return messages.map((message) => this.#placeOne(message, nowMs));
  }

  #placeOne(fresh: NewMessage, nowMs: number): Placement {
    const message = freshMessage(fresh);
    const stored = (state: 0 | 5, chat?: ChatLine): Placement => ({
      row: { ...fresh, state, ownerToken: null },
      message,
      chat,
    });
    const line = this.book.line(fresh.integrationId, fresh.bucket);
    const window = line.windows[fresh.class];
    const token = this.#deps.node.token(fresh.bucket);
    const chat = line.chat(fresh.chatId);
    // Before anything else: behind what is parked in the table, nothing may wait in another state.
    if (chat.stored) return stored(5);
    if (
      token === undefined ||
      !this.#deps.bots.isWorking(fresh.integrationId) ||
      window.behind ||
      window.waiting >= botWindowMax ||
      (window.waiting > 0 && this.book.isFull(fresh.class))
    ) {
      line.fallBehind(fresh.class);
      return stored(0);
    }
    if (!this.#mayGoNow(line, chat, message, nowMs)) {
      // On its way into the table it keeps its chat's later ones from being sent before it.
      chat.claimed += 1;
      return stored(0, chat);
    }
    message.tries = 1;
    line.begin(chat, message, nowMs);
    this.book.take(message, token);
    this.#inHand += 1;
    return { row: { ...fresh, state: 1, ownerToken: token }, message, chat };
  }

  #mayGoNow(line: BotLine, chat: ChatLine, message: Message, nowMs: number): boolean {
    const of = message.class;
    if (!chat.idle || chat.claimed > 0 || line.isFull(of) || !this.#hasRoom()) return false;
    // Replies come first, also those that are not read yet.
    if (of === 1 && (line.windows[0].behind || line.windows[0].waiting > 0)) return false;
    if (Math.max(line.parkedUntilMs, chat.parkedUntilMs) > nowMs || this.#deps.tokens.isSuspect(line.id)) return false;
    const { places } = message;
    if (
      places > 0 &&
      (line.waitsForAlbum(message) ||
        line.pace.freeAtMs(nowMs, places, of) > nowMs ||
        chat.pace.freeAtMs(places) > nowMs)
    )
      return false;
    return line.mayLoad(message);
  }

  #hasRoom(): boolean {
    return !this.#stopped && this.#inHand < inHandMax && this.#deps.recorder.waiting() < unrecordedMax;
  }

  /** The turn is committed: what was marked is sent now, the rest takes its place. `ids`: the rows' places in order. */
  committed(placements: readonly Placement[], ids: ReadonlyMap<string, number>): void {
    for (const { row, message, chat } of placements) {
      message.id = ids.get(`${row.integrationId} ${row.key}`);
      const line = this.book.line(row.integrationId, row.bucket);
      if (row.state === 1) {
        if (message.id !== undefined) line.known.add(message.id);
        void this.#caller.call(message, row.ownerToken as number);
      } else if (chat) {
        chat.claimed -= 1;
        if (message.id !== undefined) this.add(message);
      } else {
        // Also when the park has ended meanwhile: then it is found without one, and freed.
        if (row.state === 5) line.chat(row.chatId).stored = true;
        line.fallBehind(row.state === 5 ? undefined : row.class);
      }
    }
  }

  /** The turn did not commit: nothing of it is sent. */
  withdrawn(placements: readonly Placement[]): void {
    for (const { row, message, chat } of placements) {
      if (row.state === 1) {
        this.book.drop(message, row.ownerToken as number);
        this.#ended(message, false);
      } else if (chat) chat.claimed -= 1;
    }
  }

  /** The table holds messages of this bot that we do not know of: nothing new is sent before they were read. */
  reread(integrationId: number, bucket: number): void {
    this.book.line(integrationId, bucket).fallBehind();
  }

  /** A message of the table that waits takes its place, by its number; unless it has been read already. */
  add(message: Message): void {
    const line = this.book.line(message.integrationId, message.bucket);
    if (message.id !== undefined && line.known.has(message.id)) return;
    line.add(message);
    this.attend(line);
  }

  /** Looks at a bot again soon: something about it has changed. */
  attend(line: BotLine): void {
    this.#queue(line);
    this.#schedule();
  }

  /** Looks at all bots again: some were resumed, or their tokens cleared. */
  attendAll(): void {
    for (const line of this.book.all()) if (line.waiting > 0) this.attend(line);
  }

  /** The longest time that a chat or a bot must still wait because Telegram said so. */
  longestWaitMs(): number {
    const nowMs = this.#deps.kit.monotonicMs();
    let longest = 0;
    for (const line of this.book.all()) {
      longest = Math.max(longest, line.parkedUntilMs - nowMs);
      for (const chat of line.chats.values()) longest = Math.max(longest, chat.parkedUntilMs - nowMs);
    }
    return longest;
  }

  /** Parks whose row is gone are over, whatever memory says. */
  unpark(ended: readonly { integration_id: number; chat_id: number }[]): void {
    for (const park of ended) {
      const line = this.book.unpark(park);
      if (line) this.attend(line);
    }
  }

  #queue(line: BotLine): void {
    if (this.#queued.has(line)) return;
    this.#queued.add(line);
    this.#ready.push(line);
  }

  /** One pass: bots take turns, a message each, until nobody may send or the places are full. */
  #pump(): void {
    if (this.#stopped) return;
    const nowMs = this.#deps.kit.monotonicMs();
    for (let due = this.#later.popDue(nowMs); due; due = this.#later.popDue(nowMs)) this.#queue(due);
    const chosen: Message[] = [];
    while (
      this.#ready.length > 0 &&
      chosen.length < markBatchMax &&
      this.#marker.underWay < marksMax &&
      this.#hasRoom()
    ) {
      const line = this.#ready.shift() as BotLine;
      this.#queued.delete(line);
      const message = this.#choose(line, nowMs);
      if (!message) continue;
      chosen.push(message);
      this.#queue(line);
    }
    if (chosen.length > 0) void this.#marker.mark(chosen).then(() => this.#schedule());
    // Whoever is still in line is looked at when a mark or a call ends; without any under way, by the clock.
    if (this.#ready.length > 0 && this.#marker.underWay === 0 && this.#inHand === 0)
      this.#later.push(nowMs + lookAgainMs, this.#ready[0] as BotLine);
    this.#wakeLater(nowMs);
  }

  #choose(line: BotLine, nowMs: number): Message | undefined {
    // A line that was forgotten still stands in some queue, with what it held: its bot may have another one by now.
    if (this.book.find(line.id) !== line) return undefined;
    if (!this.#deps.node.owns(line.bucket) || !this.#deps.bots.isWorking(line.id)) return undefined;
    if (this.#deps.tokens.isSuspect(line.id)) {
      this.#later.push(nowMs + suspectPauseMs, line);
      return undefined;
    }
    // A bot with all its places taken is looked at again when one of its calls ends.
    if (line.inHand >= botInHandMax) return undefined;
    const next = line.next(nowMs);
    if ('message' in next) {
      this.#inHand += 1;
      return next.message;
    }
    if (next.againAtMs !== Number.POSITIVE_INFINITY) this.#later.push(next.againAtMs, line);
    return undefined;
  }

  #wakeLater(nowMs: number): void {
    clearTimeout(this.#timer);
    const first = this.#later.firstMs();
    if (first === Number.POSITIVE_INFINITY || this.#stopped) return;
    this.#timer = setTimeout(() => this.#schedule(), Math.max(1, first - nowMs));
  }

  #ended(message: Message, again: boolean): void {
    const line = this.book.find(message.integrationId);
    this.#inHand -= 1;
    this.book.flights.end(message);
    if (line) {
      line.end(message, again);
      this.attend(line);
    } else this.#schedule();
  }

  /** Ends what may take longer than a short call: the uploads of this bucket. */
  cut(bucket: number): void {
    this.#caller.cut(bucket);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }
}
