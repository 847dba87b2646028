// The client itself: which connections a call takes, how long it may last, and what its answer becomes.
import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Kit } from '../../../kernel/kit.ts';
import { readAnswer, readPoll, withoutToken } from './answers.ts';
import { createDeadlines, type Deadlines } from './deadlines.ts';
import { download } from './download.ts';
import { dispatch, Exchange, type Exchanged, type StreamedBody } from './exchange.ts';
import { multipart, type Upload } from './multipart.ts';
import type { BotAddress, Failure, MethodName, MethodParams, MethodResult, Outcome, PolledUpdate } from './outcome.ts';
import { type CallKind, createRoots, type Roots } from './roots.ts';

export type TelegramOptions = {
  /** Connections for sends to one API root; a call beyond them waits its turn inside its own deadline. */
  readonly connectionsMax?: number;
  /** Connections for long polls, uploads and downloads to one API root. */
  readonly longConnectionsMax?: number;
  /** The folder of a Local Bot API server on this machine. No file outside of it is ever read. */
  readonly localFilesFolder?: string;
  /** Of every short call. In tests only. */
  readonly requestMsMax?: number;
};

export type CallOptions = {
  /** What the call is, which says over whose connections it goes and how long it may last; a send where nothing is said. */
  readonly kind?: ShortCallKind;
  /** Monotonic ms (kit.monotonicMs) after which the request must not be written any more: the lease under which it is made. */
  readonly startByMs?: number;
  /** Called at the moment the request is written to a connection: what counts for Telegram's limits. */
  readonly written?: () => void;
  /** Ends an upload early: as unreached while its bytes are not all gone out, else as doubtful. Short calls end by themselves. */
  readonly signal?: AbortSignal | undefined;
};

export type PollParams = {
  readonly offset: number;
  readonly limit: number;
  readonly timeoutSeconds: number;
  readonly allowedUpdates: readonly string[];
};

export type Download = { readonly kind: 'ok'; readonly size: number | undefined; readonly body: Readable } | Failure;

/** Nothing here throws for what Telegram or the network does; every method answers with an Outcome. */
export type Telegram = {
  /**
   * A short call. `params` is an object, or the JSON text of one, which is sent as it is.
   * The answer is there within the time of its kind, counted from this call and including any wait for a connection.
   */
  call<Method extends MethodName>(
    bot: BotAddress,
    method: Method,
    params?: MethodParams<Method> | string,
    options?: CallOptions,
  ): Promise<Outcome<MethodResult<Method>>>;
  /** A short call of a method known only at run time (outbox rows). */
  callText(bot: BotAddress, method: string, paramsJson: string, options?: CallOptions): Promise<Outcome>;
  /** An upload, with as much time as bytes keep moving. */
  callWithFiles(
    bot: BotAddress,
    method: string,
    params: Readonly<Record<string, unknown>>,
    files: readonly Upload[],
    options?: CallOptions,
  ): Promise<Outcome>;
  /** getUpdates, with every update's bytes untouched. Ends early, as doubtful, when `signal` is aborted. */
  poll(bot: BotAddress, params: PollParams, signal: AbortSignal): Promise<Outcome<readonly PolledUpdate[]>>;
  /** A file by the `file_path` of getFile. The caller reads or destroys `body`. */
  download(bot: BotAddress, filePath: string): Promise<Download>;
  /** Ends all calls. Those in flight end as doubtful. */
  close(): Promise<void>;
};

export type ShortCallKind = Exclude<CallKind, 'long'>;

/**
 * Connections for short calls to one API root, and how long a call may take in all. Answers to presses and checkouts
 * may be repeated without harm and are soon worth nothing: one that hangs is given up while there is time for others.
 */
export const shortCalls = {
  send: { connectionsMax: 1_000, answerMsMax: 10_000 },
  press: { connectionsMax: 512, answerMsMax: 4_000 },
  checkout: { connectionsMax: 256, answerMsMax: 3_000 },
} as const satisfies Record<ShortCallKind, { connectionsMax: number; answerMsMax: number }>;

/**
 * How long a send may take in all. After a takeover the new owner waits this long, so that no call of the old one is
 * still under way.
 */
export const requestTimeoutMs = shortCalls.send.answerMsMax;

/** An upload or download may stand still for this long. */
const stalledMsMax = 120_000;
/** What a getUpdates may take beyond the time it was asked to wait. */
const pollGraceMs = 10_000;
const answerBytesMax = 4 * 1024 * 1024;
/** A hundred updates of the 512 KiB that the server allows one. */
const pollBytesMax = 64 * 1024 * 1024;
const jsonHeaders = ['content-type', 'application/json'];

type LongRequest = {
  readonly headers: string[];
  readonly body: string | StreamedBody;
  readonly streamed?: StreamedBody;
  /** How long nothing may move. */
  readonly stillMs: number;
  readonly bytesMax: number;
  readonly startByMs?: number | undefined;
  readonly written?: (() => void) | undefined;
  readonly signal?: AbortSignal | undefined;
};

export class Client implements Telegram {
  readonly #monotonicMs: () => number;
  readonly #localFilesFolder: string | undefined;
  readonly #roots: Roots;
  readonly #short: Readonly<Record<ShortCallKind, { msMax: number; deadlines: Deadlines }>>;

