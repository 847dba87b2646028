import { Flights } from './files.ts';
import type { Message } from './message.ts';
import { BotPace, ChatPace, Refusals } from './pacing.ts';
import { botBulkInHandMax, botInHandMax } from './rules.ts';
import { type HeldBytes, Window } from './window.ts';

/** One chat's messages: strictly one at a time, replies before bulk, each in order. */
export class ChatLine {
  readonly id: number;
  readonly pace: ChatPace;
  readonly replies: Message[] = [];
  readonly bulk: Message[] = [];
  inHand: Message | undefined;
  parkedUntilMs = 0;
  /** Messages of this chat stand parked in the table: nothing may overtake them until they were read again. */
  stored = false;
  /** Results on their way into the table that park this chat. */
  parking = 0;
  /** Messages of a turn whose commit is under way. */
  claimed = 0;

  constructor(id: number) {
    this.id = id;
    this.pace = new ChatPace(id);
  }

  head(): Message | undefined {
    return this.replies[0] ?? this.bulk[0];
  }

  /** When its head may be sent; Infinity while one is in hand, nothing waits, or earlier ones stand in the table. */
  freeAtMs(): number {
    const head = this.head();
    if (!head || this.inHand || this.stored) return Number.POSITIVE_INFINITY;
    const paced = head.places > 0 ? this.pace.freeAtMs(head.places) : Number.NEGATIVE_INFINITY;
    return Math.max(paced, this.parkedUntilMs, head.notBeforeMs);
  }

  get idle(): boolean {
    return !this.inHand && this.replies.length === 0 && this.bulk.length === 0;
  }
}

/** Higher than any class: no message waits for places. */
const nobody = 2;

/** One bot's chats and its pace. Exists only while the bot has something to send or a limit to remember. */
export class BotLine {
  readonly id: number;
  readonly bucket: number;
  readonly pace = new BotPace();
  readonly chats = new Map<number, ChatLine>();
  /** Chats that have a head and none in hand, in the order in which they are served. */
  readonly turnOrder: ChatLine[] = [];
  parkedUntilMs = 0;
  inHand = 0;
  /** Keys of messages of an earlier owner that somebody held when the bucket came. Nothing of their chats goes before them. */
  readonly unadopted = new Set<string>();
  /** By class. */
  readonly windows: readonly [replies: Window, bulk: Window] = [new Window(), new Window()];
  /** Text that waits in memory for all bots, by class. */
  readonly #held: HeldBytes;
  readonly #flights: Flights;
  /** The class of a message that waits for places to upload what it shows: what needs some and is no more urgent waits with it. */
  #uploadWaits = nobody;
  /** The class of an album that waits for places in the bot's window: what counts and is no more urgent waits with it. */
  #albumWaits = nobody;
  /** Changes when a park ends: what was read from the table before may leave out what the park has kept back. */
  parksEnded = 0;
  /** Places of the messages in memory, so that none is read twice. */
  readonly known = new Set<number>();
  readonly refusals = new Refusals();

  constructor(id: number, bucket: number, held: HeldBytes = [0, 0], flights = new Flights()) {
    this.id = id;
    this.#flights = flights;
    this.bucket = bucket;
    this.#held = held;
  }

  get waiting(): number {
    return this.windows[0].waiting + this.windows[1].waiting;
  }

  get bytes(): number {
    return this.windows[0].bytes + this.windows[1].bytes;
  }

  get behind(): boolean {
    return this.windows[0].behind || this.windows[1].behind;
  }

  /** True when nothing of this bot has to be remembered. */
  isRested(nowMs: number): boolean {
    return (
      !this.behind &&
      this.inHand === 0 &&
      this.unadopted.size === 0 &&
      this.parkedUntilMs < nowMs &&
      this.pace.isRested(nowMs) &&
      this.refusals.isRested(nowMs)
    );
  }

