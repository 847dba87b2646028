import { afterEach, expect, test } from 'vitest';
import { type Program, startProgram } from './commands/fixtures.ts';

const started: Program[] = [];
afterEach(() => {
  for (const { child } of started.splice(0)) child.kill('SIGKILL');
});

function start(argv: readonly string[], env: Record<string, string> = {}): Program {
  const program = startProgram(argv, env);
  started.push(program);
  return program;
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
    await run.said(/Stop it with Ctrl-C/);
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
