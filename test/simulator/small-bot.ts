/** What the bots of both libraries catch, in the words of their library's own error. */
export type Failure = { code: number; description: string; retryAfter?: number; migrateTo?: number };

/** Where a bot gets its updates. */
export type Transport = 'polling' | 'webhook';

/** One and the same small bot, written with whatever library. */
export type SmallBot = {
  /** Resolves when it receives updates. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Errors of calls, in order. */
  failures: Failure[];
};

export type SmallBotParts = { apiRoot: string; token: string; transport: Transport };

/** One grey pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGOoBwAAgQCB3fH+rgAAAABJRU5ErkJggg==',
  'base64',
);

export const SECRET = 'proof_Secret-1';

/** Asked for by both, so that neither library's default hides a kind. */
export const KINDS = ['message', 'edited_message', 'callback_query', 'my_chat_member', 'pre_checkout_query'] as const;
