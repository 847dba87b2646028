import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { endStray, type Running, runProgram } from '../support/running.ts';
import { project } from './workshop.ts';

const scripts = join(import.meta.dirname, 'scripts');

/** A clone with our tools, one package, and a server that only tells what happens to it. */
export type MiniClone = {
  readonly path: string;
  /** `node tools/run.mjs ARGS`, with a stand-in for npm. */
  run(args: readonly string[], env?: Record<string, string>): Running;
  /** The same on another Node. */
  runOn(node: string, args: readonly string[], env?: Record<string, string>): Running;
  /** Through the real npm, in a process group of its own as a terminal would have it. */
  npm(args: readonly string[], env?: Record<string, string>): Running;
  /** Writes a lock file that wants this version of the one package. */
  lock(version: string): Promise<void>;
  /** Makes it look as if npm had installed what the lock file names. */
  install(): Promise<void>;
  /** What the stand-in for npm was called with, call by call. */
  npmCalls(): Promise<string[]>;
  /** Makes the stand-in fail, or wait until `off`. */
  npmMust(what: 'fail' | 'wait', off?: 'off'): Promise<void>;
};

export function useClone(): MiniClone {
  let folder = '';
  const started: Running[] = [];
  const path = (): string => join(folder, 'clone');
  const env = (more: Record<string, string>): Record<string, string | undefined> => ({
    PATH: `${join(process.execPath, '..')}:${process.env.PATH}`,
    HOME: folder,
    npm_execpath: join(scripts, 'npm-cli.js'),
    NPM_LOG: join(folder, 'npm.log'),
    ...more,
  });
  const track = (running: Running): Running => {
    started.push(running);
    return running;
  };
  const runOn = (node: string, args: readonly string[], more: Record<string, string> = {}): Running =>
    track(runProgram(node, [join(path(), 'tools/run.mjs'), ...args], { env: env(more), cwd: path() }));

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'roost-run-'));
    await makeClone(path());
  });
  afterEach(async () => {
    for (const running of started.splice(0)) await endWithServer(running);
    await rm(folder, { recursive: true, force: true });
  });
  return {
    get path() {
      return path();
    },
    run: (args, more) => runOn(process.execPath, args, more),
    runOn,
    npm: (args, more = {}) =>
      track(runProgram('npm', args, { env: { ...env(more), npm_execpath: undefined }, cwd: path(), detached: true })),
    lock: (version) => writeLock(path(), version),
    install: async () => {
      await mkdir(join(path(), 'node_modules'), { recursive: true });
      await cp(join(path(), 'package-lock.json'), join(path(), 'node_modules/.package-lock.json'));
    },
    npmCalls: async () =>
      (await readFile(join(folder, 'npm.log'), 'utf8').catch(() => '')).split('\n').filter((line) => line !== ''),
    npmMust: (what, off) =>
      off ? rm(join(folder, `npm.log.${what}`)) : writeFile(join(folder, `npm.log.${what}`), ''),
  };
}

async function makeClone(path: string): Promise<void> {
  await mkdir(join(path, 'server'), { recursive: true });
  await cp(join(project, 'tools'), join(path, 'tools'), { recursive: true });
  await cp(join(scripts, 'patient-server.ts'), join(path, 'server/main.ts'));
  await writeFile(join(path, '.npmrc'), '');
  const { scripts: npmScripts } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
  await writeFile(join(path, 'package.json'), JSON.stringify({ name: 'clone', version: '1.0.0', scripts: npmScripts }));
  await writeLock(path, '1.0.0');
}

async function writeLock(path: string, version: string): Promise<void> {
  const packages = {
    '': {},
    'node_modules/thing': { version },
    'node_modules/other-machine': { version: '1.0.0', optional: true },
  };
  await writeFile(join(path, 'package-lock.json'), JSON.stringify({ packages }));
}

/** The server may have outlived whoever started it: that is what some tests are about. */
async function endWithServer(running: Running): Promise<void> {
  const pid = /^pid (\d+)/m.exec(running.output())?.[1];
  if (pid !== undefined) endStray(Number(pid));
  running.kill('SIGKILL');
  await running.exit;
}
