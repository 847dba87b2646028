import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Running, runProgram } from '../support/running.ts';
import { useClone } from './mini-clone.ts';
import { until } from './workshop.ts';

const clone = useClone();

describe('installing', () => {
  test('happens when nothing is there, is told in one line, and once', async () => {
    const first = clone.run(['roost'], { EXIT_NOW: '0', NODE_ENV: 'production' });
    expect((await first.exit).code).toBe(0);
    expect(first.output().split('\n')[0]).toBe('Installing what is missing. This takes about a minute, once.');
    expect(await clone.npmCalls()).toEqual([expect.stringContaining('ci --include=dev')]);
    const second = clone.run(['roost'], { EXIT_NOW: '0' });
    await second.exit;
    expect(second.output()).toMatch(/^pid /);
    expect(await clone.npmCalls()).toHaveLength(1);
    expect(await readdir(join(clone.path, '.cache'))).toEqual([]);
  });

  test('happens again when the lock file names another version, and old packages are gone then', async () => {
    await clone.run(['roost'], { EXIT_NOW: '0' }).exit;
    await writeFile(join(clone.path, 'node_modules/old'), '');
    await clone.lock('2.0.0');
    await clone.run(['roost'], { EXIT_NOW: '0' }).exit;
    expect(await clone.npmCalls()).toHaveLength(2);
    expect(await readdir(join(clone.path, 'node_modules'))).toEqual(['.package-lock.json', 'thing']);
  });

  test('two at once both end well', async () => {
    await clone.npmMust('wait');
    const both = [clone.run(['roost'], { EXIT_NOW: '0' }), clone.run(['roost'], { EXIT_NOW: '0' })];
    await until(async () => expect(await clone.npmCalls()).toHaveLength(2));
    await clone.npmMust('wait', 'off');
    expect(await Promise.all(both.map((each) => each.exit))).toEqual([
      { code: 0, signal: null },
      { code: 0, signal: null },
    ]);
    expect(await readdir(join(clone.path, '.cache'))).toEqual([]);
  });

  test('a kill in the middle leaves nothing half, and the next start installs', async () => {
    await clone.npmMust('wait');
    const killed = clone.run(['roost']);
    await until(async () => expect(await clone.npmCalls()).toHaveLength(1));
    killed.kill('SIGKILL');
    await clone.npmMust('wait', 'off');
    await killed.exit;
    expect(await readdir(clone.path)).not.toContain('node_modules');
    expect((await clone.run(['roost'], { EXIT_NOW: '0' }).exit).code).toBe(0);
  });

  test('a failure shows what npm said, and no stack', async () => {
    await clone.npmMust('fail');
    const running = clone.run(['start']);
    expect((await running.exit).code).toBe(1);
    expect(running.output().trimEnd().split('\n')).toEqual([
      'Installing what is missing. This takes about a minute, once.',
      'npm ci failed:',
      'npm error code E404',
    ]);
  });

  test('a broken lock file is one line', async () => {
    await writeFile(join(clone.path, 'package-lock.json'), '{');
    const running = clone.run(['start']);
    expect((await running.exit).code).toBe(1);
    expect(running.output()).toBe('package-lock.json is missing or broken. Take it from the repository again.\n');
  });
});

const oldNode = await nodeBefore24();

describe.runIf(oldNode !== '')('on a Node before 24', () => {
  beforeEach(() => clone.install());
  const runOld = (): Running => clone.runOn(oldNode, ['roost'], { EXIT_NOW: '0' });

  test('the one that npm has installed runs the command', async () => {
    await mkdir(join(clone.path, 'node_modules/.bin'));
    await cp(process.execPath, join(clone.path, 'node_modules/.bin/node'));
    const running = runOld();
    expect((await running.exit).code).toBe(0);
    expect(running.output()).toContain(`node ${process.versions.node}`);
  });

  test('one whose install script did not run is built once more; without it one sentence says what to do', async () => {
    const running = runOld();
    expect((await running.exit).code).toBe(1);
    expect(await clone.npmCalls()).toEqual(['rebuild node --ignore-scripts=false --loglevel=error']);
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
