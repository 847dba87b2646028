import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts';
import { readConfig } from './config.ts';
import { withDirect } from './direct.ts';
import { type Ground, openGround } from './installation.ts';
import { roleLimits } from './role-limits.ts';
import { sql } from './sql.ts';

let database: TestDatabase;
let dataDir: string;
let said: string[];

beforeEach(async () => {
  database = await createTestDatabase({ migrated: false });
  dataDir = await mkdtemp(join(tmpdir(), 'roost-ground-'));
  said = [];
});
afterEach(async () => {
  await database.close();
  await rm(dataDir, { recursive: true });
});

const openAny = (env: Record<string, string> = {}): Promise<Ground> =>
  openGround(readConfig({ DATABASE_URL: database.url, DATA_DIR: dataDir, ...env }), {
    as: 'serve',
    say: (line) => said.push(line),
  });

/** As a server does: with the key. */
const open = async (env: Record<string, string> = {}): Promise<Ground> => {
  const ground = await openAny(env);
  ground.masterKey();
  return ground;
};

const idInDatabase = async (): Promise<string | undefined> =>
  (await database.db.one<{ id: string }>(sql`select id from installation`))?.id;
const idInFolder = async (): Promise<string> => (await readFile(join(dataDir, 'installation.id'), 'utf8')).trim();

describe('a new installation', () => {
  test('is made where neither folder nor database knows one, and is told about its key', async () => {
    const ground = await open();
    expect(ground.isNew).toBe(true);
    expect(await idInDatabase()).toBe(ground.id);
    expect(await idInFolder()).toBe(ground.id);
    expect((await stat(join(dataDir, 'master.key'))).mode & 0o777).toBe(0o600);
    expect(ground.masterKey()).toHaveLength(32);
    expect(said).toEqual([
      `The master key lies in ${dataDir}/master.key. Keep a copy of it in a safe place: without it a backup is worthless.`,
    ]);
    expect(await readdir(dataDir)).toEqual(['installation.id', 'master.key']);
  });

  test('limits what the server does for it, whatever the server allows others', async () => {
    await open();
    await withDirect(database.tcpUrl, 'test', async (client) => {
      for (const [name, value] of Object.entries(roleLimits)) {
        const { rows } = await client.query('select current_setting($1) as value', [name]);
        expect([name, rows[0]?.value]).toEqual([name, value]);
      }
    });
  });

  test('is the same at the next start, and says nothing', async () => {
    const first = await open();
    said = [];
    const second = await open();
    expect(second).toMatchObject({ id: first.id, isNew: false });
    expect(Buffer.from(second.masterKey()).equals(Buffer.from(first.masterKey()))).toBe(true);
    expect(said).toEqual([]);
  });

  test('takes its key from ROOST_KEY, and then makes none', async () => {
    const ROOST_KEY = 'cd'.repeat(32);
    const ground = await open({ ROOST_KEY });
    expect(Buffer.from(ground.masterKey()).toString('hex')).toBe(ROOST_KEY);
    expect(existsSync(join(dataDir, 'master.key'))).toBe(false);
    expect(said).toEqual([expect.stringContaining('comes from ROOST_KEY')]);
    await expect(open()).rejects.toMatchObject({
      code: 'KEY_WRONG',
      message: expect.stringContaining('ROOST_KEY is not set'),
    });
  });

  test('three first starts at once make one', async () => {
    const grounds = await Promise.all([open(), open(), open()]);
    expect(new Set(grounds.map((ground) => ground.id)).size).toBe(1);
    expect(new Set(grounds.map((ground) => Buffer.from(ground.masterKey()).toString('hex'))).size).toBe(1);
  });

  test.each(['installation.id', 'both'])(
    'cut short before %s was written, is finished by the next start',
    async (what) => {
      const first = await open();
      await rm(join(dataDir, 'installation.id'));
      if (what === 'both') await database.db.run(sql`delete from installation`);
      const second = await open();
      expect(await idInDatabase()).toBe(second.id);
      expect(await idInFolder()).toBe(second.id);
      expect(second.id === first.id).toBe(what === 'installation.id');
    },
  );
});

