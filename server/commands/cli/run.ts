// Runs one command from what was typed to its exit code. Everything of the outside world comes in with `world`.
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../../../kernel/config.ts';
import { diskFullRefusal } from '../../../kernel/disk-full.ts';
import { Refusal } from '../../../kernel/errors.ts';
import { type Kit, realKit } from '../../../kernel/kit.ts';
import { createLog } from '../../../kernel/log.ts';
import { redact } from '../../../kernel/redact.ts';
import type { Command, Context } from './command.ts';
import { type Installation, type InstallationOptions, openInstallation, placeOf } from './installation.ts';
import { type Parsed, parseCommand } from './parse.ts';
import { faultLines, plain } from './print.ts';

/** The process, as far as commands see it. */
export type World = {
  readonly argv: readonly string[];
  /** Read only when a command runs, so that help is given whatever the configuration says. */
  config(): Config;
  readonly version: string;
  out(text: string): void;
  err(text: string): void;
  /** The first line of the standard input. */
  input(): Promise<string>;
  /** Aborts at the first signal. */
  readonly stop: AbortSignal;
};

/** Exit codes: 0 done, 1 refused or failed, 2 not understood, 130 interrupted. */
export async function runCli(world: World, commands: readonly Command[]): Promise<number> {
  let json = world.argv.includes('--json');
  try {
    const parsed = parseCommand(world.argv, commands);
    if (parsed.kind === 'help') world.out(parsed.text);
    else if (parsed.kind === 'version') world.out(`roost ${world.version}\n`);
    else {
      json = parsed.json;
      return await runCommand(world, parsed);
    }
    return 0;
  } catch (error) {
    return report(world, error, json);
  }
}

async function runCommand(world: World, parsed: Parsed & { kind: 'run' }): Promise<number> {
  const { command } = parsed;
  const config = world.config();
  const kit = kitFor(world, config, command);
  let opening: Promise<Installation> | undefined;
  const context: Context = {
    args: parsed.args as Context['args'],
    options: parsed.options as Context['options'],
    config,
    kit,
    version: world.version,
    stop: world.stop,
    input: world.input,
    say: (line) => {
      if (!parsed.json) world.out(`${line}\n`);
    },
    answer: (value, lines) =>
      world.out(parsed.json ? `${JSON.stringify(value)}\n` : lines.map((line) => `${line}\n`).join('')),
    installation: (options) => (opening ??= open(options)),
  };
  const say = (line: string): void => world.err(`${plain(line)}\n`);
  async function open(options?: InstallationOptions): Promise<Installation> {
    const installation = await openInstallation(kit, config, say, options);
    const { isCopy } = installation.ground;
    if (isCopy && (command.serves || command.changes === 'telegram')) {
      await installation.close();
      throw new Refusal('DATABASE_COPIED');
    }
    if (command.changes) say(`On ${placeOf(installation.ground, config)}.`);
    return installation;
  }
  const running = command.run(context).then((code) => code ?? 0);
  try {
    // A command that serves stops by itself; any other is left where it stands, as its transaction is undone.
    return await (command.serves ? running : Promise.race([running, interrupted(world.stop)]));
  } finally {
    running.catch(() => {});
    await closed(opening, world.stop);
  }
}

/** Logs of a server are its output. What speaks to a person logs only what went wrong, beside what it says. */
function kitFor(world: World, { logLevel }: Config, command: Command): Kit {
  if (command.serves === 'logging') return realKit(createLog({ level: logLevel, sink: { write: world.out } }));
  const level = logLevel !== 'info' ? logLevel : command.serves === 'talking' ? 'warn' : 'error';
  return realKit(createLog({ level, sink: { write: world.err } }));
}

/** What was interrupted while it opened may hang there. What is left running then, the next command takes over. */
const openingMsMax = 5_000;

async function closed(opening: Promise<Installation> | undefined, stop: AbortSignal): Promise<void> {
  const opened = opening?.catch(() => undefined);
  const late = pause(openingMsMax, undefined, { ref: false });
  const installation = await (stop.aborted ? Promise.race([opened, late]) : opened);
  await installation?.close();
}

function interrupted(stop: AbortSignal): Promise<number> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve(130);
    stop.addEventListener('abort', () => resolve(130), { once: true });
  });
}

/** One clear line for what was refused, with every mistake below it; a short stack for a bug. */
function report(world: World, error: unknown, json: boolean): number {
  const refusal = error instanceof Refusal ? error : diskFullRefusal(error);
  if (refusal !== undefined) {
    const { code, message, facts } = refusal;
    if (json) world.out(`${redact(JSON.stringify({ ok: false, error: { code, message, facts } }))}\n`);
    else world.err(redact([`${code}: ${message}`, ...faultsIn(facts)].join('\n')).concat('\n'));
    return code === 'USAGE' ? 2 : 1;
  }
  const text = redact(error instanceof Error ? shortStack(error) : String(error));
  if (json) world.out(`${JSON.stringify({ ok: false, error: { code: 'BUG', message: text.split('\n')[0] } })}\n`);
  world.err(`This is a bug of Roost, or something it did not foresee:\n${text}\n`);
  return 1;
}

function faultsIn(facts: Readonly<Record<string, unknown>>): string[] {
  const { faults, mistakes } = facts as { faults?: unknown; mistakes?: unknown };
  if (Array.isArray(faults)) return faultLines(faults as Parameters<typeof faultLines>[0]);
  return Array.isArray(mistakes) ? mistakes.map((mistake) => plain(`  ${String(mistake)}`)) : [];
}

/** The first frames of ours, and the causes, which often say more. */
function shortStack(error: Error, depth = 0): string {
  const [head, ...frames] = (error.stack ?? error.message).split('\n');
  const own = frames.filter((frame) => frame.trimStart().startsWith('at ') && !frame.includes('node:')).slice(0, 6);
  const cause = error.cause instanceof Error && depth < 3 ? [`caused by ${shortStack(error.cause, depth + 1)}`] : [];
  return [head, ...own, ...cause].join('\n');
}
