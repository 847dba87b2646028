import { execFile } from 'node:child_process';
import { chown, lchown, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A system user that runs PostgreSQL in place of root. */
export type Account = { readonly name: string; readonly uid: number; readonly gid: number };

// PostgreSQL refuses to run as root. `postgres` is what distributions call its user (macOS: `_postgres`);
// `nobody` exists everywhere.
const candidates = ['postgres', '_postgres', 'nobody'];

/** The account that PostgreSQL must run as, or undefined when it can run as ourselves. */
export async function findAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const users = parseUsers(await readFile('/etc/passwd', 'utf8'));
  for (const name of candidates) {
    const account = users.get(name);
    if (account !== undefined) return account;
  }
  return undefined;
}

function parseUsers(text: string): Map<string, Account> {
  const users = new Map<string, Account>();
  for (const line of text.split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (!name || !uid || !gid || name.startsWith('#')) continue;
    // macOS writes `nobody` with uid -2; the kernel counts in 32 bits.
    users.set(name, { name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 });
  }
  return users;
}

/** What `spawn` needs to run a program as `account`. */
export const asAccount = (account: Account | undefined): { uid?: number; gid?: number } =>
  account === undefined ? {} : { uid: account.uid, gid: account.gid };

/**
 * Whether `account` can read and enter (or run) `path`. Asked by trying, as that account: reading the mode
 * bits of every parent would miss access lists and mount options.
 */
export function canRead(path: string, account: Account | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { cwd: '/', ...asAccount(account) };
    execFile('/bin/sh', ['-c', 'test -r "$1" && test -x "$1"', 'sh', path], options, (error) =>
      resolve(error === null),
    );
  });
}

/** Hands a folder and all in it to `account`. */
export async function chownAll(folder: string, account: Account): Promise<void> {
  await chown(folder, account.uid, account.gid);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    await lchown(join(entry.parentPath, entry.name), account.uid, account.gid);
  }
}
