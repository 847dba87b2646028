import type { Db } from '../../kernel/db.ts';
import { sql } from '../../kernel/sql.ts';
import { bucketCount } from '../../server/domains/nodes/rules.ts';

/** The processes whose lease holds, of those that own anything, and how many buckets each has. */
export const ownersOf = (db: Db): Promise<{ pid: number; buckets: number }[]> =>
  db.many(sql`
    select n.pid, count(*)::int as buckets from bucket b join node n on n.id = b.owner
    where n.ended is null and n.lease_until > now() group by n.pid`);

/** Nobody but this one owns anything, and nothing is without an owner. */
export const isSole = (owners: readonly { buckets: number }[]): boolean =>
  owners.length === 1 && owners[0]?.buckets === bucketCount;
