import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Installation } from './installation.ts';

/** What the processes said, where a failed test can be looked into: .cache/fault. */
export async function keepLogs(installation: Installation, folder = join('.cache', 'fault')): Promise<string> {
  const path = join(import.meta.dirname, '..', '..', folder);
  await mkdir(path, { recursive: true });
  for (const [index, server] of installation.servers.entries())
    await writeFile(join(path, `server-${index}-${server.pid}.log`), server.output());
  return path;
}
