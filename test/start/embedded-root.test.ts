import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chown, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cloneTo, postmasterPid, query, ready, refusal, startClone, useWorkshop } from './workshop.ts';

const root = process.getuid?.() === 0;
const shop = useWorkshop();

describe.runIf(root)('as root', () => {
  test('PostgreSQL runs as a system user, who owns nothing but its own folder', async () => {
    await ready(shop.embedded());
    const { uid } = await stat(join(shop.dataDir, 'postgres', 'data'));
    expect(uid).not.toBe(0);
    expect((await stat(shop.dataDir)).uid).toBe(0);
    expect(readFileSync(`/proc/${postmasterPid(shop.dataDir)}/status`, 'utf8')).toMatch(
      new RegExp(`^Uid:\\s+${uid}\\s`, 'm'),
    );
  });

  test('below a home folder closed to others the data lies elsewhere, one line says where, and the next start finds it', async () => {
    const home = join(shop.folder, 'home');
    await mkdir(home, { mode: 0o700 });
    shop.dataDir = join(home, 'roost', '.roost');
    const first = shop.embedded();
    const { url } = await ready(first);
    expect(first.output()).toMatch(/^say The database lies in \/var\/lib\/roost-[0-9a-f]{12}: /m);
    await query(url, 'create table kept (id integer)');
    first.kill('SIGTERM');
    expect((await first.exit).code).toBe(0);

    const second = shop.embedded();
    await query((await ready(second)).url, 'select * from kept');
    expect(second.output()).not.toContain('The database lies in');
    expect((await stat(home)).mode & 0o777).toBe(0o700);
  });

  test('two copies of a data folder whose data lies elsewhere do not run at once', async () => {
    const home = join(shop.folder, 'home');
    await mkdir(home, { mode: 0o700 });
    shop.dataDir = join(home, 'one');
    await ready(shop.embedded());
    execFileSync('cp', ['-a', shop.dataDir, join(home, 'two')]);
    expect(await refusal(shop.embedded({ DATA_DIR: join(home, 'two') }))).toEqual([
      expect.stringMatching(
        /^ALREADY_RUNNING: Another Roost \(process \d+\) is running on the data folder \/var\/lib\/roost-/,
      ),
    ]);
  });

  test('binaries below a closed home are copied to where the system user can run them', async () => {
    const home = join(shop.folder, 'home');
    await mkdir(home, { mode: 0o700 });
    const running = startClone(shop, await cloneTo(home));
    await ready(running);
    expect(await readdir(join(shop.dataDir, 'postgres'))).toContainEqual(expect.stringMatching(/^postgresql-18\./));
  });

  test('data that root has restored is handed to the system user again', async () => {
    const first = shop.embedded();
    const { url } = await ready(first);
    await query(url, 'create table kept (id integer)');
    first.kill('SIGTERM');
    await first.exit;
    execFileSync('chown', ['-R', '0:0', shop.dataDir]);
    const after = await ready(shop.embedded());
    await query(after.url, 'select * from kept');
  });

  test('a full disk is one clear line, and room on it is enough to go on', async (context) => {
    const disk = join(shop.folder, 'disk');
    await mkdir(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=150m,mode=0755', 'tmpfs', disk], { stdio: 'pipe' });
    } catch {
      console.warn('Not tested: a full disk. mount is not permitted here.');
      context.skip();
    }
    shop.dataDir = join(disk, 'data');
    try {
      const first = shop.embedded();
      await ready(first);
      first.kill('SIGTERM');
      await first.exit;
      execFileSync('sh', ['-c', `cat /dev/zero > '${disk}/filler' 2>/dev/null || true`]);
      const second = shop.embedded();
      expect((await second.exit).code).toBe(1);
      expect(second.output()).toMatch(/^DISK_FULL: .*\n$/);
      await rm(join(disk, 'filler'));
      const third = shop.embedded();
      await ready(third);
      third.kill('SIGTERM');
      await third.exit;

      await rm(shop.dataDir, { recursive: true });
      execFileSync('sh', ['-c', `head -c 120M /dev/zero > '${disk}/filler'`]);
      const fresh = shop.embedded();
      expect((await fresh.exit).code).toBe(1);
      expect(fresh.output()).toMatch(/^DISK_FULL: .*\n$/);
    } finally {
      execFileSync('umount', ['-l', disk]);
    }
  });

  test('data of another user is refused to a plain user in one line', async () => {
    const first = shop.embedded();
    await ready(first);
    first.kill('SIGTERM');
    await first.exit;
    await chown(shop.dataDir, 65534, 65534);
    await rm(join(shop.dataDir, 'roost.lock'));
    expect(await refusal(shop.embedded({ BECOME: '65534' }))).toEqual([
      expect.stringMatching(
        /^POSTGRES_FAILED: The data in .* belongs to another system user\. Start Roost as that user, or as root\.$/,
      ),
    ]);
  });
});
