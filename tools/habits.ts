// Habits of the house that no tool of others checks. Each answers with a sentence for every fault.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { refusals } from '../kernel/errors.ts';
import { faultPointNames } from '../kernel/faultpoint.ts';
import { readMigrations } from '../kernel/migration-files.ts';
import { holdUps } from './migration-habits.ts';
import { tableFaults } from './table-habits.ts';
import { tableOwners } from './table-owners.ts';

export type Habit = { readonly name: string; readonly about: string; faults(): Promise<string[]> };

const fileLinesMax = 300;
// A file of tests is a list: nobody has to hold all of it in mind at once.
const testLinesMax = 500;

export const habits = (root: string): Habit[] => [
  {
    name: 'length',
    about: `no file over ${fileLinesMax} lines, no tests over ${testLinesMax}`,
    faults: async () => longFiles(sources(root)),
  },
  {
    name: 'node',
    about: 'every file is TypeScript that Node runs as it is',
    faults: async () => unreadByNode(sources(root)),
  },
  {
    name: 'migrations',
    about: 'numbered, with a level, without commits of their own, and holding up no system that runs',
    faults: () => migrationFaults(join(root, 'migrations')),
  },
  {
    name: 'tables',
    about: 'a table is written by the domain that owns it, and read by others for a reason',
    faults: async () =>
      tableFaults(
        statementsOf(root),
        sources(root, 'migrations/*.sql')
          .map(({ text }) => text)
          .join('\n'),
        tableOwners,
      ),
  },
  {
    name: 'codes',
    about: 'docs/operate/errors.md names every refusal, and no other',
    faults: async () => codeFaults(Object.keys(refusals), read(join(root, 'docs/operate/errors.md'))),
  },
  {
    name: 'fault-points',
    about: 'every fault point is passed somewhere',
    faults: async () => unpassedPoints(faultPointNames, sources(root, '{server,simulator}/**/*.ts')),
  },
  {
    name: 'map',
    about: 'every folder stands in the map of README.md or ARCHITECTURE.md',
    faults: async () => unmapped(root),
  },
  {
    name: 'paths',
    about: 'every file that README.md, ARCHITECTURE.md, STYLE.md or docs/ names is there',
    faults: async () => lostPaths(sources(root, '{README,ARCHITECTURE,STYLE,docs/**/*}.md'), existsIn(root)),
  },
];

export type Source = { readonly path: string; readonly text: string };

/** Our own files; not what is generated, served as it is, or an example of input. */
function sources(
  root: string,
  pattern = '{contract,kernel,server,simulator,miniapp,cabinet,tools,test,bench}/**/*.{ts,tsx,mjs,js}',
): Source[] {
  const paths = globSync(pattern, { cwd: root, exclude: (path) => path.includes('node_modules') });
  return paths.filter((path) => !path.includes('.generated.')).map((path) => ({ path, text: read(join(root, path)) }));
}

/** Product code; what only tests use may write as it needs. */
const statementsOf = (root: string): Source[] =>
  sources(root, '{kernel,server}/**/*.ts').filter(({ path }) => !/(\.test|\/harness|\/fixtures)\.ts$/.test(path));

const read = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');

export function longFiles(files: readonly Source[]): string[] {
  return files.flatMap(({ path, text }) => {
    const lines = text.trimEnd().split('\n').length;
    const max = /(\.test|\/harness|\/fixtures)\.ts$/.test(path) ? testLinesMax : fileLinesMax;
    return lines > max ? [`${path} has ${lines} lines. Split it where it does two things.`] : [];
  });
}

/** What Node does not start with, though the compiler takes it: `for (const of of ...)`, enums, parameter properties. */
export function unreadByNode(files: readonly Source[]): string[] {
  return files
    .filter(({ path }) => path.endsWith('.ts'))
    .flatMap(({ path, text }) => {
      try {
        stripTypeScriptTypes(text);
        return [];
      } catch (error) {
        return [`Node does not read ${path}: ${(error as Error).message.split('\n')[0]}.`];
      }
    });
}

export async function migrationFaults(folder: string): Promise<string[]> {
  try {
    const migrations = await readMigrations(folder);
    return migrations.flatMap((migration) => {
      // Each runs inside a transaction that also holds its row; ending that one would part the two.
      const ends = /^\s*(begin|commit|rollback|start transaction)\s*;/im.test(migration.text);
      return [
        ...(ends ? [`${migration.name} begins or ends a transaction. It runs inside one already.`] : []),
        ...holdUps(migration),
      ];
    });
  } catch (error) {
    return [(error as Error).message];
  }
}

export function codeFaults(codes: readonly string[], page: string): string[] {
  const listed = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map((match) => match[1] ?? '');
  return [
    ...codes.filter((code) => !listed.includes(code)).map((code) => `${code} is missing in docs/operate/errors.md.`),
    ...listed
      .filter((code) => !codes.includes(code))
      .map((code) => `${code} stands in docs/operate/errors.md, and nothing answers with it.`),
    ...listed.filter((code, index) => listed.indexOf(code) !== index).map((code) => `${code} stands there twice.`),
  ];
}

export function unpassedPoints(names: readonly string[], files: readonly Source[]): string[] {
  const passed = (name: string): boolean =>
    files.some(({ path, text }) => !path.endsWith('.test.ts') && text.includes(`faultPoint('${name}')`));
  return names.filter((name) => !passed(name)).map((name) => `The fault point ${name} is passed nowhere.`);
}

/** A newcomer finds every folder explained. */
function unmapped(root: string): string[] {
  const words = read(join(root, 'README.md')) + read(join(root, 'ARCHITECTURE.md'));
  const found = globSync('{*/,server/domains/*/}', { cwd: root, exclude: (path) => /node_modules/.test(path) });
  const names = found.map((path) => path.replace(/\/$/, '')).filter((path) => !path.startsWith('.') && path !== 'dist');
  return names
    .filter((path) => !new RegExp(`\\b${path.split('/').at(-1)}\\b`).test(words))
    .map((path) => `${path}/ is explained in neither README.md nor ARCHITECTURE.md.`);
}

const existsIn =
  (root: string) =>
  (path: string): boolean =>
    existsSync(join(root, path));

/** Where a document's path may begin, the shortest way to say it first. */
const pathsBegin = ['', 'server', 'server/domains'];

/** Files in backticks, with a folder before the name: `outbox/rules.ts` too, since everybody knows where domains stand. */
export function lostPaths(pages: readonly Source[], exists: (path: string) => boolean): string[] {
  return pages.flatMap((page) => {
    const named = [...page.text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|mjs|cjs|sql|css|json|md))`/g)];
    const paths = new Set(named.map((match) => match[1] ?? ''));
    return [...paths]
      .filter((path) => ![...pathsBegin, dirname(page.path)].some((begin) => exists(join(begin, path))))
      .map((path) => `${page.path} names ${path}, which is not there.`);
  });
}
