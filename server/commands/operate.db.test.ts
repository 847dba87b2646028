import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/sql.ts';
import { createTestCli, type TestCli } from './cli/harness.ts';

let cli: TestCli;
let botIds = 0;
beforeAll(async () => {
  cli = await createTestCli();
});
afterAll(() => cli.close());

/** A bot with rows in its inbox; seeded directly, since no process runs here. */
async function seedBot(username: string): Promise<{ id: number; bucket: number }> {
  const { db } = cli.database;
  await db.run(sql`insert into project (public_id, name) values ('prj_seed', 'Seed') on conflict do nothing`);
  const bot = await db.one<{ id: number; bucket: number }>(sql`
    insert into integration (public_id, project_id, bot_id, username, token_sealed, secret_hash)
    select ${`int_${username}`}, id, ${(botIds += 1)}, ${username}, '\\x00', '\\x00' from project where public_id = 'prj_seed'
    returning id, bucket`);
  if (bot === undefined) throw new Error('no bot');
  return bot;
}

async function seedUpdates(
  bot: { id: number; bucket: number },
  rows: readonly { key: string; lane: number; state?: number; error?: string; body?: string }[],
): Promise<void> {
  for (const row of rows) {
    const state = row.state ?? 0;
    await cli.database.db.run(sql`
      insert into inbox (integration_id, key, bucket, lane, body, state, done_at, error, attempts, received_at)
      values (${bot.id}, ${row.key}, ${bot.bucket}, ${row.lane}, ${row.body ?? '{}'}, ${state},
        case when ${state}::int > 0 then now() end, ${row.error ?? null}, 3, now() - interval '2 minutes')`);
  }
}

test('where nothing runs, status says so and ends with 1', async () => {
  const { code, out } = await cli.run('status');
  expect(code).toBe(1);
  expect(out).toContain('Nothing is running.');
  expect(out).toContain('Inbox:         empty');
  expect(out).toContain('connect one: roost bot connect');
});

test('after a kill, status says that work waits, and promises no takeover that nobody makes', async () => {
  const { db } = cli.database;
  await db.run(sql`insert into node (id, roles, host, pid, lease_until)
    values ('00000000-0000-4000-8000-00000000dead', '{edge,core}', 'here', 4712, now() - interval '1 min')`);
  const alone = await cli.run('status');
  expect(alone.out).toContain('Nothing is running.');
  expect(alone.out).toContain('has not been heard of; its work waits for a process.');
  expect(alone.out).not.toContain('taken over');
  await db.run(sql`insert into node (id, roles, host, pid, lease_until)
    values ('00000000-0000-4000-8000-00000000a11e', '{edge,core}', 'there', 4713, now() + interval '5 min')`);
  expect((await cli.run('status')).out).toContain('has not been heard of; its work is taken over within seconds.');
  await db.run(sql`delete from node where pid in (4712, 4713)`);
});

test('a full disk of the database is told, though no table can hold it', async () => {
  const { db } = cli.database;
  await db.run(sql`create function refuse_tables() returns event_trigger language plpgsql as
    $$ begin raise exception using errcode = '53100', message = 'could not extend file: No space left on device'; end $$`);
  await db.run(
    sql`create event trigger full_disk on ddl_command_start when tag in ('CREATE TABLE') execute function refuse_tables()`,
  );
  const { code, out } = await cli.run('status');
  expect(code).toBe(1);
  expect(out).toContain('The disk of the database is full: no update can be stored.');
  await db.run(sql`drop event trigger full_disk`);
  expect((await cli.run('status')).out).not.toContain('disk');
});

test.each([
  ['edge', 'core,control', 'Telegram cannot deliver, and no app opens'],
  ['core', 'edge,control', 'updates are stored and not answered'],
  ['control', 'edge,core', 'webhooks are not looked after, and nothing old is removed'],
])('where no process has the role %s, status says what that means and what to do', async (role, others, without) => {
  const { db } = cli.database;
  await db.run(sql`insert into node (id, roles, host, pid, lease_until)
    values (gen_random_uuid(), ${others.split(',')}::text[], 'here', 4714, now() + interval '5 min')`);
  const { code, out } = await cli.run('status');
  expect(out.trimEnd().split('\n').at(-1)).toBe(
    `No process has the role ${role}: ${without}. Start one: roost serve --roles ${role}`,
  );
  expect(code).toBe(1);
  await db.run(sql`delete from node where pid = 4714`);
});

