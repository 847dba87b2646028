// The door of the Bot API client: how to call, what an answer means, and Telegram's limits.
import type { Readable } from 'node:stream';
import type { Kit } from '../../../kernel/kit.ts';
import type { BotAddress, Failure, MethodName, MethodParams, MethodResult, Outcome } from './outcome.ts';

export type * from './outcome.ts';

export type TelegramOptions = {
  /** Connections for short calls to one API root; a call beyond them waits its turn inside its own deadline. */
  readonly connectionsMax?: number;
  /** Connections for long polls and for uploads and downloads to one API root. */
  readonly longConnectionsMax?: number;
  /** The folder of a Local Bot API server on this machine. Files outside of it are never read. */
  readonly localFilesFolder?: string;
};

export type CallOptions = {
  /** Monotonic ms (kit.monotonicMs) after which the request must not be written any more: the lease under which it is made. */
  readonly startByMs?: number;
};

/** A file of an upload. `name` is the parameter, or what an `attach://name` elsewhere refers to. */
export type Upload = {
  readonly name: string;
  readonly fileName: string;
  readonly contentType?: string;
  readonly content: Uint8Array | { readonly size: number; open(): AsyncIterable<Uint8Array> };
};

/** One update of a getUpdates answer: its bytes exactly as they came. */
export type PolledUpdate = { readonly updateId: number; readonly body: Buffer };

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
  callWithFiles(bot: BotAddress, method: string, params: Readonly<Record<string, unknown>>, files: readonly Upload[]): Promise<Outcome>;
  /** getUpdates, with every update's bytes untouched. Ends early, as doubtful, when `signal` is aborted. */
  poll(bot: BotAddress, params: PollParams, signal: AbortSignal): Promise<Outcome<readonly PolledUpdate[]>>;
  /** A file by the `file_path` of getFile. The caller reads or destroys `body`. */
  download(bot: BotAddress, filePath: string): Promise<Download>;
  /** Ends all calls. Those in flight end as doubtful. */
  close(): Promise<void>;
};

export type PollParams = { readonly offset: number; readonly limit: number; readonly timeoutSeconds: number; readonly allowedUpdates: readonly string[] };

/** How long a short call may take in all. After a takeover the new owner waits this long, so that no call of the old one is still under way. */
export const requestTimeoutMs = 10_000;

/** Opens the client. One serves all bots; connections belong to an API root, not to a bot. */
export function createTelegram(_kit: Kit, _options: TelegramOptions = {}): Telegram {
  throw new Error('In the making.');
}

export { isIdempotent, verdict } from './rules.ts';
export type { BlockedReason, Verdict } from './rules.ts';
export { telegramLimits } from './limits.ts';
