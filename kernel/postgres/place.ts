import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, lstat, mkdir, readFile, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Refusal } from '../errors.ts';
import { writeDurably } from '../files.ts';
import { type Account, canRead, chownAll, findAccount } from './account.ts';
import { socketName } from './postmaster.ts';

/** Where the cluster lives: `folder` holds its data, its socket and its log. */
export type Place = {
  readonly folder: string;
  readonly data: string;
  readonly account: Account | undefined;
  /** True when the data could not lie in the data folder. */
  readonly elsewhere: boolean;
};

/** Names the place when it is not `postgres/` in the data folder itself. */
const signpost = 'postgres.place';

/**
 * Finds the place of the data folder's cluster, or chooses one for a new cluster. `known` says that this data
 * folder already belongs to an installation: then a cluster that is not there is lost, not new.
 *
 * PostgreSQL refuses root, so for root a system user runs it, who must be able to enter every folder above the
 * data. Below a home folder closed to others (the usual mode of /root) they cannot, and opening somebody's home
 * is not ours to do: the data then lies in /var/lib, and a signpost in the data folder says so.
 */
export async function findPlace(dataDir: string, known: boolean): Promise<Place> {
  const signed = existsSync(join(dataDir, signpost));
  const folder = signed ? (await readFile(join(dataDir, signpost), 'utf8')).trim() : join(dataDir, 'postgres');
  const data = join(folder, 'data');
  if (await isThere(data)) return { folder, data, elsewhere: signed, account: await ownerOf(data) };
  if (known) {
    throw new Refusal(
      'INSTALLATION_LOST',
      `This installation's data is gone: ${data} does not exist. Nothing was created. Restore the backup.`,
      { folder: data },
    );
  }
  return choosePlace(dataDir);
}

/** A folder that may not be looked into is not the same as one that is gone. */
async function isThere(data: string): Promise<boolean> {
  try {
    await stat(data);
    return true;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'ENOENT') return false;
    if (code !== 'EACCES') throw error;
    const message = `The data in ${data} belongs to another system user. Start Roost as that user, or as root.`;
    throw new Refusal('POSTGRES_FAILED', message, { folder: data });
  }
}

async function choosePlace(dataDir: string): Promise<Place> {
  const account = await findAccount();
  const near = join(dataDir, 'postgres');
  if (await usable(near, account)) return { folder: near, data: join(near, 'data'), account, elsewhere: false };
  // A new name each time: whoever removed their data folder to start afresh must not meet the old data again.
  const far = `/var/lib/roost-${randomBytes(6).toString('hex')}`;
  if (!(await usable(far, account))) {
    throw new Refusal(
      'POSTGRES_FAILED',
      `PostgreSQL does not run as root, and the system user ${account?.name} can enter neither ${dataDir} nor ${far}. Start Roost as a user of its own.`,
    );
  }
  await writeDurably(join(far, 'data-folder'), `${dataDir}\n`);
  await writeDurably(join(dataDir, signpost), `${far}\n`);
  return { folder: far, data: join(far, 'data'), account, elsewhere: true };
}

/** Makes the folder and hands it to the account; removes it again when the account cannot get there. */
async function usable(folder: string, account: Account | undefined): Promise<boolean> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (account === undefined) return true;
  await chown(folder, account.uid, account.gid);
  if (await canRead(folder, account)) return true;
  await rmdir(folder).catch(() => {});
  return false;
}

/**
 * An existing cluster is run by whoever owns it: root can become that user, everybody else must be them. The
 * last check is for a folder above that was closed after the cluster was made.
 */
async function ownerOf(data: string): Promise<Account | undefined> {
  const { uid, gid } = await stat(data);
  const self = process.getuid?.();
  if (self === 0 && uid === 0) return handOver(data);
  if (uid === self) return undefined;
  if (self !== 0) {
    throw new Refusal(
      'POSTGRES_FAILED',
      `The data in ${data} belongs to the system user ${uid}. Start Roost as that user, or as root.`,
    );
  }
  const account = { name: String(uid), uid, gid };
  if (await canRead(data, account)) return account;
  throw new Refusal(
    'POSTGRES_FAILED',
    `The system user ${uid}, who runs PostgreSQL for root, can no longer enter ${data}. Open the folders above it (chmod o+x).`,
  );
}

/** Data that root owns was copied or restored by root; PostgreSQL's user cannot use it like that. */
async function handOver(data: string): Promise<Account | undefined> {
  const account = await findAccount();
  if (account) await chownAll(dirname(data), account);
  return account;
}

// The longest path of a socket: 107 bytes on Linux, 103 on macOS.
const socketPathBytesMax = 103 - `/${socketName}`.length;

/** A private folder for the socket; one with a short path where the place's own is too long. */
export async function socketFolderOf(place: Place): Promise<string> {
  const near = join(place.folder, 'socket');
  const hash = createHash('sha256').update(place.folder).digest('hex').slice(0, 12);
  const folder = Buffer.byteLength(near) <= socketPathBytesMax ? near : `/tmp/roost-${hash}`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const owner = place.account?.uid ?? process.getuid?.() ?? 0;
  const found = await lstat(folder);
  // Anybody may make folders in /tmp. One that is not ours could show us somebody else's PostgreSQL.
  const ours = found.isDirectory() && (found.uid === owner || found.uid === process.getuid?.());
  if (!ours) throw new Refusal('POSTGRES_FAILED', `${folder} is not ours. Remove it.`);
  if (place.account) await chown(folder, place.account.uid, place.account.gid);
  await chmod(folder, 0o700);
  return folder;
}
