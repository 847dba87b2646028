import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isAlive } from '../../kernel/postgres/processes.ts';
import { killGroup, type Running, runProgram } from '../support/running.ts';

const project = join(import.meta.dirname, '../..');

/** A server that tells every signal it gets, and takes a while to end, as one that drains does. */
const server = `
  console.log('pid ' + process.pid + ' args ' + JSON.stringify(process.argv.slice(2)) + ' node ' + process.versions.node);
  let asked = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {
    console.log('got ' + signal);
    if (++asked === 2) process.exit(9);
    setTimeout(() => { console.log('drained'); process.exit(Number(process.env.EXIT ?? 0)); }, Number(process.env.DRAIN_MS ?? 500));
  });
  if (process.env.DIE) process.kill(process.pid, process.env.DIE);
  if (process.env.EXIT_NOW) process.exit(Number(process.env.EXIT_NOW));
  setInterval(() => {}, 1000);
  console.log('serving');
`;

/** Stands in for npm: says that it runs, waits for the file \`go\` where there is a file \`wait\`, and installs by copying the lock. */
const fakeNpm = `
  const fs = require('node:fs');
  const [, , ...args] = process.argv;
  fs.appendFileSync(process.env.NPM_LOG, args.join(' ') + '\\n');
  if (fs.existsSync(process.env.NPM_LOG + '.fail')) { console.error('npm error code E404'); process.exit(1); }
  while (fs.existsSync(process.env.NPM_LOG + '.wait')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  fs.mkdirSync('node_modules/thing', { recursive: true });
  fs.copyFileSync('package-lock.json', 'node_modules/.package-lock.json');
`;

let folder: string;
let clone: string;
const started: Running[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roost-run-'));
  clone = join(folder, 'clone');
  await mkdir(join(clone, 'server'), { recursive: true });
  await cp(join(project, 'tools'), join(clone, 'tools'), { recursive: true });
  await writeFile(join(clone, 'server/main.ts'), server);
  await writeFile(join(clone, '.npmrc'), '');
  await writeFile(
    join(clone, 'package.json'),
    JSON.stringify({
      name: 'clone',
      version: '1.0.0',
      scripts: JSON.parse(await readFile(join(project, 'package.json'), 'utf8')).scripts,
    }),
  );
  await lock('1.0.0');
  await writeFile(join(folder, 'npm-cli.js'), fakeNpm);
});
afterEach(async () => {
  for (const running of started.splice(0)) {
    const pid = /^pid (\d+)/m.exec(running.output())?.[1];
    if (pid !== undefined && (await isAlive(Number(pid)))) process.kill(Number(pid), 'SIGKILL');
    running.kill('SIGKILL');
    await running.exit;
  }
  await rm(folder, { recursive: true, force: true });
});

const lock = (version: string): Promise<void> =>
  writeFile(
    join(clone, 'package-lock.json'),
    JSON.stringify({
      packages: {
        '': {},
        'node_modules/thing': { version },
        'node_modules/other-machine': { version: '1.0.0', optional: true },
      },
    }),
  );

async function installed(): Promise<void> {
  await mkdir(join(clone, 'node_modules'), { recursive: true });
  await cp(join(clone, 'package-lock.json'), join(clone, 'node_modules/.package-lock.json'));
}

const env = (more: Record<string, string> = {}): Record<string, string | undefined> => ({
  PATH: `${join(process.execPath, '..')}:${process.env.PATH}`,
  HOME: folder,
  npm_execpath: join(folder, 'npm-cli.js'),
  NPM_LOG: join(folder, 'npm.log'),
  ...more,
});

function run(args: string[], more: Record<string, string> = {}): Running {
  const running = runProgram(process.execPath, [join(clone, 'tools/run.mjs'), ...args], { env: env(more), cwd: clone });
  started.push(running);
  return running;
}

/** Through the real npm, in a process group of its own as a terminal would have it. */
function runNpm(args: string[], more: Record<string, string> = {}): Running {
  const running = runProgram('npm', args, {
    env: { ...env(more), npm_execpath: undefined },
    cwd: clone,
    detached: true,
  });
  started.push(running);
  return running;
}

