import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { readKey } from './config-table.ts';
import type { Tx } from './db.ts';
import { Refusal } from './errors.ts';
import { createOnce, writeDurably } from './files.ts';
import { explained } from './postgres/folder.ts';
import { keepSecret } from './redact.ts';
import { sql } from './sql.ts';

/**
 * Which installation this is stands twice: in the data folder and in the database. So a database that has
 * vanished, or the wrong one, is noticed before anything is made in its place.
 */
export type Identity = {
  readonly id: string;
  /** The master key, or why it cannot be had: most of an installation can be read without it. */
  readonly key: Uint8Array | Refusal;
  /** This database is a copy of the one in which the installation lives: its bots may run there. */
  readonly isCopy: boolean;
};

const idFile = (dataDir: string): string => join(dataDir, 'installation.id');
const keyFile = (dataDir: string): string => join(dataDir, 'master.key');

const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id in the data folder; undefined where there is none. Throws Refusal CONFIG_WRONG for a folder that is none. */
export async function readFolderId(dataDir: string): Promise<string | undefined> {
  const text = (await readIfThere(dataDir, idFile(dataDir)))?.trim();
  if (text === undefined || uuidShape.test(text)) return text;
  throw new Refusal(
    'INSTALLATION_LOST',
    `${idFile(dataDir)} does not hold the id of an installation. Nothing was created. Restore that file from the backup.`,
  );
}

type Row = { id: string; key_check: Buffer | null; home: string | null };

/**
 * The row of the database. Undefined where it holds no installation: because it is empty, was never migrated
 * or was emptied. It is read before migrating, so neither table nor column need be there.
 */
