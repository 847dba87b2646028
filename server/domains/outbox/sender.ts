import type { Db } from '../../../kernel/db.ts';
import { isDatabaseFault } from '../../../kernel/errors.ts';
import { faultPoint } from '../../../kernel/faultpoint.ts';
import { TimeHeap } from '../../../kernel/heap.ts';
import type { Kit } from '../../../kernel/kit.ts';
import type { BotEntry } from '../bots/bots.ts';
import { fence, type Ownership } from '../nodes/nodes.ts';
import { isIdempotent, type Telegram, verdict } from '../telegram/telegram.ts';
import { callBody, makeCall, withoutFormatting } from './calls.ts';
import { BotLine, type Message } from './lines.ts';
import { countsAsMessage, RoundTrips } from './pacing.ts';
import type { Recorder } from './recorder.ts';
import { botInHandMax, botWindowMax, type Decision, decide, inHandMax, longParkSeconds, unrecordedMax } from './rules.ts';
import * as statements from './sql.ts';
import type { NewMessage, Placed } from './sql.ts';

/** What the sender needs of the rest of the process. */
export type SenderDeps = {
  kit: Kit;
  db: Db;
  node: Ownership;
  telegram: Telegram;
  bots: { byId(id: number): BotEntry | undefined; isWorking(id: number): boolean; token(id: number): Promise<string> };
  tokens: { refused(integrationId: number): void; isSuspect(integrationId: number): boolean };
  recorder: Recorder;
  /** Told of every call: its method, what the answer meant, and the state the message has now. */
  counted?: (method: string, kind: string, state: number) => void;
};

/** A message placed in a turn's commit, until the commit is known. */
export type Placement = { row: Placed; message: Message; keep: boolean };

const markBatchMax = 200;
const memoryMs = 61_000;

/**
 * Sends what the bots of our buckets have to say: one message at a time a chat, replies before bulk, all bots
 * taking turns, within Telegram's limits. A message is called only after a commit has marked it as `sending`
 * under our token: the turn's own commit where it may go at once, else one of ours.
 */
export class Sender {
  readonly #deps: SenderDeps;
  readonly #lines = new Map<number, BotLine>();
  readonly #ready: BotLine[] = [];
  readonly #queued = new Set<BotLine>();
  readonly #later = new TimeHeap<BotLine>();
  readonly #plain = new Set<string>();
  /** Messages marked as being sent whose end is not yet written down: `bot key`. */
  readonly #open = new Set<string>();
  readonly #roundTrips = new RoundTrips();
  /** Until when nothing is sent for a bucket: the last owner may be frozen with calls under way. */
  readonly holdUntilMs = new Map<number, number>();
  #inHand = 0;
  #scheduled = false;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #marking = 0;
  #drains: { buckets: ReadonlySet<number>; done: () => void }[] = [];

  constructor(deps: SenderDeps) {
    this.#deps = deps;
  }

  get inHand(): number {
    return this.#inHand;
  }

  /** The bot's line, made when first needed. */
  line(integrationId: number, bucket: number): BotLine {
    let line = this.#lines.get(integrationId);
    if (!line) {
      line = new BotLine(integrationId, bucket);
      line.parkedUntilMs = this.holdUntilMs.get(bucket) ?? 0;
      line.usedMs = this.#deps.kit.monotonicMs();
      this.#lines.set(integrationId, line);
    }
    return line;
  }

  lines(): IterableIterator<BotLine> {
    return this.#lines.values();
  }

