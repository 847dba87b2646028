// Decisions about a bot's webhook. Pure: what is wanted and what Telegram says in, what to do out.
import type { WebhookInfo } from '@grammyjs/types';

/** What Telegram should have. */
export type Desired = {
  readonly url: string;
  readonly allowedUpdates: readonly string[];
  readonly maxConnections: number;
};

/** What we remember about it. */
export type Known = {
  /** The URL we set last; null: none. */
  readonly url: string | null;
  /** True: something changed here that Telegram was not told yet. */
  readonly unset: boolean;
  readonly setAtMs: number;
  /** How often it was taken from us without a quiet day since. */
  readonly lostCount: number;
};

export type Decision =
  | { readonly kind: 'fine'; readonly lostCount: number }
  | {
      readonly kind: 'set';
      readonly why: 'unset' | 'drift' | 'lost';
      readonly lostCount: number;
      readonly problem: string | null;
    }
  /** It was taken again too soon: whoever does it would only do it again. */
  | { readonly kind: 'back_off'; readonly seconds: number; readonly lostCount: number; readonly problem: string };

const hourSeconds = 3_600;
/** The first loss is mended at once. After that every attempt waits longer, so that two programs never fight in a loop. */
const waitSecondsAfterLosses = [0, hourSeconds, 6 * hourSeconds];
const waitSecondsMax = 24 * hourSeconds;
/** Without a loss for this long the count begins anew. */
const quietSeconds = 24 * hourSeconds;
/** Telegram drops names it does not know without a word: settings that do not stick are tried again no oftener than this. */
const driftSeconds = hourSeconds;

/**
 * What to do about a bot's webhook. It is lost when Telegram has a URL that we neither set nor want: somebody
 * else polls with the token (the URL is empty then) or has set an address of their own.
 */
export function decide(desired: Desired, known: Known, actual: WebhookInfo, nowMs: number): Decision {
  const sinceSetSeconds = (nowMs - known.setAtMs) / 1_000;
  const lostCount = sinceSetSeconds > quietSeconds ? 0 : known.lostCount;
  const url = actual.url ?? '';
  if (url !== desired.url && url !== (known.url ?? '')) {
    const waitSeconds = waitSecondsAfterLosses[lostCount] ?? waitSecondsMax;
    const problem = lossText(url, lostCount);
    if (sinceSetSeconds < waitSeconds)
      return { kind: 'back_off', seconds: Math.ceil(waitSeconds - sinceSetSeconds), lostCount, problem };
    return { kind: 'set', why: 'lost', lostCount: lostCount + 1, problem };
  }
  if (known.unset || url !== desired.url) return { kind: 'set', why: 'unset', lostCount, problem: null };
  if (drifted(desired, actual) && sinceSetSeconds > driftSeconds)
    return { kind: 'set', why: 'drift', lostCount, problem: null };
  return { kind: 'fine', lostCount };
}

/** True when Telegram holds other settings for our URL than we asked for. What it does not mention is as asked. */
export function drifted(desired: Desired, actual: WebhookInfo): boolean {
  if (actual.max_connections !== undefined && actual.max_connections !== desired.maxConnections) return true;
  if (actual.allowed_updates === undefined) return false;
  const held = new Set<string>(actual.allowed_updates);
  return held.size !== desired.allowedUpdates.length || desired.allowedUpdates.some((kind) => !held.has(kind));
}

function lossText(url: string, lostCount: number): string {
  const what =
    url === ''
      ? 'The webhook was removed by another program that uses this token'
      : `Another program has set the webhook to ${hostOf(url)}`;
  const then = lostCount === 0 ? 'It was set again.' : 'It is set again at growing pauses only, up to a day.';
  return `${what}. ${then} Stop the other program, or give this bot a new token in @BotFather.`;
}

/** Only the host: a path may hold a secret. */
export function hostOf(url: string): string {
  try {
    return new URL(url).host || 'another address';
  } catch {
    return 'another address';
  }
}

const webhookPath = '/v1/telegram/webhooks/';

/** Where Telegram is to send a bot's updates. */
export function webhookUrl(base: string, publicId: string): string {
  return `${base}${webhookPath}${publicId}`;
}

/** The public id in a webhook URL of a Roost installation, this one or another. */
export function publicIdIn(url: string): string | undefined {
  return /\/v1\/telegram\/webhooks\/(int_[A-Za-z0-9_-]+)$/.exec(url)?.[1];
}

/**
 * The kinds of update to ask for: what the flow needs and what the platform needs itself. Never an empty list,
 * which means "nearly all" to Telegram. A payment whose pre_checkout_query is not asked for spins until it fails
 * (grammY#552); my_chat_member tells that a chat can be written to again.
 */
export function wantedUpdates(kinds: readonly string[]): string[] {
  return [...new Set([...alwaysWanted, ...kinds])].sort();
}

const alwaysWanted = ['callback_query', 'message', 'my_chat_member', 'pre_checkout_query'];

/** What Telegram says about its deliveries, when that is new: `last_error_*` stays there until the next setWebhook, so only a change means something. */
export function newDeliveryError(knownAt: Date | null, actual: WebhookInfo): { message: string; at: Date } | undefined {
  if (actual.last_error_date === undefined) return undefined;
  const at = new Date(actual.last_error_date * 1_000);
  return knownAt?.getTime() === at.getTime() ? undefined : { message: actual.last_error_message ?? '', at };
}

/** Seconds until a webhook that could not be set is tried again: 15 s doubling to an hour. */
export function retrySeconds(tries: number): number {
  return Math.min(hourSeconds, 15 * 2 ** Math.min(tries, 10));
}

/** A token's shape, so that nothing else ever becomes part of a URL. Whether it is good only Telegram knows. */
export function looksLikeToken(text: string): boolean {
  return /^\d{3,20}:[A-Za-z0-9_-]{10,100}$/.test(text);
}
