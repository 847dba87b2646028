// The bots as every process knows them: in memory, followed by their revisions. Ten thousand sleeping bots are
// ten thousand map entries; one statement every second or two asks what changed, however many there are.
import type { Db } from '../../../kernel/db.ts';
import type { Kit } from '../../../kernel/kit.ts';
import type { Loop } from '../../../kernel/loop.ts';
import { loop } from '../../../kernel/loop.ts';
import type { Service } from '../../../kernel/service.ts';
import type { BotEntry, ProjectEntry } from './entries.ts';
import { createInterner, entryOf } from './entries.ts';
import type { Horizon, Window } from './revisions.ts';
import { advance, continues, nothingKnown } from './revisions.ts';
import type { ChangeRow } from './sql.ts';
import * as statements from './sql.ts';
import type { Tokens } from './tokens.ts';
import { createTokens } from './tokens.ts';
import type { Vault } from './vault.ts';

export type { AppBot, BotEntry, BotStatus, ProjectEntry } from './entries.ts';

export type DirectoryChange =
  | {
      readonly kind: 'bot';
      readonly id: number;
      readonly publicId: string /** undefined: disconnected. */;
      readonly entry: BotEntry | undefined;
    }
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
  /**
   * Calls `listener` when the database turns out to be another one than before (a standby that took over, a backup that
   * was put back): numbers may stand for something else now. Whatever is remembered under a number is to be forgotten.
   */
  onOtherServer(listener: () => void): void;
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
  return new FollowedDirectory(kit, db, options);
}

class FollowedDirectory implements Directory {
  readonly name = 'directory';
  readonly #kit: Kit;
  readonly #db: Db;
  readonly #apiRootDefault: string;
  readonly #tokens: Tokens;
  readonly #follow: Loop;
  readonly #bots = new Map<number, BotEntry>();
  readonly #idByPublicId = new Map<string, number>();
  readonly #projects = new Map<number, Mutable<ProjectEntry>>();
  readonly #listeners = new Set<(change: DirectoryChange) => void>();
  readonly #otherServer: (() => void)[] = [];
  readonly #intern = createInterner();
  #window = nothingKnown;
  #looking: Promise<void> | undefined;
  #again: Promise<void> | undefined;

