import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { realKit } from '../../../kernel/kit.ts';
import { createLog } from '../../../kernel/log.ts';
import { sql } from '../../../kernel/sql.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import * as dead from './dead/sql.ts';
import { Intake, type StoredUpdate } from './intake.ts';
import { readUpdate } from './reading.ts';
import * as statements from './sql.ts';

const kit = realKit(createLog({ level: 'silent' }));
const nodeId = '00000000-0000-4000-8000-00000000000a';
const bot = { id: 5, bucket: 9 };
let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
  await database.db.run(sql`
    insert into node (id, roles, host, pid, lease_until) values (${nodeId}, '{edge}', 'here', 1, now() + interval '1 hour')`);
});
afterEach(() => database.close());

const intake = () => new Intake(kit, database.db, { id: () => nodeId, receives: () => true });
const update = (id: number | string, more: object = {}) =>
  Buffer.from(JSON.stringify({ update_id: id, message: { chat: { id: 77 }, text: 'hi' }, ...more }));

describe('the intake', () => {
  test('stores once: a repeated delivery is a duplicate, also within one batch', async () => {
    const taking = intake();
    const same = update(1);
    const results = await Promise.all([same, same, update(2), same].map((raw) => taking.store(readUpdate(bot, raw))));
    expect(results.filter((result) => result === 'stored')).toHaveLength(2);
    expect(await taking.store(readUpdate(bot, same))).toBe('duplicate');
  });

  test('keeps the order of one answer of getUpdates, also when digits grow and bytes are strange', async () => {
    const strange = Buffer.concat([
      Buffer.from('{"update_id":100,"message":{"chat":{"id":77},"text":"'),
      Buffer.from([0xff]),
      Buffer.from('"}}'),
    ]);
    await intake().storeInOrder([update(99), strange, update(101), update(1000)].map((raw) => readUpdate(bot, raw)));
    const rows = await statements.pendingRows(database.db, {
      buckets: [9],
      ids: [5],
      limit: 10,
      bytesMax: 2 ** 20,
      known: [],
    });
    expect(rows.map((row) => row.key)).toEqual(['99', '100', '101', '1000']);
  });

  test('keeps every byte of a body that is not UTF-8, and its text beside it', async () => {
    const raw = Buffer.concat([
      Buffer.from('{"update_id":7,\n"callback_query":{"id":"1","from":{"id":3},"data":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}}'),
    ]);
    await intake().store(readUpdate(bot, raw));
    const row = await database.db.one<{ body_bytes: Buffer; body: string; lane: number }>(
      sql`select body_bytes, body, lane from inbox`,
    );
    expect(row?.body_bytes.equals(raw)).toBe(true);
    expect(JSON.parse(row?.body ?? '').callback_query.data).toBe('\ufffd\ufffd');
    expect(row?.lane).toBe(3);
  });

  test.each([
    ['NUL', '{"update_id":1,"message":{"chat":{"id":1},"text":"a\\u0000b"}}'],
    ['a lone surrogate', '{"update_id":1,"message":{"chat":{"id":1},"text":"\\ud800"}}'],
    ['a kind nobody knows', '{"update_id":1,"hologram":{"chat":{"id":1}}}'],
    ['no update_id', '{"message":{"chat":{"id":1}}}'],
    ['an update_id beyond 2^53', '{"update_id":9007199254740993123,"message":{"chat":{"id":1}}}'],
    ['an id that is text', '{"update_id":"12","message":{"chat":{"id":"34"}}}'],
    ['a message that is null', '{"update_id":1,"message":null}'],
    ['no object at all', '[1,2,3]'],
    ['blanks around it', ' \n{"update_id":1,"message":{"chat":{"id":1}}}\r\n'],
    ['nesting beyond what PostgreSQL takes', `{"update_id":1,"message":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
  ])('stores %s as it came', async (_what, body) => {
    expect(await intake().store(readUpdate(bot, Buffer.from(body)))).toBe('stored');
    expect(await intake().store(readUpdate(bot, Buffer.from(body)))).toBe('duplicate');
    const row = await database.db.one<{ body: string | null; body_bytes: Buffer | null }>(
      sql`select body, body_bytes from inbox`,
    );
    expect(row?.body_bytes?.toString() ?? row?.body).toBe(body);
  });

  test('an update_id beyond 2^53 keeps all its digits, so that neighbours are not one', async () => {
    const taking = intake();
    for (const id of ['9007199254740993', '9007199254740992']) {
      await taking.store(readUpdate(bot, Buffer.from(`{"update_id":${id},"message":{"chat":{"id":1}}}`)));
    }
    const rows = await database.db.many<{ key: string }>(sql`select key from inbox order by key`);
    expect(rows.map((row) => row.key)).toEqual(['9007199254740992', '9007199254740993']);
  });

  test('one update that the database refuses does not take its batch with it', async () => {
    const taking = intake();
    const deep = Buffer.from(`{"update_id":50,"message":${'['.repeat(50_000)}${']'.repeat(50_000)}}`);
    const results = await Promise.all([update(1), deep, update(2)].map((raw) => taking.store(readUpdate(bot, raw))));
    expect(results).toEqual(['stored', 'stored', 'stored']);
  });

  test('tells what is new and what was repeated, after the commit', async () => {
    const taking = intake();
    const fresh: StoredUpdate[] = [];
    const repeated: string[] = [];
    taking.onStored((rows, again) => {
      fresh.push(...rows);
      repeated.push(...again.map((row) => row.key));
    });
    await taking.store(readUpdate(bot, update(1)));
    await taking.store(readUpdate(bot, update(1)));
    expect(fresh.map((row) => [row.key, row.lane, row.kind])).toEqual([['1', 77, 'message']]);
    expect(repeated).toEqual(['1']);
  });

  test('what was taken in under a lease that is gone is not stored under the next one', async () => {
    let id = nodeId;
    const taking = new Intake(kit, database.db, { id: () => id, receives: () => true });
    const next = '00000000-0000-4000-8000-00000000000b';
    await database.db.run(sql`
      insert into node (id, roles, host, pid, lease_until) values (${next}, '{edge}', 'here', 1, now() + interval '1 hour')`);
    await database.db.run(sql`update node set ended = 'frozen' where id = ${nodeId}`);
    // It waits for the end of this turn of the event loop; the process has joined anew by then.
    const old = taking.store(readUpdate(bot, update(1)));
    id = next;
    const fresh = taking.store(readUpdate(bot, update(2)));
    await expect(old).rejects.toThrow();
    expect(await fresh).toBe('stored');
    expect(await database.db.many(sql`select key from inbox`)).toEqual([{ key: '2' }]);
  });

  test('a receiver whose lease is over stores nothing, also when it does not know it', async () => {
    await database.db.run(sql`update node set lease_until = now() - interval '1 second'`);
    await expect(intake().store(readUpdate(bot, update(1)))).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    await database.db.run(sql`update node set lease_until = now() + interval '1 hour', ended = 'frozen'`);
    await expect(intake().store(readUpdate(bot, update(1)))).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    expect(await database.db.one(sql`select count(*)::int as stored from inbox`)).toEqual({ stored: 0 });
  });

  test.each([
    ['cut short', Buffer.from('{"update_id":1,')],
    ['nothing at all', Buffer.alloc(0)],
    ['a page of a proxy', Buffer.from('<html>502</html>')],
    ['a byte order mark before it', Buffer.from('\ufeff{"update_id":1}')],
    ['another encoding', Buffer.from('{"update_id":1}', 'utf16le')],
    ['packed', gzipSync('{"update_id":1}')],
  ])('keeps a body that is no JSON (%s) under its hash, once, and hands it to nobody', async (_what, raw) => {
    const lines: string[] = [];
    const log = createLog({ level: 'info', sink: { write: (line) => void lines.push(line) } });
    const taking = new Intake(realKit(log), database.db, { id: () => nodeId, receives: () => true });
    const told: unknown[] = [];
    taking.onStored((...given) => void told.push(given));
    expect(await taking.store(readUpdate(bot, raw))).toBe('stored');
    expect(await taking.store(readUpdate(bot, raw))).toBe('duplicate');
    const row = await database.db.one<{ key: string; body: string | null; body_bytes: Buffer; state: number }>(
      sql`select key, body, body_bytes, state from inbox`,
    );
    const key = `body:${createHash('sha256').update(raw).digest('hex')}`;
    expect(row).toMatchObject({ key, body: null, state: 3 });
    expect(row?.body_bytes.equals(raw)).toBe(true);
    expect(told).toEqual([]);
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['inbox.unreadable']);
    expect(await dead.deadCount(database.db)).toEqual({ dead: 1, unreadable: 1 });
  });

  test('a body that is no JSON does not take its batch with it', async () => {
    const taking = intake();
    const broken = Buffer.from('no JSON');
    const results = await Promise.all([update(1), broken, update(2)].map((raw) => taking.store(readUpdate(bot, raw))));
    expect(results).toEqual(['stored', 'stored', 'stored']);
    const pending = await statements.pendingRows(database.db, {
      buckets: [9],
      ids: [5],
      limit: 10,
      bytesMax: 2 ** 20,
      known: [],
    });
    expect(pending.map((row) => row.key)).toEqual(['1', '2']);
  });
});

describe('completion', () => {
  const complete = (key: string) =>
    database.db.tx((tx) => statements.completeRows(tx, [{ integrationId: 5, key, state: 2, trace: '{"a":1}' }]));

  test('counts once: the second one is refused and undoes its transaction', async () => {
    await intake().store(readUpdate(bot, update(1)));
    await complete('1');
    await expect(complete('1')).rejects.toThrow('guard: inbox');
  });

  test('of what was never stored is refused', async () => {
    await expect(complete('404')).rejects.toThrow('guard: inbox');
  });

  test('of a dead letter is refused, until it is put back', async () => {
    await intake().store(readUpdate(bot, update(1)));
    await statements.killRow(database.db, { integrationId: 5, key: '1', error: 'broken' });
    await expect(complete('1')).rejects.toThrow('guard: inbox');
    expect(await dead.listDead(database.db, { limit: 10, integrationId: null })).toHaveLength(1);
    expect(await dead.retryDead(database.db, { integrationId: 5, key: '1' })).toBe(1);
    await complete('1');
  });
});

describe('reading what is pending', () => {
  /** 2,000 bots with 20 updates each, and one with 3,000. */
  async function fill(): Promise<void> {
    await database.db.run(sql`
      insert into inbox (integration_id, bucket, lane, key, body)
      select b, (b % 256)::smallint, n % 20, b || '-' || n, '{}' from generate_series(1, 2000) b, generate_series(1, 20) n`);
    await database.db.run(sql`
      insert into inbox (integration_id, bucket, lane, key, body)
      select 9999, 5, n % 50, 'flood-' || n, '{}' from generate_series(1, 3000) n`);
    await database.db.run(sql`analyze inbox`);
  }

  async function plan(statement: { text: string; values: readonly unknown[] }): Promise<string> {
    const rows = await database.db.many<{ 'QUERY PLAN': string }>({
      text: `explain ${statement.text}`,
      values: statement.values,
    });
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }

  /** The statement as the function makes it, without running it. */
  function captured(make: (db: never) => unknown): { text: string; values: readonly unknown[] } {
    let statement: { text: string; values: readonly unknown[] } | undefined;
    const take = async (given: typeof statement) => {
      statement = given;
      return [];
    };
    make({ many: take, one: take, run: take } as never);
    if (!statement) throw new Error('no statement');
    return statement;
  }

  test('finds every bot with something pending, by the index alone', async () => {
    await fill();
    const buckets = Array.from({ length: 256 }, (_, index) => index);
    expect(await statements.pendingBots(database.db, buckets)).toHaveLength(2_001);
    const text = await plan(captured((db) => statements.pendingBots(db, buckets)));
    expect(text).toContain('inbox_pending');
    expect(text).not.toMatch(/Seq Scan on inbox|Sort/);
  });

  test('takes the oldest of each bot without those in memory, neither sorting nor scanning', async () => {
    await fill();
    const request = { buckets: [5, 5], ids: [9999, 5], limit: 10, bytesMax: 2 ** 20, known: [] as number[] };
    const first = await statements.pendingRows(database.db, request);
    expect(first.filter((row) => row.integration_id === 9999).map((row) => row.key)).toEqual(
      Array.from({ length: 10 }, (_, n) => `flood-${n + 1}`),
    );
    expect(first.filter((row) => row.integration_id === 5)).toHaveLength(10);
    const rest = await statements.pendingRows(database.db, { ...request, known: first.map((row) => row.seq) });
    expect(rest.filter((row) => row.integration_id === 9999)[0]?.key).toBe('flood-11');
    const text = await plan(captured((db) => statements.pendingRows(db, request)));
    expect(text).toContain('inbox_pending');
    expect(text).not.toMatch(/Seq Scan on inbox|Sort/);
  });

  test('what is large is given by and by, the first of them in any case, and it is told that there is more', async () => {
    const taking = intake();
    const words = Array.from({ length: 40_000 }, () => Math.random().toString(36))
      .join(' ')
      .slice(0, 300_000);
    for (const id of [1, 2, 3, 4]) await taking.store(readUpdate(bot, update(id, { words })));
    const read = (bytesMax: number, known: number[]) =>
      statements.pendingRows(database.db, { buckets: [9], ids: [5], limit: 10, bytesMax, known });
    const first = await read(0, []);
    expect(first.map((row) => [row.key, row.found])).toEqual([['1', 4]]);
    const next = await read(2_000, [first[0]?.seq ?? 0]);
    expect(next.map((row) => [row.key, row.found])).toEqual([['2', 3]]);
    expect((await read(2 ** 20, [])).map((row) => row.found)).toEqual([4, 4, 4, 4]);
  });

  test('what is done is never read again, and its body goes before its key does', async () => {
    await intake().store(readUpdate(bot, update(1)));
    await database.db.tx((tx) => statements.completeRows(tx, [{ integrationId: 5, key: '1', state: 2, trace: null }]));
    expect(await statements.pendingBots(database.db, [9])).toEqual([]);
    await database.db.run(sql`update inbox set received_at = now() - interval '50 hours'`);
    expect(await statements.pruneBodies(database.db, { bodyHours: 48, limit: 10, skip: 0 })).toBe(1);
    expect(await statements.pruneKeys(database.db, { keyHours: 96, limit: 10, skip: 0 })).toBe(0);
    expect(await database.db.one(sql`select key, body from inbox`)).toEqual({ key: '1', body: null });
    await database.db.run(sql`update inbox set received_at = now() - interval '100 hours'`);
    expect(await statements.pruneKeys(database.db, { keyHours: 96, limit: 10, skip: 0 })).toBe(1);
  });

  test('what is pending or dead is never pruned', async () => {
    const taking = intake();
    await taking.store(readUpdate(bot, update(1)));
    await taking.store(readUpdate(bot, update(2)));
    await statements.killRow(database.db, { integrationId: 5, key: '2', error: 'broken' });
    await database.db.run(sql`update inbox set received_at = now() - interval '1000 hours'`);
    await statements.pruneBodies(database.db, { bodyHours: 48, limit: 10, skip: 0 });
    expect(await statements.pruneKeys(database.db, { keyHours: 96, limit: 10, skip: 0 })).toBe(0);
    expect(await database.db.one(sql`select count(body)::int as bodies from inbox`)).toEqual({ bodies: 2 });
  });
});
