import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../../kernel/sql.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { insertBot, insertProject } from './fixtures.ts';
import { checkBots } from './health.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('bots in trouble are counted by their trouble', async () => {
  const { db } = database;
  const fine = async () => (await checkBots(db)).map((check) => check.isFine);
  expect(await fine()).toEqual([true, true, true]);
  const project = await insertProject(db, 'shop');
  for (const botId of [1, 2, 3, 4]) await insertBot(db, project, { botId });
  expect(await fine()).toEqual([true, true, true]);
  await db.run(sql`update integration set status = 'token_invalid' where bot_id = 1`);
  await db.run(sql`update integration set webhook_problem = 'x' where bot_id in (2, 3)`);
  await db.run(sql`update integration set pending_count = 501 where bot_id = 4`);
  const checks = await checkBots(db);
  expect(checks.map((check) => [check.name, check.isFine])).toEqual([
    ['bots.tokens', false],
    ['bots.webhooks', false],
    ['bots.deliveries', false],
  ]);
  expect(checks[1]?.message).toContain('2 bots');
  // What is disconnected troubles nobody.
  await db.run(sql`update integration set status = 'disconnected'`);
  expect(await fine()).toEqual([true, true, true]);
});