  known(integrationId: number): BotLine | undefined {
    return this.#lines.get(integrationId);
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
    const message: Message = { ...fresh, id: undefined, tries: 0, doubts: 0, notBeforeMs: 0, slot: undefined, calledMs: undefined };
    const waiting = (keep: boolean): Placement => ({ row: { ...fresh, state: 0, ownerToken: null }, message, keep });
    const line = this.line(fresh.integrationId, fresh.bucket);
    const token = this.#deps.node.token(fresh.bucket);
    if (token === undefined || !this.#deps.bots.isWorking(fresh.integrationId) || line.behind || line.waiting >= botWindowMax) {
      line.behind = true;
      line.refusedSince = true;
      return waiting(false);
    }
    const chat = line.chat(fresh.chatId);
    if (chat.parkedUntilMs > nowMs + longParkSeconds * 1_000) {
      return { row: { ...fresh, state: 5, ownerToken: null }, message, keep: false };
    }
    if (!chat.idle || chat.claimed > 0 || !this.#mayCall(line)) return this.#claim(chat, waiting(true));
    const counts = countsAsMessage(fresh.method);
    const freeMs = Math.max(line.parkedUntilMs, chat.parkedUntilMs, counts ? line.pace.freeAtMs(nowMs) : 0, counts ? chat.pace.freeAtMs() : 0);
    if (freeMs > nowMs || this.#deps.tokens.isSuspect(fresh.integrationId)) return this.#claim(chat, waiting(true));
    message.tries = 1;
    line.begin(chat, message, nowMs);
    this.#inHand += 1;
    return { row: { ...fresh, state: 1, ownerToken: token }, message, keep: true };
  }

  /** A message on its way into the table keeps its chat's later ones from being sent before it. */
  #claim(chat: { claimed: number }, placement: Placement): Placement {
    chat.claimed += 1;
    return placement;
  }

  #mayCall(line: BotLine): boolean {
    return !this.#stopped && this.#inHand < inHandMax && line.inHand < botInHandMax && this.#deps.recorder.waiting() < unrecordedMax;
  }

  /** The turn is committed: what was marked is sent now, the rest takes its place. `ids` are the rows' places in order. */
  committed(placements: readonly Placement[], ids: ReadonlyMap<string, number>): void {
    for (const { row, message, keep } of placements) {
      message.id = ids.get(`${row.integrationId} ${row.key}`);
      if (row.state === 1) void this.#call(message, row.ownerToken as number);
      else if (keep) {
        const line = this.line(row.integrationId, row.bucket);
        line.chat(row.chatId).claimed -= 1;
        if (message.id !== undefined) this.add(message);
      }
    }
  }

  /**
   * A turn turns out to be committed though its sender was told otherwise (the connection broke under the commit):
   * what it marked as being sent, and nobody calls, waits again.
   */
  async freeUncalled(turn: { integrationId: number; eventKey: string; token: number }): Promise<number> {
    const head = `${turn.integrationId} ${turn.eventKey}/`;
    const called = [...this.#open].filter((name) => name.startsWith(head)).map((name) => name.slice(name.indexOf(' ') + 1));
    return statements.freeUncalled(this.#deps.db, { ...turn, called });
  }

  /** The turn did not commit: nothing of it is sent. */
  withdrawn(placements: readonly Placement[]): void {
    for (const { row, message, keep } of placements) {
      const line = this.#lines.get(row.integrationId);
      if (!line || !keep) continue;
      if (row.state === 1) this.#end(line, message, false);
      else line.chat(row.chatId).claimed -= 1;
    }
  }

  /** A row of the table that waits: takes its place unless it is there already. */
  add(message: Message): void {
    const line = this.line(message.integrationId, message.bucket);
    line.add(message);
    this.attend(line);
  }

  /** Looks at a bot again soon: something about it has changed. */
  attend(line: BotLine): void {
    if (!this.#queued.has(line)) {
      this.#queued.add(line);
      this.#ready.push(line);
    }
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || this.#stopped) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#pump();
    });
  }