  /** The message waits in memory from now (1), or does not any more (-1). */
  #count(message: Message, by: 1 | -1): void {
    const window = this.windows[message.class];
    const bytes = by * message.params.length;
    window.waiting += by;
    window.bytes += bytes;
    this.#held[message.class] += bytes;
  }

  /** The table holds something, of one class where it is named, that is not in memory; a read that is under way may have missed it. */
  fallBehind(only?: 0 | 1): void {
    for (const urgency of [0, 1] as const) {
      if (only !== undefined && urgency !== only) continue;
      this.windows[urgency].behind = true;
      this.windows[urgency].refusedSince = true;
    }
  }

  /** An album that is as urgent waits for its places. */
  waitsForAlbum(message: Message): boolean {
    return message.places > 0 && message.class >= this.#albumWaits;
  }

  /** Whether so many calls of this class are under way that more would keep places from replies. */
  isFull(of: 0 | 1): boolean {
    return this.inHand >= botInHandMax || (of === 1 && this.windows[1].inHand >= botBulkInHandMax);
  }

  chat(id: number): ChatLine {
    let chat = this.chats.get(id);
    if (!chat) {
      chat = new ChatLine(id);
      this.chats.set(id, chat);
    }
    return chat;
  }

  /** Puts a message in its place by id. Nearly always that is the end. */
  add(message: Message): void {
    if (message.id !== undefined) this.known.add(message.id);
    const chat = this.chat(message.chatId);
    const line = message.class === 0 ? chat.replies : chat.bulk;
    insertInOrder(line, message);
    this.#count(message, 1);
    if (!chat.inHand && chat.replies.length + chat.bulk.length === 1) this.turnOrder.push(chat);
  }

  /**
   * The next message that may be sent at `nowMs`, taken out of its line and marked in hand; or the time to look
   * again. Bulk waits while any chat has a reply that could go.
   */
  next(nowMs: number): { message: Message } | { againAtMs: number } {
    if (this.parkedUntilMs > nowMs) return { againAtMs: this.parkedUntilMs };
    const paceMs = this.pace.freeAtMs(nowMs);
    this.#albumWaits = nobody;
    this.#uploadWaits = nobody;
    let againAtMs = Number.POSITIVE_INFINITY;
    let bulk = -1;
    for (let index = 0; index < this.turnOrder.length; index += 1) {
      const chat = this.turnOrder[index] as ChatLine;
      const head = chat.head();
      if (!head || this.waitsForAlbum(head) || this.isFull(head.class)) continue;
      const isPlain = head.places <= 1 && head.class === 0;
      const botMs = isPlain ? paceMs : this.pace.freeAtMs(nowMs, Math.max(1, head.places), head.class);
      const chatMs = chat.freeAtMs();
      // Looked at again when an upload of the bot ends.
      if (head.files.length > 0 && chatMs <= nowMs && !this.mayLoad(head)) continue;
      if (head.places > 1 && chatMs <= nowMs && botMs > nowMs)
        this.#albumWaits = Math.min(this.#albumWaits, head.class);
      const free = head.places > 0 ? Math.max(chatMs, botMs) : chatMs;
      if (free > nowMs) againAtMs = Math.min(againAtMs, free);
      else if (head.class === 0) return { message: this.#take(index, nowMs) };
      else if (bulk < 0) bulk = index;
    }
    if (bulk >= 0) return { message: this.#take(bulk, nowMs) };
    return { againAtMs };
  }

  /** Whether what the message shows has its names, or the message may upload it. */
  mayLoad(message: Message): boolean {
    if (message.files.length === 0) return true;
    const said = this.#flights.ask(message, message.class >= this.#uploadWaits);
    if (said === 'full') this.#uploadWaits = Math.min(this.#uploadWaits, message.class);
    return said === 'now';
  }

  #take(index: number, nowMs: number): Message {
    const chat = this.turnOrder[index] as ChatLine;
    this.turnOrder.splice(index, 1);
    const message = (chat.replies.shift() ?? chat.bulk.shift()) as Message;
    this.#count(message, -1);
    this.begin(chat, message, nowMs);
    return message;
  }

  /** A message goes into hand: it counts against both limits from now. */
  begin(chat: ChatLine, message: Message, nowMs: number): void {
    chat.inHand = message;
    this.inHand += 1;
    this.windows[message.class].inHand += 1;
    this.#flights.begin(message);
    if (message.places > 0) {
      message.slot = this.pace.reserve(message.places);
      chat.pace.take(nowMs, message.places);
    }
  }

  /** The call of a message in hand is written now. */
  called(message: Message, nowMs: number): void {
    if (!message.slot || !this.#isInHand(message)) return;
    message.calledMs = nowMs;
    this.chat(message.chatId).pace.called(nowMs);
  }

  /**
   * The answer took `extraMs` longer than answers do: so much later the call may have arrived there, and that is
   * the moment that counts. Until the answer nobody knows, and the place stays taken.
   */
  answered(message: Message, extraMs: number): void {
    if (!message.slot || message.calledMs === undefined || !this.#isInHand(message)) return;
    this.pace.use(message.slot, message.calledMs + extraMs);
    this.chat(message.chatId).pace.called(message.calledMs + extraMs);
    message.slot = undefined;
  }

  /** It is out of hand; where it was never called, its place is free again. */
  #leave(message: Message): void {
    if (message.slot) this.pace.use(message.slot, message.calledMs ?? Number.NEGATIVE_INFINITY);
    message.slot = undefined;
    message.calledMs = undefined;
  }

  /** False for a message of an earlier line of this bot, which was forgotten while the message was in hand. */
  #isInHand(message: Message): boolean {
    return this.chats.get(message.chatId)?.inHand === message;
  }

  /** The message in hand is over. With `again` it goes back to the head of its line. */
  end(message: Message, again: boolean): void {
    if (!this.#isInHand(message)) return;
    const chat = this.chat(message.chatId);
    this.#leave(message);
    chat.inHand = undefined;
    this.inHand -= 1;
    this.windows[message.class].inHand -= 1;
    if (!again && message.id !== undefined) this.known.delete(message.id);
    if (again) {
      if (message.id !== undefined) this.known.add(message.id);
      const line = message.class === 0 ? chat.replies : chat.bulk;
      line.unshift(message);
      this.#count(message, 1);
    }
    if (chat.head() && !chat.inHand && !this.turnOrder.includes(chat)) this.turnOrder.push(chat);
  }

  /** Forgets what waits for a chat (it was parked for long, or cannot be reached). Returns how many. */
  clear(chatId: number): number {
    const chat = this.chats.get(chatId);
    if (!chat) return 0;
    const gone = [...chat.replies, ...chat.bulk];
    for (const message of gone) {
      if (message.id !== undefined) this.known.delete(message.id);
      this.#count(message, -1);
    }
    chat.replies.length = 0;
    chat.bulk.length = 0;
    const place = this.turnOrder.indexOf(chat);
    if (place >= 0) this.turnOrder.splice(place, 1);
    return gone.length;
  }

  /** A chat got a new id: its line goes on under it. */
  rename(fromId: number, toId: number): void {
    const from = this.chats.get(fromId);
    if (!from) return;
    const moved = [...from.replies, ...from.bulk];
    this.clear(fromId);
    for (const message of moved) {
      message.chatId = toId;
      this.add(message);
    }
  }
}

function insertInOrder(line: Message[], message: Message): void {
  const id = message.id ?? Number.POSITIVE_INFINITY;
  let place = line.length;
  while (place > 0 && (line[place - 1]?.id ?? Number.POSITIVE_INFINITY) > id) place -= 1;
  line.splice(place, 0, message);
}
