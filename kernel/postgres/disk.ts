import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

// PostgreSQL writes its log in segments of 16 MB: with less than one free it cannot be relied on to start.
const bytesFreeMin = 24 * 1024 * 1024;

/** Whether the disk that holds `path` (or its nearest parent that exists) has no room for PostgreSQL. */
export async function diskIsFull(path: string): Promise<boolean> {
  for (let at = path; ; at = dirname(at)) {
    try {
      const disk = await statfs(at);
      // Some file systems (overlay, network) answer zero for both: that says nothing.
      if (disk.blocks === 0) return false;
      return disk.bavail * disk.bsize < bytesFreeMin;
    } catch (error) {
      if ((error as { code?: string }).code !== 'ENOENT' || at === dirname(at)) return false;
    }
  }
}
