// What a call to the Bot API can come to. Nothing here knows how the call was made.
import type { ApiMethods } from '@grammyjs/types';

/** A bot as a call needs it. `apiRoot` has no slash at its end and may carry a path (a relay). */
export type BotAddress = { readonly token: string; readonly apiRoot: string };

/** A file to upload is made elsewhere; in typed parameters there are only file ids, URLs and `attach://` names. */
export type Methods = ApiMethods<never>;
export type MethodName = keyof Methods;
export type MethodParams<Method extends MethodName> = NonNullable<Parameters<Methods[Method]>[0]>;
export type MethodResult<Method extends MethodName> = ReturnType<Methods[Method]>;

/** Telegram did what was asked. */
export type Ok<Result> = { readonly kind: 'ok'; readonly result: Result };

/** Telegram, or what stands before it, answered and did not do it. */
export type Refused = {
  readonly kind: 'refused';
  readonly code: number;
  /** As Telegram wrote it, with secrets cut. Only rules.ts reads meaning into it. */
  readonly description: string;
  readonly retryAfterSeconds?: number;
  readonly migrateToChatId?: number;
};

/** The request certainly never reached Telegram whole: it may be made again without a double. */
export type Unreached = { readonly kind: 'unreached'; readonly reason: string };

/** The request went out and nobody knows what became of it. */
export type Doubtful = { readonly kind: 'doubtful'; readonly reason: string };

export type Failure = Refused | Unreached | Doubtful;
export type Outcome<Result = unknown> = Ok<Result> | Failure;

/** One update of a getUpdates answer: its bytes exactly as they came. */
export type PolledUpdate = { readonly updateId: number; readonly body: Buffer };