async function readRow(client: pg.Client): Promise<Row | undefined> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('installation') is not null and to_regclass('roost_migration') is not null as there`,
  );
  if (!rows[0]?.there) return undefined;
  const { rows: found } = await client.query<Row>(
    `select id, (to_jsonb(i) ->> 'key_check')::bytea as key_check, to_jsonb(i) ->> 'home' as home from installation i`,
  );
  return found[0];
}

export type Meeting = 'new' | 'known' | 'adopted';

/**
 * Compares the two ids; refuses what does not fit. A database that knows an installation and a folder that
 * does not is another machine joining, or a lost folder: it is adopted, and the key check then tells whether
 * this machine may work on it.
 */
export async function meet(client: pg.Client, folderId: string | undefined): Promise<Meeting> {
  const databaseId = (await readRow(client))?.id;
  if (folderId === undefined) return databaseId === undefined ? 'new' : 'adopted';
  if (databaseId === folderId) return 'known';
  if (databaseId === undefined) throw new Refusal('INSTALLATION_LOST', undefined, { folder: folderId });
  throw new Refusal(
    'INSTALLATION_LOST',
    'The data folder and the database belong to two different installations. Nothing was changed. Set DATABASE_URL or DATA_DIR to the right one.',
    { folder: folderId, database: databaseId },
  );
}

export type SettleOptions = {
  readonly dataDir: string;
  readonly meeting: Meeting;
  /** From the configuration; undefined: in the data folder. */
  readonly masterKey: Uint8Array | undefined;
  /** Which database this is, from `homeOf`. */
  readonly home: string;
  readonly say: (line: string) => void;
};

/**
 * Makes the installation where it is new, looks for the master key and proves it. For after migrating. The order bears a
 * kill anywhere: key, row, id; a row without an id is adopted by the next start, with the key that lies there. A folder
 * learns the id only with the right key.
 */
export async function settle(client: pg.Client, options: SettleOptions): Promise<Identity> {
  const { meeting, dataDir } = options;
  const found = options.masterKey ?? (await folderKey(options));
  if (meeting === 'new') {
    if (found instanceof Refusal) throw found;
    await client.query('insert into installation default values on conflict do nothing');
  }
  const { id, key } = await proveKey(client, found, options);
  const isCopy = !(await isHome(client, options.home));
  if (meeting !== 'known' && !(key instanceof Refusal)) {
    await writeDurably(idFile(dataDir), `${id}\n`);
    if (meeting === 'new') sayWhere(options);
  }
  return { id, key, isCopy };
}

/**
 * Which database this is: the cluster, the database in it and, for a cluster of our own, its folder. A dump that was loaded
 * elsewhere is another one, and so is a copied folder; a moved folder and a replica that was promoted are not. What
 * PostgreSQL does not tell this user (some hosted ones hide the cluster's identifier) is left out.
 */
export async function homeOf(client: pg.Client, folder: string | undefined): Promise<string> {
  const { rows } = await client.query<{ oid: string }>(
    'select oid::text as oid from pg_database where datname = current_database()',
  );
  const cluster = await client
    .query<{ id: string }>('select system_identifier::text as id from pg_control_system()')
    .then((found) => found.rows[0]?.id)
    .catch((error: { code?: unknown }) => {
      if (error.code !== insufficientPrivilege) throw error;
      return undefined;
    });
  const inode = folder === undefined ? undefined : String((await stat(folder)).ino);
  return [cluster ?? '?', rows[0]?.oid, inode].filter((part) => part !== undefined).join('/');
}

const insufficientPrivilege = '42501';

/** True where the installation lives in this database; it does from now on where nobody has said yet where it lives. */
async function isHome(client: pg.Client, home: string): Promise<boolean> {
  await client.query('update installation set home = $1 where home is null', [home]);
  return (await readRow(client))?.home === home;
}

/** The installation lives in this database from now on, and no longer in the one that it was copied from. */
export async function claimHome(client: pg.Client, home: string): Promise<void> {
  await client.query('update installation set home = $1', [home]);
}

/** The key in the data folder. It is made only for a new installation: no other could open what stands there. */
async function folderKey(options: SettleOptions): Promise<Uint8Array | Refusal> {
  const path = keyFile(options.dataDir);
  // Two first starts at once make one key: whoever comes second reads what the first one wrote.
  if (options.meeting === 'new') await createOnce(path, `${randomBytes(32).toString('base64')}\n`, 0o600);
  const text = (await readIfThere(options.dataDir, path))?.trim();
  if (text === undefined) {
    return new Refusal(
      'KEY_WRONG',
      `The master key is missing: ROOST_KEY is not set, and ${path} does not exist. Restore it from the backup. ${lostForGood}`,
    );
  }
  const key = readKey(text);
  if (key === undefined)
    return new Refusal(
      'KEY_WRONG',
      `${path} does not hold a master key: 32 bytes, as 64 hexadecimal digits or in base64.`,
    );
  keepSecret(text);
  return key;
}

const lostForGood = 'If it is lost for good: roost keys lost';

const checkOf = (masterKey: Uint8Array, id: string): Buffer =>
  createHmac('sha256', masterKey).update(`roost key check:${id}`).digest();

/** Compares the key with the check in the database, or leaves one where there is none yet. */
async function proveKey(
  client: pg.Client,
  found: Uint8Array | Refusal,
  options: SettleOptions,
): Promise<{ id: string; key: Uint8Array | Refusal }> {
  const row = await readRow(client);
  if (row === undefined) throw new Error('The installation vanished while it was opened.');
  const { id, key_check } = row;
  if (found instanceof Refusal) return { id, key: found };
  const check = checkOf(found, id);
  if (key_check === null) {
    // Two may come here at once; the one who was first decides, as everywhere.
    await client.query('update installation set key_check = $1 where key_check is null', [check]);
    return proveKey(client, found, options);
  }
  if (timingSafeEqual(key_check, check)) return { id, key: found };
  const where = options.masterKey === undefined ? keyFile(options.dataDir) : 'ROOST_KEY';
  const sentence = `The master key in ${where} is not the one that sealed what this database holds. Put the right one there. ${lostForGood}`;
  return { id, key: new Refusal('KEY_WRONG', sentence) };
}

/**
 * From now on this is the master key. In the transaction that forgets what the lost one has sealed; the key lies in its
 * place before that, and one that was put there by a try that was cut short is taken by the next one.
 */
export const replaceKeyCheck = (tx: Tx, id: string, masterKey: Uint8Array): Promise<number> =>
  tx.run(sql`update installation set key_check = ${checkOf(masterKey, id)} where id = ${id}`);

/** The key in the data folder. One that is missing is made; a file that no key can be read from is put aside first. */
export async function freshFolderKey(dataDir: string): Promise<Uint8Array> {
  const path = keyFile(dataDir);
  const standing = (await readIfThere(dataDir, path))?.trim();
  const key = standing === undefined ? undefined : readKey(standing);
  if (key !== undefined) return key;
  if (standing !== undefined) await rename(path, `${path}.unreadable`);
  const made = randomBytes(32);
  await createOnce(path, `${made.toString('base64')}\n`, 0o600);
  return made;
}

/** Where the master key is, after "The master key". */
export const whereKeyIs = (options: { masterKey?: Uint8Array | undefined; dataDir: string }): string =>
  options.masterKey === undefined ? `lies in ${keyFile(options.dataDir)}` : 'comes from ROOST_KEY';

function sayWhere(options: SettleOptions): void {
  options.say(
    `The master key ${whereKeyIs(options)}. Keep a copy of it in a safe place: without it a backup is worthless.`,
  );
}

async function readIfThere(dataDir: string, path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw await explained(error, dataDir);
  }
}
