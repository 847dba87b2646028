// The bots as every process knows them: in memory, followed by their revisions. Ten thousand sleeping bots are
// ten thousand map entries; one statement every second or two asks what changed, however many there are.
import type { Db } from '../../../kernel/db.ts';
import type { Kit } from '../../../kernel/kit.ts';
import { loop } from '../../../kernel/loop.ts';
import type { Service } from '../../../kernel/service.ts';
import { advance, nothingKnown } from './revisions.ts';
import type { Horizon } from './revisions.ts';
import * as statements from './sql.ts';
import type { ChangeRow } from './sql.ts';
import { createTokens } from './tokens.ts';
import type { Vault } from './vault.ts';

export type BotStatus = 'connecting' | 'active' | 'paused' | 'token_invalid' | 'disconnected';

/** One object a project, shared by its bots. Its fields change in place. */
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
  /** Reads what changed, now. What was committed before this call is visible once it resolves. */
  refresh(): Promise<void>;
  /** Makes the next look at the database come at once. */
  nudge(): void;
  /** Calls `listener` after each change is in the maps; not for what was there at start. Returns the way to stop it. */
  onChange(listener: (change: DirectoryChange) => void): () => void;
};

export type DirectoryOptions = {
  readonly vault: Vault;
  readonly apiRootDefault: string;
  /** Opened tokens kept in memory, some 150 bytes each. Below the number of busy bots every send costs a query. */
  readonly tokensMax?: number;
};

const rowsALook = 1_000;
const pauseMsMin = 1_000;
const pauseMsSpread = 1_000;

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** Makes the directory; `start` resolves when all bots are known, and throws where the database cannot be read. */
export function createDirectory(kit: Kit, db: Db, options: DirectoryOptions): Directory {
  const bots = new Map<number, BotEntry>();
  const idByPublicId = new Map<string, number>();
  const projects = new Map<number, Mutable<ProjectEntry>>();
  const listeners = new Set<(change: DirectoryChange) => void>();
  const intern = createInterner();
  const tokens = createTokens(db, options.vault, { tokensMax: options.tokensMax ?? 20_000, revOf: (id) => bots.get(id)?.rev });
  let window = nothingKnown;
  let looking: Promise<void> | undefined;
  let again: Promise<void> | undefined;

  function projectOf(row: { id: number; publicId: string; status: string; releaseNumber: number | null }): Mutable<ProjectEntry> {
    const status = row.status as ProjectEntry['status'];
    const known = projects.get(row.id);
    if (known) return Object.assign(known, { status, releaseNumber: row.releaseNumber });
    const project = { id: row.id, publicId: row.publicId, status, releaseNumber: row.releaseNumber };
    projects.set(row.id, project);
    return project;
  }

  /** Takes one row in. undefined: it says nothing new. */
  function take(row: ChangeRow): DirectoryChange | undefined {
    if (row.kind === 'project') {
      // A project without bots is nobody's business here.
      if (!projects.has(row.id)) return undefined;
      return { kind: 'project', project: projectOf({ id: row.id, publicId: row.public_id, status: row.status, releaseNumber: row.release_number }) };
    }
    tokens.forget(row.id);
    const project = projectOf({ id: row.project_id, publicId: row.project_public_id, status: row.project_status, releaseNumber: row.release_number });
    const entry = entryOf(row, project, options.apiRootDefault, intern);
    if (entry) {
      bots.set(entry.id, entry);
      idByPublicId.set(entry.publicId, entry.id);
    } else {
      bots.delete(row.id);
      idByPublicId.delete(row.public_id);
    }
    return { kind: 'bot', id: row.id, publicId: row.public_id, entry };
  }

  function tell(change: DirectoryChange): void {
    for (const listener of listeners) {
      try {
        listener(change);
      } catch (error) {
        kit.log.error({ err: error }, 'directory.listener_failed');
      }
    }
  }

  /** One look: all pages of what changed, then the window moves. The first page's horizon is the oldest and counts. */
  async function look(): Promise<void> {
    const nowMs = kit.monotonicMs();
    const isFirst = window === nothingKnown;
    const read: number[] = [];
    let after = window.low;
    let horizon: Horizon | undefined;
    for (let full = true; full; ) {
      const rows = await statements.readChanges(db, { after, taken: [...window.taken], limit: rowsALook });
      horizon ??= rows[0];
      for (const row of rows) {
        if (row.kind === null) continue;
        const change = take(row);
        read.push(row.rev);
        after = row.rev;
        if (change && !isFirst) tell(change);
      }
      full = rows.length === rowsALook;
    }
    if (horizon) window = advance(window, horizon, read, nowMs);
  }

  /** A look that began before the call may have missed what the caller committed: then one more is made, shared by all who wait. */
  function refresh(): Promise<void> {
    if (looking === undefined) {
      looking = look().finally(() => {
        looking = undefined;
      });
      return looking;
    }
    again ??= looking
      .catch(() => {})
      .then(() => {
        again = undefined;
        return refresh();
      });
    return again;
  }

  const follow = loop(kit, 'directory', async () => {
    await refresh();
    return pauseMsMin + kit.random() * pauseMsSpread;
  });

  return {
    name: 'directory',
    async start() {
      await refresh();
      await follow.start();
    },
    stop: () => follow.stop(),
    byPublicId: (publicId) => bots.get(idByPublicId.get(publicId) ?? -1),
    byId: (id) => bots.get(id),
    isWorking: (id) => {
      const entry = bots.get(id);
      return entry !== undefined && entry.status === 'active' && entry.project.status === 'active';
    },
    token: (id) => tokens.get(id),
    entries: () => bots.values(),
    size: () => bots.size,
    refresh,
    nudge: () => follow.nudge(),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function entryOf(row: ChangeRow, project: ProjectEntry, apiRootDefault: string, intern: Interner): BotEntry | undefined {
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
    allowedUpdates: intern.list(row.allowed_updates ?? []),
    rev: row.rev,
  };
}

type Interner = { text(value: string): string; list(value: readonly string[]): readonly string[] };

/** Equal values become one object: ten thousand bots have a handful of statuses, roots and lists of update kinds. */
function createInterner(): Interner {
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
    list(value) {
      const key = value.join(' ');
      const known = lists.get(key);
      if (known) return known;
      const list = Object.freeze(value.map(text));
      lists.set(key, list);
      return list;
    },
  };
}
