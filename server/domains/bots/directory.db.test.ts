import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Db, Queryable } from '../../../kernel/db.ts';
import { type Sql, sql } from '../../../kernel/sql.ts';
import type { TestDatabase } from '../../../test/support/database.ts';
import { createTestDatabase } from '../../../test/support/database.ts';
import type { Directory, DirectoryChange } from './directory.ts';
import { createDirectory } from './directory.ts';
import type { TestKit } from './fixtures.ts';
import { emptyTables, gate, insertBot, insertManyBots, insertProject, testKit, testVault } from './fixtures.ts';
import { readChanges } from './sql.ts';
import { tokenPlace } from './tokens.ts';
import { createVault, seal } from './vault.ts';

let database: TestDatabase;
let db: Db;
let kit: TestKit;
const apiRootDefault = 'https://api.telegram.org';

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.close());
beforeEach(async () => {
  await emptyTables(db);
  kit = testKit();
});

/** A directory that looks only when it is told to. */
async function loaded(
  over: Db = db,
  options: { tokensMax?: number; vault?: ReturnType<typeof testVault> } = {},
): Promise<Directory> {
  const directory = createDirectory(kit, over, { vault: testVault(), apiRootDefault, ...options });
  await directory.refresh();
  return directory;
}

async function look(directory: Directory, times = 1): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    kit.advance(1_500);
    await directory.refresh();
  }
}

/** The database, counting what is asked and what comes. */
const counting = (count: { asked: number; rows: number }): Db => ({
  ...db,
  many: async <Row>(statement: Sql) => {
    const found = await db.many<Row>(statement);
    count.asked += 1;
    count.rows += found.length;
    return found;
  },
});

test('knows every bot that is not disconnected, over many pages', async () => {
  const project = await insertProject(db, 'shop');
  await insertManyBots(db, project, 2_500);
  await db.run(sql`update integration set status = 'disconnected' where bot_id = 7`);
  const bot = await insertBot(db, project, { botId: 9_000_000_001, apiRoot: 'http://local:8081', status: 'paused' });
  const directory = await loaded();
  expect(directory.size()).toBe(2_500);
  expect(directory.byPublicId(bot.publicId)).toMatchObject({
    id: bot.id,
    botId: 9_000_000_001,
    status: 'paused',
    apiRoot: 'http://local:8081',
    allowedUpdates: ['message'],
    previousSecretHash: null,
    project: { id: project.id, publicId: 'prj_shop', status: 'active', releaseNumber: null },
  });
  expect(directory.byId(bot.id)).toBe(directory.byPublicId(bot.publicId));
  const kinds = new Set([...directory.entries()].map(({ allowedUpdates }) => allowedUpdates));
  expect([...kinds], 'equal lists are one').toEqual([['callback_query', 'message'], ['message']]);
  expect(directory.byPublicId('int_nobody')).toBeUndefined();
  const buckets = await db.many<{ id: number; bucket: number }>(
    sql`select id, bucket from integration where status <> 'disconnected'`,
  );
  expect(buckets.every((row) => directory.byId(row.id)?.bucket === row.bucket)).toBe(true);
});

test('follows changes of bots and projects, and tells of them after they are in', async () => {
  const project = await insertProject(db, 'shop');
  const other = await insertProject(db, 'other');
  const bot = await insertBot(db, project, { botId: 1 });
  const directory = await loaded();
  const told: [DirectoryChange['kind'], boolean][] = [];
  const stop = directory.onChange((change) => told.push([change.kind, directory.isWorking(bot.id)]));
  expect(directory.isWorking(bot.id)).toBe(true);

  await db.run(sql`update integration set status = 'paused', rev = nextval('change_rev') where id = ${bot.id}`);
  await look(directory);
  expect(directory.isWorking(bot.id)).toBe(false);
  await db.run(sql`update integration set status = 'active', rev = nextval('change_rev') where id = ${bot.id}`);
  await look(directory);
  await db.run(
    sql`update project set status = 'paused', release_number = 3, rev = nextval('change_rev') where id = ${project.id}`,
  );
  await db.run(sql`update project set status = 'paused', rev = nextval('change_rev') where id = ${other.id}`);
  await look(directory);
  expect(directory.byId(bot.id)?.project).toMatchObject({ status: 'paused', releaseNumber: 3 });
  await db.run(sql`update integration set status = 'disconnected', rev = nextval('change_rev') where id = ${bot.id}`);
  await look(directory, 6);
  expect([directory.byId(bot.id), directory.byPublicId(bot.publicId)]).toEqual([undefined, undefined]);
  expect(told).toEqual([
    ['bot', false],
    ['bot', true],
    ['project', false],
    ['bot', false],
  ]);

  stop();
  await insertBot(db, project, { botId: 2 });
  await look(directory);
  expect([told.length, directory.size()]).toEqual([4, 1]);
});

