import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { unpackedBrowser } from './chromium.ts';

test('of two who ask for the browser on a new machine, each gets a whole one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'roost-browser-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const versionOf = async (): Promise<string> => {
    const { stdout } = await promisify(execFile)(await unpackedBrowser(folder), ['--version']);
    return stdout;
  };
  const first = versionOf();
  // The second one asks in the middle of it.
  while ((await readdir(folder, { recursive: true })).every((path) => !path.endsWith('chromium')));
  for (const version of await Promise.all([first, versionOf()])) expect(version).toMatch(/\d+\.\d+/);
  const [only, ...others] = await readdir(folder);
  expect([only, others]).toEqual([expect.stringMatching(/^browser-/), []]);
});
