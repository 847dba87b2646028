// The only place that reads the command line and the environment, listens to signals and ends the process.
import { createInterface } from 'node:readline';
import { keepHeapSmall } from '../kernel/collector.ts';
import { readConfig } from '../kernel/config.ts';
import { armFaultPoint } from '../kernel/faultpoint.ts';
import { redact } from '../kernel/redact.ts';
import packageJson from '../package.json' with { type: 'json' };
import { runCli } from './commands/cli/run.ts';
import { commands } from './commands/registry.ts';

/** What is in hand may take this long after the first signal; then the process ends, and others take over. */
const stopSecondsMax = 60;
/** How long a file may take at the end: two seconds in all. */
const heldTriesMax = 40;
const heldPauseMs = 50;

keepHeapSmall();
armFaultPoint(process.env['ROOST_FAULT']);
const stop = new AbortController();
process.on('SIGINT', () => onSignal(130));
process.on('SIGTERM', () => onSignal(143));
// A bug outside of any work: what this process holds in memory can no longer be trusted. Its supervisor starts anew.
process.on('uncaughtException', (error) => {
  process.stderr.write(
    `${redact(`This is a bug of Roost: ${error instanceof Error ? error.stack : String(error)}`)}\n`,
    () => process.exit(1),
  );
});
// Whoever read our output may leave (`roost status | head -1`, a log that is turned over): no reason to end a server.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

const code = await runCli(
  {
    argv: process.argv.slice(2),
    config: () => readConfig(process.env),
    version: packageJson.version,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    input: readLine,
    stop: stop.signal,
  },
  commands,
);
// Connections that are still closing must not hold the process, and what was written must be out.
process.stdout.write('', () => process.stderr.write('', () => leave(code)));

/** The first signal asks for an orderly end, the second one ends it. */
function onSignal(code: number): void {
  if (stop.signal.aborted) return leave(code);
  stop.abort();
  setTimeout(() => {
    process.stderr.write(redact(`What was in hand did not end within ${stopSecondsMax} s. Ended without it.\n`));
    leave(1);
  }, stopSecondsMax * 1000).unref();
}

/**
 * Ends the process. Node waits for its threads, and one that opens a pipe or a dead network disk comes back to nobody:
 * after a signal such a file must not hold the process. Any other is done in a moment.
 */
function leave(code: number, tries = heldTriesMax): void {
  const isHeld = process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));
  if (!isHeld || !stop.signal.aborted) process.exit(code);
  if (tries === 0) {
    process.kill(process.pid, 'SIGKILL');
    // The first process of a container does not die of its own signal.
    process.exit(code);
  }
  setTimeout(() => leave(code, tries - 1), heldPauseMs);
}

async function readLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) return line;
  return '';
}
