import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { address, ended, query, refusal, useWorkshop } from './workshop.ts';

const root = process.getuid?.() === 0;
const shop = useWorkshop();

test('a wrong configuration names all its mistakes, and makes nothing', async () => {
  const running = shop.roost(['start'], {
    PORT: 'eighty',
    PUBLIC_URL: 'bots.example.org',
    ROOST_KEY: 'short',
    ROOST_PROT: '1',
    DATABASE_URL: 'mysql://h/d',
  });
  const text = (await refusal(running)).join('\n');
  expect(text).toMatch(/^CONFIG_WRONG: The configuration has 5 mistakes\./);
  for (const name of ['PORT', 'PUBLIC_URL', 'ROOST_KEY', 'ROOST_PROT', 'DATABASE_URL'])
    expect(text).toContain(`${name} `);
  expect(existsSync(shop.dataDir)).toBe(false);
});

describe('a database of one’s own', () => {
  test('that belongs to something else is refused, and left alone', async () => {
    const database = await createTestDatabase({ migrated: false });
    try {
      await database.db.run({ text: 'create table customer (id integer)', values: [] });
      const lines = await refusal(shop.roost(['start'], { DATABASE_URL: database.url }));
      expect(lines).toEqual([expect.stringMatching(/^DATABASE_FOREIGN: .*customer/)]);
      expect(await query(database.url, `select relname from pg_class where relname like 'roost%'`)).toEqual([]);
      expect(await readdir(shop.dataDir)).toEqual([]);
    } finally {
      await database.close();
    }
  });

  test('that a newer version has migrated is refused', async () => {
    const database = await createTestDatabase();
    try {
      await database.db.run({
        text: `insert into roost_migration values (999999, '999999_new.sql', '', 1000)`,
        values: [],
      });
      expect(await refusal(shop.roost(['start'], { DATABASE_URL: database.url }))).toEqual([
        expect.stringMatching(/^DATABASE_NEWER: /),
      ]);
    } finally {
      await database.close();
    }
  });

  test('that has vanished is refused, and nothing is made in its place', async () => {
    const [database, empty] = [
      await createTestDatabase({ migrated: false }),
      await createTestDatabase({ migrated: false }),
    ];
    try {
      const first = shop.roost(['start'], { DATABASE_URL: database.url });
      await address(first);
      await ended(first);
      expect(await refusal(shop.roost(['start'], { DATABASE_URL: empty.url }))).toEqual([
        expect.stringMatching(/^INSTALLATION_LOST: .*Nothing was created/),
      ]);
      expect(await query(empty.url, `select from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([]);
    } finally {
      await database.close();
      await empty.close();
    }
  });

  test('that nobody answers for is one line without its password', async () => {
    const lines = await refusal(
      shop.roost(['start'], { DATABASE_URL: 'postgresql://roost:hunter2hunter2@127.0.0.1:1/roost' }),
    );
    expect(lines).toEqual([expect.stringMatching(/^DATABASE_UNAVAILABLE: .*ECONNREFUSED/)]);
    expect(lines.join()).not.toContain('hunter2');
  });
});

test('the embedded database gone from the data folder is a loss, not a new start', async () => {
  const first = shop.roost(['start']);
  await address(first);
  await ended(first);
  await rename(join(shop.dataDir, 'postgres'), join(shop.folder, 'moved'));
  expect(await refusal(shop.roost(['start']))).toEqual([
    expect.stringMatching(/^INSTALLATION_LOST: .*Nothing was created/),
  ]);
  expect(existsSync(join(shop.dataDir, 'postgres'))).toBe(false);
  await rename(join(shop.folder, 'moved'), join(shop.dataDir, 'postgres'));
  await address(shop.roost(['start']));
});

test('a lost master key is refused, and no new one is made', async () => {
  const first = shop.roost(['start']);
  await address(first);
  await ended(first);
  await rm(join(shop.dataDir, 'master.key'));
  expect(await refusal(shop.roost(['start']))).toEqual([
    expect.stringMatching(/^KEY_WRONG: The master key is missing/),
  ]);
  expect(existsSync(join(shop.dataDir, 'master.key'))).toBe(false);
});

describe.runIf(root)('as root', () => {
  test('below a home folder closed to others it starts, and says in one line where the data lies', async () => {
    const home = join(shop.folder, 'home');
    await mkdir(home, { mode: 0o700 });
    shop.dataDir = join(home, '.roost');
    const first = shop.roost(['start']);
    await address(first);
    expect(first.output()).toMatch(/^The database lies in \/var\/lib\/roost-/m);
    await ended(first);
    const second = shop.roost(['start']);
    await address(second);
    expect(second.output()).not.toContain('The database lies');
  });

  test('a full disk is one line', async (context) => {
    const disk = join(shop.folder, 'disk');
    await mkdir(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=20m,mode=0755', 'tmpfs', disk], { stdio: 'pipe' });
    } catch {
      console.warn('Not tested: a full disk. mount is not permitted here.');
      context.skip();
    }
    try {
      shop.dataDir = join(disk, 'data');
      expect(await refusal(shop.roost(['start']))).toEqual([expect.stringMatching(/^DISK_FULL: /)]);
    } finally {
      execFileSync('umount', ['-l', disk]);
    }
  });
});
