import type { Answers } from '../lib/answers.ts';

/** A file of a `FilesPlan`, ready to be sent: everybody gets it in this one form. */
export type ReadyFile = { readonly headers: Readonly<Record<string, string>>; readonly bytes: Uint8Array };

/** Answers these paths from memory, and does nothing else. */
export type FilesPlan = {
  readonly kind: 'files';
  readonly port: number;
  readonly files: ReadonlyMap<string, ReadyFile>;
};

/**
 * bare: parses, answers, stores nothing and sends nothing. unsafe: calls sendMessage at once and stores nothing.
 * grammy: the same bot in grammY.
 */
export type BaselinePlan = {
  readonly kind: 'bare' | 'unsafe' | 'grammy';
  readonly port: number;
  readonly apiRoot: string;
  readonly bots: readonly { publicId: string; secret: string; token: string; botId: number }[];
  readonly words: readonly string[];
  readonly answers: Answers;
  /** unsafe: answers the webhook only when Telegram has answered, so that the sender sets the pace. */
  readonly awaitsTelegram?: boolean;
};
