// Telling Telegram where to send a bot's updates, and making sure that it does.
import type { Update, WebhookInfo } from '@grammyjs/types';
import type { Queryable } from '../../../kernel/db.ts';
import { Refusal } from '../../../kernel/errors.ts';
import { errorText, redact } from '../../../kernel/redact.ts';
import type { BotAddress, Failure, Telegram } from '../telegram/telegram.ts';
import { verdict } from '../telegram/telegram.ts';
import type { Desired } from './rules.ts';
import { webhookUrl } from './rules.ts';
import { previousSecretSeconds } from './secret.ts';
import { type BotRow, recordSet, type WebhookFacts } from './sql.ts';
import { secretPlace, tokenPlace } from './tokens.ts';
import type { Vault } from './vault.ts';
import { open } from './vault.ts';

/** A bot's row with its secrets opened, for calls about its webhook. */
export type OpenBot = { readonly address: BotAddress; readonly secret: string; readonly desired: Desired | undefined };

/** Throws Refusal KEY_WRONG, or BOT_STATE for a bot that is disconnected. `desired` is undefined for a bot that is polled. */
export function openBot(
  deps: { vault: Vault; apiRootDefault: string; publicUrl: string | undefined },
  row: BotRow,
): OpenBot {
  if (row.token_sealed === null || row.secret_sealed === null || row.data_key === null)
    throw new Refusal(
      'BOT_STATE',
      row.status === 'disconnected' ? 'This bot is disconnected.' : lostToken(row.username),
    );
  const key = deps.vault.openDataKey(row.data_key, row.project_public_id);
  const base = row.webhook_base ?? deps.publicUrl;
  return {
    address: {
      token: open(key, tokenPlace(row.public_id), row.token_sealed),
      apiRoot: row.api_root ?? deps.apiRootDefault,
    },
    secret: open(key, secretPlace(row.public_id), row.secret_sealed),
    desired:
      base === undefined
        ? undefined
        : {
            url: webhookUrl(base, row.public_id),
            allowedUpdates: row.allowed_updates,
            maxConnections: row.max_connections,
          },
  };
}

/** Its token was sealed with a master key that is lost (`forgetSecrets`). */
export const isForgotten = (row: Pick<BotRow, 'token_sealed'>): boolean => row.token_sealed?.length === 0;

const lostToken = (username: string): string =>
  `The token of this bot was lost with the master key. Give it again: roost bot rotate @${username} --token TOKEN`;

export type SetResult =
  | { readonly kind: 'set'; readonly info: WebhookInfo }
  | { readonly kind: 'failed'; readonly failure: Failure };

/**
 * setWebhook, and getWebhookInfo after it: a refused change can leave the bot with no webhook at all. A lost
 * answer is asked once more (the same values change nothing). Never drops pending updates: paid
 * `successful_payment` messages may be among them.
 */
export async function setWebhook(
  telegram: Telegram,
  address: BotAddress,
  desired: Desired,
  secret: string,
): Promise<SetResult> {
  const params = {
    url: desired.url,
    secret_token: secret,
    max_connections: desired.maxConnections,
    allowed_updates: desired.allowedUpdates as Exclude<keyof Update, 'update_id'>[],
    drop_pending_updates: false,
  };
  let outcome = await telegram.call(address, 'setWebhook', params);
  if (outcome.kind === 'doubtful') outcome = await telegram.call(address, 'setWebhook', params);
  if (outcome.kind !== 'ok') return { kind: 'failed', failure: outcome };
  const info = await telegram.call(address, 'getWebhookInfo');
  if (info.kind !== 'ok') return { kind: 'failed', failure: info };
  if (info.result.url === desired.url) return { kind: 'set', info: info.result };
  return {
    kind: 'failed',
    failure: {
      kind: 'refused',
      code: 409,
      description: 'Another program changes the webhook of this bot at this moment.',
    },
  };
}

/** Removes the webhook if it is still `url`; somebody else's is left alone. */
export async function removeWebhook(
  telegram: Telegram,
  address: BotAddress,
  url: string,
): Promise<Failure | undefined> {
  const info = await telegram.call(address, 'getWebhookInfo');
  if (info.kind !== 'ok') return info;
  if (info.result.url !== url) return undefined;
  let outcome = await telegram.call(address, 'deleteWebhook', { drop_pending_updates: false });
  if (outcome.kind === 'doubtful')
    outcome = await telegram.call(address, 'deleteWebhook', { drop_pending_updates: false });
  return outcome.kind === 'ok' ? undefined : outcome;
}

/** Writes down that Telegram has the webhook which somebody asked for: what was wrong with the one before is over. */
export function recordSetAfresh(q: Queryable, row: BotRow, info: WebhookInfo): Promise<unknown> {
  const { id, rev } = row;
  const facts = factsOf(info);
  return recordSet(q, { id, rev, facts, lostCount: 0, problem: null, previousSeconds: previousSecretSeconds });
}

const errorCharactersMax = 300;

/** What of getWebhookInfo is kept. */
export function factsOf(info: WebhookInfo): WebhookFacts {
  return {
    url: info.url || null,
    // More than the column holds is no less than too many.
    pending: Math.min(info.pending_update_count, 2 ** 31 - 1),
    error: info.last_error_message === undefined ? null : redact(info.last_error_message).slice(0, errorCharactersMax),
    errorAt: info.last_error_date === undefined ? null : new Date(info.last_error_date * 1_000),
  };
}

/** A failed call as an answer to whoever asked for the change. */
export function refusalOf(method: string, failure: Failure): Refusal {
  const meaning = verdict(method, failure);
  if (meaning.kind === 'token_invalid') return new Refusal('BOT_TOKEN_WRONG');
  if (meaning.kind === 'retry_later') return new Refusal('BOT_LIMITED', undefined, { seconds: meaning.seconds });
  if (failure.kind !== 'refused')
    return new Refusal('BOT_UNREACHABLE', undefined, { reason: errorText(failure.reason) });
  return new Refusal('BOT_WEBHOOK_REFUSED', undefined, { telegram: failure.description });
}
