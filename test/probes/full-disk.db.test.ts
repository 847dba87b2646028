import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/sql.ts';
import { until } from '../fault/waiting.ts';
import { deliver, get, type Probed, type Ready, readiness, startProbed, textUpdate } from './webhook.ts';

// The inbox refuses rows as PostgreSQL does on a full disk; everything that reads goes on.
let probed: Probed;

beforeAll(async () => {
  probed = await startProbed();
});
afterAll(() => probed?.close());

const failed = async (): Promise<number> =>
  Number(/^roost_failed_stores_total (\d+)$/m.exec((await get(probed.server.port, '/metrics')).text)?.[1]);

test('a full disk shows where operators look, and is over with the first update that is stored', async () => {
  const { database, server, bot, secret } = probed;
  const ready = (): Promise<Ready> => readiness(server.port);
  await database.db.run(sql`create function no_space() returns trigger language plpgsql as
    $$ begin raise exception using errcode = '53100', message = 'could not extend file: No space left on device'; end $$`);
  await database.db.run(sql`create trigger full_disk before insert on inbox execute function no_space()`);
  let refused = 0;
  const refuse = async (): Promise<void> => {
    expect((await deliver(server.port, bot.publicId, secret, textUpdate(1))).status).toBe(503);
    refused += 1;
  };
  while (refused < 20) await refuse();
  // A failure is remembered for ten seconds, and this machine may be slower than that.
  const state = await until(
    'it to notice',
    () => refuse().then(ready),
    (found) => !found.ready,
  );
  expect(state.checks).toMatchObject({ database: 'ok', intake: expect.stringContaining('could not be stored') });
  expect(await failed()).toBe(refused);
  expect(server.logged('intake.not_stored').length, 'a line an update').toBeLessThan(refused);
  await database.db.run(sql`drop trigger full_disk on inbox`);
  expect((await deliver(server.port, bot.publicId, secret, textUpdate(1))).status).toBe(200);
  await until('it to be ready again', ready, (found) => found.ready);
  expect(await failed()).toBe(refused);
});