  /** One pass: bots take turns, a message each, until nobody may send or the places are full. */
  #pump(): void {
    const nowMs = this.#deps.kit.monotonicMs();
    for (let due = this.#later.popDue(nowMs); due; due = this.#later.popDue(nowMs)) {
      if (!this.#queued.has(due)) {
        this.#queued.add(due);
        this.#ready.push(due);
      }
    }
    const chosen: Message[] = [];
    while (this.#ready.length > 0 && chosen.length < markBatchMax && this.#inHand < inHandMax && this.#marking < 4) {
      const line = this.#ready.shift() as BotLine;
      this.#queued.delete(line);
      const message = this.#choose(line, nowMs);
      if (message) {
        chosen.push(message);
        this.attend(line);
      }
    }
    if (chosen.length > 0) void this.#mark(chosen);
    this.#wakeLater(nowMs);
  }

  #choose(line: BotLine, nowMs: number): Message | undefined {
    if (!this.#deps.node.owns(line.bucket) || !this.#deps.bots.isWorking(line.id)) return undefined;
    if (this.#deps.tokens.isSuspect(line.id)) {
      this.#later.push(nowMs + 2_000, line);
      return undefined;
    }
    // A full bot is looked at again when one of its calls ends.
    if (!this.#mayCall(line)) return undefined;
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

  /** Commits `sending` for a batch, then calls. What somebody else has changed meanwhile is left to them. */
  async #mark(messages: readonly Message[]): Promise<void> {
    this.#marking += 1;
    const { node, db, kit } = this.#deps;
    const holdings = new Map<number, number>();
    const tokens = messages.map((message) => {
      const token = node.token(message.bucket) ?? -1;
      holdings.set(message.bucket, token);
      return token;
    });
    try {
      const rows = messages.map((message, index) => ({ integrationId: message.integrationId, key: message.key, token: tokens[index] as number }));
      const [, marked] = await db.batch((tx) => [fence(tx, holdings), statements.markSending(tx, rows)]);
      const mine = new Set(marked.map((row) => `${row.integration_id} ${row.key}`));
      for (const [index, message] of messages.entries()) {
        if (mine.has(`${message.integrationId} ${message.key}`)) {
          message.tries += 1;
          void this.#call(message, tokens[index] as number);
        } else this.#endOf(message, false);
      }
    } catch (error) {
      if (!isDatabaseFault(error)) kit.log.warn({ err: error, messages: messages.length }, 'outbox.not_marked');
      for (const message of messages) {
        message.notBeforeMs = kit.monotonicMs() + 500;
        this.#endOf(message, true);
      }
    } finally {
      this.#marking -= 1;
      this.#schedule();
    }
  }

  async #call(message: Message, token: number): Promise<void> {
    const { kit, bots, telegram, db, node, tokens, counted } = this.#deps;
    const bot = bots.byId(message.integrationId);
    if (!bot || node.token(message.bucket) !== token) return this.#endOf(message, false);
    this.#open.add(`${message.integrationId} ${message.key}`);
    let decision: Decision;
    let messageId: number | null = null;
    let result: unknown;
    try {
      const body = await this.#body(message);
      if (body === undefined) decision = { state: 3, doubts: message.doubts, error: 'The message it belongs to was not sent.', pauseMs: 0 };
      else {
        const address = { token: await bots.token(bot.id), apiRoot: bot.apiRoot };
        faultPoint('send-before-call');
        const options = { startByMs: node.validUntilMs(), written: () => this.#written(message) };
        const outcome = await makeCall({ db, telegram }, address, message, body, options);
        faultPoint('send-after-call');
        this.#answered(message, bot.apiRoot);
        const said = verdict(message.method, outcome);
        if (outcome.kind === 'ok') {
          result = outcome.result;
          messageId = messageIdOf(result);
        }
        const repeatable = isIdempotent(message.method);
        decision = decide({ ...message, repeatable, plainAlready: this.#plain.has(message.key) }, said);
        counted?.(message.method, said.kind, decision.state);
      }
    } catch (error) {
      // Before the call: the database or the vault failed. Nothing was sent.
      kit.log.warn({ err: error, method: message.method }, 'outbox.call_not_made');
      decision = { state: 0, doubts: message.doubts, error: 'The call could not be prepared.', pauseMs: 1_000 };
    }
    if (decision.tokenRefused) tokens.refused(bot.id);
    this.#settle(message, token, decision, messageId, result);
  }

  #answered(message: Message, apiRoot: string): void {
    if (message.calledMs === undefined) return;
    const extraMs = this.#roundTrips.extraMs(apiRoot, this.#deps.kit.monotonicMs() - message.calledMs);
    this.#lines.get(message.integrationId)?.answered(message, extraMs);
  }

  #written(message: Message): void {
    const line = this.#lines.get(message.integrationId);
    line?.called(message, this.#deps.kit.monotonicMs());
    // Others of this bot may have waited for nothing but to know this moment.
    if (line && line.waiting > 0) this.attend(line);
  }

  async #body(message: Message): Promise<string | undefined> {
    const params = this.#plain.has(message.key) ? withoutFormatting(message.params) : message.params;
    if (message.target === null) return callBody(params, { chatId: message.chatId });
    const target = await statements.findTarget(this.#deps.db, { integrationId: message.integrationId, key: message.target });
    const messageId = this.#deps.recorder.messageIdOf(message.integrationId, message.target) ?? target?.message_id;
    return messageId ? callBody(params, { chatId: message.chatId, messageId }) : undefined;
  }

  #settle(message: Message, token: number, decision: Decision, messageId: number | null, result: unknown): void {
    const line = this.#lines.get(message.integrationId);
    if (decision.plain) this.#plain.add(message.key);
    else this.#plain.delete(message.key);
    if (line && decision.park) this.#park(line, message, decision.park);
    const recorded = this.#deps.recorder.record({ message, token, decision, messageId, result });
    void recorded.then(() => this.#open.delete(`${message.integrationId} ${message.key}`));
    if (decision.state !== 0) {
      // Final for this message: the chat's next one need not wait for the record.
      if (line && decision.unreachable !== undefined) line.clear(message.chatId);
      if (line && decision.state === 5) line.clear(message.chatId);
      this.#endOf(message, false);
      return;
    }
    message.doubts = decision.doubts;
    message.notBeforeMs = this.#deps.kit.monotonicMs() + decision.pauseMs;
    // To be marked again, the row must be waiting in the table first.
    void recorded.then((kept) => {
      if (decision.migrateTo !== undefined && line) {
        this.#endOf(message, false);
        line.rename(message.chatId, decision.migrateTo);
        message.chatId = decision.migrateTo;
        if (kept) this.add(message);
      } else this.#endOf(message, kept);
    });
  }

  /** Several chats refused within a second: it is the bot's limit, not theirs. */
  #park(line: BotLine, message: Message, park: { scope: 'chat' | 'bot'; seconds: number }): void {
    const nowMs = this.#deps.kit.monotonicMs();
    const untilMs = nowMs + park.seconds * 1_000;
    line.pace.slowDown(nowMs);
    const together = line.lastRefusedChat !== message.chatId && nowMs - line.lastRefusedMs < 1_000;
    line.lastRefusedChat = message.chatId;
    line.lastRefusedMs = nowMs;
    if (together) park.scope = 'bot';
    if (park.scope === 'bot') line.parkedUntilMs = Math.max(line.parkedUntilMs, untilMs);
    else {
      const chat = line.chat(message.chatId);
      chat.parkedUntilMs = Math.max(chat.parkedUntilMs, untilMs);
    }
  }

  /** Parks whose row is gone are over, whatever memory says. */
  unpark(ended: readonly { integration_id: number; chat_id: number }[]): void {
    for (const park of ended) {
      const line = this.#lines.get(park.integration_id);
      if (!line) continue;
      if (park.chat_id === 0) line.parkedUntilMs = 0;
      else line.chat(park.chat_id).parkedUntilMs = 0;
      this.attend(line);
    }
  }

  #endOf(message: Message, again: boolean): void {
    const line = this.#lines.get(message.integrationId);
    if (line) this.#end(line, message, again);
    else this.#inHand -= 1;
    for (const drain of this.#drains.splice(0)) {
      if (this.#busy(drain.buckets)) this.#drains.push(drain);
      else drain.done();
    }
  }

  #end(line: BotLine, message: Message, again: boolean): void {
    line.end(message, again);
    this.#inHand -= 1;
    this.attend(line);
  }

  #busy(buckets: ReadonlySet<number>): boolean {
    for (const line of this.#lines.values()) if (line.inHand > 0 && buckets.has(line.bucket)) return true;
    return false;
  }

  /** Resolves when no call for these buckets is under way. New ones are not begun: we no longer own them. */
  idle(buckets: readonly number[]): Promise<void> {
    const wanted = new Set(buckets);
    if (!this.#busy(wanted)) return Promise.resolve();
    return new Promise((done) => this.#drains.push({ buckets: wanted, done }));
  }

  /** Forgets bots of these buckets. Calls still under way end in nothing: their record is fenced. */
  forget(buckets: readonly number[]): void {
    const gone = new Set(buckets);
    for (const [id, line] of this.#lines) {
      if (!gone.has(line.bucket)) continue;
      this.#lines.delete(id);
      this.#queued.delete(line);
    }
    for (const bucket of buckets) this.holdUntilMs.delete(bucket);
  }

  /** Drops bots and chats that have nothing to send and no limit left to remember. */
  sweep(): void {
    const nowMs = this.#deps.kit.monotonicMs();
    for (const [id, line] of this.#lines) {
      for (const [chatId, chat] of line.chats) {
        if (chat.idle && chat.claimed === 0 && nowMs - chat.usedMs > memoryMs && chat.parkedUntilMs < nowMs) line.chats.delete(chatId);
      }
      if (line.chats.size === 0 && !line.behind && nowMs - line.usedMs > memoryMs && line.parkedUntilMs < nowMs) this.#lines.delete(id);
    }
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }
}

function messageIdOf(result: unknown): number | null {
  const first = Array.isArray(result) ? result[0] : result;
  const id = (first as { message_id?: unknown } | null)?.message_id;
  return typeof id === 'number' ? id : null;
}
