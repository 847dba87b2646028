// The door of the Bot API client: how to call, what an answer means, and Telegram's limits.
import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Kit } from '../../../kernel/kit.ts';
import { readAnswer, readPoll, withoutToken } from './answers.ts';
import { createDeadlines } from './deadlines.ts';
import { download } from './download.ts';
import { Exchange, dispatch } from './exchange.ts';
import type { Exchanged, StreamedBody } from './exchange.ts';
import { multipart } from './multipart.ts';
import type { Upload } from './multipart.ts';
import type { BotAddress, Failure, MethodName, MethodParams, MethodResult, Outcome, PolledUpdate } from './outcome.ts';
import { createRoots } from './roots.ts';

export type * from './outcome.ts';
export type { Upload } from './multipart.ts';
export { isConflict, isIdempotent, isWebhookConflict, verdict } from './rules.ts';
export type { BlockedReason, Verdict } from './rules.ts';
export { telegramLimits } from './limits.ts';

export type TelegramOptions = {
  /** Connections for short calls to one API root; a call beyond them waits its turn inside its own deadline. */
  readonly connectionsMax?: number;
  /** Connections for long polls, uploads and downloads to one API root. */
  readonly longConnectionsMax?: number;
  /** The folder of a Local Bot API server on this machine. No file outside of it is ever read. */
  readonly localFilesFolder?: string;
  /** Shorter in tests only. */
  readonly requestMsMax?: number;
};

export type CallOptions = {
  /** Monotonic ms (kit.monotonicMs) after which the request must not be written any more: the lease under which it is made. */
  readonly startByMs?: number;
};

export type PollParams = { readonly offset: number; readonly limit: number; readonly timeoutSeconds: number; readonly allowedUpdates: readonly string[] };

export type Download = { readonly kind: 'ok'; readonly size: number | undefined; readonly body: Readable } | Failure;

/** Nothing here throws for what Telegram or the network does; every method answers with an Outcome. */
export type Telegram = {
  /**
   * A short call. `params` is an object, or the JSON text of one, which is sent as it is.
   * The answer is there within `requestTimeoutMs`, counted from this call and including any wait for a connection.
   */
  call<Method extends MethodName>(bot: BotAddress, method: Method, params?: MethodParams<Method> | string, options?: CallOptions): Promise<Outcome<MethodResult<Method>>>;
  /** A short call of a method known only at run time (outbox rows). */
  callText(bot: BotAddress, method: string, paramsJson: string, options?: CallOptions): Promise<Outcome>;
  /** An upload, with as much time as bytes keep moving. */
  callWithFiles(bot: BotAddress, method: string, params: Readonly<Record<string, unknown>>, files: readonly Upload[], options?: CallOptions): Promise<Outcome>;
  /** getUpdates, with every update's bytes untouched. Ends early, as doubtful, when `signal` is aborted. */
  poll(bot: BotAddress, params: PollParams, signal: AbortSignal): Promise<Outcome<readonly PolledUpdate[]>>;
  /** A file by the `file_path` of getFile. The caller reads or destroys `body`. */
  download(bot: BotAddress, filePath: string): Promise<Download>;
  /** Ends all calls. Those in flight end as doubtful. */
  close(): Promise<void>;
};

/** How long a short call may take in all. After a takeover the new owner waits this long, so that no call of the old one is still under way. */
export const requestTimeoutMs = 10_000;

/** An upload or download may stand still for this long. */
const stalledMsMax = 120_000;
/** What a getUpdates may take beyond the time it was asked to wait. */
const pollGraceMs = 10_000;
const answerBytesMax = 4 * 1024 * 1024;
/** A hundred updates of the 512 KiB that the server allows one. */
const pollBytesMax = 64 * 1024 * 1024;

