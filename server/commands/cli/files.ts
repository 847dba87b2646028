// What the disk says of a file that somebody named, for people.
import { diskFullRefusal } from '../../../kernel/disk-full.ts';
import { Refusal } from '../../../kernel/errors.ts';
import { userName } from '../../../kernel/files.ts';

const reasons: Readonly<Record<string, string>> = {
  EACCES: `the user ${userName()} may not use it`,
  EPERM: `the user ${userName()} may not use it`,
  EROFS: 'it lies on a disk that is read-only',
  ENOTDIR: 'a part of its path is a file',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'a link in its path leads back to itself',
};

/** As FILE_UNUSABLE, or DISK_FULL; an error that is not the disk's comes back as it is. */
export function unusableFile(path: string, wish: 'read' | 'written', error: unknown): unknown {
  if (error instanceof Refusal) return error;
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  const full = diskFullRefusal(error, { path });
  if (full !== undefined) return full;
  // Only what the system says names a call; trouble of the database is not the file's.
  if (syscall === undefined) return error;
  const missing = wish === 'read' ? 'there is no such file' : 'there is no such folder';
  const reason = code === 'ENOENT' ? missing : (reasons[code] ?? code);
  return new Refusal('FILE_UNUSABLE', `${path} cannot be ${wish}: ${reason}.`, { path });
}