test('a change is visible when refresh resolves, also when a look was under way', async () => {
  const project = await insertProject(db, 'shop');
  const directory = await loaded();
  const before = directory.refresh();
  await insertBot(db, project, { botId: 1 });
  await directory.refresh();
  await before;
  expect(directory.size()).toBe(1);
});

test.each(['bot', 'project'])(
  'a slow transaction that commits an older revision after newer ones were read is not missed (%s)',
  async (what) => {
    const project = await insertProject(db, 'shop');
    const slow = await insertBot(db, project, { botId: 1 });
    const quick = await insertBot(db, await insertProject(db, 'quick'), { botId: 2 });
    const directory = await loaded();
    await look(directory, 6);
    const updated = gate();
    const commit = gate();
    const transaction = db.tx(async (tx) => {
      if (what === 'bot')
        await tx.run(sql`update integration set status = 'paused', rev = nextval('change_rev') where id = ${slow.id}`);
      else
        await tx.run(sql`update project set status = 'paused', rev = nextval('change_rev') where id = ${project.id}`);
      updated.open();
      await commit.opened;
    });
    await updated.opened;
    // Newer revisions come and are read while it is open, more than any fixed overlap would cover.
    for (let round = 0; round < 20; round += 1) {
      await db.run(
        sql`update integration set title = title || 'x', rev = nextval('change_rev') where id = ${quick.id}`,
      );
      await look(directory);
    }
    expect(directory.isWorking(slow.id)).toBe(true);
    commit.open();
    await transaction;
    await look(directory);
    expect(directory.isWorking(slow.id)).toBe(false);
  },
);

test('a look asks one statement, and reads nothing again once all is known', async () => {
  const project = await insertProject(db, 'shop');
  await insertManyBots(db, project, 300);
  const count = { asked: 0, rows: 0 };
  const directory = await loaded(counting(count));
  await look(directory, 5);
  Object.assign(count, { asked: 0, rows: 0 });
  await look(directory, 4);
  // One row each time: how far transactions are.
  expect(count).toEqual({ asked: 4, rows: 4 });
});

test('a look reads by the indexes of the revisions, however many bots there are', async () => {
  const project = await insertProject(db, 'shop');
  await insertManyBots(db, project, 10_000);
  await db.run(
    sql`insert into project (public_id, name) select 'prj_' || n, 'project ' || n from generate_series(1, 5000) n`,
  );
  await db.run(sql`analyze integration, project`);
  const top = await db.one<{ rev: number }>(sql`select max(rev) as rev from integration`);
  let statement: Sql | undefined;
  const capture: Queryable = {
    ...db,
    many: async (asked) => {
      statement = asked;
      return [];
    },
  };
  await readChanges(capture, { after: top?.rev ?? 0, taken: [1, 2, 3], limit: 1_000 });
  if (!statement) throw new Error('no statement');
  const rows = await db.many<{ 'QUERY PLAN': string }>({ text: `explain ${statement.text}`, values: statement.values });
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('integration_rev');
  expect(plan).not.toContain('Seq Scan on integration');
});

