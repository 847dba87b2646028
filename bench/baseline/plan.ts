import type { Answers } from '../lib/answers.ts';

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
