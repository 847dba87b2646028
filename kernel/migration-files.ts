import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export const migrationsFolder = join(import.meta.dirname, '..', 'migrations');

/**
 * How a step runs. `together`: in a transaction. `alone`: one statement outside any transaction, for what PostgreSQL
 * refuses inside one (`create index concurrently`, `vacuum`). `batches`: one statement, again and again, each time in
 * a transaction of its own, with what it answered before as $1 (text; null at first), until it answers null.
 */
export type MigrationStep = { readonly kind: 'together' | 'alone' | 'batches'; readonly text: string };

export type Migration = {
  readonly number: number;
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
  /** The lowest code level that can work on the schema once this has run. */
  readonly minCodeLevel: number;
  /** One, the whole text, where the file divides itself into none. */
  readonly steps: readonly MigrationStep[];
};

const fileShape = /^(\d{6})_[a-z0-9_]+\.sql$/;
const firstLine = /^-- roost: min_code_level (\d+)$/;
const stepLine = /^-- roost: step(?: (alone|in batches))?$/;

/** Reads the migrations of a folder in their order. A file that does not fit the rules is a bug of ours. */
export async function readMigrations(folder = migrationsFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const migrations: Migration[] = [];
  for (const name of names) {
    const number = fileShape.exec(name)?.[1];
    if (number === undefined) throw new Error(`${name}: a migration is named like 000001_what_it_does.sql`);
    if (migrations.at(-1)?.number === Number(number)) throw new Error(`${name}: another migration has this number`);
    // Git may write Windows line ends; they are not a change.
    const text = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n');
    const level = firstLine.exec(text.slice(0, text.indexOf('\n')))?.[1];
    if (level === undefined) throw new Error(`${name}: the first line must be "-- roost: min_code_level N"`);
    const checksum = createHash('sha256').update(text).digest('hex');
    migrations.push({
      number: Number(number),
      name,
      text,
      checksum,
      minCodeLevel: Number(level),
      steps: stepsOf(name, text),
    });
  }
  return migrations;
}

/** Divides a file at its lines `-- roost: step`, `-- roost: step alone` and `-- roost: step in batches`. */
function stepsOf(name: string, text: string): MigrationStep[] {
  const steps: { kind: MigrationStep['kind']; lines: string[] }[] = [];
  const before: string[] = [];
  for (const line of text.split('\n').slice(1)) {
    const mark = stepLine.exec(line);
    if (mark !== null) steps.push({ kind: kindOf(mark[1]), lines: [] });
    else if (line.startsWith('-- roost:')) throw new Error(`${name}: "${line}" is no line that a migration knows`);
    else (steps.at(-1)?.lines ?? before).push(line);
  }
  if (steps.length === 0) return [{ kind: 'together', text }];
  if (statementsOf(before) !== '') throw new Error(`${name}: no statement may stand before the first step`);
  return steps.map(({ kind, lines }) => {
    const statements = statementsOf(lines);
    if (statements === '') throw new Error(`${name}: a step is empty`);
    // Several would be sent as one transaction, in which neither of the two kinds can run.
    if (kind !== 'together' && statements.replace(/;$/, '').includes(';'))
      throw new Error(`${name}: a step that runs alone or in batches is one statement`);
    return { kind, text: statements };
  });
}

const kindOf = (word: string | undefined): MigrationStep['kind'] =>
  word === 'alone' ? 'alone' : word === 'in batches' ? 'batches' : 'together';

/** The lines without those that are comments. */
const statementsOf = (lines: readonly string[]): string =>
  lines
    .filter((line) => !line.trimStart().startsWith('--'))
    .join('\n')
    .trim();
