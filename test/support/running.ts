import { type ChildProcess, spawn } from 'node:child_process';

export type Running = {
  readonly pid: number;
  /** Everything written so far, both streams. */
  output(): string;
  /** The first line, of both streams, that matches; also one already written. Rejects when the process ends without one. */
  line(pattern: RegExp): Promise<RegExpExecArray>;
  readonly exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  kill(signal: NodeJS.Signals): void;
};

export type RunOptions = {
  readonly env?: Record<string, string | undefined>;
  readonly cwd?: string;
  /** A process group of its own, so that a test can press Ctrl-C: `killGroup`. */
  readonly detached?: boolean;
};

/** Starts a program and watches what it says. Whatever still runs when this process ends is killed. */
export function runProgram(program: string, args: readonly string[], options: RunOptions = {}): Running {
  const child = spawn(program, args, {
    env: options.env ? { ...options.env } : process.env,
    cwd: options.cwd,
    detached: options.detached ?? false,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return watch(child);
}

/** Starts a script of ours on this same Node. */
export const runScript = (path: string, options: RunOptions = {}, args: readonly string[] = []): Running =>
  runProgram(process.execPath, [path, ...args], options);

function watch(child: ChildProcess): Running {
  let output = '';
  const wakeUps = new Set<() => void>();
  const take = (part: Buffer): void => {
    output += part.toString();
    for (const wake of wakeUps) wake();
  };
  child.stdout?.on('data', take);
  child.stderr?.on('data', take);
  const onParentExit = (): void => void child.kill('SIGKILL');
  process.once('exit', onParentExit);

  // `close` comes after the last output, so nothing is missed.
  const exit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      process.off('exit', onParentExit);
      resolve({ code, signal });
    });
  });
  exit.catch(() => {});

  return {
    pid: child.pid ?? 0,
    output: () => output,
    exit,
    kill: (signal) => void child.kill(signal),
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          for (const line of output.split('\n').slice(0, -1)) {
            const match = pattern.exec(line);
            if (match === null) continue;
            wakeUps.delete(look);
            resolve(match);
            return;
          }
        };
        wakeUps.add(look);
        look();
        exit.then(
          ({ code, signal }) => {
            look();
            reject(new Error(`ended (${code ?? signal}) without ${pattern}:\n${output}`));
          },
          (error: Error) => reject(error),
        );
      }),
  };
}

/** What Ctrl-C in a terminal does: the signal goes to every process of the group. */
export function killGroup(running: Running, signal: NodeJS.Signals): void {
  process.kill(-running.pid, signal);
}

/** Ends a process that is nobody's child here. It may end by itself at any moment, also between a look and the signal. */
export function endStray(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as { code?: string }).code !== 'ESRCH') throw error;
  }
}
