import { chmod } from 'node:fs/promises';
import { diskFullRefusal } from '../disk-full.ts';
import { Refusal } from '../errors.ts';
import { makeFolder } from '../files.ts';
import { diskIsFull } from './disk.ts';

/** Makes the data folder, private to its owner. Only root lets others pass through, to the system user's part of it. */
export async function prepareFolder(dataDir: string): Promise<void> {
  try {
    const made = await makeFolder(dataDir);
    if (made !== undefined) await chmod(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700);
  } catch (error) {
    // Everywhere else a file that is not there says nothing of the folder.
    if (codeOf(error) === 'ENOENT') throw unusable('DATA_DIR', dataDir, 'nothing can be made there');
    throw await explained(error, dataDir);
  }
}

const problems: Record<string, string> = {
  EACCES: 'this user may not use it',
  EPERM: 'this user may not use it',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a part of the path is a file',
  ELOOP: 'a link in it leads back to itself',
  ENAMETOOLONG: 'the path is too long',
  // SQLite's only word for a folder in which it may not make the lock.
  ERR_SQLITE_ERROR: 'it may not be written',
};

/** Turns what the disk says of a folder into a refusal that says what to do. `name` is what people call the folder. */
export async function explained(error: unknown, folder: string, name = 'DATA_DIR'): Promise<unknown> {
  if (error instanceof Refusal) return error;
  const full = diskFullRefusal(error, { folder });
  if (full !== undefined) return full;
  if (await diskIsFull(folder)) return new Refusal('DISK_FULL', undefined, { folder });
  const reason = problems[codeOf(error)];
  return reason === undefined ? error : unusable(name, folder, reason);
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');

const unusable = (name: string, folder: string, reason: string): Refusal =>
  new Refusal('CONFIG_WRONG', `${name} ${folder} cannot be used: ${reason}.`, { folder });
