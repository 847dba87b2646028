import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { withDirect } from './direct.ts';
import { Refusal } from './errors.ts';

/**
 * The level of this code. A migration that older code could not live with names a level above theirs in its
 * first line, and the release that brings it raises this number. Releases of the same level can run side by
 * side on one database.
 */
export const codeLevel = 1;

export const migrationsFolder = join(import.meta.dirname, '..', 'migrations');

export type Migration = {
  readonly number: number;
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
  /** The lowest code level that can work on the schema once this has run. */
  readonly minCodeLevel: number;
};

export type MigrateOptions = {
  readonly folder?: string;
  readonly codeLevel?: number;
  /** Told the name of each migration before it runs. */
  readonly onMigration?: (name: string) => void;
};

// A number that nobody else is likely to use as an advisory lock: "oost" in ASCII.
const lockKey = 0x6f6f_7374;
const otherMigratorMsMax = 10 * 60_000;
// A migration that waits for a lock makes everybody behind it wait too, so it gives up soon and tries again.
const lockMs = 3_000;
const lockAttemptsMax = 20;

const fileShape = /^(\d{6})_[a-z0-9_]+\.sql$/;
const firstLine = /^-- roost: min_code_level (\d+)$/;
const lockNotAvailable = '55P03';
const insufficientPrivilege = '42501';

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
    migrations.push({ number: Number(number), name, text, checksum, minCodeLevel: Number(level) });
  }
  return migrations;
}

/**
 * Brings the database to the newest schema and answers with the names of what was run. Each migration is one
 * transaction: it locks out other migrators, claims its row, runs and commits. So it may be killed anywhere and
 * started again, and two at once share the work. `url` must go to PostgreSQL directly.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const migrations = await readMigrations(options.folder);
  return withDirect(url, 'roost-migrate', async (client) => {
    await refuseUnfit(client);
    await inTransaction(client, () => prepare(client));
    const applied = await readApplied(client);
    refuseNewer(applied, options.codeLevel ?? codeLevel);
    refuseChanged(migrations, applied);

    const done = new Set(applied.map((row) => row.number));
    const run: string[] = [];
    for (const migration of migrations) {
      if (done.has(migration.number)) continue;
      if (await applyPatiently(client, migration, options.onMigration)) run.push(migration.name);
    }
    return run;
  });
}

/** PostgreSQL before 15 lacks what our statements use; another encoding cannot hold people's names. */
async function refuseUnfit(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: number; shown: string; encoding: string }>(
    `select current_setting('server_version_num')::int as version, current_setting('server_version') as shown,
            current_setting('server_encoding') as encoding`,
  );
  const server = rows[0];
  if (server !== undefined && server.version < 150_000) {
    throw new Refusal('DATABASE_UNFIT', `This database is PostgreSQL ${server.shown}. Roost needs 15 or later.`);
  }
  if (server !== undefined && server.encoding !== 'UTF8') {
    throw new Refusal(
      'DATABASE_UNFIT',
      `This database is encoded in ${server.encoding}. Create one with: create database NAME encoding 'UTF8' template template0`,
    );
  }
}

