// Writes docs/operate/commands.md from the registry of commands; with --check only says whether it is up to date.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Command, usageOf } from '../server/commands/cli/command.ts';
import { commands } from '../server/commands/registry.ts';

const path = join(import.meta.dirname, '..', 'docs', 'operate', 'commands.md');

/** The whole page. The same registry gives the same text. */
export function commandsPage(list: readonly Command[]): string {
  const lines = [
    '# Commands',
    '',
    '<!-- Made by tools/commands-doc.ts from server/commands/registry.ts. Do not edit. -->',
    '',
    'From a clone they are typed as `npm run roost -- COMMAND`. A command ends with 0 when it did what was asked, with 1',
    'when it was refused or failed (`status` also when something needs you), with 2 when it was not understood, and with',
    '130 when it was interrupted. With `--json` it answers with one JSON object, refusals too:',
    '`{"ok": false, "error": {"code", "message", "facts"}}`. The codes stand in [errors.md](errors.md).',
    '',
    'Commands work on the same installation as the server: the embedded database of the data folder, running or not, or',
    'the one that `DATABASE_URL` names.',
    '',
    '| command | does |',
    '|---|---|',
    ...list.map((command) => `| [\`${command.name}\`](#${command.name.replaceAll(' ', '-')}) | ${command.summary} |`),
  ];
  for (const command of list) lines.push('', ...section(command));
  return `${lines.join('\n')}\n`;
}

function section(command: Command): string[] {
  const rows = [
    ...command.args.map((arg) => [arg.name, arg.optional ? `${arg.about} (optional)` : arg.about]),
    ...Object.entries(command.options).map(([name, option]) => [
      option.type === 'flag' ? `--${name}` : `--${name} ${option.value}`,
      option.about,
    ]),
  ];
  return [
    `## ${command.name}`,
    '',
    `${command.summary}.${command.details ? ` ${command.details.join(' ')}` : ''}`,
    '',
    '```',
    `roost ${usageOf(command)}`,
    ...(command.examples ?? []).map((example) => `roost ${example}`),
    '```',
    ...(rows.length > 0
      ? ['', '| | |', '|---|---|', ...rows.map(([name, about]) => `| \`${name}\` | ${about} |`)]
      : []),
  ];
}

if (process.argv[1] === import.meta.filename) {
  const page = commandsPage(commands);
  if (!process.argv.includes('--check')) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, page);
  } else if (page !== read()) {
    console.error('docs/operate/commands.md is out of date. Run: node tools/commands-doc.ts');
    process.exitCode = 1;
  }
}

function read(): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
