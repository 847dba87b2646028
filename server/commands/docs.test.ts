import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refusals } from '../../kernel/errors.ts';
import { commandsPage } from '../../tools/commands-doc.ts';
import { commands } from './registry.ts';

const page = (name: string): string =>
  readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'operate', name), 'utf8');

test('every code stands on the page of codes once, in order, with its status', () => {
  const rows = [...page('errors.md').matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ]);
  const codes = Object.entries(refusals).map(([code, { status }]) => [code, status]);
  expect(rows).toEqual(codes.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
});

test('the page of commands is what the registry says', () => {
  expect(page('commands.md') === commandsPage(commands), 'run: node tools/commands-doc.ts').toBe(true);
});

test('commands have different names, a short summary and no option called json or help', () => {
  expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length);
  for (const command of commands) {
    expect(command.summary, command.name).toMatch(/^[A-Z].{8,90}[^.]$/);
    for (const name of Object.keys(command.options)) expect(['json', 'help', 'h']).not.toContain(name);
    const optional = command.args.findIndex((arg) => arg.optional);
    expect(optional === -1 || optional === command.args.length - 1, command.name).toBe(true);
  }
});
