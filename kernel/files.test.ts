import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFolder, readRegularFile } from './files.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roost-files-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('a file is read to its end, up to a limit', async () => {
  const path = join(folder, 'a');
  await writeFile(path, 'x'.repeat(100_000));
  expect((await readRegularFile(path, 100_000)).length).toBe(100_000);
  await expect(readRegularFile(path, 99_999)).rejects.toMatchObject({ code: 'EFBIG' });
  await writeFile(path, '');
  expect(await readRegularFile(path, 10)).toEqual(Buffer.alloc(0));
});

test('what is no file is refused at once: a pipe would hold, and a device never ends', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  for (const path of [pipe, '/dev/zero', '/dev/null'])
    await expect(readRegularFile(path, 10), path).rejects.toMatchObject({ code: 'ENOTREG' });
  await expect(readRegularFile(folder, 10)).rejects.toMatchObject({ code: 'EISDIR' });
  await expect(readRegularFile(join(folder, 'none'), 10)).rejects.toMatchObject({ code: 'ENOENT' });
});

test.runIf(process.platform === 'linux')(
  'a file that says nothing of its size is read up to the limit too',
  async () => {
    expect((await readRegularFile('/proc/self/status', 100_000)).length).toBeGreaterThan(100);
    await expect(readRegularFile('/proc/self/status', 100)).rejects.toMatchObject({ code: 'EFBIG' });
  },
);

test('a folder is made with all above it, and the topmost new one is told', async () => {
  expect(await makeFolder(join(folder, 'b', 'c', 'd'), 0o700)).toBe(join(folder, 'b'));
  expect((await stat(join(folder, 'b', 'c', 'd'))).mode & 0o777).toBe(0o700);
  expect(await makeFolder(join(folder, 'b', 'c', 'd'))).toBeUndefined();
  await Promise.all(Array.from({ length: 5 }, () => makeFolder(join(folder, 'e', 'f'))));
  await mkdir(join(folder, 'g'));
  await writeFile(join(folder, 'g', 'file'), '');
  await expect(makeFolder(join(folder, 'g', 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolder(join(folder, 'g', 'file', 'h'))).rejects.toMatchObject({ code: 'ENOTDIR' });
});

// Node's own recursive mkdir never ends there: it makes the parent, which is there, and tries again.
test.runIf(process.platform === 'linux')('where nothing can be made, that is told', async () => {
  for (const path of ['/proc/roost', '/proc/roost/inner/data'])
    await expect(makeFolder(path), path).rejects.toMatchObject({ code: 'ENOENT' });
});
