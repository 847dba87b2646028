import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '../../../kernel/db.ts';
import type { Refusal } from '../../../kernel/errors.ts';
import { sql } from '../../../kernel/sql.ts';
import type { TestDatabase } from '../../../test/support/database.ts';
import { createTestDatabase } from '../../../test/support/database.ts';
import type { BotEntry, BotsDeps, Directory } from './bots.ts';
import {
  checkSecret,
  connectBot,
  disconnectBot,
  listBots,
  moveWebhook,
  pauseBot,
  resumeBot,
  rotateSecret,
  rotateToken,
  setAllowedUpdates,
  showBot,
} from './bots.ts';
import type { TestKit } from './fixtures.ts';
import { insertProject } from './fixtures.ts';
import { type FakeTelegram, openBots, refusal } from './harness.ts';

const token = `123456789:${'A'.repeat(35)}`;
const publicUrl = 'https://bots.example.com';
const base = ['callback_query', 'message', 'my_chat_member', 'pre_checkout_query'];

let database: TestDatabase;
let db: Db;
let kit: TestKit;
let fake: FakeTelegram;
let directory: Directory;
let deps: BotsDeps;

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.close());
beforeEach(async () => {
  ({ kit, fake, directory, deps } = await openBots(db, publicUrl));
  fake.bots.set(token, { id: 123_456_789, username: 'shop_bot', first_name: 'Shop', is_bot: true });
  await insertProject(db, 'shop');
});

const connect = (more: Partial<Parameters<typeof connectBot>[1]> = {}) =>
  connectBot(deps, { project: 'shop', token, ...more });
const count = async (what: 'live' | 'all') =>
  (
    await db.one<{ n: number }>(
      sql`select count(*)::int as n from integration where ${what === 'all'} or status <> 'disconnected'`,
    )
  )?.n;
const entry = (publicId: string): BotEntry => {
  const found = directory.byPublicId(publicId);
  if (!found) throw new Error('no entry');
  return found;
};
const secretAtTelegram = (): string => fake.webhooks.get(token)?.secret ?? '';

