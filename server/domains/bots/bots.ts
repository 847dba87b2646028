// The door of the bots: connecting them, knowing them, keeping their secrets.
import type { Db, Queryable, Tx } from '../../../kernel/db.ts';
import type { Kit } from '../../../kernel/kit.ts';
import type { Service } from '../../../kernel/service.ts';
import type { Telegram } from '../telegram/telegram.ts';
import type { BotStatus, Directory } from './directory.ts';
import type { Vault } from './vault.ts';

export { createDirectory } from './directory.ts';
export type { BotEntry, BotStatus, Directory, DirectoryChange, DirectoryOptions, ProjectEntry } from './directory.ts';
export { checkSecret } from './secret.ts';
export { createVault } from './vault.ts';
export type { Vault, VaultKeys } from './vault.ts';

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

export type ConnectRequest = {
  /** Name or public id. */
  readonly project: string;
  readonly token: string;
  readonly apiRoot?: string;
  /** An address for this bot's webhook instead of PUBLIC_URL (the demo bot and its simulator). */
  readonly webhookBase?: string;
  /** The maker has said that the other address may lose this bot. */
  readonly replaceForeignWebhook?: boolean;
  readonly maxConnections?: number;
};

/** A bot as people may see it: no secret, sealed or not. */
export type BotView = {
  readonly publicId: string;
  readonly project: string;
  readonly botId: number;
  readonly username: string;
  readonly title: string;
  readonly status: BotStatus;
  /** How its updates come. */
  readonly receives: 'webhook' | 'polling';
  readonly allowedUpdates: readonly string[];
  readonly maxConnections: number;
  readonly webhookProblem: string | null;
  readonly deliveryError: string | null;
  readonly pendingCount: number | null;
  readonly checkedAt: Date | null;
  readonly createdAt: Date;
};

export type Connected = { readonly bot: BotView; /** What would make it better: that webhooks need PUBLIC_URL. */ readonly hint: string | undefined };

/** Notices that an answer 401 was seen, confirms it, and only then stops the bot. */
export type TokenWatch = Service & {
  /** Called for every 401; cheap, and does nothing while this bot is being looked into. */
  refused(integrationId: number): void;
  /** True from the first 401 until it is cleared or confirmed; hold the bot's sends meanwhile. */
  isSuspect(integrationId: number): boolean;
};

export function connectBot(deps: BotsDeps, request: ConnectRequest): Promise<Connected> {
  throw new Error('In the making.');
}
export function listBots(q: Queryable, options?: { project?: string; withDisconnected?: boolean; limit?: number; afterId?: string }): Promise<BotView[]> {
  throw new Error('In the making.');
}
export function showBot(q: Queryable, publicId: string): Promise<BotView> {
  throw new Error('In the making.');
}
export function pauseBot(deps: BotsDeps, publicId: string): Promise<BotView> {
  throw new Error('In the making.');
}
export function resumeBot(deps: BotsDeps, publicId: string): Promise<BotView> {
  throw new Error('In the making.');
}
export function rotateSecret(deps: BotsDeps, publicId: string): Promise<BotView> {
  throw new Error('In the making.');
}
export function rotateToken(deps: BotsDeps, publicId: string, token: string): Promise<BotView> {
  throw new Error('In the making.');
}
export function disconnectBot(deps: BotsDeps, publicId: string, options?: { evenIfUnreachable?: boolean }): Promise<void> {
  throw new Error('In the making.');
}
/** The kinds of update a project's new release needs; the reconciler tells Telegram. Called in the publishing transaction. */
export function setAllowedUpdates(tx: Tx, projectId: number, kinds: readonly string[]): Promise<void> {
  throw new Error('In the making.');
}
export function createTokenWatch(deps: BotsDeps): TokenWatch {
  throw new Error('In the making.');
}
