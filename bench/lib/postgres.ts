import { readFileSync, statfsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withDirect } from '../../kernel/direct.ts';
import { migrate } from '../../kernel/migrate.ts';
import { productSettings } from '../../kernel/postgres/settings.ts';
import { startTestCluster } from '../../test/support/cluster.ts';
import { treeCpuMsOf } from './proc.ts';
import type { Scope } from './scope.ts';

export type Postgres = {
  /** Makes a migrated database and answers with its address. */
  createDatabase(name: string): Promise<string>;
  /** CPU of the whole cluster so far. */
  cpuMs(): number;
};

const tmpfsMagic = 0x01021994;
const root = join(import.meta.dirname, '..', '..');

/**
 * A PostgreSQL as production runs it: every commit synced to a real disk, memory as the embedded one has it. It
 * lives in a temporary folder and is removed with the scope.
 */
export async function startPostgres(scope: Scope, settings: Readonly<Record<string, string>> = {}): Promise<Postgres> {
  await takeRealDisk();
  const cluster = await startTestCluster({ ...productSettings, ...settings });
  scope.add(() => cluster.stop());
  const pid = Number(readFileSync(join(cluster.folder, 'place', 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
  return {
    async createDatabase(name) {
      const database = `bench_${name}`;
      await withDirect(cluster.url(), 'bench', (client) => client.query(`create database ${database}`));
      await migrate(cluster.url(database));
      return cluster.url(database);
    },
    cpuMs: () => treeCpuMsOf(pid),
  };
}

/** In memory a commit would cost nothing. Where the system's temporary folder is no disk, the clone's own is taken. */
async function takeRealDisk(): Promise<void> {
  if (statfsSync(tmpdir()).type !== tmpfsMagic) return;
  const folder = join(root, '.cache', 'tmp');
  await mkdir(folder, { recursive: true });
  if (statfsSync(folder).type === tmpfsMagic)
    throw new Error('No real disk here: both the temporary folder and the clone are in memory.');
  process.env['TMPDIR'] = folder;
}
