// What is shown to somebody who asks what can be typed.
import { type Command, usageOf } from './command.ts';
import { table } from './print.ts';

/** The list of all commands, groups together. */
export function helpOfAll(commands: readonly Command[]): string {
  const rows = commands.map((command) => [`  ${command.name}`, command.summary]);
  return [
    'Roost runs Telegram bots and loses nothing.',
    '',
    'Usage: roost COMMAND [arguments] [--options]',
    '',
    ...table(rows),
    '',
    'More about one: roost help COMMAND. From a clone it is typed as: npm run roost -- COMMAND',
    '',
  ].join('\n');
}

/** The commands of one group, as `project`. */
export function groupHelp(word: string, commands: readonly Command[]): string {
  const rows = commands.map((command) => [`  roost ${usageOf(command)}`, command.summary]);
  return [`Commands of "${word}":`, '', ...table(rows), ''].join('\n');
}

/** Everything about one command. */
export function helpOf(command: Command): string {
  const rows = [
    ...command.args.map((arg) => [`  ${arg.name}`, arg.optional ? `${arg.about} (optional)` : arg.about]),
    ...Object.entries(command.options).map(([name, option]) => [
      option.type === 'flag' ? `  --${name}` : `  --${name} ${option.value}`,
      option.about,
    ]),
    ...(command.json ? [['  --json', 'answer with one JSON object instead of text']] : []),
  ];
  const lines = [`${command.summary}.`, '', `Usage: roost ${usageOf(command)}`];
  if (rows.length > 0) lines.push('', ...table(rows));
  if (command.details) lines.push('', ...command.details);
  if (command.examples) lines.push('', 'Examples:', ...command.examples.map((example) => `  roost ${example}`));
  return [...lines, ''].join('\n');
}
