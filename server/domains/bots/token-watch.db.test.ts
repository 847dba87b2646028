import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Db } from '../../../kernel/db.ts';
import { sql } from '../../../kernel/sql.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { createTokenWatch, type Directory, type TokenWatch } from './bots.ts';
import { insertBot, insertProject, type TestBot, type TestKit, testVault } from './fixtures.ts';
import { type FakeAnswer, type FakeTelegram, openBots } from './harness.ts';
import { tokenPlace } from './tokens.ts';
import { seal } from './vault.ts';

let database: TestDatabase;
let db: Db;
let kit: TestKit;
let fake: FakeTelegram;
let directory: Directory;
let watch: TokenWatch;
let bot: TestBot;

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.close());
beforeEach(async () => {
  const world = await openBots(db);
  ({ kit, fake, directory } = world);
  watch = createTokenWatch(world.deps);
  bot = await insertBot(db, await insertProject(db, 'shop'), { botId: 1 });
  await directory.refresh();
  await watch.start();
});
afterEach(() => watch.stop());

/** The 401 of a send, then so many looks half a minute apart; `after` runs before each. */
async function looks(count: number, before: (look: number) => void = () => {}): Promise<void> {
  for (let look = 1; look <= count; look += 1) {
    before(look);
    const asked = fake.next('getMe');
    if (look === 1) watch.refused(bot.id);
    else kit.advance(30_000);
    watch.nudge();
    await asked;
  }
}
const notices = () =>
  db.many<{ kind: string; subject: string }>(sql`select kind, subject from notice where closed_at is null`);
const works = { id: 100_000_001, username: 'bot1', first_name: 'Bot', is_bot: true as const };

test('three refusals over a minute stop the bot, and that is told once', async () => {
  const stopped = kit.next('bot.token_invalid');
  await looks(2);
  watch.refused(bot.id);
  expect([watch.isSuspect(bot.id), directory.isWorking(bot.id)]).toEqual([true, true]);
  const asked = fake.next('getMe');
  kit.advance(29_999);
  // Passes enough for a look that came too early.
  for (let pass = 0; pass < 20; pass += 1) {
    watch.nudge();
    await directory.refresh();
  }
  expect(fake.calls).toHaveLength(2);
  kit.advance(1);
  watch.nudge();
  await asked;
  await stopped;
  expect([watch.isSuspect(bot.id), directory.isWorking(bot.id), directory.byId(bot.id)?.status]).toEqual([
    false,
    false,
    'token_invalid',
  ]);
  expect(await notices()).toEqual([{ kind: 'bot.token_invalid', subject: bot.publicId }]);
  // A bot that has stopped is not looked into again.
  watch.refused(bot.id);
  while (watch.isSuspect(bot.id)) await new Promise((resolve) => setTimeout(resolve, 5));
  expect([fake.calls.length, (await notices()).length]).toEqual([3, 1]);
  expect(JSON.stringify([kit.lines, await db.many(sql`select * from notice`)])).not.toContain(bot.token);
});

test('one good answer clears it', async () => {
  const cleared = kit.next('bot.token_cleared');
  await looks(3, (look) => void (look === 3 && fake.bots.set(bot.token, works)));
  await cleared;
  expect([watch.isSuspect(bot.id), directory.byId(bot.id)?.status, await notices()]).toEqual([false, 'active', []]);
});

test('Telegram out of reach is no refusal', async () => {
  const silent: FakeAnswer[] = [{ drop: true }, { status: 502, body: '<html>' }];
  fake.answer('getMe', () => silent.shift());
  await looks(4);
  expect([watch.isSuspect(bot.id), directory.byId(bot.id)?.status]).toEqual([true, 'active']);
  const stopped = kit.next('bot.token_invalid');
  kit.advance(30_000);
  watch.nudge();
  await stopped;
});

async function changeToken(next: string): Promise<void> {
  const project = await db.one<{ data_key: Buffer }>(sql`select data_key from project`);
  const key = testVault().openDataKey(project?.data_key ?? Buffer.alloc(0), 'prj_shop');
  await db.run(
    sql`update integration set token_sealed = ${seal(key, tokenPlace(bot.publicId), next)}, rev = nextval('change_rev')`,
  );
}

test('a token that is changed during the last look does not stop the bot', async () => {
  await looks(2);
  fake.answer('getMe', async () => {
    await changeToken(`100000001:${'N'.repeat(35)}`);
    return undefined;
  });
  kit.advance(30_000);
  watch.nudge();
  while (watch.isSuspect(bot.id)) await new Promise((resolve) => setTimeout(resolve, 5));
  await directory.refresh();
  expect([directory.byId(bot.id)?.status, await notices()]).toEqual(['active', []]);
});

test('a token that was changed meanwhile is what counts', async () => {
  await looks(2);
  const next = `100000001:${'N'.repeat(35)}`;
  fake.bots.set(next, works);
  const cleared = kit.next('bot.token_cleared');
  await changeToken(next);
  kit.advance(30_000);
  watch.nudge();
  await cleared;
  expect(await notices()).toEqual([]);
});
