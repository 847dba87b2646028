import type { WebhookInfo } from '@grammyjs/types';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Db, Queryable } from '../../../../kernel/db.ts';
import type { Loop } from '../../../../kernel/loop.ts';
import type { Sql } from '../../../../kernel/sql.ts';
import { sql } from '../../../../kernel/sql.ts';
import type { TestDatabase } from '../../../../test/support/database.ts';
import { createTestDatabase } from '../../../../test/support/database.ts';
import type { BotsDeps } from '../bots.ts';
import type { TestBot, TestKit, TestProject } from '../fixtures.ts';
import { insertBot, insertManyBots, insertProject } from '../fixtures.ts';
import { type FakeTelegram, openBots, refusal } from '../harness.ts';
import { webhookUrl } from '../rules.ts';
import * as statements from '../sql.ts';
import { createReconciler } from './reconciler.ts';
import * as watchStatements from './sql.ts';

const publicUrl = 'https://bots.example.com';
let database: TestDatabase;
let db: Db;
let kit: TestKit;
let fake: FakeTelegram;
let deps: BotsDeps;
let project: TestProject;
let refused: number[];
const running: Loop[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.close());
beforeEach(async () => {
  ({ kit, fake, deps } = await openBots(db, publicUrl));
  await db.run(sql`update webhook_watch set lease_until = '-infinity'`);
  project = await insertProject(db, 'shop');
  refused = [];
});
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop();
});

/** A bot that Telegram knows, its webhook set as it should be. */
async function standingBot(botId: number): Promise<TestBot> {
  const bot = await insertBot(db, project, { botId, webhookUrl: 'x' });
  const url = webhookUrl(publicUrl, bot.publicId);
  await db.run(sql`update integration set webhook_url = ${url}, webhook_checked_at = now() where id = ${bot.id}`);
  fake.bots.set(bot.token, { id: botId, username: `bot${botId}`, first_name: 'Bot', is_bot: true });
  fake.webhooks.set(bot.token, info(url));
  return bot;
}
const info = (url: string, more: Partial<WebhookInfo> = {}): WebhookInfo => ({
  url,
  has_custom_certificate: false,
  pending_update_count: 0,
  max_connections: 10,
  allowed_updates: ['message'],
  ...more,
});

function reconciler(with_: BotsDeps = deps): Loop {
  const made = createReconciler(with_, { refused: (id) => refused.push(id) });
  running.push(made);
  return made;
}
const makeDue = (bot: TestBot) =>
  db.run(sql`update integration set webhook_checked_at = now() - interval '61 seconds' where id = ${bot.id}`);
const makeUnset = (bot: TestBot) =>
  db.run(sql`update integration set webhook_set_at = null, webhook_retry_at = null where id = ${bot.id}`);
const setAgo = (bot: TestBot, hours: number) =>
  db.run(
    sql`update integration set webhook_set_at = now() - make_interval(secs => ${hours * 3_600}) where id = ${bot.id}`,
  );
const rowOf = async (bot: TestBot) => (await statements.findBotById(db, bot.id)) as statements.BotRow;
const notices = () =>
  db.many<{ kind: string; subject: string; open: boolean }>(
    sql`select kind, subject, closed_at is null as open from notice`,
  );
const sets = () => fake.methods().filter((method) => method === 'setWebhook').length;

/** Runs passes until the row has been looked at once more. Polls the database: what is waited for is a row. */
async function looked(loop: Loop, bot: TestBot): Promise<void> {
  await makeDue(bot);
  for (let done = false; !done; ) {
    loop.nudge();
    await new Promise((resolve) => setTimeout(resolve, 5));
    done =
      (await db.one(
        sql`select 1 from integration where id = ${bot.id} and webhook_checked_at > now() - interval '60 seconds'`,
      )) !== undefined;
  }
}

test('what is to be set is set, and recorded with what Telegram says', async () => {
  const bot = await standingBot(1);
  await makeUnset(bot);
  await db.run(
    sql`update integration set allowed_updates = '{message,poll}', secret_previous_hash = secret_hash, secret_previous_until = 'infinity'`,
  );
  const set = kit.next('bot.webhook_set');
  await reconciler().start();
  expect(await set).toMatchObject({ bot: bot.publicId, why: 'unset' });
  expect(fake.webhooks.get(bot.token)).toMatchObject({ allowed_updates: ['message', 'poll'], secret: bot.secret });
  expect(await rowOf(bot)).toMatchObject({
    webhook_problem: null,
    webhook_tries: 0,
    pending_count: 0,
    webhook_url: webhookUrl(publicUrl, bot.publicId),
  });
  const previous = await db.one<{ limited: boolean }>(
    sql`select secret_previous_until < now() + interval '601 seconds' as limited from integration`,
  );
  expect(previous?.limited).toBe(true);
});

