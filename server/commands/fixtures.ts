// Starts the program itself inside a test: another process, its own signals and exit code.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const main = join(import.meta.dirname, '..', 'main.ts');

export type Program = {
  readonly child: ChildProcess;
  out(): string;
  err(): string;
  /** The exit code, once all output is in. */
  readonly ended: Promise<number | null>;
  /** Resolves with the match when the output has it; rejects when the program ends without. */
  said(what: RegExp): Promise<RegExpMatchArray>;
};

/** Runs `roost ...argv`. Nothing of this process's environment is passed on. */
export function startProgram(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Program {
  const child = spawn(process.execPath, [main, ...argv], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (data) => {
    out += data;
  });
  child.stderr.on('data', (data) => {
    err += data;
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    child,
    out: () => out,
    err: () => err,
    ended,
    async said(what) {
      for (;;) {
        const match = out.match(what);
        if (match) return match;
        const over = await Promise.race([once(child.stdout, 'data').then(() => false), ended.then(() => true)]);
        if (over && !what.test(out)) throw new Error(`It ended without saying ${what}: ${out}${err}`);
      }
    },
  };
}
