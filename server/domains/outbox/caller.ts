import type { Db } from '../../../kernel/db.ts';
import { faultPoint } from '../../../kernel/faultpoint.ts';
import type { Kit } from '../../../kernel/kit.ts';
import type { BotEntry } from '../bots/bots.ts';
import type { Ownership } from '../nodes/nodes.ts';
import { isIdempotent, type Telegram, verdict } from '../telegram/telegram.ts';
import type { LineBook } from './book.ts';
import { askedAgain, type CallDeps, callBody, type Flight, makeCall } from './calls.ts';
import { hasFiles } from './files.ts';
import type { BotLine } from './lines.ts';
import { isAlone, type Message } from './message.ts';
import { RoundTrips } from './pacing.ts';
import { isInThread, plainForm, withoutThread } from './plain.ts';
import type { Recorder } from './recorder.ts';
import { type Decision, decide, refuseUncalled } from './rules.ts';
import * as statements from './sql.ts';

export type CallerDeps = {
  kit: Kit;
  db: Db;
  node: Ownership;
  telegram: Telegram;
  openFile: CallDeps['openFile'];
  bots: { byId(id: number): BotEntry | undefined; isWorking(id: number): boolean; token(id: number): Promise<string> };
  tokens: { refused(integrationId: number): void; isSuspect(integrationId: number): boolean };
  recorder: Recorder;
  /** Told of every call: its method, what the answer meant, the state the message has now, and how long it took. */
  counted?: (method: string, kind: string, state: number, seconds: number) => void;
  /** Told of a message that goes out once more without its formatting, which Telegram could not read. */
  unformatted?: (bot: BotEntry, method: string) => void;
  /** Told of a message that goes to the chat itself, since the topic it was meant for is gone. */
  misplaced?: (bot: BotEntry, chatId: number) => void;
  /** Which chats cannot be written to until they write themselves: they are not called. */
  closedChats?: {
    /** Why, or '' or undefined where nothing is known against it. */
    reasonOf(integrationId: number, chatId: number): string | undefined;
    close(integrationId: number, chatId: number, reason: string): void;
  };
};

/** What the caller tells the sender. */
export type CallerEvents = {
  /** The message is out of hand; with `again` it goes back to the head of its line. */
  ended(message: Message, again: boolean): void;
  /** A message that waits under another chat now. */
  add(message: Message): void;
};

/** Makes the calls of messages that are marked as being sent, and draws the consequences. */
export class Caller {
  readonly #deps: CallerDeps;
  readonly #book: LineBook;
  readonly #events: CallerEvents;
  /** Keys of messages that Telegram did not take as they were, and takes in a simpler form. */
  readonly #plain = new Set<string>();
  /** Keys of messages whose topic is gone, which go to the chat itself. */
  readonly #threadless = new Set<string>();
  readonly #roundTrips = new RoundTrips();
  /** Uploads under way, by bucket. */
  readonly #uploads = new Map<number, Set<AbortController>>();

  constructor(deps: CallerDeps, book: LineBook, events: CallerEvents) {
    this.#deps = deps;
    this.#book = book;
    this.#events = events;
  }

  /** Calls and settles. `token` is the one under which the message was marked; never throws. */
  async call(message: Message, token: number): Promise<void> {
    const { node, bots, tokens } = this.#deps;
    // Marked under a lease that is gone: whoever has the bucket now finds it as doubtful.
    if (node.token(message.bucket) !== token) return this.#dropped(message, token);
    const bot = bots.byId(message.integrationId);
    if (!bot) {
      const decision = refuseUncalled(message, 'The bot is not connected any more.');
      return this.#settle(message, token, { ...decision, unwanted: true }, undefined);
    }
    const closed = isAlone(message) ? '' : this.#deps.closedChats?.reasonOf(message.integrationId, message.chatId);
    if (closed) {
      const decision = refuseUncalled(
        message,
        `It was not sent: this chat could not be written to before (${closed}).`,
      );
      return this.#settle(message, token, { ...decision, unreachable: closed }, undefined);
    }
    const attempt = await this.#attempt(message, token, bot);
    if (attempt === undefined) return this.#dropped(message, token);
    if (attempt.decision.tokenRefused) tokens.refused(bot.id);
    this.#settle(message, token, attempt.decision, attempt.result);
  }