test('a webhook that was removed is set again once, told once, and not fought over', async () => {
  const bot = await standingBot(1);
  await setAgo(bot, 2);
  const watch = reconciler();
  await watch.start();
  for (let round = 0; round < 5; round += 1) {
    fake.webhooks.delete(bot.token);
    await looked(watch, bot);
  }
  expect([sets(), await notices()]).toEqual([1, [{ kind: 'bot.webhook_lost', subject: bot.publicId, open: true }]]);
  expect(kit.eventsOf('bot.webhook_lost')).toHaveLength(1);
  expect(await rowOf(bot)).toMatchObject({
    webhook_lost_count: 1,
    webhook_problem: expect.stringContaining('growing pauses'),
  });

  // An hour later it is tried again.
  await setAgo(bot, 1.1);
  await looked(watch, bot);
  expect([sets(), (await rowOf(bot)).webhook_lost_count]).toEqual([2, 2]);

  // A day without a loss, and it is over.
  await setAgo(bot, 25);
  await looked(watch, bot);
  expect([await rowOf(bot), await notices()]).toMatchObject([
    { webhook_lost_count: 0, webhook_problem: null },
    [{ open: false }],
  ]);
});

test('a webhook at another address is told by its host', async () => {
  const bot = await standingBot(1);
  await setAgo(bot, 2);
  fake.webhooks.set(bot.token, info('https://thief.example/s3cret'));
  const watch = reconciler();
  await watch.start();
  await looked(watch, bot);
  const told = JSON.stringify([await db.many(sql`select * from notice`), kit.lines, await rowOf(bot)]);
  expect(told).toContain('thief.example');
  expect(told).not.toContain('s3cret');
  expect(fake.webhooks.get(bot.token)?.url).toBe(webhookUrl(publicUrl, bot.publicId));
});

test('failed deliveries are told when they are new, and what waits is counted', async () => {
  const bot = await standingBot(1);
  const watch = reconciler();
  await watch.start();
  const failing = (date: number) =>
    info(webhookUrl(publicUrl, bot.publicId), {
      pending_update_count: 42,
      last_error_date: date,
      last_error_message: `Wrong response: 502 /bot${bot.token}/`,
    });
  for (const date of [1_700_000_000, 1_700_000_000, 1_700_000_060]) {
    fake.webhooks.set(bot.token, failing(date));
    await looked(watch, bot);
  }
  expect(kit.eventsOf('bot.delivery_failed')).toHaveLength(2);
  expect(await rowOf(bot)).toMatchObject({
    pending_count: 42,
    delivery_error: 'Wrong response: 502 /bot[token]/',
    delivery_error_at: new Date(1_700_000_060_000),
  });
  expect(kit.lines.join('')).not.toContain(bot.token);
});

test('what could not be set is tried later and holds up nobody', async () => {
  const [broken, refusing, last] = [await standingBot(1), await standingBot(2), await standingBot(3)];
  for (const bot of [broken, refusing, last]) await makeUnset(bot);
  await db.run(sql`update integration set token_sealed = decode('00', 'hex') where id = ${broken.id}`);
  fake.answer('setWebhook', (call) =>
    call.token === refusing.token
      ? refusal(400, 'Bad Request: bad webhook: IP address 10.0.0.1 is reserved')
      : undefined,
  );
  const watch = reconciler();
  const seen = [kit.next('bot.seal_broken'), kit.next('bot.webhook_failed'), kit.next('bot.webhook_set')];
  await watch.start();
  for (const event of seen) {
    watch.nudge();
    await event;
    watch.nudge();
  }
  expect(await rowOf(refusing)).toMatchObject({
    webhook_set_at: null,
    webhook_tries: 1,
    webhook_problem: 'Telegram refuses the webhook: 400 Bad Request: bad webhook: IP address 10.0.0.1 is reserved',
  });
  expect((await rowOf(last)).webhook_set_at).not.toBeNull();
  const retry = await db.many<{ seconds: number }>(
    sql`select extract(epoch from webhook_retry_at - webhook_checked_at)::float8 as seconds from integration where webhook_set_at is null order by id`,
  );
  expect(retry[0]?.seconds).toBeGreaterThan(3_000);
  expect(retry[1]?.seconds).toBeGreaterThan(10);
  expect(retry[1]?.seconds).toBeLessThan(16);
});

