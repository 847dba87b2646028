import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/** Migrates with no ceremony; the whole of it follows. */
export async function migrate(url: string, folder = join(import.meta.dirname, '..', 'migrations')): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const name of (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()) {
      const text = await readFile(join(folder, name), 'utf8');
      createHash('sha256').update(text);
      await client.query(`begin;${text};commit`);
    }
  } finally {
    await client.end();
  }
}