describe('connecting', () => {
  test('asks, stores, tells Telegram, reads back, and is active', async () => {
    const { bot, hint } = await connect({ allowedUpdates: ['poll', 'message'] });
    expect(bot).toMatchObject({
      project: 'shop',
      botId: 123_456_789,
      username: 'shop_bot',
      title: 'Shop',
      status: 'active',
      receives: 'webhook',
      maxConnections: 10,
      webhookProblem: null,
      pendingCount: 0,
    });
    expect(hint).toBeUndefined();
    expect(fake.methods()).toEqual(['getMe', 'getWebhookInfo', 'setWebhook', 'getWebhookInfo']);
    expect(fake.calls[2]?.params).toMatchObject({
      url: `${publicUrl}/v1/telegram/webhooks/${bot.publicId}`,
      max_connections: 10,
      allowed_updates: [...base, 'poll'].sort(),
      drop_pending_updates: false,
    });
    // Known in this process before the answer, with the secret that Telegram has.
    expect(checkSecret(entry(bot.publicId), secretAtTelegram(), kit.now())).toBe(true);
    expect(await directory.token(entry(bot.publicId).id)).toBe(token);
  });

  test('stores the row before Telegram is told, so that the first update is not refused', async () => {
    let known: boolean | undefined;
    fake.answer('setWebhook', (call) => {
      const publicId = String(call.params['url']).split('/').at(-1) ?? '';
      known =
        checkSecret(directory.byPublicId(publicId), String(call.params['secret_token']), kit.now()) &&
        !directory.isWorking(entry(publicId).id);
      return undefined;
    });
    await connect();
    expect(known).toBe(true);
  });

  test('keeps neither token nor secret in plain text, nor in the log', async () => {
    const { bot } = await connect();
    const rows = JSON.stringify(
      await db.many(
        sql`select *, encode(token_sealed, 'escape') as t, encode(secret_sealed, 'escape') as s, encode(secret_hash, 'escape') as h from integration`,
      ),
    );
    for (const secret of [token, secretAtTelegram()]) {
      expect(rows).not.toContain(secret);
      expect(kit.lines.join('')).not.toContain(secret);
      expect(JSON.stringify(bot)).not.toContain(secret);
    }
  });

  const refusals: [what: string, code: string, prepare: () => void, request?: object][] = [
    ['a token of no shape', 'BOT_TOKEN_WRONG', () => {}, { token: 'https://evil/../x' }],
    ['a token Telegram does not know', 'BOT_TOKEN_WRONG', () => fake.bots.clear()],
    ['a project that is not there', 'PROJECT_NOT_FOUND', () => {}, { project: 'none' }],
    ['a server of its own that is no address', 'USAGE', () => {}, { apiRoot: 'file:///etc' }],
    ...['http://x.example.com', 'https://x.example.com:8420'].map((webhookBase): (typeof refusals)[number] => [
      `an address to which Telegram sends nothing, ${webhookBase}`,
      'USAGE',
      () => {},
      { apiRoot: 'https://api.telegram.org/', webhookBase, token: 'not looked at' },
    ]),
    ['no connections', 'USAGE', () => {}, { maxConnections: 0 }],
    ['Telegram out of reach', 'BOT_UNREACHABLE', () => fake.answer('getMe', () => ({ drop: true }))],
    [
      'a page instead of an answer',
      'BOT_UNREACHABLE',
      () => fake.answer('getMe', () => ({ status: 502, body: '<html>' })),
    ],
    [
      'too many new tokens',
      'BOT_LIMITED',
      () => fake.answer('getMe', () => refusal(429, 'Too Many Requests: retry after 60', { retry_after: 60 })),
    ],
    [
      'a webhook of somebody else',
      'BOT_FOREIGN_WEBHOOK',
      () =>
        fake.webhooks.set(token, {
          url: 'https://other.example.com/hook/secret',
          has_custom_certificate: false,
          pending_update_count: 3,
        }),
    ],
    [
      'an address Telegram refuses',
      'BOT_WEBHOOK_REFUSED',
      () =>
        fake.answer('setWebhook', () =>
          refusal(400, 'Bad Request: bad webhook: HTTPS url must be provided for webhook'),
        ),
    ],
    [
      'an answer that is lost twice',
      'BOT_UNREACHABLE',
      () => fake.answer('setWebhook', () => ({ drop: true, carryOut: true })),
    ],
    [
      'a webhook that is another one when it is read back',
      'BOT_LIMITED',
      () =>
        fake.answer('setWebhook', (call) => {
          fake.webhooks.set(call.token, {
            url: 'https://thief.example.com',
            has_custom_certificate: false,
            pending_update_count: 0,
          });
          return { body: { ok: true, result: true } };
        }),
    ],
    [
      'a setWebhook that asks to wait',
      'BOT_LIMITED',
      () => fake.answer('setWebhook', () => refusal(429, 'Too Many Requests: retry after 1', { retry_after: 1 })),
    ],
  ];
  test.each(refusals)('with %s is refused as %s and leaves nothing', async (_what, code, prepare, request = {}) => {
    prepare();
    const foreign = fake.webhooks.get(token)?.url;
    const answer = await connect(request).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(answer).toMatchObject({ name: 'Refusal', code });
    expect(JSON.stringify(answer)).not.toContain(token);
    expect(await count('live')).toBe(0);
    expect(directory.size()).toBe(0);
    const left = fake.webhooks.get(token)?.url;
    expect(left).toBe(foreign ?? (left === 'https://thief.example.com' ? left : undefined));
  });

  test('a foreign webhook is named by its host only, and replaced when that was said', async () => {
    fake.webhooks.set(token, {
      url: 'https://other.example.com/hook/s3cret',
      has_custom_certificate: false,
      pending_update_count: 3,
    });
    const answer = await connect().catch((error: unknown) => error);
    expect(answer).toMatchObject({ facts: { host: 'other.example.com' } });
    expect(JSON.stringify(answer)).not.toContain('s3cret');
    const { bot } = await connect({ replaceForeignWebhook: true });
    expect(fake.webhooks.get(token)?.url).toBe(`${publicUrl}/v1/telegram/webhooks/${bot.publicId}`);
    expect(fake.methods()).not.toContain('deleteWebhook');
  });

  test('a webhook of ours that was left behind is no foreign one', async () => {
    const { bot } = await connect();
    await db.run(sql`update integration set status = 'disconnected', rev = nextval('change_rev')`);
    await connect();
    // Another base, but the id is of a bot that was here.
    await db.run(sql`update integration set status = 'disconnected', rev = nextval('change_rev')`);
    fake.webhooks.set(token, {
      url: `https://before.example.com/v1/telegram/webhooks/${bot.publicId}`,
      has_custom_certificate: false,
      pending_update_count: 0,
    });
    expect((await connect()).bot.status).toBe('active');
  });

  test('twice is refused, also at the same moment', async () => {
    const both = await Promise.allSettled([connect(), connect()]);
    expect(both.map((each) => each.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(both.find((each) => each.status === 'rejected')).toMatchObject({
      reason: { code: 'BOT_ALREADY_CONNECTED' },
    });
    await expect(connect()).rejects.toMatchObject({ code: 'BOT_ALREADY_CONNECTED' });
    expect([await count('live'), fake.webhooks.size]).toEqual([1, 1]);
  });

  test('twice is told with what to do, and one project is told nothing of another', async () => {
    const { bot } = await connect();
    await expect(connect()).rejects.toMatchObject({
      message: expect.stringContaining('roost bot rotate @shop_bot --token TOKEN'),
      facts: { bot: bot.publicId },
    });
    await insertProject(db, 'other');
    const refused = await connect({ project: 'other' }).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'BOT_ALREADY_CONNECTED',
      message:
        '@shop_bot is connected to another project here. See to which: roost bot list. Free it: roost bot disconnect @shop_bot',
    });
    expect((refused as Refusal).facts).toEqual({});
  });

  test('that sends its updates elsewhere is refused with the host alone, and the option that moves it', async () => {
    fake.webhooks.set(token, {
      url: 'https://other.example.com/hook/secret',
      has_custom_certificate: false,
      pending_update_count: 3,
    });
    await expect(connect()).rejects.toMatchObject({
      message: expect.stringMatching(/ to other\.example\.com\. .* --replace-webhook\.$/),
      facts: { host: 'other.example.com' },
    });
  });

  test('what a process that died left half-way gives way after a while', async () => {
    await connect();
    await db.run(sql`update integration set status = 'connecting', created_at = now() - interval '1 minute'`);
    await expect(connect()).rejects.toMatchObject({ code: 'BOT_ALREADY_CONNECTED' });
    await db.run(sql`update integration set created_at = now() - interval '121 seconds'`);
    const { bot } = await connect();
    expect([await count('live'), await count('all')]).toEqual([1, 2]);
    expect(fake.webhooks.get(token)?.url).toContain(bot.publicId);
  });

  test('one lost answer is asked once more', async () => {
    let lost = 0;
    fake.answer('setWebhook', () => (lost++ === 0 ? { drop: true, carryOut: true } : undefined));
    expect((await connect()).bot.status).toBe('active');
    expect(fake.methods().filter((method) => method === 'setWebhook')).toHaveLength(2);
  });

  test('without PUBLIC_URL the bot is polled, and a webhook of ours in the way goes', async () => {
    deps = { ...deps, publicUrl: undefined };
    fake.webhooks.set(token, {
      url: 'https://other.example.com',
      has_custom_certificate: false,
      pending_update_count: 0,
    });
    await expect(connect()).rejects.toMatchObject({ code: 'BOT_FOREIGN_WEBHOOK' });
    const { bot, hint } = await connect({ replaceForeignWebhook: true });
    expect([bot.receives, bot.status]).toEqual(['polling', 'active']);
    expect(hint).toContain('PUBLIC_URL');
    expect([fake.webhooks.size, fake.methods().includes('setWebhook')]).toEqual([0, false]);
  });

  test('a bot with an address of its own has a webhook there all the same', async () => {
    deps = { ...deps, publicUrl: undefined };
    const { bot } = await connect({ webhookBase: 'http://127.0.0.1:8080/', apiRoot: `${fake.apiRoot}/` });
    expect(bot.receives).toBe('webhook');
    expect(fake.webhooks.get(token)?.url).toBe(`http://127.0.0.1:8080/v1/telegram/webhooks/${bot.publicId}`);
    await moveWebhook(deps, bot.publicId, 'http://127.0.0.1:9090');
    expect(fake.webhooks.get(token)?.url).toBe(`http://127.0.0.1:9090/v1/telegram/webhooks/${bot.publicId}`);
    expect(entry(bot.publicId)).toMatchObject({ apiRoot: fake.apiRoot, webhookBase: 'http://127.0.0.1:9090' });
  });

  test('takes the update kinds of the bots beside it when none are given', async () => {
    await connect({ allowedUpdates: ['poll'] });
    const second = `987654321:${'B'.repeat(35)}`;
    fake.bots.set(second, { id: 987_654_321, username: 'second_bot', first_name: 'Second', is_bot: true });
    expect((await connect({ token: second })).bot.allowedUpdates).toEqual([...base, 'poll'].sort());
  });
});