describe('a loss', () => {
  test('a database that has become empty is refused, and stays empty', async () => {
    await open();
    const other = await createTestDatabase({ migrated: false });
    try {
      await expect(open({ DATABASE_URL: other.url })).rejects.toMatchObject({ code: 'INSTALLATION_LOST' });
      expect(
        await other.db.many(sql`select relname from pg_class where relnamespace = 'public'::regnamespace`),
      ).toEqual([]);
    } finally {
      await other.close();
    }
  });

  test('a database that was only migrated is refused', async () => {
    await open();
    await database.db.run(sql`delete from installation`);
    await expect(open()).rejects.toMatchObject({ code: 'INSTALLATION_LOST' });
    expect(await idInDatabase()).toBeUndefined();
  });

  test('a folder and a database of two installations are refused', async () => {
    await open();
    const folderId = await idInFolder();
    await database.db.run(sql`update installation set id = gen_random_uuid()`);
    await expect(open()).rejects.toMatchObject({
      code: 'INSTALLATION_LOST',
      message: expect.stringContaining('two different installations'),
    });
    expect(await idInFolder()).toBe(folderId);
  });

  test('a broken id file is refused', async () => {
    await open();
    await writeFile(join(dataDir, 'installation.id'), '');
    await expect(open()).rejects.toMatchObject({
      code: 'INSTALLATION_LOST',
      message: expect.stringContaining('installation.id'),
    });
  });

  test('a lost key file is refused, never replaced', async () => {
    await open();
    await rm(join(dataDir, 'master.key'));
    await expect(open()).rejects.toMatchObject({
      code: 'KEY_WRONG',
      message: expect.stringContaining('does not exist'),
    });
    expect(existsSync(join(dataDir, 'master.key'))).toBe(false);
  });

  test('a wrong key is refused', async () => {
    await open();
    await expect(open({ ROOST_KEY: '00'.repeat(32) })).rejects.toMatchObject({
      code: 'KEY_WRONG',
      message: expect.stringContaining('ROOST_KEY'),
    });
    await writeFile(join(dataDir, 'master.key'), `${'00'.repeat(32)}\n`);
    await expect(open()).rejects.toMatchObject({
      code: 'KEY_WRONG',
      message: expect.stringContaining('master.key is not the one'),
    });
    await writeFile(join(dataDir, 'master.key'), 'short\n');
    await expect(open()).rejects.toMatchObject({
      code: 'KEY_WRONG',
      message: expect.stringContaining('does not hold a master key'),
    });
  });
});

describe('another machine', () => {
  test('joins with the key, and learns the id', async () => {
    const first = await open();
    const elsewhere = await mkdtemp(join(tmpdir(), 'roost-ground-'));
    try {
      await copyFile(join(dataDir, 'master.key'), join(elsewhere, 'master.key'));
      expect(await open({ DATA_DIR: elsewhere })).toMatchObject({ id: first.id, isNew: false });
      expect((await readFile(join(elsewhere, 'installation.id'), 'utf8')).trim()).toBe(first.id);
    } finally {
      await rm(elsewhere, { recursive: true });
    }
  });

  test('without the key cannot join, and makes none', async () => {
    await open();
    const elsewhere = await mkdtemp(join(tmpdir(), 'roost-ground-'));
    try {
      await expect(open({ DATA_DIR: elsewhere })).rejects.toMatchObject({ code: 'KEY_WRONG' });
      expect(await readdir(elsewhere)).toEqual([]);
    } finally {
      await rm(elsewhere, { recursive: true });
    }
  });
});

test('an installation of before the key check leaves one at its next start', async () => {
  await open();
  await database.db.run(sql`update installation set key_check = null`);
  await open();
  await expect(open({ ROOST_KEY: '00'.repeat(32) })).rejects.toMatchObject({ code: 'KEY_WRONG' });
});

describe('without the key', () => {
  test('everything else is there, and what is wrong is said to whoever needs it', async () => {
    const first = await open();
    await rm(join(dataDir, 'master.key'));
    const ground = await openAny();
    expect(ground).toMatchObject({ id: first.id, hasKey: false, isNew: false });
    expect(() => ground.masterKey()).toThrow('roost keys lost');
  });

  test('a new one is made in the folder; what lay there and is no key is put aside', async () => {
    await open();
    await writeFile(join(dataDir, 'master.key'), 'short\n');
    const made = await (await openAny()).freshKey();
    expect(made).toHaveLength(32);
    expect((await readFile(join(dataDir, 'master.key'), 'utf8')).trim()).toBe(Buffer.from(made).toString('base64'));
    expect(await readFile(join(dataDir, 'master.key.unreadable'), 'utf8')).toBe('short\n');
    expect((await stat(join(dataDir, 'master.key'))).mode & 0o777).toBe(0o600);
    // A second try takes the one of the first.
    expect(Buffer.from(await (await openAny()).freshKey()).equals(Buffer.from(made))).toBe(true);
  });
});

describe('a copy', () => {
  test('of the database is known as one, whatever folder it is opened from, until it is claimed', async () => {
    const original = await open();
    expect(original.isCopy).toBe(false);
    const copy = await database.copy();
    const elsewhere = await mkdtemp(join(tmpdir(), 'roost-ground-'));
    try {
      await copyFile(join(dataDir, 'master.key'), join(elsewhere, 'master.key'));
      const proof = await open({ DATABASE_URL: copy.url, DATA_DIR: elsewhere });
      expect(proof).toMatchObject({ id: original.id, isCopy: true });
      expect((await open({ DATABASE_URL: copy.url })).isCopy).toBe(true);
      expect((await open()).isCopy).toBe(false);
      await proof.claim();
      expect((await open({ DATABASE_URL: copy.url })).isCopy).toBe(false);
      expect((await open()).isCopy).toBe(false);
    } finally {
      await copy.close();
      await rm(elsewhere, { recursive: true });
    }
  });
});
