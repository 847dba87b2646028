import type pg from 'pg';
import { withDirect } from './direct.ts';
import { Refusal } from './errors.ts';
import { type Migration, readMigrations } from './migration-files.ts';
import { applySteps, inTurn } from './migration-steps.ts';

/**
 * The level of this code. A migration that older code could not live with names a level above theirs in its
 * first line, and the release that brings it raises this number. Releases of the same level can run side by
 * side on one database.
 */
export const codeLevel = 1;

export type MigrateOptions = {
  readonly folder?: string;
  readonly codeLevel?: number;
  /** Told the name of each migration before it runs. */
  readonly onMigration?: (name: string) => void;
};

const insufficientPrivilege = '42501';

/**
 * Brings the database to the newest schema and answers with the names of what was run. Each migration is one
 * transaction, or steps of one transaction each: it locks out other migrators, claims its row, runs and commits. So it
 * may be killed anywhere and started again, and two at once share the work. `url` must go to PostgreSQL directly.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const migrations = await readMigrations(options.folder);
  return withDirect(url, 'roost-migrate', async (client) => {
    await refuseUnfit(client);
    await inTurn(client, () => prepare(client));
    const applied = await readApplied(client);
    refuseNewer(applied, options.codeLevel ?? codeLevel);
    refuseChanged(migrations, applied);

    const done = new Set(applied.map((row) => row.number));
    const run: string[] = [];
    for (const migration of migrations) {
      if (done.has(migration.number)) continue;
      if (await applySteps(client, migration, options.onMigration)) run.push(migration.name);
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
  if (rows[0]?.ours) return prepareSteps(client);
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
  await prepareSteps(client);
}

/** What is done of a migration of several steps, so that the next migrator goes on where this one ended. */
async function prepareSteps(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('roost_migration_step') is not null as there`,
  );
  if (rows[0]?.there) return;
  await create(
    client,
    `create table roost_migration_step (
       number integer not null,
       step integer not null,
       done boolean not null,
       place text,
       primary key (number, step)
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
