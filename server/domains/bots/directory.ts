// The bots as every process knows them: in memory, followed by their revisions.
import type { Db } from '../../../kernel/db.ts';
import type { Kit } from '../../../kernel/kit.ts';
import type { Service } from '../../../kernel/service.ts';
import type { Vault } from './vault.ts';

export type BotStatus = 'connecting' | 'active' | 'paused' | 'token_invalid' | 'disconnected';

/** One object a project, shared by its bots; its fields change in place. */
export type ProjectEntry = { readonly id: number; readonly publicId: string; readonly status: 'active' | 'paused'; readonly releaseNumber: number | null };

/** A bot that is not disconnected. Entries are replaced whole when they change, never written to. */
export type BotEntry = {
  readonly id: number;
  readonly publicId: string;
  readonly bucket: number;
  readonly project: ProjectEntry;
  readonly status: Exclude<BotStatus, 'disconnected'>;
  readonly botId: number;
  readonly username: string;
  /** SHA-256 of the webhook secret. */
  readonly secretHash: Buffer;
  readonly previousSecretHash: Buffer | null;
  readonly previousSecretUntilMs: number;
  /** Where its calls go, the installation's root already filled in. */
  readonly apiRoot: string;
  /** Its own address for webhooks, where it has one (the demo bot). */
  readonly webhookBase: string | null;
  readonly allowedUpdates: readonly string[];
  readonly rev: number;
};

export type DirectoryChange =
  | { readonly kind: 'bot'; readonly id: number; readonly publicId: string; /** undefined: disconnected. */ readonly entry: BotEntry | undefined }
  | { readonly kind: 'project'; readonly project: ProjectEntry };

export type Directory = Service & {
  byPublicId(publicId: string): BotEntry | undefined;
  byId(id: number): BotEntry | undefined;
  /** Bot and project are both active: its updates are worked on and its messages sent. */
  isWorking(id: number): boolean;
  /** The bot's token, opened when first asked for. Throws Refusal BOT_NOT_FOUND, KEY_WRONG, or a database fault. */
  token(id: number): Promise<string>;
  /** All bots, in no order. */
  entries(): IterableIterator<BotEntry>;
  size(): number;
  /** Reads what changed, now. A local change is visible once this resolves. */
  refresh(): Promise<void>;
  /** Makes the next look at the database come at once. */
  nudge(): void;
  /** Calls `listener` after each change is in the maps; not for what was there at start. Returns the way to stop it. */
  onChange(listener: (change: DirectoryChange) => void): () => void;
};

export type DirectoryOptions = {
  readonly vault: Vault;
  readonly apiRootDefault: string;
  /** Opened tokens kept in memory; about 150 bytes each. */
  readonly tokensMax?: number;
};

/** Makes the directory; `start` loads all bots. */
export function createDirectory(_kit: Kit, _db: Db, _options: DirectoryOptions): Directory {
  throw new Error('In the making.');
}
