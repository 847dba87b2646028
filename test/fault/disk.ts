import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrate } from '../../kernel/migrate.ts';
import { startTestCluster, type TestCluster } from '../support/cluster.ts';
import { audit, type Violation } from './audit.ts';
import { createChance } from './chance.ts';
import { createCrowd } from './crowd.ts';
import { gather, isFinished, unfinished } from './evidence.ts';
import { type Installation, openInstallation } from './installation.ts';
import { keepLogs } from './logs.ts';
import { pause, until } from './waiting.ts';

const run = promisify(execFile);

/** A small disk in memory, of its own. */
export type SmallDisk = {
  readonly folder: string;
  /** Takes all the space that is left. */
  fill(): Promise<void>;
  free(): Promise<void>;
  unmount(): Promise<void>;
};

/** Only root may mount; undefined for anybody else, and where the kernel does not let us. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'roost-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=1777`, 'roost-disk', folder]);
  } catch {
    await rm(folder, { recursive: true, force: true });
    return undefined;
  }
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill: () => writeFile(ballast, Buffer.alloc(megabytes * 1024 * 1024)).catch(() => {}),
    free: () => rm(ballast, { force: true }),
    unmount: async () => {
      await run('umount', ['-l', folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A PostgreSQL whose data lies on that disk. */
async function startClusterOn(disk: SmallDisk): Promise<TestCluster> {
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = disk.folder;
  try {
    return await startTestCluster({ synchronous_commit: 'on', max_wal_size: '48MB', min_wal_size: '32MB' });
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}

export type DiskResult = { violations: Violation[]; stuck: string | undefined; refused: number; ended: number };

const diskMegabytes = 160;
const fullMs = 3_000;

/**
 * The disk of the database fills up while people write, and is freed again. Nothing may be lost, deliveries are
 * refused with 503 meanwhile, no process ends, and all goes on by itself. Undefined where no disk can be mounted.
 */
export async function runFullDisk(): Promise<DiskResult | undefined> {
  const disk = await mountSmallDisk(diskMegabytes);
  if (disk === undefined) return undefined;
  let cluster: TestCluster | undefined;
  let installation: Installation | undefined;
  try {
    cluster = await startClusterOn(disk);
    await migrate(cluster.url());
    installation = await openInstallation({ url: cluster.url() });
    return await fillAndFree(disk, cluster, installation);
  } finally {
    await installation?.close();
    await cluster?.stop();
    await disk.unmount();
  }
}

async function fillAndFree(disk: SmallDisk, cluster: TestCluster, installation: Installation): Promise<DiskResult> {
  const servers = await Promise.all([installation.serve(['edge', 'core']), installation.serve(['edge', 'core'])]);
  const crowd = createCrowd(installation.simulator, await installation.connect(4), { chatsABot: 10 });
  const talk = new AbortController();
  const talking = crowd.keepTalking(createChance(3), 60, talk.signal);
  const refused = (): number => installation.simulator.counters().deliveries.by_outcome['retry'] ?? 0;
  await until(
    'the first answers',
    () => installation.simulator.calls.accepted,
    (count) => count > 50,
  );
  await disk.fill();
  await until('deliveries to be refused', refused, (count) => count > 0);
  await pause(fullMs);
  await disk.free();
  await wake(cluster);
  talk.abort();
  await talking;
  let stuck: string | undefined;
  await until('everything to come to its end', () => unfinished(installation), isFinished).catch((error: Error) => {
    stuck = error.message;
  });
  const violations = audit(await gather(installation, crowd));
  if (stuck !== undefined || violations.length > 0) await keepLogs(installation);
  return { violations, stuck, refused: refused(), ended: servers.filter((server) => !server.alive()).length };
}

/** A PostgreSQL that could not write its log has ended itself; somebody starts it again, as a supervisor would. */
async function wake(cluster: TestCluster): Promise<void> {
  const { withDirect } = await import('../../kernel/direct.ts');
  try {
    await withDirect(cluster.url(), 'fault', async (client) => void (await client.query('select 1')));
  } catch {
    await cluster.crash();
    await cluster.restart();
  }
}