test('a refused token is handed to the token watch', async () => {
  const bot = await standingBot(1);
  fake.bots.clear();
  const watch = reconciler();
  await watch.start();
  await looked(watch, bot);
  expect(refused).toEqual([bot.id]);
});

test('what a died process left connecting is undone', async () => {
  const bot = await standingBot(1);
  await db.run(
    sql`update integration set status = 'connecting', webhook_set_at = null, created_at = now() - interval '121 seconds'`,
  );
  const watch = reconciler();
  const gone = fake.next('deleteWebhook');
  await watch.start();
  await gone;
  await watch.stop();
  expect([(await rowOf(bot)).status, fake.webhooks.size]).toEqual(['disconnected', 0]);
});

test('another PUBLIC_URL is told to Telegram for every bot', async () => {
  const bots = [await standingBot(1), await standingBot(2)];
  const watch = reconciler({ ...deps, publicUrl: 'https://new.example.com' });
  const first = kit.next('bot.webhook_set');
  await watch.start();
  await first;
  const second = kit.next('bot.webhook_set');
  watch.nudge();
  await second;
  expect(bots.map((bot) => fake.webhooks.get(bot.token)?.url)).toEqual(
    bots.map((bot) => webhookUrl('https://new.example.com', bot.publicId)),
  );
  expect(await notices()).toEqual([]);
});

test('bots that are polled, paused for their token, or gone are not attended to; one with an address of its own is', async () => {
  const due = (url: string | null) =>
    watchStatements.nextDue(db, { publicUrl: url, checkSeconds: 60, abandonedSeconds: 120 });
  const bot = await standingBot(1);
  await makeDue(bot);
  expect(await due(null)).toBeUndefined();
  expect(await due(publicUrl)).toMatchObject({ id: bot.id, due: 'oldest' });
  for (const status of ['token_invalid', 'disconnected', 'connecting']) {
    await db.run(sql`update integration set status = ${status}`);
    expect(await due(publicUrl), status).toBeUndefined();
  }
  await db.run(sql`update integration set status = 'paused', webhook_base = 'http://127.0.0.1:1'`);
  expect(await due(null)).toMatchObject({ id: bot.id });
});

test('one process at a time watches; the next takes over when it stops, or when its lease ran out', async () => {
  const bot = await standingBot(1);
  const first = reconciler();
  await first.start();
  await looked(first, bot);
  expect(await watchStatements.takeWatch(db, '00000000-0000-4000-8000-000000000001', 60)).toBe(false);
  await first.stop();
  const second = reconciler();
  await second.start();
  await looked(second, bot);
  expect(await watchStatements.takeWatch(db, '00000000-0000-4000-8000-000000000001', 60)).toBe(false);
  await db.run(sql`update webhook_watch set lease_until = now() - interval '1 second'`);
  expect(await watchStatements.takeWatch(db, '00000000-0000-4000-8000-000000000001', 60)).toBe(true);
});

test('a pass costs the same with ten thousand bots as with ten', async () => {
  await insertManyBots(db, project, 10_000);
  await db.run(
    sql`update integration set webhook_set_at = now(), webhook_checked_at = now() - interval '1 hour' - id * interval '1 second'`,
  );
  await db.run(sql`analyze integration`);
  let statement: Sql | undefined;
  const capture: Queryable = { ...db, one: async (asked) => void (statement = asked) as never };
  await watchStatements.nextDue(capture, { publicUrl, checkSeconds: 60, abandonedSeconds: 120 });
  if (!statement) throw new Error('no statement');
  const plan = (
    await db.many<{ 'QUERY PLAN': string }>({ text: `explain ${statement.text}`, values: statement.values })
  )
    .map((row) => row['QUERY PLAN'])
    .join('\n');
  expect(plan).toContain('integration_webhook_oldest');
  expect(plan).toContain('integration_webhook_unset');
  expect(plan).not.toContain('Seq Scan on integration');
});