test('where all is well, status ends with 0 and says it in one screen', async () => {
  const { db } = cli.database;
  await db.run(sql`insert into node (id, roles, host, pid, lease_until, started_at)
    values (gen_random_uuid(), '{edge,core,control}', 'here', 4711, now() + interval '5 min', now() - interval '2 hours')`);
  const { code, out } = await cli.run('status');
  expect(out).toContain('edge+core+control on here, pid 4711, up 2 h');
  expect(out.trimEnd().split('\n').at(-1)).toBe('All is well.');
  expect(code).toBe(0);
});

test('messages that Telegram has refused for good are never well: whose, why, and what to do', async () => {
  const { db } = cli.database;
  const bot = await seedBot('refused');
  await db.run(sql`
    insert into lost_message (integration_id, reason, words, messages, chat_id, method)
    values (${bot.id}, 'blocked', '403 Forbidden: bot was blocked by the user', 2, 5, 'sendMessage')`);
  const blocked = await cli.run('status');
  expect(blocked.out).toContain('2 messages, 2 of them to people who have blocked a bot or left Telegram');
  expect([blocked.code, blocked.out.trimEnd().split('\n').at(-1)]).toEqual([
    0,
    'Nothing needs you. What people did not get: roost lost list',
  ]);
  await db.run(sql`
    insert into lost_message (integration_id, reason, words, messages, chat_id, method)
    values (${bot.id}, '400 Bad Request: chat not found', '400 Bad Request: chat not found', 3, -77, 'sendMessage')`);
  await db.run(sql`insert into notice (kind, subject, message) values ('outbox.lost', 'int_refused', 'Refused.')`);
  const { code, out } = await cli.run('status');
  expect([code, out.includes('All is well')]).toEqual([1, false]);
  expect(out).toContain('3 messages were refused by Telegram for good: roost lost list');
  const list = (await cli.run('lost', 'list')).out;
  expect(list).toContain('@refused');
  expect(list).toContain('Telegram: 400 Bad Request: chat not found');
  expect(list).toContain('Check the number of the chat in the flow.');
  expect((await cli.run('lost', 'seen', '@refused')).out).toBe('Took 5 messages off the list.\n');
  expect((await cli.run('status')).out.trimEnd().split('\n').at(-1)).toBe('All is well.');
});

test('the longest queues are shown first, and the chats of one bot', async () => {
  expect((await cli.run('queue')).out).toBe('Nothing waits: every update was handled.\n');
  const busy = await seedBot('busy_bot');
  const calm = await seedBot('calm_bots');
  await seedUpdates(
    busy,
    [1, 2, 3, 4].map((key) => ({ key: String(key), lane: key % 2 === 0 ? 20 : 10 })),
  );
  await seedUpdates(busy, [{ key: '9', lane: 20 }]);
  await seedUpdates(calm, [{ key: '1', lane: 5 }]);
  const { out } = await cli.run('queue');
  expect(out).toMatch(/@busy_bot +Seed +5 +2 min( \d+ s)? ago\n@calm_bots +Seed +1 /);
  expect(await cli.json('queue', '--bot', '@busy_bot')).toMatchObject({
    lanes: [
      { chat: 20, waiting: 3 },
      { chat: 10, waiting: 2 },
    ],
  });
  expect((await cli.run('queue', '--limit', '1')).out).toContain('2 bots wait in all');
  expect((await cli.run('queue', '--bot', '@busy_bot')).out).toMatch(/^CHAT .*\n20 +3 /);
  expect((await cli.run('queue', '--bot', '@nobody')).err).toContain('BOT_NOT_FOUND');
  const status = await cli.json<{ inbox: { depth: number; oldestSeconds: number } }>('status');
  expect(status.inbox.depth).toBe(6);
  expect(status.inbox.oldestSeconds).toBeGreaterThan(100);
});

