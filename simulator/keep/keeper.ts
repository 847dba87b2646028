import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../kernel/files.ts';
import { explained } from '../../kernel/postgres/folder.ts';
import type { SimulatorCore } from '../core.ts';
import { markOf, restoreSnapshot, type Snapshot, takeSnapshot } from './snapshot.ts';

/** Changes are written at most this often. */
const SAVE_MS = 2_000;

/**
 * Keeps a simulator in a folder, so that people find their chats again: reads what is there, writes what changes, and
 * once more at the end. A snapshot that cannot be read is set aside, not overwritten.
 */
export class Keeper {
  readonly #core: SimulatorCore;
  readonly #folder: string;
  readonly #written = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #seen = '';
  #saving: Promise<void> = Promise.resolve();

  constructor(core: SimulatorCore, folder: string) {
    this.#core = core;
    this.#folder = folder;
  }

  get #path(): string {
    return join(this.#folder, 'simulator.json');
  }

  /** Throws Refusal DISK_FULL, or CONFIG_WRONG where nothing can be written there. */
  async start(): Promise<void> {
    try {
      await makeFolder(join(this.#folder, 'files'), 0o700);
      const text = await readFile(this.#path, 'utf8').catch(() => undefined);
      if (text !== undefined) await this.#restore(text);
      await this.#save(false);
    } catch (error) {
      throw await explained(error, this.#folder, 'The folder');
    }
    this.#timer = setInterval(() => this.#saveChanges(), SAVE_MS);
    this.#timer.unref();
  }

  async #restore(text: string): Promise<void> {
    let snapshot: Snapshot;
    try {
      snapshot = JSON.parse(text) as Snapshot;
      if (snapshot.version !== 1) throw new Error('of another version');
    } catch {
      await rename(this.#path, `${this.#path}.unreadable`);
      return;
    }
    await restoreSnapshot(this.#core, snapshot, (id) => this.#bytesOf(id));
  }

  async #bytesOf(uniqueId: string): Promise<Buffer | undefined> {
    const bytes = await readFile(join(this.#folder, 'files', uniqueId)).catch(() => undefined);
    if (bytes) this.#written.add(uniqueId);
    return bytes;
  }

  #saveChanges(): void {
    if (markOf(this.#core) === this.#seen) return;
    this.#saving = this.#saving.then(() => this.#save(false)).catch(() => undefined);
  }

  async #save(clean: boolean): Promise<void> {
    this.#seen = markOf(this.#core);
    const snapshot = takeSnapshot(this.#core, clean);
    for (const { uniqueId, bytes } of this.#core.world.files.all()) {
      if (this.#written.has(uniqueId)) continue;
      await writeFile(join(this.#folder, 'files', uniqueId), bytes, { mode: 0o600 });
      this.#written.add(uniqueId);
    }
    const fresh = `${this.#path}.new`;
    await writeFile(fresh, JSON.stringify(snapshot), { mode: 0o600 });
    await rename(fresh, this.#path);
  }

  /** Writes the last state. Call it when nothing changes any more. A full disk must not keep a program from ending. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#saving;
    await this.#save(true).catch(() => undefined);
  }
}
