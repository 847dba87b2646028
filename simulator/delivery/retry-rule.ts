import type { Random } from '../random.ts';

/** Longest Retry-After that Telegram obeys. */
const RETRY_AFTER_MAX_SECONDS = 3_600;

/**
 * Seconds until the next attempt after `failures` failed ones: at once, 2, 4, 8 ... 64, then 60 to 120 at random.
 */
export function retrySeconds(failures: number, random: Random): number {
  if (failures <= 1) return 0;
  if (failures <= 7) return 2 ** (failures - 1);
  return 60 + random() * 60;
}

/**
 * Seconds a `Retry-After` header asks for; undefined where it is not a whole number, or none above 0: Telegram takes those
 * for absent, or it would repeat without end.
 */
export function retryAfterSeconds(header: string | undefined): number | undefined {
  if (header === undefined || !/^-?\d+$/.test(header.trim())) return undefined;
  const seconds = Number(header);
  return seconds > 0 ? Math.min(seconds, RETRY_AFTER_MAX_SECONDS) : undefined;
}
