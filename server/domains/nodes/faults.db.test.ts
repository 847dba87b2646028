import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '../../../kernel/db.ts';
import { type Kit, realKit } from '../../../kernel/kit.ts';
import { createLog } from '../../../kernel/log.ts';
import { type Sql, sql } from '../../../kernel/sql.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { Node, type Owner } from './nodes.ts';

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

type ShakyDb = Db & {
  /** The next `times` answers to statements with these words are lost: they are done, and nobody learns of it. */
  lose(words: string, times?: number): void;
  /** Called once, between such a statement and its answer. */
  before(words: string, act: () => void | Promise<void>): void;
};

function shaky(db: Db): ShakyDb {
  let words = '';
  let left = 0;
  let act = (): void | Promise<void> => {
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  };
  const lossy =
    <Result>(run: (statement: Sql) => Promise<Result>) =>
    async (statement: Sql): Promise<Result> => {
      const result = await run(statement);
      if (left > 0 && statement.text.includes(words)) {
        left -= 1;
        await act();
      }
      return result;
    };
  return {
    ...db,
    many: lossy(db.many) as Db['many'],
    one: lossy(db.one) as Db['one'],
    run: lossy(db.run),
    lose: (part, times = 1) => {
      words = part;
      left = times;
    },
    before: (part, what) => {
      words = part;
      left = 1;
      act = what;
    },
  };
}

function node(db: Db, owner: Partial<Owner> = {}, clock: Kit = kit, role: 'core' | 'edge' = 'core'): Node {
  const made = new Node(clock, db, { roles: [role] });
  made.addOwner({ gained: async () => {}, begin: () => {}, drain: async () => {}, lost: () => {}, ...owner });
  nodes.push(made);
  return made;
}

/** Nudges both until it holds; the test's own time limit ends a wait that never does. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) {
    for (const each of nodes) each.nudge();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('the database goes away in the middle', () => {
  test('of a claim: buckets that are ours without our knowing are found again', async () => {
    const first = node(database.db);
    const db = shaky(database.db);
    const second = node(db);
    await first.start();
    await second.start();
    db.lose('with free as materialized');
    await until(() => second.buckets().length === 128);
    expect(new Set([...first.buckets(), ...second.buckets()]).size).toBe(256);
  });

  test('of a release: it is finished before anything else, also when the share has grown again', async () => {
    const db = shaky(database.db);
    const first = node(db);
    const second = node(database.db);
    await first.start();
    db.lose('update bucket set owner = null');
    await second.start();
    await until(() => first.buckets().length === 128);
    await second.stop();
    await until(() => first.buckets().length === 256);
  });

  test('of a takeover: nothing is worked on until every owner has learnt of it', async () => {
    const seen: { gained: number; owned: number }[] = [];
    let failures = 2;
    // Nothing is let go before the second one runs: its first look, which is part of its start, finds nothing to claim.
    let letGo = (): void => {};
    const started = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const first = node(database.db, { drain: () => started });
    const second: Node = node(database.db, {
      gained: async (gains) => {
        seen.push({ gained: gains.length, owned: second.buckets().length });
        failures -= 1;
        if (failures >= 0) throw Object.assign(new Error('away'), { code: '57P01' });
      },
    });
    await first.start();
    await second.start();
    letGo();
    await until(() => second.buckets().length === 128);
    expect(seen).toEqual([
      { gained: 128, owned: 0 },
      { gained: 128, owned: 0 },
      { gained: 128, owned: 0 },
    ]);
    expect(second.token(second.buckets()[0] as number)).toBeDefined();
  });
});

describe('a lease', () => {
  test('that was over before its renewal was answered has lapsed, whatever the answer says', async () => {
    let offsetMs = 0;
    const lost: number[] = [];
    const db = shaky(database.db);
    const clock = { ...kit, monotonicMs: () => performance.now() + offsetMs };
    const first = node(db, { lost: (buckets) => void lost.push(...buckets) }, clock);
    await first.start();
    const before = first.id();
    // As if the process slept from asking to hearing: the database has renewed, and in between nothing was ours.
    db.before('update node set lease_until', () => {
      offsetMs += 12_001;
    });
    await until(() => lost.length === 256);
    await until(() => first.buckets().length === 256);
    expect(first.id()).not.toBe(before);
  });

  test('that lapsed while it was asked who has seen the receiver opens nothing under the next one', async () => {
    let offsetMs = 0;
    const db = shaky(database.db);
    const receiver = node(db, {}, { ...kit, monotonicMs: () => performance.now() + offsetMs }, 'edge');
    // An owner that has seen the first receiver, and sees no other.
    await database.db.run(sql`
      insert into node (id, roles, host, pid, lease_until, epoch_seen)
      values (gen_random_uuid(), '{core}', 'elsewhere', 1, now() + interval '1 hour', 1)`);
    db.before('epoch_seen <', async () => {
      const before = receiver.id();
      offsetMs += 12_001;
      await until(() => receiver.id() !== before);
    });
    await receiver.start();
    let asked = false;
    db.before('epoch_seen <', () => {
      asked = true;
    });
    await until(() => asked || receiver.receives());
    expect(receiver.receives()).toBe(false);
  });

  test('that lapsed leaves nobody behind that others would have to wait for, also when joining anew was answered late', async () => {
    let offsetMs = 0;
    const db = shaky(database.db);
    const first = node(db, {}, { ...kit, monotonicMs: () => performance.now() + offsetMs });
    await first.start();
    db.lose('insert into node');
    offsetMs += 12_001;
    await until(() => first.buckets().length === 256);
    const row = await database.db.one(sql`select count(*)::int as living from node where ended is null`);
    expect(row).toEqual({ living: 1 });
  });
});

test('however long the database was away, it is asked again soon', async () => {
  const first = node(database.db);
  const db = shaky(database.db);
  const second = node(db);
  await first.start();
  await second.start();
  // Pauses that double would be past the time of this test by now.
  db.lose('from node where ended is null order by started_at', 8);
  while (second.buckets().length < 128) await new Promise((resolve) => setTimeout(resolve, 20));
});

test('what works on updates is drained before what sends, since its last turns give that something to send', async () => {
  const drained: string[] = [];
  const first = node(database.db, { drain: async () => void drained.push('outbox') });
  first.addOwner({
    gained: async () => {},
    begin: () => {},
    drain: async () => void drained.push('turns'),
    lost: () => {},
  });
  await first.start();
  await first.stop();
  expect(drained.slice(0, 256)).toEqual(Array(256).fill('turns'));
  expect(drained.slice(256)).toEqual(Array(256).fill('outbox'));
});

test('a process whose row somebody holds is ended later, and stops the end of no other', async () => {
  for (const [row, host] of ['held', 'free'].entries())
    await database.db.run(sql`
      with gone as (
        insert into node (id, roles, host, pid, lease_until)
        values (gen_random_uuid(), '{core}', ${host}, 1, now() - interval '1 hour') returning id
      )
      update bucket set owner = gone.id, token = 5 from gone where bucket.id % 2 = ${row}`);
  const vanished = new pg.Client({ connectionString: database.url });
  await vanished.connect();
  await vanished.query("begin; select from node where host = 'held' for key share");
  const first = node(database.db);
  try {
    await first.start();
    expect(first.buckets().filter((bucket) => bucket % 2 === 1)).toHaveLength(128);
    expect(first.buckets()).toHaveLength(128);
  } finally {
    await vanished.query('rollback');
    await vanished.end();
  }
  await until(() => first.buckets().length === 256);
});
