// From the words that were typed to a command with its values. Pure.
import { parseArgs } from 'node:util';
import { Refusal } from '../../../kernel/errors.ts';
import { type Command, type Option, type Options, usageOf } from './command.ts';
import { groupHelp, helpOf, helpOfAll } from './help.ts';
import { nearest } from './suggest.ts';

export type Values = Readonly<Record<string, string | boolean | undefined>>;

export type Parsed =
  | {
      readonly kind: 'run';
      readonly command: Command;
      readonly args: Values;
      readonly options: Values;
      readonly json: boolean;
    }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'version' };

/** Reads what was typed. Refuses with USAGE, saying what was meant instead where that can be guessed. */
export function parseCommand(argv: readonly string[], commands: readonly Command[]): Parsed {
  const [first] = argv;
  if (first === undefined || first === '--help' || first === '-h') return { kind: 'help', text: helpOfAll(commands) };
  if (first === '--version' || first === '-v') return { kind: 'version' };
  if (first === 'help') return helpFor(argv.slice(1), commands);
  const { command, rest } = findCommand(argv, commands);
  if (rest.includes('--help') || rest.includes('-h')) return { kind: 'help', text: helpOf(command) };
  return { kind: 'run', command, ...readValues(command, rest) };
}

function helpFor(words: readonly string[], commands: readonly Command[]): Parsed {
  if (words.length === 0) return { kind: 'help', text: helpOfAll(commands) };
  const group = inGroup(words[0]!, commands);
  if (words.length === 1 && group.length > 0) return { kind: 'help', text: groupHelp(words[0]!, group) };
  return { kind: 'help', text: helpOf(findCommand(words, commands).command) };
}

const inGroup = (word: string, commands: readonly Command[]): Command[] =>
  commands.filter(({ name }) => name.startsWith(`${word} `));

function findCommand(
  argv: readonly string[],
  commands: readonly Command[],
): { command: Command; rest: readonly string[] } {
  for (const words of [2, 1]) {
    const name = argv.slice(0, words).join(' ');
    const command = commands.find((each) => each.name === name);
    if (command !== undefined) return { command, rest: argv.slice(words) };
  }
  const [word = '', second] = argv;
  const group = inGroup(word, commands);
  if (group.length > 0) {
    if (second === undefined || second === '--help' || second === '-h') throw usage(groupHelp(word, group).trimEnd());
    const meant = nearest(
      `${word} ${second}`,
      group.map(({ name }) => name),
    );
    throw usage(
      `There is no command "${word} ${second}".${meant ? ` Did you mean "${meant}"?` : ''}`,
      `roost help ${word}`,
    );
  }
  const names = commands.flatMap(({ name }) => [name, name.split(' ')[0]!]);
  const meant = nearest(word, names);
  throw usage(`There is no command "${word}".${meant ? ` Did you mean "${meant}"?` : ''}`, 'roost help');
}

function readValues(command: Command, words: readonly string[]): { args: Values; options: Values; json: boolean } {
  const specs: Options = command.json ? { ...command.options, json: { type: 'flag', about: '' } } : command.options;
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(
      Object.entries(specs).map(([name, spec]) => [
        name,
        { type: spec.type === 'flag' ? 'boolean' : 'string' } as const,
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const options: Record<string, string | boolean> = {};
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    if (Object.hasOwn(options, token.name)) throw wrong(command, `--${token.name} was given twice.`);
    options[token.name] = readOption(command, token, specs);
  }
  for (const [name, spec] of Object.entries(specs)) {
    if (spec.type === 'flag') options[name] ??= false;
    else if (spec.needed && options[name] === undefined) throw wrong(command, `--${name} ${spec.value} is missing.`);
  }
  return { args: readArguments(command, positionals), options, json: options['json'] === true };
}

type OptionToken = { name: string; rawName: string; value?: string | undefined; inlineValue?: boolean | undefined };

function readOption(command: Command, token: OptionToken, specs: Options): string | boolean {
  const spec: Option | undefined = Object.hasOwn(specs, token.name) ? specs[token.name] : undefined;
  if (spec === undefined) {
    const meant = nearest(token.name, Object.keys(specs));
    throw wrong(command, `There is no option ${token.rawName}.${meant ? ` Did you mean --${meant}?` : ''}`);
  }
  if (spec.type === 'flag') {
    if (token.value !== undefined) throw wrong(command, `--${token.name} takes no value.`);
    return true;
  }
  // `--name --json` means a forgotten value; `--name=--json` says that it is one.
  if (token.value === undefined || token.value === '' || (token.inlineValue !== true && token.value.startsWith('--'))) {
    throw wrong(command, `--${token.name} needs a value: ${spec.value}.`);
  }
  return token.value;
}

function readArguments(command: Command, positionals: readonly string[]): Values {
  const args: Record<string, string> = {};
  for (const [index, spec] of command.args.entries()) {
    const value = positionals[index];
    if (value !== undefined) args[spec.name] = value;
    else if (!spec.optional) throw wrong(command, `${spec.name} is missing: ${spec.about}.`);
  }
  const extra = positionals[command.args.length];
  if (extra !== undefined) throw wrong(command, `"${extra}" is one word too many. A name with spaces goes in quotes.`);
  return args;
}

const usage = (message: string, hint?: string): Refusal =>
  new Refusal('USAGE', hint ? `${message}\nSee: ${hint}` : message);
const wrong = (command: Command, message: string): Refusal =>
  usage(`${message}\nUsage: roost ${usageOf(command)}`, `roost help ${command.name}`);
