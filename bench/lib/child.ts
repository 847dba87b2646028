import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Scope } from './scope.ts';

export type Child = {
  readonly pid: number;
  readonly process: ChildProcess;
  readonly logFile: string;
  /** True once it has ended. */
  ended(): boolean;
  /** Asks it to end and waits; kills it after `killAfterMs`. Twice is fine. */
  stop(killAfterMs?: number): Promise<void>;
  /** Kills it and waits until it is gone. */
  kill(): Promise<void>;
};

export type ChildOptions = {
  readonly script: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeFlags?: readonly string[];
  /** Standard output and errors go here. */
  readonly logFile: string;
  /** A channel for messages, typed arrays included. */
  readonly ipc?: boolean;
};

/** Starts a script on this same Node, with nothing of our environment but what is said. It never outlives the scope. */
export function startChild(scope: Scope, options: ChildOptions): Child {
  const log = openSync(options.logFile, 'a');
  const child = spawn(process.execPath, [...(options.nodeFlags ?? []), options.script, ...(options.args ?? [])], {
    env: { PATH: process.env['PATH'], ...options.env },
    stdio: options.ipc ? ['ignore', log, log, 'ipc'] : ['ignore', log, log],
    serialization: 'advanced',
  });
  closeSync(log);
  let over = false;
  const exited = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  }).then(() => {
    over = true;
  });
  const killNow = (): void => void child.kill('SIGKILL');
  process.once('exit', killNow);

  async function stop(killAfterMs = 30_000): Promise<void> {
    if (over) return;
    child.kill('SIGTERM');
    const timer = setTimeout(killNow, killAfterMs);
    await exited;
    clearTimeout(timer);
    process.off('exit', killNow);
  }

  async function kill(): Promise<void> {
    killNow();
    await exited;
    process.off('exit', killNow);
  }

  scope.add(() => stop());
  return { pid: child.pid ?? 0, process: child, logFile: options.logFile, ended: () => over, stop, kill };
}

/** The end of what a child wrote, for errors. */
export function lastLines(child: Child, count = 15): string {
  return readFileSync(child.logFile, 'utf8').trim().split('\n').slice(-count).join('\n');
}
