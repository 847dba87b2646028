import { expect, test } from 'vitest';
import { defineCommand, usageOf } from './command.ts';
import { parseCommand } from './parse.ts';

const noWork = async (): Promise<void> => {};

const commands = [
  defineCommand({
    name: 'project import',
    summary: 'Stores a document',
    args: [{ name: 'FILE', about: 'the JSON document' }],
    options: {
      name: { type: 'text', value: 'NAME', about: 'name of the project' },
      force: { type: 'flag', about: 'without asking' },
    },
    json: true,
    run: noWork,
  }),
  defineCommand({
    name: 'project rollback',
    summary: 'Goes back',
    args: [{ name: 'PROJECT', about: 'which' }],
    options: { to: { type: 'text', value: 'NUMBER', about: 'the release', needed: true } },
    json: true,
    run: noWork,
  }),
  defineCommand({ name: 'status', summary: 'Shows how it goes', args: [], options: {}, json: false, run: noWork }),
];

const parse = (line: string): ReturnType<typeof parseCommand> =>
  parseCommand(line.split(' ').filter(Boolean), commands);

function refused(line: string): string {
  try {
    parse(line);
  } catch (error) {
    expect(error).toMatchObject({ code: 'USAGE' });
    return (error as Error).message;
  }
  throw new Error(`"${line}" was understood`);
}

test('a command of two words takes its values in any order', () => {
  const parsed = parse('project import --json a.json --name=Shop --force');
  expect(parsed).toMatchObject({
    kind: 'run',
    args: { FILE: 'a.json' },
    options: { name: 'Shop', force: true },
    json: true,
  });
});

test('an option that was not given is undefined, a flag false', () => {
  const parsed = parse('project import a.json');
  expect(parsed).toMatchObject({ kind: 'run', options: { force: false }, json: false });
  expect(parsed.kind === 'run' && parsed.options['name']).toBeUndefined();
});

test('a word that is nearly a command is answered with the command', () => {
  expect(refused('statsu')).toContain('Did you mean "status"?');
  expect(refused('project imprt a.json')).toContain('Did you mean "project import"?');
  expect(refused('porject import a.json')).toContain('Did you mean "project"?');
  expect(refused('frobnicate')).not.toContain('Did you mean');
});

test('an option that is nearly one is answered with it, and with the usage', () => {
  const message = refused('project import a.json --nmae X');
  expect(message).toContain('There is no option --nmae. Did you mean --name?');
  expect(message).toContain('Usage: roost project import FILE [--name NAME] [--force] [--json]');
});

test('what is missing, twice or too much is named', () => {
  expect(refused('project import')).toContain('FILE is missing: the JSON document.');
  expect(refused('project import a.json b.json')).toContain('"b.json" is one word too many');
  expect(refused('project import a.json --name')).toContain('--name needs a value: NAME.');
  expect(refused('project import a.json --name --json')).toContain('--name needs a value: NAME.');
  expect(refused('project import a.json --name A --name B')).toContain('--name was given twice.');
  expect(refused('project import a.json --force=yes')).toContain('--force takes no value.');
  expect(refused('project rollback Shop')).toContain('--to NUMBER is missing.');
  expect(refused('status --json')).toContain('There is no option --json.');
  expect(refused('project')).toContain('roost project rollback PROJECT --to NUMBER');
});

test('names of every object are no options', () => {
  expect(refused('status --constructor')).toContain('There is no option --constructor.');
  expect(refused('status --__proto__=x')).toContain('There is no option --__proto__.');
});

test('help is given in every way it may be asked for', () => {
  for (const line of ['', 'help', '--help', '-h']) expect(parse(line)).toMatchObject({ kind: 'help' });
  for (const line of ['help project import', 'project import --help', 'project import -h']) {
    expect(parse(line)).toMatchObject({ kind: 'help', text: expect.stringContaining('Usage: roost project import') });
  }
  expect(parse('help project')).toMatchObject({ kind: 'help', text: expect.stringContaining('project rollback') });
  expect(parse('--version')).toEqual({ kind: 'version' });
});

test('the usage shows what must be given without brackets', () => {
  expect(commands.map(usageOf)).toEqual([
    'project import FILE [--name NAME] [--force] [--json]',
    'project rollback PROJECT --to NUMBER [--json]',
    'status',
  ]);
});
