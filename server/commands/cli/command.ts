// What a command is: one file each, listed in registry.ts. A command reads what it was given, calls the domains, and
// answers through `context`; it never touches argv, the environment or the exit of the process.
import type { Config } from '../../../kernel/config.ts';
import type { Kit } from '../../../kernel/kit.ts';
import type { Installation, InstallationOptions } from './installation.ts';

/** A word after the command, as `FILE`. */
export type Argument = { readonly name: string; readonly about: string; readonly optional?: true };

/** `--name VALUE`, or a flag `--name`. */
export type Option =
  | { readonly type: 'text'; readonly value: string; readonly about: string; readonly needed?: true }
  | { readonly type: 'flag'; readonly about: string };

export type Options = Readonly<Record<string, Option>>;
export type Arguments = readonly Argument[];

type OptionValue<O extends Option> = O extends { type: 'flag' }
  ? boolean
  : O extends { needed: true }
    ? string
    : string | undefined;

export type OptionValues<O extends Options> = { readonly [Name in keyof O]: OptionValue<O[Name]> };

export type ArgumentValues<A extends Arguments> = {
  readonly [Each in A[number] as Each['name']]: Each extends { optional: true } ? string | undefined : string;
};

export type Context<A extends Arguments = Arguments, O extends Options = Options> = {
  readonly args: ArgumentValues<A>;
  readonly options: OptionValues<O>;
  readonly config: Config;
  readonly kit: Kit;
  /** Of this program, as `0.1.0`. */
  readonly version: string;
  /** Aborts at the first SIGINT or SIGTERM. */
  readonly stop: AbortSignal;
  /** A line for the person at the terminal, or nothing when JSON was asked for. */
  say(line: string): void;
  /** The answer: an object for programs (`--json`), lines for people. */
  answer(value: object, lines: readonly string[]): void;
  /** The first line of the standard input, for what should not stand in the list of processes. */
  input(): Promise<string>;
  /** The installation this command works on, opened at the first call and closed when the command ends. */
  installation(options?: InstallationOptions): Promise<Installation>;
};

export type Command<A extends Arguments = Arguments, O extends Options = Options> = {
  /** One word or two: `project import`. */
  readonly name: string;
  /** One sentence without a full stop, for the list of commands. */
  readonly summary: string;
  /** More than the summary says, a line an element; shown by --help and in the docs. */
  readonly details?: readonly string[];
  readonly examples?: readonly string[];
  readonly args: A;
  readonly options: O;
  /**
   * What it may change: the database of the installation, or what Telegram knows of its bots too. Then it says to which
   * installation it speaks; the second is refused on a copy. Nothing where it only reads.
   */
  readonly changes?: 'database' | 'telegram';
  /** True when it has an answer that `--json` can give. */
  readonly json: boolean;
  /** Runs until it is stopped. `logging`: its output is the log. `talking`: it speaks to a person, and logs only warnings. */
  readonly serves?: 'logging' | 'talking';
  /** Runs and answers the exit code; nothing means 0. */
  run(context: Context<A, O>): Promise<number | void>;
};

/** Keeps the types of a command's own arguments and options inside its `run`. */
export function defineCommand<const A extends Arguments, const O extends Options>(command: Command<A, O>): Command {
  return command as unknown as Command;
}

/** How it is typed, as `project import FILE [--name NAME]`. */
export function usageOf(command: Command): string {
  const args = command.args.map((arg) => (arg.optional ? `[${arg.name}]` : arg.name));
  const options = Object.entries(command.options).map(([name, option]) => {
    const text = option.type === 'flag' ? `--${name}` : `--${name} ${option.value}`;
    return option.type === 'text' && option.needed ? text : `[${text}]`;
  });
  return [command.name, ...args, ...options, ...(command.json ? ['[--json]'] : [])].join(' ');
}
