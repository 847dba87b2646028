// Bots in bulk: in the simulator through its control API, in the database by SQL, in the form in which connectBot
// leaves them. Ten thousand take seconds.
import { basename, resolve } from 'node:path';
import { type Db, openDb, type Tx } from '../../kernel/db.ts';
import { realKit } from '../../kernel/kit.ts';
import { createLog } from '../../kernel/log.ts';
import { sql } from '../../kernel/sql.ts';
import { createVault } from '../../server/domains/bots/bots.ts';
import { webhookUrl } from '../../server/domains/bots/rules.ts';
import { hashSecret, makePublicId, makeSecret } from '../../server/domains/bots/secret.ts';
import { secretPlace, tokenPlace } from '../../server/domains/bots/tokens.ts';
import { type SealingKey, seal } from '../../server/domains/bots/vault.ts';
import { botAppId } from '../../server/domains/miniapps/miniapps.ts';
import { importProject, neededUpdates, publish, readBundle } from '../../server/domains/projects/projects.ts';
import type { Scope } from './scope.ts';
import type { SimulatedBot, Simulator } from './simulator.ts';

/** A connected bot, with what a sender of webhooks must know of it. */
export type BenchBot = {
  readonly id: number;
  readonly bucket: number;
  readonly publicId: string;
  readonly secret: string;
  readonly token: string;
  readonly botId: number;
  /** Where its Mini App stands, if its project has pages. */
  readonly appPath: string;
};

export type BotsOptions = {
  readonly count: number;
  /** How many bots share a project, and so a release in memory. */
  readonly perProject: number;
  /** A folder of examples/, or the path of another one that has a flow.json. */
  readonly example?: string;
  /** Where the server will listen: the webhooks are noted as set to it. */
  readonly port: number;
  /** All of them in this bucket. */
  readonly bucket?: number;
  /** Taken instead of new ones: the same bots of Telegram in another database. */
  readonly simulated?: readonly SimulatedBot[];
};

export const masterKey = Buffer.alloc(32, 7);
const vault = createVault({ master: masterKey });
const botsAnInsert = 2_000;

/** A connection pool of the bench itself, for preparing and counting. */
export function openBenchDb(scope: Scope, url: string): Db {
  const kit = realKit(createLog({ level: 'silent' }));
  const db = openDb(kit, { url, connectionsMax: 3, statementMsMax: 180_000, name: 'bench' });
  scope.add(() => db.close());
  return db;
}

/** Makes and connects bots. Call it before the server starts, or give it a moment to notice them. */
export async function connectBots(db: Db, simulator: Simulator, options: BotsOptions): Promise<BenchBot[]> {
  const { perProject } = options;
  const projects = await makeProjects(db, Math.ceil(options.count / perProject), options.example ?? 'support-menu');
  const simulated = options.simulated ?? (await simulator.createBots(options.count));
  const ids = options.bucket === undefined ? undefined : await idsOfBucket(db, options.bucket, options.count);
  const bots: BenchBot[] = [];
  for (let at = 0; at < options.count; at += botsAnInsert) {
    const some = simulated.slice(at, Math.min(at + botsAnInsert, options.count));
    const rows = some.map((bot, index) =>
      rowOf(bot, projects[Math.floor((at + index) / perProject)]!, ids?.[at + index] ?? null),
    );
    bots.push(...(await insertBots(db, rows, options.port)));
  }
  const base = `http://127.0.0.1:${options.port}`;
  const allowedUpdates = projects[0]?.allowedUpdates ?? [];
  await simulator.setWebhooks(
    bots.map(({ token, secret, publicId }) => ({ token, secret, allowedUpdates, url: webhookUrl(base, publicId) })),
  );
  return bots;
}

type Project = { id: number; publicId: string; key: SealingKey; allowedUpdates: string[] };

/** The first is imported and published as a person would; the others are copies of it under names of their own. */
async function makeProjects(db: Db, count: number, example: string): Promise<Project[]> {
  const bundle = await readBundle(resolve(import.meta.dirname, '..', '..', 'examples', example, 'flow.json'));
  const first = await db.tx(async (tx) => {
    const name = `Bench ${basename(example)} ${makePublicId()}`;
    const { project } = await importProject(tx, { name, bundle });
    await publish(tx, project.id, {});
    return project;
  });
  const allowedUpdates = (await neededUpdates(db, { id: first.id, releaseNumber: 1 })) ?? [];
  const others = await db.tx(async (tx) => {
    const made = await tx.many<{ id: number; public_id: string }>(sql`
      insert into project (public_id, name, draft, draft_at, release_number)
      select p.public_id || '-' || n, p.name || ' ' || n, p.draft, p.draft_at, 1
      from project p, generate_series(2, ${count}::int) as n where p.id = ${first.id}
      returning id, public_id`);
    await tx.run(sql`
      insert into release (project_id, number, hash, document)
      select made.id, 1, r.hash, r.document
      from unnest(${made.map((project) => project.id)}::bigint[]) as made (id), release r
      where r.project_id = ${first.id} and r.number = 1`);
    await copyContent(
      tx,
      first.id,
      made.map((project) => project.id),
    );
    return made;
  });
  const keys = new Map<number, { sealed: Buffer; key: SealingKey }>();
  const all = [{ id: first.id, public_id: first.publicId }, ...others];
  for (const project of all) keys.set(project.id, vault.makeDataKey(project.public_id));
  await db.run(sql`
    update project p set data_key = u.key
    from unnest(${all.map((project) => project.id)}::bigint[], ${all.map((project) => keys.get(project.id)!.sealed)}::bytea[]) as u (id, key)
    where p.id = u.id`);
  return all.map(({ id, public_id }) => ({ id, publicId: public_id, key: keys.get(id)!.key, allowedUpdates }));
}