  constructor(kit: Kit, db: Db, options: DirectoryOptions) {
    this.#kit = kit;
    this.#db = db;
    this.#apiRootDefault = options.apiRootDefault;
    this.#tokens = createTokens(db, options.vault, {
      tokensMax: options.tokensMax ?? 20_000,
      revOf: (id) => this.#bots.get(id)?.rev,
    });
    this.#follow = loop(kit, this.name, async () => {
      await this.refresh();
      return pauseMsMin + kit.random() * pauseMsSpread;
    });
  }

  async start(): Promise<void> {
    await this.refresh();
    await this.#follow.start();
  }

  stop(): Promise<void> {
    return this.#follow.stop();
  }

  nudge(): void {
    this.#follow.nudge();
  }

  byId(id: number): BotEntry | undefined {
    return this.#bots.get(id);
  }

  byPublicId(publicId: string): BotEntry | undefined {
    const id = this.#idByPublicId.get(publicId);
    return id === undefined ? undefined : this.#bots.get(id);
  }

  isWorking(id: number): boolean {
    const entry = this.#bots.get(id);
    return entry !== undefined && entry.status === 'active' && entry.project.status === 'active';
  }

  token(id: number): Promise<string> {
    return this.#tokens.get(id);
  }

  entries(): IterableIterator<BotEntry> {
    return this.#bots.values();
  }

  size(): number {
    return this.#bots.size;
  }

  onChange(listener: (change: DirectoryChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  onOtherServer(listener: () => void): void {
    this.#otherServer.push(listener);
  }

  /** A look that began before this call may have missed what the caller committed: one more is made then, shared by all who wait. */
  refresh(): Promise<void> {
    if (this.#looking === undefined) {
      this.#looking = this.#look().finally(() => {
        this.#looking = undefined;
      });
      return this.#looking;
    }
    this.#again ??= this.#looking
      .catch(() => {})
      .then(() => {
        this.#again = undefined;
        return this.refresh();
      });
    return this.#again;
  }

  async #look(): Promise<void> {
    if (await this.#lookFrom(this.#window)) return;
    this.#kit.log.warn({ server: this.#window.server }, 'directory.other_server');
    // Bots that the other server has never heard of are gone; projects may have got each other's numbers.
    const unseen = new Set(this.#bots.keys());
    this.#projects.clear();
    for (const listener of this.#otherServer) listener();
    await this.#lookFrom(nothingKnown, (id) => void unseen.delete(id));
    for (const id of unseen) this.#tell(this.#dropBot(id));
  }

  /**
   * All pages of what changed, then the window moves. The first page's horizon is the oldest and counts. False, and nothing
   * is taken, where it is not the server of before.
   */
  async #lookFrom(window: Window, saw: (id: number) => void = () => {}): Promise<boolean> {
    const nowMs = this.#kit.monotonicMs();
    const isFirst = this.#window === nothingKnown;
    const taken = [...window.taken];
    const read: number[] = [];
    let after = window.low;
    let horizon: Horizon | undefined;
    for (let isFull = true; isFull; ) {
      const rows = await statements.readChanges(this.#db, { after, taken, limit: rowsALook });
      horizon ??= rows[0];
      if (horizon && !continues(window, horizon)) return false;
      for (const row of rows) {
        if (row.kind === null) continue;
        const change = row.kind === 'bot' ? this.#takeBot(row) : this.#takeProject(row);
        if (row.kind === 'bot') saw(row.id);
        read.push(row.rev);
        after = row.rev;
        if (change && !isFirst) this.#tell(change);
      }
      isFull = rows.length === rowsALook;
    }
    if (horizon) this.#window = advance(window, horizon, read, nowMs);
    return true;
  }

  /** undefined: a project without bots is nobody's business here. */
  #takeProject(row: ChangeRow): DirectoryChange | undefined {
    if (!this.#projects.has(row.id)) return undefined;
    return { kind: 'project', project: this.#projectOf(row.id, row.public_id, row.status, row.release_number) };
  }

  #takeBot(row: ChangeRow): DirectoryChange {
    this.#tokens.forget(row.id);
    const project = this.#projectOf(row.project_id, row.project_public_id, row.project_status, row.release_number);
    const entry = entryOf(row, project, this.#apiRootDefault, this.#intern);
    const before = this.#bots.get(row.id);
    if (before && before.publicId !== row.public_id) this.#idByPublicId.delete(before.publicId);
    if (entry) {
      this.#bots.set(entry.id, entry);
      this.#idByPublicId.set(entry.publicId, entry.id);
    } else {
      this.#bots.delete(row.id);
      this.#idByPublicId.delete(row.public_id);
    }
    return { kind: 'bot', id: row.id, publicId: row.public_id, entry };
  }

  #dropBot(id: number): DirectoryChange {
    const publicId = this.#bots.get(id)?.publicId ?? '';
    this.#tokens.forget(id);
    this.#bots.delete(id);
    this.#idByPublicId.delete(publicId);
    return { kind: 'bot', id, publicId, entry: undefined };
  }

  #projectOf(id: number, publicId: string, status: string, releaseNumber: number | null): ProjectEntry {
    const state = { status: status as ProjectEntry['status'], releaseNumber };
    const known = this.#projects.get(id);
    if (known) return Object.assign(known, state);
    const project = { id, publicId, ...state };
    this.#projects.set(id, project);
    return project;
  }

  #tell(change: DirectoryChange): void {
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        this.#kit.log.error({ err: error }, 'directory.listener_failed');
      }
    }
  }
}
