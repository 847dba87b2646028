import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { Refusal } from './errors.ts';
import type { Migration, MigrationStep } from './migration-files.ts';

// A number that nobody else is likely to use as an advisory lock: "oost" in ASCII.
const lockKey = 0x6f6f_7374;
const otherMigratorMsMax = 60 * 60_000;
/**
 * A migration that waits for a lock makes everybody behind it wait too, so it gives up soon and tries again. Longer
 * than deadlock_timeout, after which an autovacuum that stands in the way is ended.
 */
const lockMs = 3_000;
const lockAttemptsMax = 20;

const lockNotAvailable = '55P03';
const deadlockDetected = '40P01';

/** Runs what is not done of one migration. False when another migrator had finished it. */
export async function applySteps(
  client: pg.Client,
  migration: Migration,
  onMigration?: (name: string) => void,
): Promise<boolean> {
  const { steps } = migration;
  if (steps.length === 1 && steps[0]?.kind === 'together') {
    return patiently(migration, () => inTurn(client, () => applyWhole(client, migration, onMigration)));
  }
  onMigration?.(migration.name);
  for (const [index, step] of steps.entries()) {
    const place = { number: migration.number, index };
    if (step.kind === 'alone') await patiently(migration, () => applyAlone(client, place, step));
    else if (step.kind === 'batches') await applyBatches(client, migration, place, step);
    else await patiently(migration, () => inTurn(client, () => applyTogether(client, place, step)));
  }
  return patiently(migration, () => inTurn(client, () => finish(client, migration)));
}

/** Where a step stands: the migration's number and its own, from 0. */
type Place = { readonly number: number; readonly index: number };

async function applyWhole(
  client: pg.Client,
  migration: Migration,
  onMigration?: (name: string) => void,
): Promise<boolean> {
  // The claim comes before the work: were the lock ever to fail, the second one would stop here.
  if (!(await claim(client, migration))) return false;
  onMigration?.(migration.name);
  await client.query(migration.text);
  return true;
}

async function claim(client: pg.Client, migration: Migration): Promise<boolean> {
  const { rowCount } = await client.query(
    'insert into roost_migration (number, name, checksum, min_code_level) values ($1, $2, $3, $4) on conflict do nothing',
    [migration.number, migration.name, migration.checksum, migration.minCodeLevel],
  );
  return rowCount === 1;
}

async function finish(client: pg.Client, migration: Migration): Promise<boolean> {
  await client.query('delete from roost_migration_step where number = $1', [migration.number]);
  return claim(client, migration);
}

async function applyTogether(client: pg.Client, place: Place, step: MigrationStep): Promise<void> {
  if ((await progress(client, place)).done) return;
  await client.query(step.text);
  await note(client, place, { done: true, at: null });
}

/** The next batch, and the one after it, with a pause as long as the work: others use the disk meanwhile. */
async function applyBatches(client: pg.Client, migration: Migration, place: Place, step: MigrationStep): Promise<void> {
  for (let done = false; !done; ) {
    const startMs = performance.now();
    done = await patiently(migration, () => inTurn(client, () => applyBatch(client, place, step)));
    if (!done) await pause(performance.now() - startMs);
  }
}

async function applyBatch(client: pg.Client, place: Place, step: MigrationStep): Promise<boolean> {
  const { done, at } = await progress(client, place);
  if (done) return true;
  const { rows } = await client.query<{ next: string | null }>(step.text, [at]);
  const next = rows[0]?.next ?? null;
  await note(client, place, { done: next === null, at: next });
  return next === null;
}

/**
 * Other migrators are kept out by a lock of the session, since there is no transaction. It waits for locks without
 * limit: what stands outside a transaction takes only locks that no reader or writer of a row waits for. An index that
 * an earlier try has left unfinished is built anew.
 */
async function applyAlone(client: pg.Client, place: Place, step: MigrationStep): Promise<void> {
  await waitForLock(async () => locked(client, 'select pg_try_advisory_lock($1) as locked'));
  try {
    if ((await progress(client, place)).done) return;
    await client.query('set statement_timeout = 0');
    await client.query('set lock_timeout = 0');
    if (!(await indexStands(client, step.text))) await client.query(step.text);
    await note(client, place, { done: true, at: null });
  } finally {
    await client.query('reset statement_timeout').catch(() => {});
    await client.query('reset lock_timeout').catch(() => {});
    await client.query('select pg_advisory_unlock($1)', [lockKey]).catch(() => {});
  }
}

/** True when the index that the statement builds is there, whole. One that is not whole is removed. */
async function indexStands(client: pg.Client, statement: string): Promise<boolean> {
  const name = /^create (?:unique )?index concurrently ([a-z0-9_]+) on /.exec(statement)?.[1];
  if (name === undefined) return false;
  const { rows } = await client.query<{ valid: boolean }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [name],
  );
  if (rows[0]?.valid === false) await client.query(`drop index concurrently ${name}`);
  return rows[0]?.valid === true;
}

/** Also done when another migrator has finished all of the migration meanwhile. */
async function progress(client: pg.Client, { number, index }: Place): Promise<{ done: boolean; at: string | null }> {
  const { rows } = await client.query<{ over: boolean; done: boolean | null; at: string | null }>(
    `select exists (select from roost_migration where number = $1) as over, s.done, s.place as at
     from (select 1) as one left join roost_migration_step s on s.number = $1 and s.step = $2`,
    [number, index],
  );
  return { done: rows[0]?.over === true || rows[0]?.done === true, at: rows[0]?.at ?? null };
}

async function note(
  client: pg.Client,
  { number, index }: Place,
  { done, at }: { done: boolean; at: string | null },
): Promise<void> {
  await client.query(
    `insert into roost_migration_step (number, step, done, place) values ($1, $2, $3, $4)
     on conflict (number, step) do update set done = excluded.done, place = excluded.place`,
    [number, index, done, at],
  );
}

/** Runs it; a busy table makes it let go and come back. */
async function patiently<Result>(migration: Migration, work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Refusal) throw error;
      const { code } = error as { code?: string };
      if (code !== lockNotAvailable && code !== deadlockDetected)
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

/** A transaction that keeps other migrators out until it ends, with limits of its own whatever those of the role are. */
export async function inTurn<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result> {
  await waitForLock(async () => {
    await client.query('begin');
    if (await locked(client, 'select pg_try_advisory_xact_lock($1) as locked')) return true;
    await client.query('rollback');
    return false;
  });
  try {
    await client.query(`set local lock_timeout = ${lockMs}`);
    await client.query('set local statement_timeout = 0');
    await client.query('set local idle_in_transaction_session_timeout = 0');
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

async function locked(client: pg.Client, question: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(question, [lockKey]);
  return rows[0]?.locked === true;
}

async function waitForLock(take: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + otherMigratorMsMax;
  while (!(await take())) {
    if (performance.now() > giveUpAt)
      throw new Refusal(
        'DATABASE_UNAVAILABLE',
        'Another process has been migrating this database for an hour. Look what it is doing.',
      );
    await pause(200);
  }
}
