// Runs commands of `roost` one after the other in this process, each with an environment of its own: starting a
// process for every one of them would take most of a test's time.
import { readConfig } from '../../kernel/config.ts';
import { runCli } from '../../server/commands/cli/run.ts';
import { commands } from '../../server/commands/registry.ts';

/** What is to be run; `env` goes over the environment of the process. */
export type Order = { readonly name: string; readonly args: readonly string[]; readonly env?: Record<string, string> };

/** What it ended with, and all that it wrote to either stream. */
export type Outcome = { readonly name: string; readonly code: number; readonly text: string };

for (const { name, args, env } of JSON.parse(process.argv[2] ?? '[]') as Order[]) {
  let text = '';
  const write = (piece: string): void => {
    text += piece;
  };
  const code = await runCli(
    {
      argv: args,
      config: () => readConfig({ ...process.env, ...env }),
      version: 'test',
      out: write,
      err: write,
      input: async () => '',
      stop: new AbortController().signal,
    },
    commands,
  );
  const outcome: Outcome = { name, code, text };
  console.log(`outcome ${JSON.stringify(outcome)}`);
}
