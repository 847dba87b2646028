// The built runtime of Mini Apps. In a clone it is built when it is missing or older than its source, as every start
// installs what is missing; on a server it comes with the bundle.
import { execFile } from 'node:child_process';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Refusal } from '../../kernel/errors.ts';
import { type Assets, readAssets } from '../domains/miniapps/miniapps.ts';

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, '.cache', 'miniapp');
const source = join(root, 'miniapp');

/** Reads the built files. Throws Refusal APP_RUNTIME_MISSING where there are none and none can be built. */
export async function runtimeAssets(): Promise<Assets> {
  if (await isStale()) await buildAlone().catch(makeDo);
  return readAssets(folder);
}

/** An installed server has nothing to build with, or may not write here; what came with it is as good as new. */
async function makeDo(error: { readonly stderr?: string; readonly message: string }): Promise<void> {
  if ((await changedMs(join(folder, 'list.json'))) !== undefined) return;
  const reason = (error.stderr?.trim() || error.message).split('\n').at(-1);
  throw new Refusal('APP_RUNTIME_MISSING', `The runtime of Mini Apps is not built and cannot be built here. ${reason}`);
}

/** Somebody who builds at this moment takes the folder away first, so a missing list counts as stale. */
async function isStale(): Promise<boolean> {
  const builtMs = await changedMs(join(folder, 'list.json'));
  return builtMs === undefined || builtMs < (await newestMs(source));
}

const changedMs = (path: string): Promise<number | undefined> =>
  stat(path).then(
    (facts) => facts.mtimeMs,
    () => undefined,
  );

/** When the source was last changed; 0 where there is no source. */
async function newestMs(path: string): Promise<number> {
  const names = await readdir(path, { recursive: true }).catch(() => []);
  const times = await Promise.all(names.map((name) => changedMs(join(path, name))));
  return Math.max(0, ...times.map((time) => time ?? 0));
}

const lock = `${folder}.lock`;
const lockLooksMax = 600;
const lockPauseMs = 100;

/** One process builds, the others wait for it. A lock of a killed one is taken away when the wait is over. */
async function buildAlone(): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  for (let look = 0; !(await taken()); look += 1) {
    if (look === lockLooksMax) await rm(lock, { recursive: true, force: true });
    await pause(lockPauseMs);
  }
  try {
    if (await isStale()) await build();
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}

const taken = (): Promise<boolean> =>
  mkdir(lock).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );

const build = () => promisify(execFile)(process.execPath, [join(source, 'build.ts')], { cwd: root });
