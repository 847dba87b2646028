// Published releases, compiled and kept: the hot path asks for one with every turn.
import type { Db } from '../../../kernel/db.ts';
import { Refusal } from '../../../kernel/errors.ts';
import type { Kit } from '../../../kernel/kit.ts';
import { type CompiledRelease, compile, parseDocument } from '../flow/flow.ts';
import { selectRelease } from './sql.ts';

export type Releases = {
  /** The compiled release: at once when it is kept, else a promise. Rejects with RELEASE_NOT_FOUND when there is none. */
  get(projectId: number, number: number): CompiledRelease | Promise<CompiledRelease>;
  /** The release only if it is kept; never asks the database. */
  peek(projectId: number, number: number): CompiledRelease | undefined;
  /** How much is kept, for the metrics. */
  size(): { releases: number; bytes: number };
};

export type ReleasesOptions = {
  releasesMax?: number;
  /** Of document text. Compiled it takes a few times as much. */
  bytesMax?: number;
};

type Kept = { release: CompiledRelease; bytes: number };

/**
 * A bounded memory of compiled releases. A release never changes, so nothing is ever stale; the least
 * recently used go first. Callers who want the same one at once share a single read and compilation.
 */
export function createReleases(kit: Kit, db: Db, options: ReleasesOptions = {}): Releases {
  const releasesMax = options.releasesMax ?? 1_000;
  const bytesMax = options.bytesMax ?? 16 * 1024 * 1024;
  // A Map keeps the order of insertion: what is used is put last, what is dropped is first.
  const kept = new Map<string, Kept>();
  const loading = new Map<string, Promise<CompiledRelease>>();
  let bytes = 0;

  function peek(projectId: number, number: number): CompiledRelease | undefined {
    const key = `${projectId}:${number}`;
    const found = kept.get(key);
    if (found === undefined) return undefined;
    kept.delete(key);
    kept.set(key, found);
    return found.release;
  }

  function keep(key: string, entry: Kept): void {
    kept.set(key, entry);
    bytes += entry.bytes;
    for (const [oldest, { bytes: size }] of kept) {
      if (kept.size <= releasesMax && bytes <= bytesMax) return;
      if (oldest === key) return;
      kept.delete(oldest);
      bytes -= size;
    }
  }

  async function load(key: string, projectId: number, number: number): Promise<CompiledRelease> {
    try {
      const entry = await loadRelease(db, projectId, number);
      keep(key, entry);
      kit.log.debug({ project: projectId, release: number, bytes: entry.bytes }, 'release.compiled');
      return entry.release;
    } finally {
      loading.delete(key);
    }
  }

  return {
    peek,
    get(projectId, number) {
      const found = peek(projectId, number);
      if (found !== undefined) return found;
      const key = `${projectId}:${number}`;
      const running = loading.get(key) ?? load(key, projectId, number);
      loading.set(key, running);
      return running;
    },
    size: () => ({ releases: kept.size, bytes }),
  };
}

async function loadRelease(db: Db, projectId: number, number: number): Promise<Kept> {
  const row = await selectRelease(db, projectId, number);
  if (row === undefined) throw new Refusal('RELEASE_NOT_FOUND', undefined, { release: number });
  const parsed = parseDocument(JSON.parse(row.document));
  // It was checked when it was published: a document that fails now means that this code forgot an upgrade.
  if (!parsed.ok) {
    const [fault] = parsed.faults;
    throw new Error(`Release ${number} of project ${projectId} cannot be read: ${fault?.path} ${fault?.message}`);
  }
  return { release: compile(parsed.document, { number, hash: row.hash }), bytes: row.document.length };
}