/** How a file begins says what it is and how large it is shown; nobody asks for the rest of ten thousand copies. */
const headBytes = 600;

/** Files and rows of tables, for copies of a project. */
async function copyContent(tx: Tx, from: number, to: readonly number[]): Promise<void> {
  await tx.run(sql`
    insert into media (project_id, sha256, kind, name, bytes)
    select made.id, m.sha256, m.kind, m.name, substring(m.bytes for ${headBytes})
    from unnest(${to}::bigint[]) as made (id), media m where m.project_id = ${from}`);
  await tx.run(sql`
    insert into record_table (project_id, table_name, last_id, row_count, unique_columns, seeded_at)
    select made.id, t.table_name, t.last_id, t.row_count, t.unique_columns, t.seeded_at
    from unnest(${to}::bigint[]) as made (id), record_table t where t.project_id = ${from}`);
  await tx.run(sql`
    insert into record (project_id, table_name, id, values)
    select made.id, r.table_name, r.id, r.values
    from unnest(${to}::bigint[]) as made (id), record r where r.project_id = ${from}`);
}

/** Ids that hash to this bucket, above all that were given out. */
async function idsOfBucket(db: Db, bucket: number, count: number): Promise<number[]> {
  const rows = await db.many<{ id: number }>(sql`
    select id from generate_series(1000000, 1000000 + ${count * 2_000}::bigint) as id
    where (hashint8(id) & 255) = ${bucket} limit ${count}`);
  if (rows.length < count) throw new Error(`Too few ids of bucket ${bucket}.`);
  return rows.map((row) => row.id);
}

type Row = ReturnType<typeof rowOf>;

function rowOf(bot: SimulatedBot, project: Project, id: number | null) {
  const publicId = makePublicId();
  const secret = makeSecret();
  return {
    id,
    publicId,
    secret,
    project,
    bot,
    tokenSealed: seal(project.key, tokenPlace(publicId), bot.token),
    secretSealed: seal(project.key, secretPlace(publicId), secret),
    secretHash: hashSecret(secret),
  };
}

async function insertBots(db: Db, rows: readonly Row[], port: number): Promise<BenchBot[]> {
  const base = `http://127.0.0.1:${port}/v1/telegram/webhooks/`;
  const kinds = rows[0]?.project.allowedUpdates ?? [];
  const inserted = await db.many<{ id: number; bucket: number; public_id: string }>(sql`
    insert into integration (id, public_id, project_id, bot_id, username, status, token_sealed, secret_sealed, secret_hash,
      allowed_updates, webhook_url, webhook_set_at, webhook_checked_at, pending_count)
    overriding system value
    select coalesce(u.id, nextval(pg_get_serial_sequence('integration', 'id'))), u.public_id, u.project_id, u.bot_id, u.username,
      'active', u.token, u.secret, u.hash, ${kinds}, ${base} || u.public_id, now(), now(), 0
    from unnest(
      ${rows.map((row) => row.id)}::bigint[],
      ${rows.map((row) => row.publicId)}::text[],
      ${rows.map((row) => row.project.id)}::bigint[],
      ${rows.map((row) => row.bot.id)}::bigint[],
      ${rows.map((row) => row.bot.username)}::text[],
      ${rows.map((row) => row.tokenSealed)}::bytea[],
      ${rows.map((row) => row.secretSealed)}::bytea[],
      ${rows.map((row) => row.secretHash)}::bytea[]
    ) as u (id, public_id, project_id, bot_id, username, token, secret, hash)
    returning id, bucket, public_id`);
  const byPublicId = new Map(inserted.map((row) => [row.public_id, row]));
  return rows.map(({ publicId, secret, bot, project }) => {
    const { id, bucket } = byPublicId.get(publicId)!;
    const appPath = `/a/${botAppId(project.publicId, bot.id)}`;
    return { id, bucket, publicId, secret, token: bot.token, botId: bot.id, appPath };
  });
}

/** Pauses or resumes every project, as `roost project pause` does, and tells the server to look at once. */
export async function setAllProjects(db: Db, status: 'active' | 'paused'): Promise<void> {
  await db.tx(async (tx) => {
    await tx.run(sql`update project set status = ${status}, rev = nextval('change_rev') where status <> ${status}`);
    await tx.run(sql`select pg_notify('roost', 'bench bots ')`);
  });
}

/** Pauses one bot, as `roost bot pause` does: what waits for it leaves memory and stands in the tables. */
export async function pauseBot(db: Db, id: number): Promise<void> {
  await db.tx(async (tx) => {
    await tx.run(sql`update integration set status = 'paused', rev = nextval('change_rev') where id = ${id}`);
    await tx.run(sql`select pg_notify('roost', 'bench bots ')`);
  });
}
