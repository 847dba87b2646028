import type { Clock } from '../clock.ts';
import type { DeliveryLog, DeliveryOutcome } from '../log/delivery-log.ts';
import type { Random } from '../random.ts';
import type { Settings } from '../settings.ts';
import type { Bot, Webhook } from '../world/bot.ts';
import { retryAfterSeconds, retrySeconds } from './retry-rule.ts';
import type { Cut, Transport, WebhookAnswer } from './transport.ts';
import type { PendingUpdate } from './update-queue.ts';

/** While a webhook cannot be reached there is one attempt in this time and no more. */
const PROBE_SECONDS = 2;

/** What the sender needs of the simulator. */
export type SenderParts = {
  clock: Clock;
  random: Random;
  settings: Settings;
  transport: Transport;
  log: DeliveryLog;
  /** Whether a fault says that this success must be taken for a failure. */
  loseAnswer: (bot: Bot, update: PendingUpdate) => boolean;
  /** A method call in the body of a 2xx answer. */
  reply: (bot: Bot, answer: WebhookAnswer) => void;
};

/** Updates of one key: the head blocks the rest until it is delivered or given up. */
type Lane = { key: string; waiting: PendingUpdate[]; timer: NodeJS.Timeout | undefined };

/**
 * Delivers one bot's updates to its webhook as Telegram does: one lane a key, a next update only after 2xx,
 * at most `maxConnections` at once, the retry schedule of telegram.md 3.2. It holds twice as many lanes in hand: where
 * that many wait for another try, the rest of the bot stands still.
 */
export class WebhookSender {
  readonly #bot: Bot;
  readonly #webhook: Webhook;
  readonly #parts: SenderParts;
  readonly #url: URL;
  readonly #headers: Record<string, string>;
  readonly #lanes = new Map<string, Lane>();
  readonly #cuts = new Map<number, { cut: Cut; update: PendingUpdate }>();
  /** Lanes that are not in hand yet, in the order in which they began. */
  readonly #outside = new Set<Lane>();
  #held = 0;
  #ready: Lane[] = [];
  #readyHead = 0;
  #active = 0;
  #stopped = false;
  #unreachable = false;
  #probe: NodeJS.Timeout | undefined;

  constructor(bot: Bot, webhook: Webhook, parts: SenderParts) {
    this.#bot = bot;
    this.#webhook = webhook;
    this.#parts = parts;
    this.#url = new URL(webhook.url);
    this.#headers = senderHeaders(this.#url, webhook.secret);
    for (const update of bot.queue.pending.values()) this.offer(update);
  }

  offer(update: PendingUpdate): void {
    const lane = this.#lanes.get(update.lane);
    if (lane) {
      lane.waiting.push(update);
      return;
    }
    const fresh: Lane = { key: update.lane, waiting: [update], timer: undefined };
    this.#lanes.set(update.lane, fresh);
    this.#outside.add(fresh);
    this.#takeIn();
    this.#pump();
  }

  /** Takes lanes in hand while there is room. */
  #takeIn(): void {
    for (const lane of this.#outside) {
      if (this.#held >= 2 * this.#webhook.maxConnections) return;
      this.#outside.delete(lane);
      this.#held += 1;
      this.#ready.push(lane);
    }
  }

