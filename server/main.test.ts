import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';

const main = join(import.meta.dirname, 'main.ts');
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

type Run = { child: ChildProcess; out(): string; err(): string; ended: Promise<number | null> };

function start(argv: readonly string[], env: Record<string, string> = {}): Run {
  const child = spawn(process.execPath, [main, ...argv], { env: { PATH: process.env['PATH'], ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  let out = '';
  let err = '';
  child.stdout.on('data', (data) => {
    out += data;
  });
  child.stderr.on('data', (data) => {
    err += data;
  });
  return { child, out: () => out, err: () => err, ended: once(child, 'close').then(([code]) => code) };
}

/** Resolves when the process has said something that matches. */
async function said(run: Run, what: RegExp): Promise<void> {
  while (!what.test(run.out())) {
    if (run.child.exitCode !== null) throw new Error(`It ended: ${run.err()}`);
    await once(run.child.stdout!, 'data');
  }
}

test('what is not understood ends with 2, what is refused with 1, and help with 0', async () => {
  const [usage, refused, help] = [start(['frob']), start(['project', 'list'], { PORT: 'x' }), start(['--version'])];
  expect(await Promise.all([usage.ended, refused.ended, help.ended])).toEqual([2, 1, 0]);
  expect(usage.err()).toContain('There is no command "frob".');
  expect(refused.err()).toMatch(/^CONFIG_WRONG: .*\n {2}PORT/);
  expect(help.out()).toMatch(/^roost \d+\.\d+\.\d+\n$/);
});

test('a server that is asked to stop ends in order, with 0', async () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const run = start(['simulator', '--port', '0']);
    await said(run, /Stop it with Ctrl-C/);
    run.child.kill(signal);
    expect(await run.ended).toBe(0);
    expect(run.err()).toBe('');
  }
});

test('a reader that leaves does not make a stack', async () => {
  const run = start(['help']);
  run.child.stdout?.destroy();
  await run.ended;
  expect(run.err()).toBe('');
});
