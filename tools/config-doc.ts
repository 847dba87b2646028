// Writes docs/operate/configuration.md from the table of variables; with --check only says whether it is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Variable, variables } from '../kernel/config-table.ts';

const path = join(import.meta.dirname, '..', 'docs', 'operate', 'configuration.md');

const head = `# Configuration

<!-- Made by tools/config-doc.ts from kernel/config-table.ts. Do not edit. -->

Everything is set by variables of the environment, and nothing has to be: \`npm start\` works without any. They are read
once, when a command starts, and checked as a whole: all mistakes are named together, and nothing is done before they are
mended. A variable that is empty counts as not set. A name that starts with \`ROOST_\` and is not in this table is a
mistake too.

| variable | means | when not set |
|---|---|---|
`;

const row = ([name, { about, unset }]: [string, Variable]): string => {
  // A value is written as one types it; words are words.
  const value = /[ ,]\w* /.test(unset) || unset === 'none' ? unset : `\`${unset}\``;
  return `| \`${name}\` | ${about} | ${value} |\n`;
};

const page = head + Object.entries(variables).map(row).join('');

if (process.argv.includes('--check')) {
  const found = readFileSync(path, 'utf8');
  if (found !== page) {
    console.error('docs/operate/configuration.md is stale. Run: node tools/config-doc.ts');
    process.exit(1);
  }
} else {
  writeFileSync(path, page);
}
