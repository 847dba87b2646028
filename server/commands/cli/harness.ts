// Runs commands inside a test, on a database of its own, as main.ts would.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../../kernel/config.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { commands } from '../registry.ts';
import type { Command } from './command.ts';
import { runCli } from './run.ts';

/** `place`: the line that says which installation a command speaks to; `err`: everything else beside the output. */
export type CliResult = { code: number; out: string; err: string; place: string };

export type TestCli = {
  readonly database: TestDatabase;
  readonly folder: string;
  /** Runs one command to its end. */
  run(...argv: string[]): Promise<CliResult>;
  /** The same with other variables set. */
  runWith(env: Readonly<Record<string, string>>, ...argv: string[]): Promise<CliResult>;
  /** The same with `--json`, parsed. */
  json<Value = Record<string, unknown>>(...argv: string[]): Promise<Value>;
  close(): Promise<void>;
};

export type TestCliOptions = {
  env?: Readonly<Record<string, string>>;
  input?: string;
  commands?: readonly Command[];
};

export async function createTestCli(options: TestCliOptions = {}): Promise<TestCli> {
  const database = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'roost-cli-'));
  const env = { DATABASE_URL: database.url, DATA_DIR: join(folder, 'data'), ...options.env };

  const run = (...argv: string[]): Promise<CliResult> => runWith({}, ...argv);

  async function runWith(more: Readonly<Record<string, string>>, ...argv: string[]): Promise<CliResult> {
    const result = { code: 0, out: '', err: '', place: '' };
    result.code = await runCli(
      {
        argv,
        config: () => readConfig({ ...env, ...more }),
        version: '0.0.0-test',
        out: (text) => {
          result.out += text;
        },
        err: (text) => {
          result[/^On (a copy of )?installation /.test(text) ? 'place' : 'err'] += text;
        },
        input: async () => options.input ?? '',
        stop: new AbortController().signal,
      },
      options.commands ?? commands,
    );
    return result;
  }

  return {
    database,
    folder,
    run,
    runWith,
    json: async <Value>(...argv: string[]) => JSON.parse((await run(...argv, '--json')).out) as Value,
    close: async () => {
      await rm(folder, { recursive: true, force: true });
      await database.close();
    },
  };
}
