import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Refusal } from '../errors.ts';
import { syncFolder } from '../files.ts';
import { errorText } from '../redact.ts';
import { type Account, asAccount } from './account.ts';
import { type Binaries, postgresMajor, programOf } from './binaries.ts';
import { diskIsFull } from './disk.ts';

/** The names inside the cluster. They need not be secret: only its owner can reach the socket. */
export const clusterUser = 'roost';
export const clusterDatabase = 'roost';

/** A folder of data, the programs for it, and who runs them. */
export type Cluster = { readonly data: string; readonly binaries: Binaries; readonly account: Account | undefined };

/**
 * PostgreSQL's environment: nothing of ours. Its locale is fixed, since initdb takes encoding and sorting from
 * LANG: without one it would make an SQL_ASCII cluster, in which Cyrillic fails later.
 */
export const clusterEnv: NodeJS.ProcessEnv = { PATH: '/usr/bin:/bin', LC_ALL: 'C', LANG: 'C', TZ: 'UTC' };

/**
 * Makes the cluster when there is none, and refuses one of another major version. It is made under another
 * name and renamed when complete, so that a kill in between leaves nothing that looks like data.
 */
export async function ensureCluster(
  cluster: Cluster,
  options: { trustHost?: boolean } = {},
): Promise<{ made: boolean }> {
  const versionFile = join(cluster.data, 'PG_VERSION');
  if (existsSync(versionFile)) {
    const found = (await readFile(versionFile, 'utf8')).trim();
    if (found !== String(postgresMajor)) {
      throw new Refusal('POSTGRES_VERSION', undefined, {
        folder: cluster.data,
        found,
        expected: String(postgresMajor),
      });
    }
    return { made: false };
  }
  await removePartials(cluster.data);
  const partial = `${cluster.data}.partial-${randomBytes(4).toString('hex')}`;
  await mkdir(partial, { recursive: true, mode: 0o700 });
  if (cluster.account) await chown(partial, cluster.account.uid, cluster.account.gid);
  try {
    await initialise({ ...cluster, data: partial }, options.trustHost === true);
    await rename(partial, cluster.data);
  } catch (error) {
    await removePartials(cluster.data);
    throw error;
  }
  await syncFolder(dirname(cluster.data));
  return { made: true };
}

/**
 * Removes what earlier attempts left. Whoever killed Roost may not have killed its initdb, which then goes on
 * writing for a second: that is why each attempt has a name of its own, and why a failure here does not matter.
 */
async function removePartials(data: string): Promise<void> {
  const folder = dirname(data);
  const names = (await readdir(folder)).filter((name) => name.startsWith(`${basename(data)}.partial-`));
  for (const name of names) await rm(join(folder, name), { recursive: true, force: true }).catch(() => {});
}

async function initialise(cluster: Cluster, trustHost: boolean): Promise<void> {
  const options = [
    `--pgdata=${cluster.data}`,
    `--username=${clusterUser}`,
    '--encoding=UTF8',
    // Sorting by code point, and upper and lower case as Unicode has them, whatever the machine's own locale.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--auth-local=trust',
    `--auth-host=${trustHost ? 'trust' : 'scram-sha-256'}`,
    '--no-instructions',
    // On failure it would remove its files, and a disk that was full would look as if it had room.
    '--no-clean',
    ...(trustHost ? ['--no-sync'] : []),
  ];
  await runProgram(cluster, 'initdb', options);
  const single = ['--single', '-D', cluster.data, '-c', `fsync=${trustHost ? 'off' : 'on'}`, 'template1'];
  await runProgram(cluster, 'postgres', single, `create database ${clusterDatabase};\n`);
}

/** Runs one program of PostgreSQL to its end. */
async function runProgram(cluster: Cluster, name: 'initdb' | 'postgres', args: string[], input = ''): Promise<void> {
  const options = { env: clusterEnv, cwd: dirname(cluster.data), ...asAccount(cluster.account) };
  const failure = await new Promise<{ code: unknown; output: string } | undefined>((resolve) => {
    const child = execFile(programOf(cluster.binaries, name), args, options, (error, stdout, stderr) =>
      resolve(error ? { code: error.code, output: `${stdout}\n${stderr}` } : undefined),
    );
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
  if (failure === undefined) return;
  if (await diskIsFull(cluster.data)) throw new Refusal('DISK_FULL', undefined, { folder: dirname(cluster.data) });
  const reason = failure.output.trim().split('\n').at(-1) || String(failure.code);
  throw new Refusal(
    'POSTGRES_FAILED',
    `The embedded PostgreSQL could not be set up. ${name} says: ${errorText(reason)}`,
  );
}
