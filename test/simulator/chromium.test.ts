import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { unpackedBrowser } from './chromium.ts';

test('of two who ask for the browser on a new machine, each gets a whole one', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'roost-browser-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slowly = async (folder: string): Promise<void> => {
    await writeFile(join(folder, 'chromium'), 'half ');
    begun.resolve();
    await ended.promise;
    await appendFile(join(folder, 'chromium'), 'and half');
  };
  const quickly = (folder: string): Promise<void> => writeFile(join(folder, 'chromium'), 'at once');
  const read = async (path: Promise<string>): Promise<string> => readFile(await path, 'utf8');

  const first = read(unpackedBrowser(parent, slowly));
  await begun.promise;
  expect(await read(unpackedBrowser(parent, quickly)), 'in the middle of it').toBe('at once');
  ended.resolve();
  expect(await first, 'the one that is there stays').toBe('at once');
  expect(await readdir(parent)).toEqual([expect.stringMatching(/^browser-\d/)]);
});