/** Opens the client. One serves all bots; connections belong to an API root, not to a bot (18 KB an idle Pool). */
export function createTelegram(kit: Kit, options: TelegramOptions = {}): Telegram {
  const requestMsMax = options.requestMsMax ?? requestTimeoutMs;
  const roots = createRoots({ short: options.connectionsMax ?? 512, long: options.longConnectionsMax ?? 128 });
  const deadlines = createDeadlines(kit.monotonicMs, `No answer within ${requestMsMax} ms.`);

  function callText(bot: BotAddress, method: string, paramsJson: string, call?: CallOptions): Promise<Outcome> {
    return new Promise((resolve) => {
      const root = roots.of(bot.apiRoot);
      const deadlineMs = kit.monotonicMs() + requestMsMax;
      const exchange: Exchange = new Exchange({
        deadlineMs,
        startByMs: Math.min(deadlineMs, call?.startByMs ?? deadlineMs),
        bytesMax: answerBytesMax,
        monotonicMs: kit.monotonicMs,
        settle: (exchanged) => {
          deadlines.remove(exchange);
          resolve(read(exchanged, bot.token));
        },
      });
      deadlines.add(exchange);
      dispatch(root.short, { origin: root.origin, path: `${root.prefix}/bot${bot.token}/${method}`, method: 'POST', headers: jsonHeaders, body: paramsJson }, exchange);
    });
  }

  /** A call without a deadline of its own: `stillMs` is how long nothing may move. */
  function callLong(bot: BotAddress, method: string, request: LongRequest): Promise<Exchanged> {
    return new Promise((resolve) => {
      const root = roots.of(bot.apiRoot);
      const startByMs = request.startByMs ?? Number.POSITIVE_INFINITY;
      const stopped = (): void => exchange.giveUp('Stopped.');
      const exchange = new Exchange({
        deadlineMs: Number.POSITIVE_INFINITY,
        startByMs,
        bytesMax: request.bytesMax,
        monotonicMs: kit.monotonicMs,
        body: request.streamed,
        settle: (exchanged) => {
          request.signal?.removeEventListener('abort', stopped);
          resolve(exchanged);
        },
      });
      if (request.signal?.aborted) return stopped();
      request.signal?.addEventListener('abort', stopped);
      const path = `${root.prefix}/bot${bot.token}/${method}`;
      const timeouts = { headersTimeout: request.stillMs, bodyTimeout: request.stillMs };
      dispatch(root.long, { origin: root.origin, path, method: 'POST', headers: request.headers, body: request.body as string, ...timeouts }, exchange);
    });
  }

  return {
    call: (bot, method, params, call) => callText(bot, method, typeof params === 'string' ? params : JSON.stringify(params ?? {}), call) as never,
    callText,
    async callWithFiles(bot, method, params, files, call) {
      const form = multipart(params, files, `roost-${randomBytes(16).toString('hex')}`);
      const headers = ['content-type', form.contentType, 'content-length', String(form.contentLength)];
      const request = { headers, body: form.body, streamed: form.body, stillMs: stalledMsMax, bytesMax: answerBytesMax, startByMs: call?.startByMs };
      return read(await callLong(bot, method, request), bot.token);
    },
    async poll(bot, params, signal) {
      const body = JSON.stringify({ offset: params.offset, limit: params.limit, timeout: params.timeoutSeconds, allowed_updates: params.allowedUpdates });
      const stillMs = params.timeoutSeconds * 1_000 + pollGraceMs;
      const exchanged = await callLong(bot, 'getUpdates', { headers: jsonHeaders, body, stillMs, bytesMax: pollBytesMax, signal });
      return exchanged.kind === 'answer' ? readPoll(exchanged, bot.token) : read(exchanged, bot.token);
    },
    download: (bot, filePath) => download(roots.of(bot.apiRoot), bot, filePath, { stalledMsMax, localFilesFolder: options.localFilesFolder }),
    async close() {
      await roots.close();
      deadlines.stop();
    },
  };
}

type LongRequest = {
  readonly headers: string[];
  readonly body: string | StreamedBody;
  readonly streamed?: StreamedBody;
  readonly stillMs: number;
  readonly bytesMax: number;
  readonly startByMs?: number | undefined;
  readonly signal?: AbortSignal;
};

const jsonHeaders = ['content-type', 'application/json'];

function read(exchanged: Exchanged, token: string): Outcome<never> {
  if (exchanged.kind === 'answer') return readAnswer(exchanged, token) as Outcome<never>;
  return { kind: exchanged.kind, reason: withoutToken(exchanged.reason, token) };
}
