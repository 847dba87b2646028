import { chmod, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Refusal } from '../errors.ts';
import { diskIsFull } from './disk.ts';

/** Makes the data folder, private to its owner. Only root lets others pass through, to the system user's part of it. */
export async function prepareFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dirname(dataDir), { recursive: true });
    const made = await mkdir(dataDir, { recursive: true });
    if (made !== undefined) await chmod(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700);
  } catch (error) {
    throw await explained(error, dataDir);
  }
}

const problems: Record<string, string> = {
  EACCES: 'it may not be written',
  EPERM: 'it may not be written',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a part of the path is a file',
  // SQLite's only word for a folder in which it may not make the lock.
  ERR_SQLITE_ERROR: 'it may not be written',
};

/** Turns what the disk says into a refusal that says what to do. */
export async function explained(error: unknown, dataDir: string): Promise<unknown> {
  if (error instanceof Refusal) return error;
  const { code = '' } = error as { code?: string };
  if (code === 'ENOSPC' || (await diskIsFull(dataDir))) return new Refusal('DISK_FULL', undefined, { folder: dataDir });
  const reason = problems[code];
  if (reason === undefined) return error;
  return new Refusal('CONFIG_WRONG', `DATA_DIR ${dataDir} cannot be used: ${reason}.`, { folder: dataDir });
}
