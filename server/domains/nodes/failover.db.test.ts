// What a failover does that loses the last commits: the table is older than what processes remember.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { realKit } from '../../../kernel/kit.ts';
import { createLog } from '../../../kernel/log.ts';
import { sql } from '../../../kernel/sql.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { fence, Node } from './nodes.ts';

const kit = realKit(createLog({ level: 'silent' }));
let database: TestDatabase;
let nodes: Node[];

beforeEach(async () => {
  database = await createTestDatabase();
  nodes = [];
});
afterEach(async () => {
  for (const node of nodes) await node.stop();
  await database.close();
});

type Watched = Node & { lostBuckets: number[] };

function node(roles: readonly string[] = ['core']): Watched {
  const lostBuckets: number[] = [];
  const made = Object.assign(new Node(kit, database.db, { roles }), { lostBuckets });
  made.addOwner({
    gained: async () => {},
    begin: () => {},
    drain: async () => {},
    lost: (buckets) => void lostBuckets.push(...buckets),
  });
  nodes.push(made);
  return made;
}

/** Nudges all until it holds; the test's own time limit ends a wait that never does. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) {
    for (const each of nodes) each.nudge();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

type BucketRow = { id: number; owner: string | null; token: number };
const buckets = () => database.db.many<BucketRow>(sql`select id, owner, token from bucket order by id`);
const putBack = (rows: readonly BucketRow[]) =>
  database.db.run(sql`
    update bucket b set owner = u.owner, token = u.token
    from unnest(${rows.map((row) => row.id)}::smallint[], ${rows.map((row) => row.owner)}::uuid[], ${rows.map((row) => row.token)}::bigint[]) as u (id, owner, token)
    where b.id = u.id`);
const passes = (who: Node, bucket: number, token: number) =>
  database.db
    .tx((tx) => fence(tx, who.id(), new Map([[bucket, token]])))
    .then(
      () => true,
      () => false,
    );

test('of two processes that were given the same buckets only the one in the table passes the fence', async () => {
  await database.db.run(sql`
    with d as (
      insert into node (id, roles, host, pid, lease_until, ended) values (gen_random_uuid(), '{core}', 'x', 1, now(), 'dead')
      returning id
    )
    update bucket set owner = d.id, token = 5 from d`);
  const before = await buckets();
  const first = node();
  await first.start();
  expect(first.buckets()).toHaveLength(256);
  const lost = first.token(3) as number;
  await putBack(before);
  const second = node();
  await second.start();
  // The first may have found out and joined anew before the second began.
  await until(() => second.buckets().length > 0);
  const token = second.token(second.buckets()[0] as number) as number;
  expect(token).not.toBe(lost);
  expect(await passes(second, second.buckets()[0] as number, token)).toBe(true);
  expect(await passes(first, 3, lost)).toBe(false);
  // Whatever number the lost claim had, also the one that was given again.
  expect(await passes(first, second.buckets()[0] as number, token)).toBe(false);
});

test('an owner whose claims were lost drops everything and joins anew; no bucket has two owners then', async () => {
  const first = node();
  await first.start();
  const second = node();
  await second.start();
  await until(() => second.buckets().length === 128);
  const before = [first.id(), second.id()];
  // The claims of both are lost; the rows of both processes are older and were replicated.
  await putBack((await buckets()).map((row) => ({ ...row, owner: null, token: 0 })));
  await until(() => first.id() !== before[0] && second.id() !== before[1]);
  await until(() => first.buckets().length === 128 && second.buckets().length === 128);
  expect(new Set([...first.buckets(), ...second.buckets()]).size).toBe(256);
  expect(first.lostBuckets).toHaveLength(128);
});

test('another server, or the same on another timeline: everybody joins anew with the next renewal', async () => {
  const only = node(['core', 'edge']);
  await only.start();
  await only.receiverReady();
  const before = only.id();
  await database.db.run(
    sql`create or replace function server_identity() returns text language sql as $$ select '1/00000002' $$`,
  );
  await until(() => only.lostBuckets.length === 256);
  await until(() => only.id() !== before && only.buckets().length === 256 && only.receives());
});

test('the server says who it is and on which timeline', async () => {
  const row = await database.db.one(sql`select server_identity() as server`);
  expect(row).toEqual({ server: expect.stringMatching(/^\d{10,}\/[0-9A-F]{8}$/) });
});

test('a lease that is shorter in the table than it was said to be was lost, and with it whatever came after', async () => {
  const only = node(['core', 'edge']);
  await only.start();
  await only.receiverReady();
  const before = only.id();
  await database.db.run(sql`update node set lease_until = lease_until - interval '1 second' where id = ${before}`);
  await until(() => only.id() !== before);
  expect(only.lostBuckets).toHaveLength(256);
});

test('a receiver that an owner has forgotten to have seen is not opened by what the owner remembers', async () => {
  const owner = node(['core', 'edge']);
  await owner.start();
  const other = node(['edge']);
  await other.start();
  await other.receiverReady();
  const before = owner.id();
  await database.db.run(sql`update node set epoch_seen = 0 where id = ${before}`);
  await until(() => owner.id() !== before);
});