describe('tokens', () => {
  test('are opened when asked for, many in one statement, and kept', async () => {
    const project = await insertProject(db, 'shop');
    const bots = [
      await insertBot(db, project, { botId: 1 }),
      await insertBot(db, project, { botId: 2 }),
      await insertBot(db, project, { botId: 3 }),
    ];
    const count = { asked: 0, rows: 0 };
    const directory = await loaded(counting(count));
    count.asked = 0;
    const tokens = await Promise.all([...bots, ...bots].map((bot) => directory.token(bot.id)));
    expect(tokens).toEqual([...bots, ...bots].map((bot) => bot.token));
    await directory.token(bots[0]?.id ?? 0);
    expect(count.asked).toBe(1);
  });

  test('are dropped beyond the limit, the one used longest ago first', async () => {
    const project = await insertProject(db, 'shop');
    const ids: number[] = [];
    for (const botId of [1, 2, 3]) ids.push((await insertBot(db, project, { botId })).id);
    const count = { asked: 0, rows: 0 };
    const directory = await loaded(counting(count), { tokensMax: 2 });
    const [first = 0, second = 0, third = 0] = ids;
    for (const id of [first, second, first, third]) await directory.token(id);
    count.asked = 0;
    await directory.token(first);
    expect(count.asked).toBe(0);
    await directory.token(second);
    expect(count.asked).toBe(1);
  });

  test('change with the bot', async () => {
    const project = await insertProject(db, 'shop');
    const bot = await insertBot(db, project, { botId: 1 });
    const directory = await loaded();
    await directory.token(bot.id);
    const next = `1:${'N'.repeat(35)}`;
    await db.run(
      sql`update integration set token_sealed = ${seal(project.key, tokenPlace(bot.publicId), next)}, rev = nextval('change_rev') where id = ${bot.id}`,
    );
    await look(directory);
    expect(await directory.token(bot.id)).toBe(next);
  });

  test('of a bot that is not here, or under another master key, are refused', async () => {
    const bot = await insertBot(db, await insertProject(db, 'shop'), { botId: 1 });
    const directory = await loaded();
    await expect(directory.token(999)).rejects.toMatchObject({ code: 'BOT_NOT_FOUND' });
    const stranger = await loaded(db, { vault: createVault({ master: Buffer.alloc(32, 8) }) });
    await expect(stranger.token(bot.id)).rejects.toMatchObject({ code: 'KEY_WRONG' });
    expect(await directory.token(bot.id)).toBe(bot.token);
  });
});

describe('after a failover that has lost the last commits', () => {
  test('revisions that are given again are read, and bots that were never connected are gone', async () => {
    const project = await insertProject(db, 'shop');
    const [kept, lost] = [await insertBot(db, project, { botId: 1 }), await insertBot(db, project, { botId: 2 })];
    const answers = { server: 'one' };
    // As the other server answers: with its own name.
    const over: Db = {
      ...db,
      many: async <Row>(statement: Sql) => (await db.many<Row>(statement)).map((row) => ({ ...row, ...answers })),
    };
    const directory = await loaded(over);
    await look(directory, 3);
    const changes: DirectoryChange[] = [];
    let told = 0;
    directory.onChange((change) => void changes.push(change));
    directory.onOtherServer(() => {
      told += 1;
    });
    // Every revision that this changes was read long ago; another bot has the number of one that was lost.
    await db.run(sql`update integration set username = 'renamed' where id = ${kept.id}`);
    await db.run(sql`update integration set public_id = 'bot_other' where id = ${lost.id}`);
    const third = await insertBot(db, project, { botId: 3 });
    await look(directory);
    await db.run(sql`delete from integration where id = ${third.id}`);
    expect(directory.size()).toBe(3);
    expect(directory.byId(kept.id)?.username).not.toBe('renamed');
    answers.server = 'two';
    await look(directory);
    expect(told).toBe(1);
    expect(directory.byId(kept.id)?.username).toBe('renamed');
    expect(directory.byPublicId(lost.publicId)).toBeUndefined();
    expect(directory.byPublicId('bot_other')?.id).toBe(lost.id);
    expect(directory.size()).toBe(2);
    expect(changes.at(-1)).toEqual({ kind: 'bot', id: third.id, publicId: third.publicId, entry: undefined });
    expect(await directory.token(kept.id)).toBe(kept.token);
    await look(directory);
    expect(told).toBe(1);
  });

  test('a sequence that went back is noticed too, on a server that does not say who it is', async () => {
    const project = await insertProject(db, 'shop');
    const bot = await insertBot(db, project, { botId: 1 });
    const directory = await loaded();
    await look(directory, 3);
    await db.run(sql`select setval('change_rev', 1)`);
    await db.run(sql`update integration set username = 'renamed', rev = nextval('change_rev') where id = ${bot.id}`);
    await look(directory);
    expect(directory.byId(bot.id)?.username).toBe('renamed');
    await db.run(sql`select setval('change_rev', 1000000)`);
  });
});

test('start waits until all bots are known, follows by itself, and stops', async () => {
  const project = await insertProject(db, 'shop');
  await insertBot(db, project, { botId: 1 });
  const directory = createDirectory(kit, db, { vault: testVault(), apiRootDefault });
  await directory.start();
  expect(directory.size()).toBe(1);
  const seen = gate();
  directory.onChange(() => seen.open());
  await insertBot(db, project, { botId: 2 });
  directory.nudge();
  await seen.opened;
  expect(directory.size()).toBe(2);
  await directory.stop();
  await directory.stop();
});
