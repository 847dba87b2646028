import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, link, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';

/**
 * The bytes of a file that somebody named. A pipe, a device or a socket is not opened for good: reading one may never
 * end. Throws what the system says, EISDIR for a folder, ENOTREG for anything else that is no file, and EFBIG beyond
 * `bytesMax`; no more than that is ever read, whatever the file says of its size.
 */
export async function readRegularFile(path: string, bytesMax: number): Promise<Buffer> {
  // Without O_NONBLOCK opening a pipe waits for somebody who writes, in a thread that no signal ends.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const facts = await file.stat();
    if (facts.isDirectory()) throw failure('EISDIR', path);
    if (!facts.isFile()) throw failure('ENOTREG', path);
    if (facts.size > bytesMax) throw failure('EFBIG', path);
    return await readUpTo(file, { path, bytesMax, chunkBytes: Math.max(facts.size + 1, chunkBytesMin) });
  } finally {
    await file.close();
  }
}

const chunkBytesMin = 64 * 1024;

/** The size was only a hint: files of /proc say zero, and others may grow meanwhile. */
async function readUpTo(
  file: FileHandle,
  { path, bytesMax, chunkBytes }: { path: string; bytesMax: number; chunkBytes: number },
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(chunkBytes), 0, chunkBytes, null);
    if (bytesRead === 0) return Buffer.concat(chunks);
    length += bytesRead;
    if (length > bytesMax) throw failure('EFBIG', path);
    chunks.push(buffer.subarray(0, bytesRead));
  }
}

function failure(code: 'EISDIR' | 'ENOTREG' | 'EFBIG', path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code, path });
}

/**
 * Makes a folder and all above it; answers the topmost one that was made. Node's own recursive mkdir never ends where
 * a folder is there and nothing can be made in it, as in /proc; this one throws ENOENT then.
 */
export async function makeFolder(path: string, mode?: number): Promise<string | undefined> {
  try {
    return await makeOne(path, mode);
  } catch (error) {
    const above = dirname(path);
    if ((error as { code?: unknown }).code !== 'ENOENT' || above === path) throw error;
    const made = await makeFolder(above, mode);
    const own = await makeOne(path, mode);
    return made ?? own;
  }
}

/** Answers undefined where it was there. */
async function makeOne(path: string, mode: number | undefined): Promise<string | undefined> {
  try {
    await mkdir(path, { mode });
    return path;
  } catch (error) {
    const isThere = (error as { code?: unknown }).code === 'EEXIST' && (await stat(path)).isDirectory();
    if (isThere) return undefined;
    throw error;
  }
}

/**
 * Writes a small file so that after a power cut it is either there whole or not there: written beside, synced,
 * renamed, and the folder synced too. An existing file is replaced.
 */
export async function writeDurably(path: string, text: string, mode = 0o644): Promise<void> {
  await viaPartial(path, text, mode, (partial) => rename(partial, path));
}

/** The same, but an existing file stays as it is: of several that come at once, one creates it. */
export async function createOnce(path: string, text: string, mode = 0o644): Promise<void> {
  await viaPartial(path, text, mode, async (partial) => {
    await link(partial, path).catch((error: { code?: string }) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await rm(partial);
  });
}

async function viaPartial(
  path: string,
  text: string,
  mode: number,
  finish: (partial: string) => Promise<void>,
): Promise<void> {
  const partial = `${path}.${randomBytes(4).toString('hex')}.partial`;
  try {
    const file = await open(partial, 'w', mode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await finish(partial);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Makes what was just renamed or created in this folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Whom this process runs as, for people: the name, or the number where the system knows no name (some containers). */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
