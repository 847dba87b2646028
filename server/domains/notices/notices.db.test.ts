import { afterAll, beforeAll, expect, test } from 'vitest';
import { realKit } from '../../../kernel/kit.ts';
import { createLog } from '../../../kernel/log.ts';
import { sql } from '../../../kernel/sql.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { closeNotices, listNotices, openNotice } from './notices.ts';
import { deleteNotices, endOldNotices } from './sql.ts';
import { createTroubles, unformattedTrouble } from './worker.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('a notice is told once until it is over', async () => {
  const { db } = database;
  const notice = {
    kind: 'token',
    subject: '@shop_bot',
    message: 'The token 123456:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA was refused.',
  };
  expect(await openNotice(db, notice)).toBe(true);
  expect(await openNotice(db, notice)).toBe(false);
  expect(await listNotices(db)).toMatchObject([
    { kind: 'token', subject: '@shop_bot', message: 'The token [token] was refused.' },
  ]);
  expect(await closeNotices(db, [notice.kind], notice.subject)).toBe(true);
  expect(await closeNotices(db, [notice.kind], notice.subject)).toBe(false);
  expect(await listNotices(db)).toEqual([]);
  expect(await openNotice(db, notice)).toBe(true);
});

test('notices are forgotten some time after they are over, never while they are open', async () => {
  const { db } = database;
  await db.run(sql`insert into notice (kind, subject, message, opened_at, closed_at)
    select 'old', n::text, '', now() - interval '40 days', now() - interval '31 days' from generate_series(1, 5) n`);
  await db.run(
    sql`insert into notice (kind, subject, message, opened_at) values ('open', '1', '', now() - interval '90 days')`,
  );
  expect(await deleteNotices(db, { days: 30, limit: 3, skip: 0 })).toBe(3);
  expect(await deleteNotices(db, { days: 30, limit: 3, skip: 0 })).toBe(2);
  expect((await listNotices(db)).map(({ kind }) => kind)).toContain('open');
});

test('formatting that cannot be read is told once a bot, and logged once a minute with a number', async () => {
  const { db } = database;
  const lines: string[] = [];
  let nowMs = 0;
  const log = createLog({ level: 'info', sink: { write: (line) => void lines.push(line) } });
  const tell = createTroubles({ ...realKit(log), monotonicMs: () => nowMs }, db);
  const unformatted = (bot: { publicId: string; username: string }, method: string) =>
    tell(unformattedTrouble(bot, method));
  const shop = { publicId: 'int_shop', username: 'shop_bot' };
  for (const atMs of [0, 1, 59_999, 60_000]) {
    nowMs = atMs;
    unformatted(shop, 'sendMessage');
  }
  unformatted({ publicId: 'int_tea', username: 'tea_bot' }, 'sendPhoto');
  expect(lines.map((line) => JSON.parse(line) as { bot: string; messages: number })).toMatchObject([
    { bot: 'int_shop', messages: 1 },
    { bot: 'int_shop', messages: 3 },
    { bot: 'int_tea', method: 'sendPhoto', messages: 1 },
  ]);
  const subjects = async (): Promise<string[]> =>
    (await listNotices(db)).filter(({ kind }) => kind === 'outbox.unformatted').map(({ subject }) => subject);
  while ((await subjects()).length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  expect((await subjects()).sort()).toEqual(['int_shop', 'int_tea']);
});

test('a notice that passes by itself is over after its time, and others are not', async () => {
  const { db } = database;
  await db.run(sql`insert into notice (kind, subject, message, opened_at) values
    ('passing', 'old', '', now() - interval '25 hours'), ('passing', 'new', '', now() - interval '23 hours'),
    ('lasting', 'old', '', now() - interval '25 hours')`);
  expect(await endOldNotices(db, { kind: 'passing', days: 1 })).toBe(1);
  expect((await listNotices(db)).map(({ kind, subject }) => `${kind} ${subject}`)).toEqual(
    expect.arrayContaining(['passing new', 'lasting old']),
  );
});