  #dropped(message: Message, token: number): void {
    this.#book.drop(message, token);
    this.#events.ended(message, false);
  }

  /** Undefined when the lease under which it was marked has gone meanwhile: it is not called. */
  async #attempt(
    message: Message,
    token: number,
    bot: BotEntry,
  ): Promise<{ decision: Decision; result?: unknown } | undefined> {
    const { kit, bots, telegram, openFile, db, node, counted, unformatted, misplaced } = this.#deps;
    try {
      const { method, params } = this.#formOf(message);
      const body = await this.#body(message, params);
      if (body === undefined) return { decision: refuseUncalled(message, 'The message it belongs to was not sent.') };
      const address = { token: await bots.token(bot.id), apiRoot: bot.apiRoot };
      const begunMs = kit.monotonicMs();
      faultPoint('send-before-call');
      if (node.token(message.bucket) !== token) return undefined;
      const options = { startByMs: node.validUntilMs(), written: () => this.#written(message) };
      const flight = this.#flightOf(message);
      const make = (what: string) =>
        this.#cuttable(message.bucket, what, (signal) =>
          makeCall(
            { db, telegram, openFile },
            address,
            { integrationId: bot.id, method, body: what },
            { ...options, signal, flight },
          ),
        );
      let outcome = await make(body);
      faultPoint('send-after-call');
      this.#answered(message, bot.apiRoot);
      let said = verdict(method, outcome);
      if (said.kind === 'migrate' && isAlone(message)) {
        outcome = await make(askedAgain(body, said.toChatId));
        said = verdict(method, outcome);
      }
      const state = {
        ...message,
        repeatable: isIdempotent(method),
        plainAlready: this.#plain.has(message.key),
        inThread: isInThread(params),
        alone: isAlone(message),
        othersRefused: this.#othersRefused(message),
      };
      const decision = decide(state, said);
      counted?.(method, said.kind, decision.state, (kit.monotonicMs() - begunMs) / 1_000);
      if (decision.plain) unformatted?.(bot, method);
      if (decision.threadless) misplaced?.(bot, message.chatId);
      return outcome.kind === 'ok' ? { decision, result: outcome.result } : { decision };
    } catch (error) {
      // Before the call: the database or the vault failed. Nothing was sent.
      kit.log.warn({ err: error, method: message.method }, 'outbox.call_not_made');
      return {
        decision: { state: 0, doubts: message.doubts, error: 'The call could not be prepared.', pauseMs: 1_000 },
      };
    }
  }

  /** Ends the uploads of a bucket that is given back: a film may take minutes. One that is not whole has reached nobody. */
  cut(bucket: number): void {
    for (const upload of this.#uploads.get(bucket) ?? []) upload.abort();
  }

  #othersRefused({ integrationId, chatId }: Message): boolean {
    return this.#book.find(integrationId)?.refusals.elsewhere(chatId, this.#deps.kit.monotonicMs()) === true;
  }

  /** What a call may upload, and where it says what it has found. */
  #flightOf(message: Message): Flight {
    const { flights } = this.#book;
    return {
      carries: (key) => flights.carries(message, key),
      named: (keys) => flights.named(message, keys),
      nameless: (keys) => flights.nameless(message, keys),
      unnamed: (keys) => flights.unnamed(message, keys),
    };
  }

  /** What may carry files can be cut; a short call ends by itself. */
  async #cuttable<Result>(
    bucket: number,
    body: string,
    make: (signal: AbortSignal | undefined) => Promise<Result>,
  ): Promise<Result> {
    if (!hasFiles(body)) return make(undefined);
    const upload = new AbortController();
    const ofBucket = this.#uploads.get(bucket) ?? new Set();
    this.#uploads.set(bucket, ofBucket.add(upload));
    try {
      return await make(upload.signal);
    } finally {
      ofBucket.delete(upload);
      if (ofBucket.size === 0 && this.#uploads.get(bucket) === ofBucket) this.#uploads.delete(bucket);
    }
  }

  /** The message as it is, or as Telegram takes it after it has refused that. */
  #formOf(message: Message): { method: string; params: string } {
    const { method, params } = this.#plain.has(message.key) ? plainForm(message.method, message.params) : message;
    return { method, params: this.#threadless.has(message.key) ? withoutThread(params) : params };
  }

  /** What the call says; undefined when the message that it means was never sent. */
  async #body(message: Message, params: string): Promise<string | undefined> {
    if (message.target === null) return callBody(params, { chatId: message.chatId });
    const target = { integrationId: message.integrationId, key: message.target };
    const messageId =
      this.#deps.recorder.messageIdOf(target.integrationId, target.key) ??
      (await statements.findTarget(this.#deps.db, target))?.message_id;
    return messageId ? callBody(params, { chatId: message.chatId, messageId }) : undefined;
  }

  #written(message: Message): void {
    this.#book.find(message.integrationId)?.called(message, this.#deps.kit.monotonicMs());
  }

  #answered(message: Message, apiRoot: string): void {
    if (message.calledMs === undefined) return;
    const extraMs = this.#roundTrips.extraMs(apiRoot, this.#deps.kit.monotonicMs() - message.calledMs);
    this.#book.find(message.integrationId)?.answered(message, extraMs);
  }

  #settle(message: Message, token: number, decision: Decision, result: unknown): void {
    const line = this.#book.find(message.integrationId);
    this.#remember(message.key, decision);
    if (decision.unreachable !== undefined)
      this.#deps.closedChats?.close(message.integrationId, message.chatId, decision.unreachable);
    if (line && decision.park) this.#park(line, message, decision, decision.park);
    const recorded = this.#deps.recorder.record({ message, token, decision, messageId: messageIdOf(result), result });
    const parked = decision.state === 5 ? line?.chat(message.chatId) : undefined;
    if (parked) {
      parked.parking += 1;
      void recorded.then(() => {
        parked.parking -= 1;
      });
    }
    // What could not be written down stays in hand: the row says `sending`, and that it was called only we know.
    void recorded.then((kept) => kept === 'given up' || this.#book.drop(message, token));
    if (decision.state === 0) void recorded.then((kept) => this.#again(message, decision, kept === 'kept'));
    else {
      // Final for this message: the chat's next one need not wait for the record.
      if (decision.unreachable !== undefined || decision.state === 5) line?.clear(message.chatId);
      this.#events.ended(message, false);
    }
    message.doubts = decision.doubts;
    message.notBeforeMs = this.#deps.kit.monotonicMs() + decision.pauseMs;
  }

  /** The forms in which a message goes out next time; forgotten at its end. */
  #remember(key: string, decision: Decision): void {
    for (const [keys, wanted] of [
      [this.#plain, decision.plain],
      [this.#threadless, decision.threadless],
    ] as const) {
      if (wanted) keys.add(key);
      else if (decision.state !== 0) keys.delete(key);
    }
  }

  /** To be marked again, the row must first be waiting in the table; `kept` says that it is, and is ours. */
  #again(message: Message, decision: Decision, kept: boolean): void {
    const line = this.#book.find(message.integrationId);
    if (decision.migrateTo === undefined || !line) return this.#events.ended(message, kept);
    this.#events.ended(message, false);
    line.rename(message.chatId, decision.migrateTo);
    message.chatId = decision.migrateTo;
    if (kept) this.#events.add(message);
  }

  #park(line: BotLine, message: Message, decision: Decision, park: { scope: 'chat' | 'bot'; seconds: number }): void {
    const nowMs = this.#deps.kit.monotonicMs();
    // A question that has to wait tells nothing of how fast messages may go.
    if (park.scope === 'bot' || !isAlone(message)) {
      line.pace.slowDown(nowMs);
      line.refusals.add(message.chatId, nowMs);
    }
    if (decision.state === 5) line.chat(message.chatId).stored = true;
    const parked = park.scope === 'bot' ? line : line.chat(message.chatId);
    parked.parkedUntilMs = Math.max(parked.parkedUntilMs, nowMs + park.seconds * 1_000);
  }
}

function messageIdOf(result: unknown): number | null {
  const first = Array.isArray(result) ? result[0] : result;
  const id = (first as { message_id?: unknown } | null | undefined)?.message_id;
  return Number.isSafeInteger(id) ? (id as number) : null;
}
