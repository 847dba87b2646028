import type { Clock } from '../clock.ts';
import { ChunkedLog } from './chunked-log.ts';
import { Names } from './names.ts';

/** One attempt to deliver an update to a webhook. */
export type DeliveryEntry = {
  seq: number;
  at: number;
  started_mono: number;
  ended_mono: number | null;
  duration_ms: number | null;
  bot_id: number;
  update_id: number;
  kind: string | null;
  chat_id: number | null;
  /** 1 for the first attempt. */
  attempt: number;
  /** HTTP status; null when there was no answer. */
  status: number | null;
  /** delivered, retry, expired, cut (the webhook changed) or repeated (fault: a success taken for a failure). */
  outcome: string | null;
  /** Seconds of Telegram's schedule until the next attempt, before `speed` shortens them. */
  retry_seconds: number | null;
  error: string | null;
};

const COLUMNS = ['started', 'ended', 'bot', 'update', 'kind', 'chat', 'attempt', 'status', 'outcome', 'retry'] as const;

/** What happened to an attempt. */
export type DeliveryOutcome = { outcome: string; status?: number; retrySeconds?: number; error?: string };

/** Every delivery attempt, newest last. */
export class DeliveryLog {
  readonly #log = new ChunkedLog<(typeof COLUMNS)[number]>(COLUMNS);
  readonly #words = new Names();
  readonly #clock: Clock;
  attempts = 0;
  readonly byOutcome = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get start(): number {
    return this.#log.start;
  }

  get end(): number {
    return this.#log.end;
  }

  begin(
    attempt: { at: number; botId: number; updateId: number; kind: string; chatId: number; number: number },
    rowsMax: number,
  ): number {
    this.attempts += 1;
    const row = this.#log.append(rowsMax);
    const chunk = this.#log.chunk(row);
    if (!chunk) return row;
    const at = this.#log.at(row);
    chunk.numbers.started[at] = attempt.at;
    chunk.numbers.bot[at] = attempt.botId;
    chunk.numbers.update[at] = attempt.updateId;
    chunk.numbers.kind[at] = this.#words.numberOf(attempt.kind);
    if (attempt.chatId !== 0) chunk.numbers.chat[at] = attempt.chatId;
    chunk.numbers.attempt[at] = attempt.number;
    return row;
  }

  finish(row: number, ended: number, result: DeliveryOutcome): void {
    this.byOutcome.set(result.outcome, (this.byOutcome.get(result.outcome) ?? 0) + 1);
    const chunk = this.#log.chunk(row);
    if (!chunk) return;
    const at = this.#log.at(row);
    chunk.numbers.ended[at] = ended;
    chunk.numbers.outcome[at] = this.#words.numberOf(result.outcome);
    if (result.status !== undefined) chunk.numbers.status[at] = result.status;
    if (result.retrySeconds !== undefined) chunk.numbers.retry[at] = result.retrySeconds;
    if (result.error !== undefined) chunk.texts[at] = result.error;
  }

  read(row: number): DeliveryEntry | undefined {
    const chunk = this.#log.chunk(row);
    if (!chunk || row >= this.#log.end) return undefined;
    const at = this.#log.at(row);
    const column = (name: (typeof COLUMNS)[number]): number | null => {
      const value = chunk.numbers[name][at];
      return value === undefined || Number.isNaN(value) ? null : value;
    };
    const started = column('started');
    if (started === null) return undefined;
    const ended = column('ended');
    return {
      seq: row,
      at: started + this.#clock.wall() - this.#clock.mono(),
      started_mono: started,
      ended_mono: ended,
      duration_ms: ended === null ? null : ended - started,
      bot_id: column('bot') ?? 0,
      update_id: column('update') ?? 0,
      kind: this.#words.wordOf(column('kind') ?? -1),
      chat_id: column('chat'),
      attempt: column('attempt') ?? 0,
      status: column('status'),
      outcome: this.#words.wordOf(column('outcome') ?? -1),
      retry_seconds: column('retry'),
      error: chunk.texts[at] ?? null,
    };
  }

  clear(): void {
    this.#log.clear();
    this.attempts = 0;
    this.byOutcome.clear();
  }
}
