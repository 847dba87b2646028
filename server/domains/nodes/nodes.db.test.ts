import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { realKit } from '../../../kernel/kit.ts';
import { createLog } from '../../../kernel/log.ts';
import { sql } from '../../../kernel/sql.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { hostIdentity } from './host.ts';
import { fence, type Gain, Node } from './nodes.ts';

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

type Watched = Node & { gains: Gain[]; drained: number[]; lostBuckets: number[] };

function node(roles: readonly string[] = ['core', 'edge'], clock = kit): Watched {
  const made = new Node(clock, database.db, { roles });
  const watched = Object.assign(made, { gains: [] as Gain[], drained: [] as number[], lostBuckets: [] as number[] });
  made.addOwner({
    gained: async (gains) => void watched.gains.push(...gains),
    begin: () => {},
    drain: async (bucket) => void watched.drained.push(bucket),
    lost: (buckets) => void watched.lostBuckets.push(...buckets),
  });
  nodes.push(made);
  return watched;
}

/** Resolves when the condition holds; the test's own time limit ends a wait that never does. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** As if the process had been frozen past its lease: nothing of it renews any more. */
async function freeze(id: string): Promise<void> {
  await database.db.run(
    sql`update node set lease_until = now() - interval '1 second', host = 'elsewhere' where id = ${id}`,
  );
}

describe('buckets', () => {
  test('one process owns all of them, and none was inherited', async () => {
    const only = node();
    await only.start();
    expect(only.buckets()).toHaveLength(256);
    expect(only.gains.some((gain) => gain.inherited)).toBe(false);
  });

  test('a second process gets half, handed over after a drain', async () => {
    const first = node();
    const second = node();
    await first.start();
    await second.start();
    await until(() => {
      first.nudge();
      second.nudge();
      return second.buckets().length === 128;
    });
    expect(first.buckets()).toHaveLength(128);
    expect(first.drained).toHaveLength(128);
    expect(second.gains.every((gain) => !gain.inherited)).toBe(true);
    expect(new Set([...first.buckets(), ...second.buckets()]).size).toBe(256);
  });

  test('those of a process that froze are inherited, and its token is worth nothing any more', async () => {
    await database.db.run(sql`
      with frozen as (
        insert into node (id, roles, host, pid, lease_until)
        values (gen_random_uuid(), '{core}', 'elsewhere', 1, now() - interval '1 second') returning id
      )
      update bucket set owner = frozen.id, token = 5 from frozen`);
    const owner = (await database.db.one<{ owner: string }>(sql`select owner from bucket where id = 7`))?.owner ?? '';
    await database.db.tx((tx) => fence(tx, owner, new Map([[7, 5]])));
    const second = node();
    await second.start();
    expect(second.gains).toHaveLength(256);
    expect(second.gains.every((gain) => gain.inherited && gain.frozen)).toBe(true);
    await expect(database.db.tx((tx) => fence(tx, owner, new Map([[7, 5]])))).rejects.toThrow('guard: bucket');
    const token = second.token(7) as number;
    await database.db.tx((tx) => fence(tx, second.id(), new Map([[7, token]])));
    // A number may be given twice where a failover has lost the first giving of it.
    await expect(database.db.tx((tx) => fence(tx, owner, new Map([[7, token]])))).rejects.toThrow('guard: bucket');
  });

  test('those of a process of this host that is gone are taken at once, as from a dead one', async () => {
    // No process has this number: the highest possible one.
    await database.db.run(sql`
      with gone as (
        insert into node (id, roles, host, pid, lease_until)
        values (gen_random_uuid(), '{core}', ${hostIdentity()}, 4194304, now() + interval '1 hour') returning id
      )
      update bucket set owner = gone.id, token = 5 from gone`);
    const second = node();
    await second.start();
    expect(second.gains).toHaveLength(256);
    expect(second.gains.every((gain) => gain.inherited && !gain.frozen)).toBe(true);
  });

  test('a frozen process that wakes drops everything and joins anew', async () => {
    const first = node();
    await first.start();
    const before = first.id();
    await freeze(before);
    const second = node();
    await second.start();
    first.nudge();
    await until(() => first.lostBuckets.length === 256);
    await until(() => first.id() !== before);
  });

  test('a process that believes its lease has run out owns nothing, whatever the table says', async () => {
    let offsetMs = 0;
    const first = node(['core'], { ...kit, monotonicMs: () => performance.now() + offsetMs });
    await first.start();
    expect(first.owns(3)).toBe(true);
    offsetMs = 12_001;
    expect(first.owns(3)).toBe(false);
    expect(first.token(3)).toBeUndefined();
    expect(first.buckets()).toEqual([]);
    offsetMs = 0;
  });

  test('a stopped process leaves its buckets free and no row behind', async () => {
    const first = node();
    await first.start();
    await first.stop();
    await first.stop();
    const rows = await database.db.one<{ owned: number; nodes: number }>(
      sql`select (select count(*) from bucket where owner is not null) as owned, (select count(*) from node) as nodes`,
    );
    expect(rows).toEqual({ owned: 0, nodes: 0 });
  });
});

describe('receivers', () => {
  test('the only one may order by memory', async () => {
    const only = node();
    await only.start();
    await only.receiverReady();
    expect(only.receives()).toBe(true);
    expect(only.soleReceiver()).toBe(true);
  });

  test('a second one opens only after the owner has stopped relying on memory', async () => {
    const first = node();
    await first.start();
    let heard: boolean | undefined;
    first.onReceivers(async (sole) => {
      heard = sole;
    });
    const second = node(['edge']);
    await second.start();
    await second.receiverReady();
    expect(heard).toBe(false);
    expect(first.soleReceiver()).toBe(false);
  });

  test('one owner that has not heard of it keeps a new receiver closed', async () => {
    await database.db.run(sql`
      insert into node (id, roles, host, pid, lease_until) values (gen_random_uuid(), '{core}', 'elsewhere', 1, now() + interval '1 hour')`);
    const second = node(['edge']);
    await second.start();
    second.nudge();
    expect(second.receives()).toBe(false);
    await database.db.run(sql`update node set epoch_seen = 1000 where pid = 1`);
    await second.receiverReady();
    expect(second.receives()).toBe(true);
  });

  test('when the other one leaves, the owner looks at the table before it relies on memory again', async () => {
    const first = node();
    await first.start();
    const second = node(['edge']);
    await second.start();
    first.nudge();
    await until(() => !first.soleReceiver());
    const states: boolean[] = [];
    first.onReceivers(async () => void states.push(first.soleReceiver()));
    await second.stop();
    first.nudge();
    await until(() => first.soleReceiver());
    expect(states).toEqual([false]);
  });
});