const signalsSeen = (running: Running): string[] =>
  running
    .output()
    .split('\n')
    .filter((line) => line.startsWith('got '));
const npmRuns = async (): Promise<string[]> =>
  (await readFile(join(folder, 'npm.log'), 'utf8').catch(() => '')).split('\n').filter(Boolean);

describe('signals and exits', () => {
  beforeEach(installed);

  test('arguments and the exit code pass through', async () => {
    const running = run(['roost', 'project', 'import', 'a file', '--x'], { EXIT_NOW: '7' });
    expect(await running.exit).toEqual({ code: 7, signal: null });
    expect(running.output()).toContain('args ["project","import","a file","--x"]');
  });

  test('a command that a signal ended looks so from outside', async () => {
    expect(await run(['start'], { DIE: 'SIGKILL' }).exit).toEqual({ code: null, signal: 'SIGKILL' });
  });

  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s reaches the server once, and its own exit code is the answer',
    async (signal) => {
      const running = run(['start'], { EXIT: '3' });
      await running.line(/serving/);
      running.kill(signal);
      expect(await running.exit).toEqual({ code: 3, signal: null });
      expect(signalsSeen(running)).toEqual([`got ${signal}`]);
    },
  );

  test('Ctrl-C in a terminal, which goes to npm and us alike, reaches the server once, and it drains', async () => {
    const running = runNpm(['start']);
    await running.line(/serving/);
    killGroup(running, 'SIGINT');
    expect(await running.exit).toEqual({ code: 0, signal: null });
    expect(signalsSeen(running)).toEqual(['got SIGINT']);
    expect(running.output()).toContain('drained');
  });

  test('a second Ctrl-C later reaches it as well', async () => {
    const running = runNpm(['start'], { DRAIN_MS: '60000' });
    await running.line(/serving/);
    killGroup(running, 'SIGINT');
    await running.line(/got SIGINT/);
    // Within 300 ms it would count as the same keypress, which npm has repeated.
    await new Promise((resolve) => setTimeout(resolve, 400));
    killGroup(running, 'SIGINT');
    expect((await running.exit).code).toBe(9);
    expect(signalsSeen(running)).toEqual(['got SIGINT', 'got SIGINT']);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('%s to npm alone reaches the server', async (signal) => {
    const running = runNpm(['start']);
    await running.line(/serving/);
    running.kill(signal);
    await running.line(/drained/);
    expect(signalsSeen(running)).toEqual([`got ${signal}`]);
  });

  test.each(['SIGKILL', 'SIGHUP'] as const)(
    'when npm goes by %s, without a word to us, the server stops in order',
    async (signal) => {
      const running = runNpm(['start']);
      await running.line(/serving/);
      running.kill(signal);
      await running.line(/drained/);
      expect(signalsSeen(running)).toEqual(['got SIGTERM']);
    },
  );

  test('when we are killed, the server stops in order', async () => {
    const running = run(['start']);
    await running.line(/serving/);
    running.kill('SIGKILL');
    await running.line(/drained/);
    expect(signalsSeen(running)).toEqual(['got SIGTERM']);
  });

  test('an unknown command is one line', async () => {
    const running = run(['strat']);
    expect((await running.exit).code).toBe(1);
    expect(running.output().trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('installing', () => {
  test('happens when nothing is there, is told in one line, and once', async () => {
    const first = run(['roost'], { EXIT_NOW: '0', NODE_ENV: 'production' });
    expect((await first.exit).code).toBe(0);
    expect(first.output().split('\n')[0]).toBe('Installing what is missing. This takes about a minute, once.');
    expect(await npmRuns()).toEqual([expect.stringContaining('ci --include=dev')]);
    const second = run(['roost'], { EXIT_NOW: '0' });
    await second.exit;
    expect(second.output()).toMatch(/^pid /);
    expect(await npmRuns()).toHaveLength(1);
    expect(await readdir(join(clone, '.cache'))).toEqual([]);
  });

  test('happens again when the lock file names another version, and old packages are gone then', async () => {
    await run(['roost'], { EXIT_NOW: '0' }).exit;
    await writeFile(join(clone, 'node_modules/old'), '');
    await lock('2.0.0');
    await run(['roost'], { EXIT_NOW: '0' }).exit;
    expect(await npmRuns()).toHaveLength(2);
    expect(await readdir(join(clone, 'node_modules'))).toEqual(['.package-lock.json', 'thing']);
  });

  test('two at once both end well', async () => {
    await writeFile(join(folder, 'npm.log.wait'), '');
    const both = [run(['roost'], { EXIT_NOW: '0' }), run(['roost'], { EXIT_NOW: '0' })];
    await until(async () => expect(await npmRuns()).toHaveLength(2));
    await rm(join(folder, 'npm.log.wait'));
    expect(await Promise.all(both.map((each) => each.exit))).toEqual([
      { code: 0, signal: null },
      { code: 0, signal: null },
    ]);
    expect(await readdir(join(clone, '.cache'))).toEqual([]);
  });

  test('a kill in the middle leaves nothing half, and the next start installs', async () => {
    await writeFile(join(folder, 'npm.log.wait'), '');
    const killed = run(['roost']);
    await until(async () => expect(await npmRuns()).toHaveLength(1));
    killed.kill('SIGKILL');
    await rm(join(folder, 'npm.log.wait'));
    await killed.exit;
    expect(await readdir(clone)).not.toContain('node_modules');
    expect((await run(['roost'], { EXIT_NOW: '0' }).exit).code).toBe(0);
  });

  test('a failure shows what npm said, and no stack', async () => {
    await writeFile(join(folder, 'npm.log.fail'), '');
    const running = run(['start']);
    expect((await running.exit).code).toBe(1);
    expect(running.output().trimEnd().split('\n')).toEqual([
      'Installing what is missing. This takes about a minute, once.',
      'npm ci failed:',
      'npm error code E404',
    ]);
  });

  test('a broken lock file is one line', async () => {
    await writeFile(join(clone, 'package-lock.json'), '{');
    const running = run(['start']);
    expect((await running.exit).code).toBe(1);
    expect(running.output()).toBe('package-lock.json is missing or broken. Take it from the repository again.\n');
  });
});

const oldNode = await nodeBefore24();

describe.runIf(oldNode !== '')('on a Node before 24', () => {
  beforeEach(installed);
  const runOld = (more: Record<string, string> = {}): Running => {
    const running = runProgram(oldNode, [join(clone, 'tools/run.mjs'), 'roost'], {
      env: env({ EXIT_NOW: '0', ...more }),
      cwd: clone,
    });
    started.push(running);
    return running;
  };

  test('the one that npm has installed runs the command', async () => {
    await mkdir(join(clone, 'node_modules/.bin'));
    await cp(process.execPath, join(clone, 'node_modules/.bin/node'));
    const running = runOld();
    expect((await running.exit).code).toBe(0);
    expect(running.output()).toContain(`node ${process.versions.node}`);
  });

  test('one whose install script did not run is built once more; without it one sentence says what to do', async () => {
    const running = runOld();
    expect((await running.exit).code).toBe(1);
    expect(await npmRuns()).toEqual(['rebuild node --ignore-scripts=false --loglevel=error']);
    expect(running.output()).toMatch(/^Roost needs Node 24 or later; this is v2\d\..*nodejs\.org.*\n$/);
  });
});

/** A Node of before 24 somewhere in the path, as most machines have one. */
async function nodeBefore24(): Promise<string> {
  for (const path of ['/usr/bin/node', '/usr/local/bin/node', '/opt/homebrew/bin/node']) {
    const running = runProgram(path, ['--version']);
    const ended = await running.exit.catch(() => undefined);
    if (ended?.code === 0 && Number(/^v(\d+)/.exec(running.output())?.[1]) < 24) return path;
  }
  return '';
}

/** Tries until it holds; the test's own time limit ends a wait for what never comes. */
async function until(check: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await check();
    } catch {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