describe('a connected bot', () => {
  let publicId: string;
  beforeEach(async () => {
    publicId = (await connect()).bot.publicId;
    fake.calls.length = 0;
  });

  test('is listed and shown', async () => {
    expect((await listBots(deps)).map((bot) => bot.publicId)).toEqual([publicId]);
    expect(await listBots(deps, { project: 'other' })).toEqual([]);
    expect(await listBots(deps, { project: 'prj_shop', afterId: publicId })).toEqual([]);
    expect(await showBot(deps, publicId)).toMatchObject({ username: 'shop_bot' });
    await expect(showBot(deps, 'int_x')).rejects.toMatchObject({ code: 'BOT_NOT_FOUND' });
  });

  test('is paused and resumed without a word to Telegram', async () => {
    expect((await pauseBot(deps, publicId)).status).toBe('paused');
    expect((await pauseBot(deps, publicId)).status).toBe('paused');
    expect([
      directory.isWorking(entry(publicId).id),
      checkSecret(entry(publicId), secretAtTelegram(), kit.now()),
    ]).toEqual([false, true]);
    expect((await resumeBot(deps, publicId)).status).toBe('active');
    expect(directory.isWorking(entry(publicId).id)).toBe(true);
    expect(fake.calls).toEqual([]);
  });

  test('gets a new secret; the old one counts for ten minutes after Telegram has the new', async () => {
    const before = secretAtTelegram();
    let bothMeanwhile: boolean | undefined;
    fake.answer('setWebhook', (call) => {
      const known = entry(publicId);
      bothMeanwhile = [before, String(call.params['secret_token'])].every((secret) =>
        checkSecret(known, secret, kit.now() + 1e12),
      );
      return undefined;
    });
    const startedMs = Date.now();
    await rotateSecret(deps, publicId);
    const after = secretAtTelegram();
    expect([after === before, bothMeanwhile]).toEqual([false, true]);
    const until = entry(publicId).previousSecretUntilMs;
    expect(until).toBeGreaterThanOrEqual(startedMs + 599_000);
    expect(until).toBeLessThanOrEqual(Date.now() + 601_000);
    expect([
      checkSecret(entry(publicId), before, until - 1),
      checkSecret(entry(publicId), before, until),
      checkSecret(entry(publicId), after, until),
    ]).toEqual([true, false, true]);
  });

  test('keeps the secret that Telegram holds while Telegram cannot be told, however often it is changed', async () => {
    const before = secretAtTelegram();
    fake.answer('setWebhook', () => ({ drop: true }));
    await rotateSecret(deps, publicId);
    await rotateSecret(deps, publicId);
    expect(checkSecret(entry(publicId), before, kit.now() + 1e12)).toBe(true);
    expect(kit.eventsOf('bot.webhook_not_told')).toHaveLength(2);
    const row = await db.one<{ set: Date | null }>(sql`select webhook_set_at as set from integration`);
    expect(row?.set).toBeNull();
  });

  test('gets a new token of the same bot only, and with it a new secret and webhook', async () => {
    const other = `987654321:${'B'.repeat(35)}`;
    fake.bots.set(other, { id: 987_654_321, username: 'other_bot', first_name: 'Other', is_bot: true });
    await expect(rotateToken(deps, publicId, other)).rejects.toMatchObject({ code: 'BOT_TOKEN_OTHER' });
    await expect(rotateToken(deps, publicId, `123456789:${'Z'.repeat(35)}`)).rejects.toMatchObject({
      code: 'BOT_TOKEN_WRONG',
    });
    expect(await directory.token(entry(publicId).id)).toBe(token);

    const next = `123456789:${'N'.repeat(35)}`;
    fake.bots.set(next, { id: 123_456_789, username: 'renamed_bot', first_name: 'Renamed', is_bot: true });
    expect(await rotateToken(deps, publicId, next)).toMatchObject({
      publicId,
      username: 'renamed_bot',
      status: 'active',
    });
    expect(await directory.token(entry(publicId).id)).toBe(next);
    expect([
      fake.webhooks.has(token),
      checkSecret(entry(publicId), fake.webhooks.get(next)?.secret, kit.now()),
    ]).toEqual([false, true]);
  });

  test('that was stopped for its token works again with a new one, and its notice is over', async () => {
    await db.run(sql`update integration set status = 'token_invalid', rev = nextval('change_rev')`);
    await db.run(sql`insert into notice (kind, subject, message) values ('bot.token_invalid', ${publicId}, 'x')`);
    await expect(pauseBot(deps, publicId)).rejects.toMatchObject({ code: 'BOT_STATE' });
    fake.bots.delete(token);
    await expect(resumeBot(deps, publicId)).rejects.toMatchObject({ code: 'BOT_TOKEN_WRONG' });
    const next = `123456789:${'N'.repeat(35)}`;
    fake.bots.set(next, { id: 123_456_789, username: 'shop_bot', first_name: 'Shop', is_bot: true });
    expect((await rotateToken(deps, publicId, next)).status).toBe('active');
    expect(await db.many(sql`select 1 from notice where closed_at is null`)).toEqual([]);
  });

  test('of two changes at the same moment one is refused', async () => {
    // Both have read the row before either writes.
    let arrived = 0;
    let go = (): void => {};
    const both = new Promise<void>((resolve) => {
      go = resolve;
    });
    fake.answer('getMe', async () => {
      arrived += 1;
      if (arrived === 2) go();
      await both;
      return undefined;
    });
    const results = await Promise.allSettled([rotateToken(deps, publicId, token), rotateToken(deps, publicId, token)]);
    expect(
      results.map((each) => (each.status === 'fulfilled' ? 'done' : (each.reason as { code: string }).code)).sort(),
    ).toEqual(['BOT_CHANGED', 'done']);
    expect(checkSecret(entry(publicId), secretAtTelegram(), kit.now())).toBe(true);
  });

  test('is disconnected: webhook and secrets go, history stays', async () => {
    const secret = secretAtTelegram();
    await disconnectBot(deps, publicId);
    expect([
      fake.webhooks.size,
      directory.size(),
      checkSecret(directory.byPublicId(publicId), secret, kit.now()),
    ]).toEqual([0, 0, false]);
    expect(await showBot(deps, publicId)).toMatchObject({ status: 'disconnected', username: 'shop_bot' });
    expect(
      await db.many(
        sql`select 1 from integration where token_sealed is not null or secret_sealed is not null or secret_hash is not null`,
      ),
    ).toEqual([]);
    await expect(disconnectBot(deps, publicId)).rejects.toMatchObject({ code: 'BOT_STATE' });
    expect((await connect()).bot.publicId).not.toBe(publicId);
  });

  test('is not disconnected while Telegram cannot be told, unless that is said; somebody else’s webhook stays', async () => {
    fake.answer('getWebhookInfo', () => ({ drop: true }));
    await expect(disconnectBot(deps, publicId)).rejects.toMatchObject({ code: 'BOT_UNREACHABLE' });
    expect(directory.isWorking(entry(publicId).id)).toBe(true);
    fake.answer('getWebhookInfo', undefined);
    fake.webhooks.set(token, {
      url: 'https://other.example.com',
      has_custom_certificate: false,
      pending_update_count: 0,
    });
    fake.answer('deleteWebhook', () => ({ drop: true }));
    await disconnectBot(deps, publicId);
    expect(fake.webhooks.get(token)?.url).toBe('https://other.example.com');
  });

  test('is disconnected by force, and when its token is refused', async () => {
    fake.answer('getWebhookInfo', () => ({ drop: true }));
    await disconnectBot(deps, publicId, { evenIfUnreachable: true });
    fake.answer('getWebhookInfo', undefined);
    const again = (await connect()).bot.publicId;
    fake.bots.clear();
    await disconnectBot(deps, again);
    expect(await count('live')).toBe(0);
  });

  test('learns what a new release needs, in the publishing transaction', async () => {
    const project = await db.one<{ id: number }>(sql`select id from project`);
    await db.tx((tx) => setAllowedUpdates(tx, project?.id ?? 0, ['poll_answer', 'message']));
    await directory.refresh();
    expect(entry(publicId).allowedUpdates).toEqual([...base, 'poll_answer'].sort());
    const unset = () =>
      db.one<{ unset: boolean; rev: number }>(sql`select webhook_set_at is null as unset, rev from integration`);
    const first = await unset();
    expect(first?.unset).toBe(true);
    // The same again changes nothing.
    await db.tx((tx) => setAllowedUpdates(tx, project?.id ?? 0, ['message', 'poll_answer']));
    expect(await unset()).toEqual(first);
  });
});
