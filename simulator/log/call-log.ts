import type { Clock } from '../clock.ts';
import { ChunkedLog } from './chunked-log.ts';
import { Names } from './names.ts';

/** One call as queries show it. Times are milliseconds: `at` of the date, `*_mono` of CLOCK_MONOTONIC. */
export type CallEntry = {
  seq: number;
  at: number;
  arrived_mono: number;
  answered_mono: number | null;
  bot_id: number | null;
  method: string | null;
  chat_id: number | string | null;
  message_id: number | null;
  /** Whether Telegram did what was asked; null while it runs. */
  accepted: boolean | null;
  /** HTTP status of the answer; 0 when the connection was destroyed instead. */
  code: number | null;
  description: string | null;
  /** Which limit refused it: bot, chat or group. */
  limit: string | null;
  fault: string | null;
  unknown_params: string[];
  /** Wrong types and missing values that real Telegram would have read as absent. */
  bad_params: string[];
  params: string | null;
};

/** Facts of a call that few calls have. */
type CallNote = { description?: string; unknown?: string[]; bad?: string[]; chat?: string };

const COLUMNS = [
  'arrived',
  'answered',
  'bot',
  'method',
  'chat',
  'message',
  'accepted',
  'code',
  'fault',
  'limit',
] as const;

/** Every call that reached the simulator, newest last. */
export class CallLog {
  readonly #log = new ChunkedLog<(typeof COLUMNS)[number]>(COLUMNS);
  readonly #words = new Names();
  readonly #clock: Clock;
  accepted = 0;
  refused = 0;
  readonly byMethod = new Map<string, number>();
  readonly byCode = new Map<number, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get start(): number {
    return this.#log.start;
  }

  get end(): number {
    return this.#log.end;
  }

  /** A call has arrived whole. Returns its number. */
  begin(
    arrived: number,
    botId: number | undefined,
    method: string,
    params: string | undefined,
    rowsMax: number,
  ): number {
    const row = this.#log.append(rowsMax);
    const chunk = this.#log.chunk(row);
    if (!chunk) return row;
    const at = this.#log.at(row);
    chunk.numbers.arrived[at] = arrived;
    if (botId !== undefined) chunk.numbers.bot[at] = botId;
    chunk.numbers.method[at] = this.#words.numberOf(method);
    if (params !== undefined) chunk.texts[at] = params;
    this.byMethod.set(method, (this.byMethod.get(method) ?? 0) + 1);
    return row;
  }

  target(row: number, chat: unknown): void {
    const chunk = this.#log.chunk(row);
    if (!chunk) return;
    if (typeof chat === 'number') chunk.numbers.chat[this.#log.at(row)] = chat;
    else if (typeof chat === 'string') this.note(row, { chat });
  }

  message(row: number, messageId: number): void {
    const chunk = this.#log.chunk(row);
    if (chunk) chunk.numbers.message[this.#log.at(row)] = messageId;
  }

  fault(row: number, kind: string): void {
    const chunk = this.#log.chunk(row);
    if (chunk) chunk.numbers.fault[this.#log.at(row)] = this.#words.numberOf(kind);
  }

  limit(row: number, name: string): void {
    const chunk = this.#log.chunk(row);
    if (chunk) chunk.numbers.limit[this.#log.at(row)] = this.#words.numberOf(name);
  }

  note(row: number, note: CallNote): void {
    const chunk = this.#log.chunk(row);
    if (chunk) chunk.notes[this.#log.at(row)] = { ...chunk.notes[this.#log.at(row)], ...note };
  }

  /** Telegram's decision, made when the call arrived. */
  decide(row: number, accepted: boolean, code: number): void {
    if (accepted) this.accepted += 1;
    else this.refused += 1;
    this.byCode.set(code, (this.byCode.get(code) ?? 0) + 1);
    const chunk = this.#log.chunk(row);
    if (!chunk) return;
    chunk.numbers.accepted[this.#log.at(row)] = accepted ? 1 : 0;
    chunk.numbers.code[this.#log.at(row)] = code;
  }

  /** The answer (or the end of the connection) has left. */
  answered(row: number, at: number): void {
    const chunk = this.#log.chunk(row);
    if (chunk) chunk.numbers.answered[this.#log.at(row)] = at;
  }

  read(row: number): CallEntry | undefined {
    const chunk = this.#log.chunk(row);
    if (!chunk || row >= this.#log.end) return undefined;
    const at = this.#log.at(row);
    const column = (name: (typeof COLUMNS)[number]): number | null => {
      const value = chunk.numbers[name][at];
      return value === undefined || Number.isNaN(value) ? null : value;
    };
    const word = (name: 'method' | 'fault' | 'limit'): string | null => this.#words.wordOf(column(name) ?? -1);
    const arrived = column('arrived');
    if (arrived === null) return undefined;
    const note: CallNote = chunk.notes[at] ?? {};
    const accepted = column('accepted');
    return {
      seq: row,
      at: arrived + this.#clock.wall() - this.#clock.mono(),
      arrived_mono: arrived,
      answered_mono: column('answered'),
      bot_id: column('bot'),
      method: word('method'),
      chat_id: column('chat') ?? note.chat ?? null,
      message_id: column('message'),
      accepted: accepted === null ? null : accepted === 1,
      code: column('code'),
      description: note.description ?? null,
      limit: word('limit'),
      fault: word('fault'),
      unknown_params: note.unknown ?? [],
      bad_params: note.bad ?? [],
      params: chunk.texts[at] ?? null,
    };
  }

  clear(): void {
    this.#log.clear();
    this.accepted = 0;
    this.refused = 0;
    this.byMethod.clear();
    this.byCode.clear();
  }
}
