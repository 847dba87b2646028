import { gunzipSync, inflateSync } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { Pool } from 'undici';
import type { Outward } from './outward.ts';

/** Telegram closes idle connections after this (telegram.md 0.6). */
const IDLE_MS = 60_000;
/** undici looks through all connections of a pool at every request; some pools an address keep that short. */
const POOLS = 16;
/** More of an answer than this fails the delivery. */
const ANSWER_BYTES_MAX = 1024 * 1024;
const UNPACKED = { maxOutputLength: ANSWER_BYTES_MAX };
const UNSUPPORTED = 'Unsupported Media Type: unsupported content-encoding';

/** What a webhook answered, or why there was no answer. */
export type WebhookAnswer = {
  /** 0 where there was no answer. */
  status: number;
  retryAfter?: string;
  contentType?: string;
  body: string;
  /** In Telegram's words; empty where it would say nothing. */
  error: string;
  /** The connection could not even be made, so the update was certainly not seen. */
  unreachable: boolean;
};

export type WebhookPost = {
  botId: number;
  url: URL;
  headers: Record<string, string>;
  body: string | Buffer;
  certificate: string | undefined;
  timeoutMs: number;
  done: (answer: WebhookAnswer) => void;
};

/** Cuts a request in flight; its `done` is not called any more. */
export type Cut = () => void;

/** Why the simulator does not speak to an address; not Telegram's words, since Telegram would. */
export const NOT_ALLOWED = 'this simulated Telegram calls its own server alone, unless told otherwise (reach: any)';

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Collects the answer of one request. Cheaper than `request()`: no stream and no promise for a few bytes. */
class AnswerCollector implements Dispatcher.DispatchHandler {
  readonly #post: WebhookPost;
  #status = 0;
  #headers: Record<string, string | string[] | undefined> = {};
  #chunks: Buffer[] | undefined;
  #bytes = 0;
  #cut = false;
  #controller: Dispatcher.DispatchController | undefined;

  constructor(post: WebhookPost) {
    this.#post = post;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#cut) controller.abort(new Error('cut'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > ANSWER_BYTES_MAX) {
      controller.abort(new Error('Request Entity Too Large'));
      return;
    }
    this.#chunks ??= [];
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#cut) return;
    const { status } = this.#answerHead();
    const body = this.#body();
    if (body === undefined) {
      this.#post.done({ status: 0, body: '', error: UNSUPPORTED, unreachable: false });
      return;
    }
    const error = status >= 200 && status < 300 ? '' : `Wrong response from the webhook: ${status} ${reason(status)}`;
    this.#post.done({ ...this.#answerHead(), body, error, unreachable: false });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#cut) return;
    const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
    this.#post.done({ status: 0, body: '', error: errorWords(code, error), unreachable: UNREACHABLE.has(code) });
  }

  cut(): void {
    this.#cut = true;
    this.#controller?.abort(new Error('cut'));
  }

  #answerHead(): { status: number; retryAfter?: string; contentType?: string } {
    const retryAfter = this.#headers['retry-after'];
    const contentType = this.#headers['content-type'];
    return {
      status: this.#status,
      ...(typeof retryAfter === 'string' ? { retryAfter } : {}),
      ...(typeof contentType === 'string' ? { contentType } : {}),
    };
  }

  /** The answer's text; undefined where it is packed in a way that Telegram does not unpack, or not at all as it says. */
  #body(): string | undefined {
    const encoding = this.#headers['content-encoding'];
    const chunks = this.#chunks ?? [];
    const [first] = chunks;
    const bytes = chunks.length === 1 && first ? first : Buffer.concat(chunks);
    if (encoding === undefined || encoding === '' || encoding === 'identity') return bytes.toString('utf8');
    try {
      // Telegram asks for gzip and deflate; br and zstd are sent by proxies that do not listen.
      if (encoding === 'gzip') return gunzipSync(bytes, UNPACKED).toString('utf8');
      if (encoding === 'deflate') return inflateSync(bytes, UNPACKED).toString('utf8');
    } catch {
      // As one that is packed in another way.
    }
    return undefined;
  }
}

function reason(status: number): string {
  const words: Record<number, string> = {
    301: 'Moved Permanently',
    302: 'Found',
    400: 'Bad Request',
    401: 'Unauthorized',
    403: 'Forbidden',
    404: 'Not Found',
    429: 'Too Many Requests',
    500: 'Internal Server Error',
    502: 'Bad Gateway',
    503: 'Service Unavailable',
    504: 'Gateway Timeout',
  };
  return words[status] ?? 'Unknown';
}

/** Telegram's words for a request without an answer; a connection dropped by the server is not mentioned. */
function errorWords(code: string, error: Error): string {
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') return 'Read timeout expired';
  if (code === 'ECONNREFUSED') return 'Connection refused';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'Failed to resolve host: Name or service not known';
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'Connection timed out';
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE') return '';
  return error.message;
}

/** No connection is made; told a moment later, as an answer would be. */
function refuse(post: WebhookPost): Cut {
  const told = setImmediate(() => post.done({ status: 0, body: '', error: NOT_ALLOWED, unreachable: true }));
  return () => clearImmediate(told);
}

/** Connections to webhooks, shared by bots, without a cap, because each sender keeps its own. */
export class Transport {
  readonly #pools = new Map<string, Pool>();
  readonly #outward: Outward;

  constructor(outward: Outward) {
    this.#outward = outward;
  }

  post(post: WebhookPost): Cut {
    // Looked at once more for each delivery: a webhook may have been set when more was allowed, and kept since.
    if (!this.#outward.mayPost(post.url)) return refuse(post);
    const collector = new AnswerCollector(post);
    this.#pool(post).dispatch(
      {
        path: post.url.pathname + post.url.search,
        method: 'POST',
        headers: post.headers,
        body: post.body,
        headersTimeout: post.timeoutMs,
        bodyTimeout: post.timeoutMs,
      },
      collector,
    );
    return () => collector.cut();
  }

  #pool({ url: { origin }, certificate, botId }: WebhookPost): Pool {
    const key = `${botId % POOLS} ${origin} ${certificate ?? ''}`;
    let pool = this.#pools.get(key);
    if (!pool) {
      pool = new Pool(origin, {
        allowH2: false,
        keepAliveTimeout: IDLE_MS,
        connectTimeout: IDLE_MS,
        ...(certificate === undefined ? {} : { connect: { ca: certificate } }),
      });
      this.#pools.set(key, pool);
    }
    return pool;
  }

  async close(): Promise<void> {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }
}
