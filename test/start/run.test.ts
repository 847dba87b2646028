import { beforeEach, describe, expect, test } from 'vitest';
import { onceEach } from '../../tools/once-each.mjs';
import { killGroup, type Running } from '../support/running.ts';
import { useClone } from './mini-clone.ts';

const clone = useClone();

test('a signal that is repeated within a moment counts once; another one, or the same later, counts', () => {
  let now = 0;
  const seen: string[] = [];
  const pass = onceEach(
    300,
    (signal) => seen.push(`${signal} ${now}`),
    () => now,
  );
  for (const [at, signal] of [
    [0, 'SIGINT'],
    [1, 'SIGINT'],
    [2, 'SIGTERM'],
    [299, 'SIGINT'],
    [300, 'SIGINT'],
    [301, 'SIGINT'],
  ] as const) {
    now = at;
    pass(signal);
  }
  expect(seen).toEqual(['SIGINT 0', 'SIGTERM 2', 'SIGINT 300']);
});

const signalsSeen = (running: Running): string[] =>
  running
    .output()
    .split('\n')
    .filter((line) => line.startsWith('got '));

describe('signals and exits', () => {
  beforeEach(() => clone.install());

  test('arguments and the exit code pass through', async () => {
    const running = clone.run(['roost', 'project', 'import', 'a file', '--x'], { EXIT_NOW: '7' });
    expect(await running.exit).toEqual({ code: 7, signal: null });
    expect(running.output()).toContain('args ["project","import","a file","--x"]');
  });

  test('a command that a signal ended looks so from outside', async () => {
    expect(await clone.run(['start'], { DIE: 'SIGKILL' }).exit).toEqual({ code: null, signal: 'SIGKILL' });
  });

  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s reaches the server once, and its own exit code is the answer',
    async (signal) => {
      const running = clone.run(['start'], { EXIT: '3' });
      await running.line(/serving/);
      running.kill(signal);
      expect(await running.exit).toEqual({ code: 3, signal: null });
      expect(signalsSeen(running)).toEqual([`got ${signal}`]);
    },
  );

  test('Ctrl-C in a terminal, which goes to npm and us alike, reaches the server once, and it drains', async () => {
    const running = clone.npm(['start']);
    await running.line(/serving/);
    killGroup(running, 'SIGINT');
    expect(await running.exit).toEqual({ code: 0, signal: null });
    expect(signalsSeen(running)).toEqual(['got SIGINT']);
    expect(running.output()).toContain('drained');
  });

  test('a second Ctrl-C later reaches it as well', async () => {
    const running = clone.npm(['start'], { DRAIN_MS: '60000' });
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
    const running = clone.npm(['start']);
    await running.line(/serving/);
    running.kill(signal);
    await running.line(/drained/);
    expect(signalsSeen(running)).toEqual([`got ${signal}`]);
  });

  test.each(['SIGKILL', 'SIGHUP'] as const)(
    'when npm goes by %s, without a word to us, the server stops in order',
    async (signal) => {
      const running = clone.npm(['start']);
      await running.line(/serving/);
      running.kill(signal);
      await running.line(/drained/);
      expect(signalsSeen(running)).toEqual(['got SIGTERM']);
    },
  );

  test('a terminal that is closed stops the server in order', async () => {
    const running = clone.run(['start']);
    await running.line(/serving/);
    running.kill('SIGHUP');
    expect(await running.exit).toEqual({ code: 0, signal: null });
    expect(signalsSeen(running)).toEqual(['got SIGTERM']);
  });

  test('when we are killed, the server stops in order', async () => {
    const running = clone.run(['start']);
    await running.line(/serving/);
    running.kill('SIGKILL');
    await running.line(/drained/);
    expect(signalsSeen(running)).toEqual(['got SIGTERM']);
  });

  test('an unknown command is one line', async () => {
    const running = clone.run(['strat']);
    expect((await running.exit).code).toBe(1);
    expect(running.output().trimEnd().split('\n')).toHaveLength(1);
  });
});