/** Makes the table of migrations in an empty database; refuses one that holds somebody else's things. */
async function prepare(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ ours: boolean }>(`select to_regclass('roost_migration') is not null as ours`);
  if (rows[0]?.ours) return;
  // What an extension brought along (pg_stat_statements and the like) does not make a database foreign.
  const foreign = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     where c.relkind in ('r', 'v', 'm', 'p', 'f', 'S') and c.relpersistence <> 't'
       and c.relnamespace not in (select oid from pg_namespace where nspname ~ '^pg_' or nspname = 'information_schema')
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     order by 1 limit 3`,
  );
  if (foreign.rows.length > 0) {
    const tables = foreign.rows.map((row) => row.name);
    throw new Refusal(
      'DATABASE_FOREIGN',
      `This database belongs to something else: it holds ${tables.join(', ')}. Give Roost an empty one.`,
      { tables },
    );
  }
  await create(
    client,
    `create table roost_migration (
       number integer primary key,
       name text not null,
       checksum text not null,
       min_code_level integer not null,
       applied_at timestamptz not null default now()
     )`,
  );
}

async function create(client: pg.Client, statement: string): Promise<void> {
  try {
    await client.query(statement);
  } catch (error) {
    if ((error as { code?: string }).code !== insufficientPrivilege) throw error;
    throw new Refusal(
      'DATABASE_UNFIT',
      `The database user ${client.user} may not create tables. Make it the owner of the database.`,
    );
  }
}

type Applied = { number: number; name: string; checksum: string; min_code_level: number };

async function readApplied(client: pg.Client): Promise<Applied[]> {
  const { rows } = await client.query<Applied>(
    'select number, name, checksum, min_code_level from roost_migration order by number',
  );
  return rows;
}

/** What has run must still stand in the folder, unchanged; only what a newer release brought may be missing. */
function refuseChanged(migrations: readonly Migration[], applied: readonly Applied[]): void {
  const files = new Map(migrations.map((migration) => [migration.number, migration]));
  const newest = migrations.at(-1)?.number ?? 0;
  for (const row of applied) {
    const file = files.get(row.number);
    if (file === undefined && row.number > newest) continue;
    if (file?.checksum === row.checksum) continue;
    const what = file === undefined ? 'is missing' : 'was edited after it had run';
    throw new Refusal(
      'MIGRATION_CHANGED',
      `The migration ${row.name} ${what}. Put it back as it was; a change is a new migration.`,
      { migration: row.name },
    );
  }
}

function refuseNewer(applied: readonly Applied[], level: number): void {
  const needed = Math.max(0, ...applied.map((row) => row.min_code_level));
  if (needed > level) throw new Refusal('DATABASE_NEWER', undefined, { schemaNeeds: needed, thisCode: level });
}

/** Runs one migration; a busy table makes it let go and come back. False when another migrator had done it. */
async function applyPatiently(
  client: pg.Client,
  migration: Migration,
  onMigration?: (name: string) => void,
): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(client, () => apply(client, migration, onMigration));
    } catch (error) {
      const busy = (error as { code?: string }).code === lockNotAvailable;
      if (!busy)
        throw new Error(`The migration ${migration.name} failed: ${(error as Error).message}`, { cause: error });
      if (attempt === lockAttemptsMax)
        throw new Refusal(
          'DATABASE_UNAVAILABLE',
          `The migration ${migration.name} found its tables busy ${attempt} times. Try again at a quiet hour.`,
        );
      await pause(Math.min(250 * 2 ** attempt, 5_000));
    }
  }
}

async function apply(client: pg.Client, migration: Migration, onMigration?: (name: string) => void): Promise<boolean> {
  // The claim comes before the work: were the lock ever to fail, the second one would stop here.
  const claim = await client.query(
    'insert into roost_migration (number, name, checksum, min_code_level) values ($1, $2, $3, $4) on conflict do nothing',
    [migration.number, migration.name, migration.checksum, migration.minCodeLevel],
  );
  if (claim.rowCount === 0) return false;
  onMigration?.(migration.name);
  await client.query(migration.text);
  return true;
}

/** A transaction that keeps other migrators out until it ends. */
async function inTransaction<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result> {
  const giveUpAt = performance.now() + otherMigratorMsMax;
  for (;;) {
    await client.query('begin');
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_xact_lock($1) as locked', [
      lockKey,
    ]);
    if (rows[0]?.locked) break;
    await client.query('rollback');
    if (performance.now() > giveUpAt)
      throw new Refusal(
        'DATABASE_UNAVAILABLE',
        'Another process has been migrating this database for ten minutes. Look what it is doing.',
      );
    await pause(200);
  }
  try {
    await client.query(`set local lock_timeout = ${lockMs}`);
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}
