// The webhook secret: made here, sent to Telegram, sealed for later, and compared by its hash.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** What of a bot the comparison needs. */
export type SecretHashes = {
  readonly secretHash: Buffer;
  /** The secret of before, accepted for a while: after a change Telegram still sends it for a moment. */
  readonly previousSecretHash: Buffer | null;
  readonly previousSecretUntilMs: number;
};

/** How long a secret is accepted after Telegram was given the next: deliveries under way still carry it. */
export const previousSecretSeconds = 600;

/** 256 random bits in characters that setWebhook allows (A-Za-z0-9_-). */
export function makeSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** A public id that cannot be guessed: 144 random bits. */
export function makePublicId(): string {
  return `int_${randomBytes(18).toString('base64url')}`;
}

/** A secret of 256 random bits needs no slow hash. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/**
 * True when `presented` is the bot's secret, or its previous one within its time. Constant work: an unknown
 * bot is compared with a hash that nothing has, a bot without a previous secret compares twice with the same,
 * so neither can be told by the time it takes. An absent or empty secret never passes.
 */
export function checkSecret(entry: SecretHashes | undefined, presented: string | undefined, nowMs: number): boolean {
  const { secretHash, previousSecretHash, previousSecretUntilMs } = entry ?? nobody;
  const hash = hashSecret(presented ?? '');
  const isCurrent = timingSafeEqual(hash, secretHash);
  const isPrevious = timingSafeEqual(hash, previousSecretHash ?? nobody.secretHash);
  const previousCounts = previousSecretHash !== null && nowMs < previousSecretUntilMs;
  return (
    (isCurrent || (isPrevious && previousCounts)) && entry !== undefined && presented !== undefined && presented !== ''
  );
}

/** Random, so that no presented secret hashes to it. */
const nobody: SecretHashes = { secretHash: randomBytes(32), previousSecretHash: null, previousSecretUntilMs: 0 };
