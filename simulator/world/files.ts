import { constants } from 'node:fs';
import { mkdir, mkdtemp, open, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, sep } from 'node:path';
import type { Random } from '../random.ts';
import { between } from '../random.ts';
import type { Size } from './image-size.ts';
import { greyPicture } from './thumbnail.ts';

/** Bytes of all files together; the oldest go first. */
const STORE_BYTES_MAX = 512 * 1024 * 1024;

/** A file of the simulated Telegram; each bot knows it under an id of its own. */
export type StoredFile = {
  uniqueId: string;
  kind: string;
  name: string;
  mime: string;
  bytes: Buffer;
  path: string;
  /** Of a photo: the file of its small size. */
  small?: string;
};

/** Files that people and bots sent, in memory. */
export class FileStore {
  readonly #files = new Map<string, StoredFile>();
  readonly #random: Random;
  readonly #counters = new Map<string, number>();
  #bytes = 0;
  #added = 0;
  #folder: Promise<string> | undefined;

  /** The folder of a Local Bot API server; undefined for the cloud, which reads nothing of the disk. */
  readonly local: string | undefined;

  constructor(random: Random, local?: string) {
    this.#random = random;
    this.local = local;
  }

  /** The bytes of a file in the local folder. Undefined: not there, not a file, too large, or outside, also by a link. */
  async readLocal(path: string, bytesMax: number): Promise<Buffer | undefined> {
    if (this.local === undefined) return undefined;
    try {
      const [folder, real] = await Promise.all([realpath(this.local), realpath(path)]);
      if (!real.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return undefined;
      // A pipe would hold whoever opens it.
      const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      try {
        const facts = await file.stat();
        return facts.isFile() && facts.size <= bytesMax ? await file.readFile() : undefined;
      } finally {
        await file.close();
      }
    } catch {
      return undefined;
    }
  }

  add(kind: string, name: string, mime: string, bytes: Buffer): StoredFile {
    const uniqueId = `AQAD${between(this.#random, 10 ** 6, 9 * 10 ** 6).toString(36)}${this.#added.toString(36)}`;
    this.#added += 1;
    const count = this.#counters.get(kind) ?? 0;
    this.#counters.set(kind, count + 1);
    const extension = /\.[\w]{1,8}$/.exec(name)?.[0] ?? '';
    const file: StoredFile = { uniqueId, kind, name, mime, bytes, path: `${kind}s/file_${count}${extension}` };
    this.#files.set(uniqueId, file);
    this.#bytes += bytes.length;
    this.#makeRoom();
    return file;
  }

  all(): IterableIterator<StoredFile> {
    return this.#files.values();
  }

  /** The small size of a photo, made when it is first needed; a message names it as a file of its own. */
  smallOf(photo: StoredFile, size: Size): StoredFile {
    const known = photo.small === undefined ? undefined : this.#files.get(photo.small);
    if (known) return known;
    const small = this.add('photo', 'small.png', 'image/png', greyPicture(size));
    photo.small = small.uniqueId;
    return small;
  }

  /** Puts a file back that was kept elsewhere. */
  restore(file: StoredFile): void {
    this.#added += 1;
    this.#files.set(file.uniqueId, file);
    this.#bytes += file.bytes.length;
    this.#counters.set(
      file.kind,
      Math.max(this.#counters.get(file.kind) ?? 0, 1 + Number(/\d+/.exec(file.path)?.[0] ?? 0)),
    );
  }

  /** The id under which one bot knows a file; another bot cannot use it. */
  idFor(file: StoredFile, botId: number): string {
    return Buffer.from(`${file.uniqueId}|${botId}`).toString('base64url');
  }

  byId(id: string, botId: number): StoredFile | undefined {
    const [uniqueId = '', owner = ''] = Buffer.from(id, 'base64url').toString('utf8').split('|');
    return owner === String(botId) ? this.#files.get(uniqueId) : undefined;
  }

  /** The id under which another bot knows the same file. */
  rekey(id: string, botId: number): string {
    const [uniqueId = ''] = Buffer.from(id, 'base64url').toString('utf8').split('|');
    return Buffer.from(`${uniqueId}|${botId}`).toString('base64url');
  }

  byUniqueId(uniqueId: string): StoredFile | undefined {
    return this.#files.get(uniqueId);
  }

  /** A file by the path that getFile gave. */
  byPath(path: string): StoredFile | undefined {
    for (const file of this.#files.values()) if (file.path === path) return file;
    return undefined;
  }

  /** Writes a file where a program of the same machine can open it, as a Local Bot API server keeps it. */
  async toDisk(file: StoredFile): Promise<string> {
    this.#folder ??= mkdtemp(join(tmpdir(), 'roost-simulator-'));
    const path = join(await this.#folder, dirname(file.path), basename(file.path));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, file.bytes);
    return path;
  }

  /** Removes what was written to the disk. */
  async close(): Promise<void> {
    if (this.#folder) await rm(await this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }

  #makeRoom(): void {
    for (const file of this.#files.values()) {
      if (this.#bytes <= STORE_BYTES_MAX || this.#files.size <= 1) return;
      this.#files.delete(file.uniqueId);
      this.#bytes -= file.bytes.length;
    }
  }
}
