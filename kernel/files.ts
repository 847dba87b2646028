import { randomBytes } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

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