test('dead letters are listed, shown, retried and dropped, and none is lost on the way', async () => {
  expect((await cli.run('dead', 'list')).out).toContain('There are no dead letters');
  const bot = await seedBot('sick');
  await seedUpdates(bot, [
    {
      key: '41',
      lane: 1,
      state: 3,
      error: 'Cannot read\u001b[31m this',
      body: '{"update_id":41,"message":{"text":"\\u001b[2J"}}',
    },
    { key: '42', lane: 1, state: 3, error: 'Again' },
    { key: '43', lane: 2, state: 3, error: 'Again' },
  ]);
  const list = await cli.run('dead', 'list', '--bot', '@sick');
  expect(list.out).toMatch(/@sick +41 .* 3 +Cannot read/);
  expect(list.out).not.toContain('\u001b');
  expect(list.out).toContain('3 dead letters in all.');
  const shown = await cli.run('dead', 'show', '@sick', '41');
  expect(shown.out).toContain('"update_id": 41');
  expect(shown.out).not.toContain('\u001b');
  expect(await cli.json('dead', 'show', 'int_sick', '41')).toMatchObject({
    key: '41',
    attempts: 3,
    update: { update_id: 41 },
  });

  expect((await cli.run('dead', 'retry', '@sick')).err).toContain('Give the KEY of one dead letter, or --all');
  expect((await cli.run('dead', 'retry', '@sick', '41')).out).toBe('1 update of @sick will be handled again.\n');
  expect((await cli.run('dead', 'retry', '@sick', '41')).err).toBe(
    'DEAD_LETTER_NOT_FOUND: @sick has no dead letter 41.\n',
  );
  expect((await cli.run('dead', 'drop', '@sick', '42')).out).toBe('Gave up 1 update of @sick.\n');
  expect(await cli.json('dead', 'retry', '@sick', '--all')).toEqual({ retried: 1 });
  expect((await cli.run('dead', 'drop', '@sick', '--all')).out).toBe('@sick has no dead letters.\n');
  const rows = await cli.database.db.many(
    sql`select key, state, attempts from inbox where integration_id = ${bot.id} order by key`,
  );
  expect(rows).toEqual([
    { key: '41', state: 0, attempts: 0 },
    { key: '42', state: 4, attempts: 3 },
    { key: '43', state: 0, attempts: 0 },
  ]);
});

test('messages of unknown fate are listed with where they should have gone', async () => {
  expect((await cli.run('unknown', 'list')).out).toContain('There are none');
  const bot = await seedBot('lost_answers');
  await cli.database.db.run(sql`
    insert into outbox (integration_id, key, bucket, chat_id, method, params, state, doubts, error)
    values (${bot.id}, 'k1', ${bot.bucket}, 77, 'sendMessage', '{}', 4, 2, 'socket hang up')`);
  expect((await cli.run('unknown', 'list')).out).toMatch(
    /@lost_answers +77 +sendMessage .* socket hang up\n1 message in all\.\n$/,
  );
  expect(await cli.json('unknown', 'list')).toMatchObject({
    total: 1,
    unknown: [{ username: 'lost_answers', chatId: 77 }],
  });
});

test('what needs somebody is at the end of status, and makes it end with 1', async () => {
  const { db } = cli.database;
  const bot = await seedBot('needs_you');
  await seedUpdates(bot, [{ key: '1', lane: 1, state: 3, error: 'x' }]);
  await db.run(
    sql`insert into notice (kind, subject, message) values ('token', '@needs_you', 'Its token was refused.')`,
  );
  const { code, out } = await cli.run('status');
  expect(code).toBe(1);
  expect(out).toContain('@needs_you: Its token was refused.');
  expect(out).toContain('1 update was given up: roost dead list');
  expect(out).toContain('Of 1 message nobody knows whether they arrived: roost unknown list');
  expect(out).not.toContain('All is well');
});

test('messages of unknown end leave the list once somebody has looked at them', async () => {
  expect((await cli.run('unknown', 'seen')).code).toBe(2);
  const mistyped = await cli.run('unknown', 'seen', '@lost_answers', '--key', 'k11');
  expect([mistyped.code, mistyped.err]).toEqual([
    1,
    'NOT_FOUND: No message with the key "k11" is on the list of this bot.\n',
  ]);
  expect((await cli.run('unknown', 'seen', '@lost_answers', '--key', 'k1')).out).toBe('Took 1 message off the list.\n');
  expect(await cli.json('unknown', 'list')).toMatchObject({ total: 0, unknown: [] });
  expect((await cli.run('unknown', 'seen', '--all')).out).toBe('There was nothing to take off the list.\n');
});

test('migrate says at which level the database is', async () => {
  const { out } = await cli.run('migrate');
  expect(out).toContain('000001_spine.sql');
  expect(out).toContain('The database is up to date.');
  expect(await cli.json('migrate')).toMatchObject({ schemaLevel: expect.any(Number) });
});