  constructor(kit: Kit, options: TelegramOptions) {
    this.#monotonicMs = kit.monotonicMs;
    this.#localFilesFolder = options.localFilesFolder;
    this.#roots = createRoots({
      send: options.connectionsMax ?? shortCalls.send.connectionsMax,
      press: shortCalls.press.connectionsMax,
      checkout: shortCalls.checkout.connectionsMax,
      long: options.longConnectionsMax ?? 128,
    });
    const short = (kind: ShortCallKind): { msMax: number; deadlines: Deadlines } => {
      const msMax = options.requestMsMax ?? shortCalls[kind].answerMsMax;
      return { msMax, deadlines: createDeadlines(kit.monotonicMs, `No answer within ${msMax} ms.`) };
    };
    this.#short = { send: short('send'), press: short('press'), checkout: short('checkout') };
  }

  call<Method extends MethodName>(
    bot: BotAddress,
    method: Method,
    params?: MethodParams<Method> | string,
    options?: CallOptions,
  ): Promise<Outcome<MethodResult<Method>>> {
    const text = typeof params === 'string' ? params : JSON.stringify(params ?? {});
    return this.callText(bot, method, text, options) as Promise<Outcome<MethodResult<Method>>>;
  }

  callText(bot: BotAddress, method: string, paramsJson: string, options?: CallOptions): Promise<Outcome> {
    return new Promise((resolve) => {
      const root = this.#roots.of(bot.apiRoot);
      const kind = options?.kind ?? 'send';
      const { msMax, deadlines } = this.#short[kind];
      const deadlineMs = this.#monotonicMs() + msMax;
      const exchange: Exchange = new Exchange({
        deadlineMs,
        startByMs: Math.min(deadlineMs, options?.startByMs ?? deadlineMs),
        written: options?.written,
        bytesMax: answerBytesMax,
        monotonicMs: this.#monotonicMs,
        settle: (exchanged) => {
          deadlines.remove(exchange);
          resolve(read(exchanged, bot.token));
        },
      });
      deadlines.add(exchange);
      const path = `${root.prefix}/bot${bot.token}/${method}`;
      dispatch(
        root.pools[kind],
        { origin: root.origin, path, method: 'POST', headers: jsonHeaders, body: paramsJson },
        exchange,
      );
    });
  }

  async callWithFiles(
    bot: BotAddress,
    method: string,
    params: Readonly<Record<string, unknown>>,
    files: readonly Upload[],
    options?: CallOptions,
  ): Promise<Outcome> {
    const form = multipart(params, files, `roost-${randomBytes(16).toString('hex')}`);
    const exchanged = await this.#callLong(bot, method, {
      headers: ['content-type', form.contentType, 'content-length', String(form.contentLength)],
      body: form.body,
      streamed: form.body,
      stillMs: stalledMsMax,
      bytesMax: answerBytesMax,
      startByMs: options?.startByMs,
      written: options?.written,
      signal: options?.signal,
    });
    return read(exchanged, bot.token);
  }

  async poll(bot: BotAddress, params: PollParams, signal: AbortSignal): Promise<Outcome<readonly PolledUpdate[]>> {
    const { offset, limit, timeoutSeconds: timeout, allowedUpdates: allowed_updates } = params;
    const exchanged = await this.#callLong(bot, 'getUpdates', {
      headers: jsonHeaders,
      body: JSON.stringify({ offset, limit, timeout, allowed_updates }),
      stillMs: timeout * 1_000 + pollGraceMs,
      bytesMax: pollBytesMax,
      signal,
    });
    return exchanged.kind === 'answer' ? readPoll(exchanged, bot.token) : read(exchanged, bot.token);
  }

  download(bot: BotAddress, filePath: string): Promise<Download> {
    const options = { stalledMsMax, localFilesFolder: this.#localFilesFolder };
    return download(this.#roots.of(bot.apiRoot), bot, filePath, options);
  }

  async close(): Promise<void> {
    await this.#roots.close();
    for (const { deadlines } of Object.values(this.#short)) deadlines.stop();
  }

  /** A call without a deadline of its own, over the connections for long ones. */
  #callLong(bot: BotAddress, method: string, request: LongRequest): Promise<Exchanged> {
    return new Promise((resolve) => {
      const root = this.#roots.of(bot.apiRoot);
      const stopped = (): void => exchange.giveUp('Stopped.');
      const exchange: Exchange = new Exchange({
        deadlineMs: Number.POSITIVE_INFINITY,
        startByMs: request.startByMs ?? Number.POSITIVE_INFINITY,
        written: request.written,
        bytesMax: request.bytesMax,
        monotonicMs: this.#monotonicMs,
        body: request.streamed,
        settle: (exchanged) => {
          request.signal?.removeEventListener('abort', stopped);
          resolve(exchanged);
        },
      });
      if (request.signal?.aborted) return stopped();
      request.signal?.addEventListener('abort', stopped);
      const { headers, stillMs } = request;
      // undici takes any async iterable; its type names streams only.
      const body = request.body as string;
      const path = `${root.prefix}/bot${bot.token}/${method}`;
      const timeouts = { headersTimeout: stillMs, bodyTimeout: stillMs };
      dispatch(root.pools.long, { origin: root.origin, path, method: 'POST', headers, body, ...timeouts }, exchange);
    });
  }
}

function read(exchanged: Exchanged, token: string): Outcome<never> {
  if (exchanged.kind === 'answer') return readAnswer(exchanged, token) as Outcome<never>;
  return { kind: exchanged.kind, reason: withoutToken(exchanged.reason, token) };
}