  /** Cuts what is in flight. Its updates stay in the queue and come again with the next webhook. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#probe);
    for (const lane of this.#lanes.values()) clearTimeout(lane.timer);
    for (const [row, { cut }] of this.#cuts) {
      this.#parts.log.finish(row, this.#parts.clock.mono(), { outcome: 'cut' });
      cut();
    }
    this.#cuts.clear();
  }

  #pump(): void {
    const cap = this.#unreachable ? 1 : this.#webhook.maxConnections;
    if (this.#probe !== undefined) return;
    while (!this.#stopped && this.#active < cap && this.#readyHead < this.#ready.length) {
      const lane = this.#ready[this.#readyHead++];
      if (lane) this.#start(lane);
    }
    if (this.#readyHead > 1024 && this.#readyHead * 2 > this.#ready.length) {
      this.#ready = this.#ready.slice(this.#readyHead);
      this.#readyHead = 0;
    }
  }

  #start(lane: Lane): void {
    const update = lane.waiting[0];
    if (!update) return;
    const { clock, log, settings, transport } = this.#parts;
    const now = clock.mono();
    if (!this.#bot.queue.pending.has(update.seq) || now > update.expiresAt) {
      this.#advance(lane, update);
      return;
    }
    update.attempts += 1;
    const facts = {
      at: now,
      botId: this.#bot.id,
      updateId: update.updateId,
      kind: update.kind,
      chatId: update.chatId,
      number: update.attempts,
    };
    const row = log.begin(facts, settings.logMax);
    this.#active += 1;
    const cut = transport.post({
      botId: this.#bot.id,
      url: this.#url,
      headers: this.#headers,
      body: update.body,
      certificate: this.#webhook.certificate,
      timeoutMs: settings.webhookTimeoutMs,
      done: (answer) => this.#finish(lane, update, row, answer),
    });
    this.#cuts.set(row, { cut, update });
  }

  #finish(lane: Lane, update: PendingUpdate, row: number, answer: WebhookAnswer): void {
    if (this.#stopped || !this.#cuts.delete(row)) return;
    this.#active -= 1;
    const ok = answer.status >= 200 && answer.status < 300;
    if (ok && !this.#parts.loseAnswer(this.#bot, update)) {
      this.#unreachable = false;
      this.#logEnd(row, { outcome: 'delivered', status: answer.status });
      if (answer.body !== '') this.#parts.reply(this.#bot, answer);
      this.#advance(lane, update);
    } else if (answer.unreachable) {
      this.#waitAndProbe(lane, row, answer);
    } else {
      this.#failed(lane, update, row, answer, ok);
    }
    this.#pump();
  }

  /** The next of the lane, after its head is done with. */
  #advance(lane: Lane, update: PendingUpdate): void {
    this.#bot.queue.remove(update);
    lane.waiting.shift();
    if (lane.waiting.length > 0) this.#ready.push(lane);
    else {
      this.#lanes.delete(lane.key);
      this.#held -= 1;
      this.#takeIn();
    }
  }

  #failed(lane: Lane, update: PendingUpdate, row: number, answer: WebhookAnswer, repeated: boolean): void {
    update.failures += 1;
    this.#noteError(answer.error);
    const { clock, random, settings } = this.#parts;
    const asked = answer.status >= 300 ? retryAfterSeconds(answer.retryAfter) : undefined;
    const seconds = asked ?? retrySeconds(update.failures, random);
    const delayMs = (seconds * 1000) / settings.speed;
    const facts = {
      ...(answer.status ? { status: answer.status } : {}),
      ...(answer.error ? { error: answer.error } : {}),
    };
    if (clock.mono() + delayMs > update.expiresAt) {
      this.#logEnd(row, { outcome: 'expired', ...facts });
      this.#advance(lane, update);
      return;
    }
    this.#logEnd(row, { outcome: repeated ? 'repeated' : 'retry', retrySeconds: seconds, ...facts });
    lane.timer = setTimeout(() => {
      lane.timer = undefined;
      this.#ready.push(lane);
      this.#pump();
    }, delayMs);
  }

  /** Nobody listens: the update keeps its count, and one probe goes out every two seconds. */
  #waitAndProbe(lane: Lane, row: number, answer: WebhookAnswer): void {
    this.#noteError(answer.error);
    this.#logEnd(row, { outcome: 'unreachable', retrySeconds: PROBE_SECONDS, error: answer.error });
    this.#unreachable = true;
    this.#ready.push(lane);
    this.#probe ??= setTimeout(
      () => {
        this.#probe = undefined;
        this.#pump();
      },
      (PROBE_SECONDS * 1000) / this.#parts.settings.speed,
    );
  }

  #noteError(error: string): void {
    if (error === '') return;
    this.#bot.lastError = error;
    this.#bot.lastErrorAt = Math.floor(this.#parts.clock.wall() / 1000);
  }

  #logEnd(row: number, result: DeliveryOutcome): void {
    this.#parts.log.finish(row, this.#parts.clock.mono(), result);
  }
}

/** Telegram's headers; undici adds Host, Connection and Content-Length. */
function senderHeaders(url: URL, secret: string): Record<string, string> {
  const headers: Record<string, string> = {};
  if (secret !== '') headers['X-Telegram-Bot-Api-Secret-Token'] = secret;
  headers['Content-Type'] = 'application/json';
  headers['Accept-Encoding'] = 'gzip, deflate';
  if (url.username !== '') {
    const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    headers.Authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
  }
  return headers;
}
