// Published releases, compiled and kept: the hot path asks for one with every turn.
import type { FlowDocument } from '../../../contract/flow.ts';
import type { Db, Queryable } from '../../../kernel/db.ts';
import { Refusal } from '../../../kernel/errors.ts';
import type { Kit } from '../../../kernel/kit.ts';
import { type CompiledRelease, compile, parseDocument, parsePublished } from '../flow/flow.ts';
import { sha256Of } from './files.ts';
import { selectRelease, selectReleaseHash } from './sql.ts';

export type Releases = {
  /** The compiled release: at once when it is kept, else a promise. Rejects with RELEASE_NOT_FOUND when there is none. */
  get(projectId: number, number: number): CompiledRelease | Promise<CompiledRelease>;
  /** The release only if it is kept; never asks the database. */
  peek(projectId: number, number: number): CompiledRelease | undefined;
  /** Forgets all of them: another server may know something else by their numbers. */
  forget(): void;
  /** How much is kept, for the metrics; bytes of different documents. */
  size(): { releases: number; bytes: number };
};

export type ReleasesOptions = {
  releasesMax?: number;
  /** Of different documents, as text. Compiled they take many times as much. */
  bytesMax?: number;
};

/** A compiled document. Projects made from the same template share it: it holds nothing of theirs. */
type Shared = { readonly release: CompiledRelease; readonly bytes: number; users: number };
type Kept = { readonly release: CompiledRelease; readonly shared: Shared };

/**
 * A bounded memory of compiled releases. A release never changes, so nothing is stale while the server stays the same; the
 * least recently used go first. Callers who want the same one at once share a single read and compilation.
 */
export function createReleases(kit: Kit, db: Db, options: ReleasesOptions = {}): Releases {
  const fresh = (): Memory => new Memory(options.releasesMax ?? 10_000, options.bytesMax ?? 16 * 1024 * 1024);
  let memory = fresh();
  const loading = new Map<string, Promise<CompiledRelease>>();

  async function load(key: string, projectId: number, number: number): Promise<CompiledRelease> {
    // What was read from the server of before goes into the memory that was forgotten with it.
    const mine = memory;
    try {
      const row = await selectReleaseHash(db, projectId, number);
      if (row === undefined) throw new Refusal('RELEASE_NOT_FOUND', undefined, { release: number });
      const shared = mine.shared(row.hash) ?? (await compileShared(kit, db, projectId, number));
      return mine.keep(key, number, shared);
    } finally {
      if (mine === memory) loading.delete(key);
    }
  }

  return {
    peek: (projectId, number) => memory.peek(`${projectId}:${number}`),
    get(projectId, number) {
      const key = `${projectId}:${number}`;
      const found = memory.peek(key);
      if (found !== undefined) return found;
      const running = loading.get(key) ?? load(key, projectId, number);
      loading.set(key, running);
      return running;
    },
    forget() {
      memory = fresh();
      loading.clear();
    },
    size: () => memory.size(),
  };
}

/** A Map keeps the order of insertion: what is used is put last, what is dropped is first. */
class Memory {
  readonly #releasesMax: number;
  readonly #bytesMax: number;
  readonly #kept = new Map<string, Kept>();
  readonly #shared = new Map<string, Shared>();
  #bytes = 0;

  constructor(releasesMax: number, bytesMax: number) {
    this.#releasesMax = releasesMax;
    this.#bytesMax = bytesMax;
  }

  peek(key: string): CompiledRelease | undefined {
    const found = this.#kept.get(key);
    if (found === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, found);
    return found.release;
  }

  shared(hash: string): Shared | undefined {
    return this.#shared.get(hash);
  }

  keep(key: string, number: number, fresh: Shared): CompiledRelease {
    const { hash } = fresh.release;
    // Another project with the same document may have come first.
    const shared = this.#shared.get(hash) ?? fresh;
    if (shared === fresh && shared.users === 0) {
      this.#shared.set(hash, shared);
      this.#bytes += shared.bytes;
    }
    shared.users += 1;
    const release = { ...shared.release, number };
    this.#kept.set(key, { release, shared });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#releasesMax && this.#bytes <= this.#bytesMax) break;
      if (oldest === key) break;
      this.#drop(oldest);
    }
    return release;
  }

  #drop(key: string): void {
    const shared = this.#kept.get(key)?.shared as Shared;
    this.#kept.delete(key);
    shared.users -= 1;
    if (shared.users > 0) return;
    this.#shared.delete(shared.release.hash);
    this.#bytes -= shared.bytes;
  }

  size(): { releases: number; bytes: number } {
    return { releases: this.#kept.size, bytes: this.#bytes };
  }
}

async function compileShared(kit: Kit, db: Db, projectId: number, number: number): Promise<Shared> {
  const row = await selectRelease(db, projectId, number);
  if (row === undefined) throw new Refusal('RELEASE_NOT_FOUND', undefined, { release: number });
  const parsed = parseReleased(row);
  // It was checked when it was published: a document that fails now means that this code forgot an upgrade.
  if (!parsed.ok) {
    const [fault] = parsed.faults;
    throw new Error(`Release ${number} of project ${projectId} cannot be read: ${fault?.path} ${fault?.message}`);
  }
  const bytes = row.document.length;
  kit.log.debug({ project: projectId, release: number, bytes }, 'release.compiled');
  return { release: compile(parsed.document, { number, hash: row.hash }), bytes, users: 0 };
}

/** The document of a release, which stays readable whatever rules for values came since: its hash proves what was checked. */
export function parseReleased(row: {
  readonly hash: string;
  readonly document: string;
}): ReturnType<typeof parseDocument> {
  const json: unknown = JSON.parse(row.document);
  return sha256Of(row.document) === row.hash ? parsePublished(json) : parseDocument(json);
}

/** A release's document as it was published; undefined where there is none. */
export async function readRelease(
  db: Queryable,
  projectId: number,
  number: number,
): Promise<{ readonly hash: string; readonly document: FlowDocument } | undefined> {
  const row = await selectRelease(db, projectId, number);
  if (row === undefined) return undefined;
  const parsed = parseReleased(row);
  if (!parsed.ok) throw new Error(`Release ${number} of project ${projectId} cannot be read.`);
  return { hash: row.hash, document: parsed.document };
}
