// What an operator looks at. Every statement reads small tables or an index; none counts messages or updates.
import type { Queryable, Tx } from '../../../kernel/db.ts';
import { sql } from '../../../kernel/sql.ts';

/** A process that lives, or is thought to: `fresh` is false once its lease has run out. */
export type Process = {
  id: string;
  roles: string[];
  host: string;
  pid: number;
  startedAt: Date;
  /** Where it listens. */
  address: string | null;
  fresh: boolean;
  buckets: number;
};

export const selectProcesses = (db: Queryable) =>
  db.many<Process>(sql`
    select n.id, n.roles, n.host, n.pid, n.address, n.started_at as "startedAt", n.lease_until > now() as fresh,
      (select count(*)::int from bucket b where b.owner = n.id) as buckets
    from node n where n.ended is null order by n.started_at`);

export const selectBotCounts = (db: Queryable) =>
  db.many<{ status: string; bots: number }>(sql`
    select status, count(*)::int as bots from integration where status <> 'disconnected' group by status order by status`);

/** How a bot is called, for lists that hold only its number. */
export type BotName = { id: number; publicId: string; username: string; project: string };

export const selectBotNames = (db: Queryable, ids: readonly number[]) =>
  db.many<BotName>(sql`
    select i.id, i.public_id as "publicId", i.username, p.name as project
    from integration i join project p on p.id = i.project_id where i.id = any(${ids}::bigint[])`);

/** A bot and where it is worked on. `apiRoot` is its own Bot API server, null for everybody's. */
export type FoundBot = BotName & { bucket: number; apiRoot: string | null };

/** A bot by its public id or its @username; the connected one first, since old rows keep the name. */
export const selectBotByName = (db: Queryable, name: string) =>
  db.one<FoundBot>(sql`
    select i.id, i.public_id as "publicId", i.username, p.name as project, i.bucket, i.api_root as "apiRoot"
    from integration i join project p on p.id = i.project_id
    where i.public_id = ${name} or lower(i.username) = lower(${name})
    order by i.status = 'disconnected', i.id desc limit 1`);

export const selectParkCount = (db: Queryable) =>
  db.one<{ parked: number }>(
    sql`select count(*)::int as parked from (select 1 from park where until_at > now() limit 100000) p`,
  );

/**
 * Takes about a megabyte of the database's disk until the transaction ends; a full one refuses with 53100. A temporary
 * table, since its pages are no one's and go without a trace.
 */
export const takeSomeDisk = async (tx: Tx) => {
  await tx.run(sql`create temporary table roost_disk_probe (filler text) on commit drop`);
  await tx.run(sql`insert into roost_disk_probe select repeat('x', 1000) from generate_series(1, 1000)`);
};

/** What has run on this database. */
export type AppliedMigration = { number: number; name: string; appliedAt: Date };

export const selectMigrations = (db: Queryable) =>
  db.many<AppliedMigration>(sql`select number, name, applied_at as "appliedAt" from roost_migration order by number`);
