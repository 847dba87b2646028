// What a process knows of a bot, made from its row.
import type { ChangeRow } from './sql.ts';

export type BotStatus = 'connecting' | 'active' | 'paused' | 'token_invalid' | 'disconnected';

/** One object a project, shared by its bots. Its fields change in place. */
export type ProjectEntry = {
  readonly id: number;
  readonly publicId: string;
  readonly status: 'active' | 'paused';
  readonly releaseNumber: number | null;
};

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

/** What the address of a bot's app is made of. */
export type AppBot = Pick<BotEntry, 'botId' | 'webhookBase'> & { readonly project: { readonly publicId: string } };

/** A bot as processes know it; undefined: it is disconnected. */
export function entryOf(
  row: ChangeRow,
  project: ProjectEntry,
  apiRootDefault: string,
  intern: Interner,
): BotEntry | undefined {
  if (row.status === 'disconnected' || row.secret_hash === null) return undefined;
  return {
    id: row.id,
    publicId: row.public_id,
    bucket: row.bucket,
    project,
    status: intern.text(row.status) as BotEntry['status'],
    botId: row.bot_id,
    username: row.username,
    secretHash: row.secret_hash,
    previousSecretHash: row.secret_previous_hash,
    previousSecretUntilMs: row.secret_previous_until_ms ?? 0,
    apiRoot: row.api_root === null ? apiRootDefault : intern.text(row.api_root),
    webhookBase: row.webhook_base === null ? null : intern.text(row.webhook_base),
    allowedUpdates: intern.list(row.allowed_updates ?? ''),
    rev: row.rev,
  };
}

type Interner = { text(value: string): string; list(words: string): readonly string[] };

/** Equal values become one object: ten thousand bots have a handful of statuses, roots and lists of update kinds. */
export function createInterner(): Interner {
  const texts = new Map<string, string>();
  const lists = new Map<string, readonly string[]>();
  function text(value: string): string {
    const known = texts.get(value);
    if (known !== undefined) return known;
    texts.set(value, value);
    return value;
  }
  return {
    text,
    list(words) {
      const known = lists.get(words);
      if (known) return known;
      const list = Object.freeze(words.split(' ').filter((word) => word !== ''));
      lists.set(words, list);
      return list;
    },
  };
}
