import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../../kernel/sql.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { botNames, countBots, countParks, findBot, listProcesses } from './ops.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('processes, bots and parks are counted', async () => {
  const { db } = database;
  await db.run(sql`insert into node (id, roles, host, pid, lease_until)
    values ('00000000-0000-0000-0000-000000000001', '{core}', 'a', 1, now() + interval '10 min'),
           ('00000000-0000-0000-0000-000000000002', '{edge}', 'b', 2, now() - interval '1 s')`);
  await db.run(sql`update bucket set owner = '00000000-0000-0000-0000-000000000001' where id < 10`);
  expect(await listProcesses(db)).toMatchObject([
    { pid: 1, fresh: true, buckets: 10 },
    { pid: 2, fresh: false, buckets: 0 },
  ]);
  await db.run(sql`insert into project (public_id, name) values ('prj_x', 'Shop')`);
  await db.run(sql`insert into integration (public_id, project_id, bot_id, username, status)
    select 'int_' || n, p.id, n, 'Bot' || n, 'disconnected' from project p, generate_series(1, 2) n`);
  expect(await countBots(db)).toEqual({});
  await db.run(
    sql`insert into park (integration_id, chat_id, until_at) values (1, 0, now() + interval '1 min'), (2, 0, now() - interval '1 min')`,
  );
  expect(await countParks(db)).toBe(1);
  const bot = await findBot(db, '@bot1');
  expect(bot).toMatchObject({ publicId: 'int_1', username: 'Bot1', project: 'Shop' });
  expect(await findBot(db, 'int_1')).toEqual(bot);
  expect((await botNames(db, [bot.id, bot.id])).get(bot.id)).toMatchObject({ username: 'Bot1' });
  await expect(findBot(db, '@nobody')).rejects.toMatchObject({ code: 'BOT_NOT_FOUND' });
});
