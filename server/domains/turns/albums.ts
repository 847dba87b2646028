// Which updates are one album, and when all of it is here. Pure.

import { TELEGRAM_LIMITS } from '../../../contract/limits.ts';
import type { Item } from './lanes.ts';
import { parsed } from './opening.ts';

/**
 * An album is complete when nothing of it has come for so long. Telegram does not say how many parts there are, and
 * delivers the next one when the one before was stored: mostly some 100 ms apart, more where deliveries fail between them.
 */
const quietMs = 1_000;

/** The album an update belongs to, or ''. */
export function albumOf(item: Item): string {
  if (/[^\d-]/.test(item.key)) return '';
  const update = parsed(item) as Record<string, { media_group_id?: unknown } | undefined> | null;
  const content = update?.message ?? update?.channel_post;
  return typeof content?.media_group_id === 'string' ? content.media_group_id : '';
}

/** The parts of the album that stand in a lane. */
export function partsOf(items: readonly Item[], album: string): readonly Item[] {
  return items.filter((item) => albumOf(item) === album);
}

/** The monotonic time from which an album may be answered: each part that comes begins the wait anew, the last one ends it. */
export function completeMs(parts: readonly Item[]): number {
  if (parts.length >= TELEGRAM_LIMITS.albumItemsMax) return Number.NEGATIVE_INFINITY;
  return Math.max(...parts.map((part) => part.seenMs)) + quietMs;
}
