// What the functions of this domain are given, and what they answer with.
import type { Db } from '../../../kernel/db.ts';
import type { Kit } from '../../../kernel/kit.ts';
import type { Telegram } from '../telegram/telegram.ts';
import type { BotStatus, Directory } from './directory.ts';
import type { BotRow } from './sql.ts';
import type { Vault } from './vault.ts';

export type BotsDeps = {
  readonly kit: Kit;
  readonly db: Db;
  readonly telegram: Telegram;
  readonly vault: Vault;
  /** TELEGRAM_API_ROOT, without a slash at its end. */
  readonly apiRootDefault: string;
  /** PUBLIC_URL, without a slash at its end. Without one bots are polled, save those with an address of their own. */
  readonly publicUrl: string | undefined;
  /** The directory of this process, so that it knows of a change before the call returns. */
  readonly directory?: Pick<Directory, 'refresh'>;
};

/** A bot as people may see it: no secret, sealed or not. */
export type BotView = {
  readonly publicId: string;
  readonly project: string;
  readonly projectPublicId: string;
  readonly botId: number;
  readonly username: string;
  readonly title: string;
  readonly status: BotStatus;
  /** How its updates come; null for one that is disconnected. */
  readonly receives: 'webhook' | 'polling' | null;
  /** Where Telegram finds this server for this bot, where that is not PUBLIC_URL. */
  readonly webhookBase: string | null;
  readonly allowedUpdates: readonly string[];
  readonly maxConnections: number;
  /** What is wrong with its webhook, in a sentence. */
  readonly webhookProblem: string | null;
  /** What Telegram said of its last failed delivery; it may be long over. */
  readonly deliveryError: string | null;
  readonly deliveryErrorAt: Date | null;
  /** Updates that wait at Telegram, when it was last asked. */
  readonly pendingCount: number | null;
  readonly checkedAt: Date | null;
  readonly createdAt: Date;
};

export function viewOf(row: BotRow, publicUrl: string | undefined): BotView {
  return {
    publicId: row.public_id,
    project: row.project_name,
    projectPublicId: row.project_public_id,
    botId: row.bot_id,
    username: row.username,
    title: row.title,
    status: row.status,
    receives: receivesOf(row, publicUrl),
    webhookBase: row.webhook_base,
    allowedUpdates: row.allowed_updates,
    maxConnections: row.max_connections,
    webhookProblem: row.webhook_problem,
    deliveryError: row.delivery_error,
    deliveryErrorAt: row.delivery_error_at,
    pendingCount: row.pending_count,
    checkedAt: row.webhook_checked_at,
    createdAt: row.created_at,
  };
}

function receivesOf(row: BotRow, publicUrl: string | undefined): BotView['receives'] {
  if (row.status === 'disconnected') return null;
  return (row.webhook_base ?? publicUrl) === undefined ? 'polling' : 'webhook';
}

/** The kinds of notice this domain opens; all are about one bot, by its public id. */
export const noticeKinds = {
  tokenInvalid: 'bot.token_invalid',
  webhookLost: 'bot.webhook_lost',
  pollConflict: 'bot.poll_conflict',
} as const;
