import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { readKey } from './config-table.ts';
import { Refusal } from './errors.ts';
import { createOnce, writeDurably } from './files.ts';
import { explained } from './postgres/folder.ts';
import { keepSecret } from './redact.ts';

/**
 * Which installation this is stands twice: in the data folder and in the database. So a database that has
 * vanished, or the wrong one, is noticed before anything is made in its place.
 */
export type Identity = { readonly id: string; readonly masterKey: Uint8Array };

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

type Row = { id: string; key_check: Buffer | null };

/**
 * The row of the database. Undefined where it holds no installation: because it is empty, was never migrated
 * or was emptied. It is read before migrating, so neither table nor column need be there.
 */
async function readRow(client: pg.Client): Promise<Row | undefined> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('installation') is not null and to_regclass('roost_migration') is not null as there`,
  );
  if (!rows[0]?.there) return undefined;
  return (await client.query<Row>(`select id, (to_jsonb(i) ->> 'key_check')::bytea as key_check from installation i`))
    .rows[0];
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
  readonly say: (line: string) => void;
};

/**
 * Makes the installation where it is new, and proves the master key. For after migrating. The order bears a kill
 * anywhere: key, row, id; a row without an id is adopted by the next start, with the key that lies there.
 */
export async function settle(client: pg.Client, options: SettleOptions): Promise<Identity> {
  const masterKey = options.masterKey ?? (await folderKey(options));
  if (options.meeting === 'new') await client.query('insert into installation default values on conflict do nothing');
  const id = await proveKey(client, masterKey, options);
  if (options.meeting !== 'known') {
    await writeDurably(idFile(options.dataDir), `${id}\n`);
    if (options.meeting === 'new') sayWhere(options);
  }
  return { id, masterKey };
}

/** The key in the data folder. It is made only for a new installation: no other could open what stands there. */
async function folderKey(options: SettleOptions): Promise<Uint8Array> {
  const path = keyFile(options.dataDir);
  // Two first starts at once make one key: whoever comes second reads what the first one wrote.
  if (options.meeting === 'new') await createOnce(path, `${randomBytes(32).toString('base64')}\n`, 0o600);
  const text = (await readIfThere(options.dataDir, path))?.trim();
  if (text === undefined) {
    throw new Refusal(
      'KEY_WRONG',
      `The master key is missing: ROOST_KEY is not set, and ${path} does not exist. Restore it from the backup. A lost key cannot be replaced.`,
    );
  }
  const key = readKey(text);
  if (key === undefined)
    throw new Refusal(
      'KEY_WRONG',
      `${path} does not hold a master key: 32 bytes, as 64 hexadecimal digits or in base64.`,
    );
  keepSecret(text);
  return key;
}

/** Compares the key with the check in the database, or leaves one where there is none yet. Answers with the id. */
async function proveKey(client: pg.Client, masterKey: Uint8Array, options: SettleOptions): Promise<string> {
  const row = await readRow(client);
  if (row === undefined) throw new Error('The installation vanished while it was opened.');
  const check = createHmac('sha256', masterKey).update(`roost key check:${row.id}`).digest();
  if (row.key_check === null) {
    // Two may come here at once; the one who was first decides, as everywhere.
    await client.query('update installation set key_check = $1 where key_check is null', [check]);
    return proveKey(client, masterKey, options);
  }
  if (timingSafeEqual(row.key_check, check)) return row.id;
  const where = options.masterKey === undefined ? keyFile(options.dataDir) : 'ROOST_KEY';
  throw new Refusal(
    'KEY_WRONG',
    `The master key in ${where} is not the one that sealed what this database holds. Put the right one there. A lost key cannot be replaced.`,
  );
}

function sayWhere(options: SettleOptions): void {
  const where = options.masterKey === undefined ? `lies in ${keyFile(options.dataDir)}` : 'comes from ROOST_KEY';
  options.say(`The master key ${where}. Keep a copy of it in a safe place: without it a backup is worthless.`);
}

async function readIfThere(dataDir: string, path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw await explained(error, dataDir);
  }
}
