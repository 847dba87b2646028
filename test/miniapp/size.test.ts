import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildMiniapp, CSS_GZIP_BYTES_MAX, overweight, RUNTIME_GZIP_BYTES_MAX } from '../../miniapp/build.ts';

test('runtime and CSS stay within their bytes, and hold no name of another package', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'roost-miniapp-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const built = await buildMiniapp(folder);
  expect(RUNTIME_GZIP_BYTES_MAX).toBe(5_120);
  expect(CSS_GZIP_BYTES_MAX).toBe(3_072);
  expect(overweight(built)).toEqual([]);
  const runtime = await readFile(join(folder, built.runtime), 'utf8');
  expect(runtime).not.toMatch(
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|import[ {*]/,
  );
  expect(JSON.parse(await readFile(join(folder, 'list.json'), 'utf8'))).toEqual(built);
  expect(Object.values(built.chunks).every((name) => runtime.includes(name))).toBe(true);
});
