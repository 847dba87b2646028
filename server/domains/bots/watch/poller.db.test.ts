import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '../../../../kernel/db.ts';
import { sql } from '../../../../kernel/sql.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import type { PolledUpdate } from '../../telegram/telegram.ts';
import type { BotEntry, BotsDeps, Directory } from '../bots.ts';
import { gate, insertBot, insertProject, type TestBot, type TestKit } from '../fixtures.ts';
import { type FakeAnswer, type FakeTelegram, openBots, refusal } from '../harness.ts';
import { createPoller, type PollerOptions } from './poller.ts';

let database: TestDatabase;
let db: Db;
let kit: TestKit;
let fake: FakeTelegram;
let directory: Directory;
let deps: BotsDeps;
let stored: { bot: number; ids: number[] }[];
let refused: number[];
const running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.close());
beforeEach(async () => {
  ({ kit, fake, directory, deps } = await openBots(db));
  stored = [];
  refused = [];
});
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop();
});

async function polledBots(count: number): Promise<TestBot[]> {
  const project = await insertProject(db, 'shop');
  const bots: TestBot[] = [];
  for (let botId = 1; botId <= count; botId += 1) bots.push(await insertBot(db, project, { botId }));
  for (const bot of bots)
    fake.bots.set(bot.token, { id: bot.botId, username: `bot${bot.botId}`, first_name: 'Bot', is_bot: true });
  await directory.refresh();
  return bots;
}

async function oneBot(): Promise<TestBot> {
  return (await polledBots(1))[0] as TestBot;
}

function poller(options: Partial<PollerOptions> = {}, over: BotsDeps = deps) {
  const made = createPoller(over, {
    directory,
    tokenWatch: { refused: (id) => refused.push(id) },
    store: async (bot: BotEntry, updates: readonly PolledUpdate[]) => {
      stored.push({ bot: bot.id, ids: updates.map((update) => update.updateId) });
    },
    owns: () => true,
    ...options,
  });
  running.push(made);
  return made;
}

const updates = (...ids: number[]): FakeAnswer => ({
  body: { ok: true, result: ids.map((update_id) => ({ update_id })) },
});
const offsetOf = async (bot: TestBot) =>
  (await db.one<{ offset: number }>(sql`select poll_offset as offset from integration where id = ${bot.id}`))?.offset;
const polls = () => fake.calls.filter((call) => call.method === 'getUpdates');
const notices = () =>
  db.many<{ kind: string; subject: string; message: string; open: boolean }>(
    sql`select kind, subject, message, closed_at is null as open from notice`,
  );

/** Rounds enough for whatever is wrongly due to be asked: each is followed by an answer of the database. */
async function manyRounds(made: { nudge(): void }): Promise<void> {
  for (let round = 0; round < 20; round += 1) {
    made.nudge();
    await directory.refresh();
  }
}

/** Starts it; after each try, which ends in this event, it pauses for exactly so long. */
async function expectPauses(
  made: ReturnType<typeof poller>,
  event: string,
  pausesMs: readonly number[],
): Promise<void> {
  let tried = kit.next(event);
  await made.start();
  await tried;
  for (const pauseMs of pausesMs) {
    const before = polls().length;
    tried = kit.next(event);
    kit.advance(pauseMs - 1);
    await manyRounds(made);
    expect(polls().length).toBe(before);
    kit.advance(1);
    made.nudge();
    await tried;
  }
}

/** Answers polls one after the other, then hangs; resolves when the first hanging one has come. */
function script(...answers: FakeAnswer[]): Promise<void> {
  const hanging = gate();
  const queue = [...answers];
  fake.answer('getUpdates', () => {
    if (queue.length > 0) return queue.shift();
    hanging.open();
    return new Promise(() => {});
  });
  return hanging.opened;
}

test('updates are stored first, then the offset moves, then they are confirmed', async () => {
  const bot = await oneBot();
  await db.run(sql`update integration set poll_offset = 5`);
  const offsetsAtStore: (number | undefined)[] = [];
  const hanging = script(updates(5, 7), updates(8));
  const store: PollerOptions['store'] = async (entry, found) => {
    offsetsAtStore.push(await offsetOf(bot));
    stored.push({ bot: entry.id, ids: found.map((update) => update.updateId) });
  };
  await poller({ store }).start();
  await hanging;
  expect(stored).toEqual([
    { bot: bot.id, ids: [5, 7] },
    { bot: bot.id, ids: [8] },
  ]);
  expect(offsetsAtStore).toEqual([5, 8]);
  expect(polls().map((call) => call.params)).toMatchObject([
    { offset: 5, limit: 100, timeout: 30, allowed_updates: ['message'] },
    { offset: 8 },
    { offset: 9 },
  ]);
  expect(await offsetOf(bot)).toBe(9);
});

test('what could not be stored is not confirmed and comes again', async () => {
  const bot = await oneBot();
  let fails = true;
  const hanging = script(updates(5), updates(5));
  const failed = kit.next('poll.failed');
  const made = poller({
    store: async (entry, found) => {
      if (fails) throw new Error('the database is away');
      stored.push({ bot: entry.id, ids: found.map((update) => update.updateId) });
    },
  });
  await made.start();
  await failed;
  expect(await offsetOf(bot)).toBe(0);
  fails = false;
  kit.advance(2_000);
  made.nudge();
  await hanging;
  expect([polls().map((call) => call.params['offset']), stored]).toEqual([[0, 0, 6], [{ bot: bot.id, ids: [5] }]]);
});

test('numbers may start anew: the offset follows the last update, and is forgotten once all is confirmed', async () => {
  const bot = await oneBot();
  const answered = script(updates(1_999_999_999, 117), updates());
  const made = poller();
  await made.start();
  const beforeIdle = fake.next('getUpdates').then(() => fake.next('getUpdates'));
  await beforeIdle;
  expect(polls()[1]?.params['offset']).toBe(118);
  // The empty answer has been taken in when the offset is.
  while ((await offsetOf(bot)) !== 0) await new Promise((resolve) => setTimeout(resolve, 5));
  kit.advance(1_000);
  made.nudge();
  await answered;
  expect(polls()[2]?.params['offset']).toBe(0);
});

test('a server that answers at once with nothing is not asked in a tight loop', async () => {
  await oneBot();
  fake.answer('getUpdates', () => updates());
  const made = poller();
  let asked = fake.next('getUpdates');
  await made.start();
  await asked;
  await manyRounds(made);
  expect(polls()).toHaveLength(1);
  asked = fake.next('getUpdates');
  kit.advance(1_000);
  made.nudge();
  await asked;
});

describe('a conflict', () => {
  const other = refusal(
    409,
    'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
  );
  const webhook = refusal(
    409,
    "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
  );

  test('with another poller is met with growing pauses, told once, and over when polling works', async () => {
    const bot = await oneBot();
    fake.answer('getUpdates', () => other);
    const made = poller();
    await expectPauses(made, 'poll.conflict', [5_000, 10_000, 20_000, 40_000]);
    expect(await notices()).toEqual([
      {
        kind: 'bot.poll_conflict',
        subject: bot.publicId,
        message: expect.stringContaining('another program'),
        open: true,
      },
    ]);
    const hanging = script(updates(1));
    kit.advance(600_000);
    made.nudge();
    await hanging;
    expect((await notices()).map((notice) => notice.open)).toEqual([false]);
  });

  test('with a webhook of ours from before ends with that webhook', async () => {
    const bot = await oneBot();
    const url = `https://old.example.com/v1/telegram/webhooks/${bot.publicId}`;
    fake.webhooks.set(bot.token, { url, has_custom_certificate: false, pending_update_count: 0 });
    const hanging = gate();
    fake.answer('getUpdates', (call) => {
      if (fake.webhooks.has(call.token)) return webhook;
      hanging.open();
      return new Promise(() => {});
    });
    await poller().start();
    await hanging.opened;
    expect(fake.methods()).toEqual(['getUpdates', 'getWebhookInfo', 'getWebhookInfo', 'deleteWebhook', 'getUpdates']);
    expect(fake.calls[3]?.params).toEqual({ drop_pending_updates: false });
  });

  test('with a webhook that is there again each time is no tight loop', async () => {
    const bot = await oneBot();
    const url = `https://old.example.com/v1/telegram/webhooks/${bot.publicId}`;
    fake.answer('getWebhookInfo', () => ({ body: { ok: true, result: { url, pending_update_count: 0 } } }));
    fake.answer('getUpdates', () => webhook);
    const made = poller();
    const cleared = kit.next('poll.webhook_cleared').then(() => kit.next('poll.webhook_cleared'));
    await made.start();
    await cleared;
    await manyRounds(made);
    expect(polls()).toHaveLength(2);
  });

  test('with somebody else’s webhook leaves it alone and says where it goes', async () => {
    const bot = await oneBot();
    fake.webhooks.set(bot.token, {
      url: 'https://other.example.com/s3cret',
      has_custom_certificate: false,
      pending_update_count: 0,
    });
    fake.answer('getUpdates', () => webhook);
    const made = poller();
    await made.start();
    for (let time = 0; time < 3; time += 1) {
      if (kit.eventsOf('poll.conflict').length <= time) await kit.next('poll.conflict');
      kit.advance(600_000);
      made.nudge();
    }
    while ((await notices()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await notices())[0]?.message).toContain('other.example.com');
    expect(JSON.stringify([await notices(), kit.lines])).not.toContain('s3cret');
    expect([fake.webhooks.size, fake.methods().includes('deleteWebhook')]).toEqual([1, false]);
  });
});

test('trouble is met with growing pauses; a wait that Telegram names is kept; a refused token is handed on', async () => {
  const bot = await oneBot();
  const answers: FakeAnswer[] = [
    { drop: true },
    { status: 502, body: '<html>' },
    refusal(429, 'Too Many Requests: retry after 100', { retry_after: 100 }),
    refusal(401, 'Unauthorized'),
  ];
  fake.answer('getUpdates', () => answers.shift());
  const made = poller();
  await expectPauses(made, 'poll.no_answer', [1_000, 2_000, 100_000]);
  expect(refused).toEqual([bot.id]);
});

test('only bots of own buckets without a webhook address are polled; paused ones too', async () => {
  const [ours, paused, foreign, hooked, stopped] = (await polledBots(5)) as [
    TestBot,
    TestBot,
    TestBot,
    TestBot,
    TestBot,
  ];
  await db.run(sql`update integration set status = 'paused', rev = nextval('change_rev') where id = ${paused.id}`);
  await db.run(
    sql`update integration set webhook_base = 'http://127.0.0.1:1', rev = nextval('change_rev') where id = ${hooked.id}`,
  );
  await db.run(
    sql`update integration set status = 'token_invalid', rev = nextval('change_rev') where id = ${stopped.id}`,
  );
  await directory.refresh();
  const foreignBucket = directory.byId(foreign.id)?.bucket;
  const seen = new Set<string>();
  const both = gate();
  fake.answer('getUpdates', (call) => {
    seen.add(call.token);
    if (seen.size === 2) both.open();
    return new Promise(() => {});
  });
  const made = poller({ owns: (bucket) => bucket !== foreignBucket });
  await made.start();
  await both.opened;
  await manyRounds(made);
  expect(seen).toEqual(new Set([ours.token, paused.token]));
  await made.stop();

  // With a PUBLIC_URL none is.
  fake.calls.length = 0;
  const idle = poller({}, { ...deps, publicUrl: 'https://bots.example.com' });
  await idle.start();
  await manyRounds(idle);
  await idle.stop();
  expect(fake.calls).toEqual([]);
});

test('what came after the bucket was lost is neither stored nor confirmed', async () => {
  const bot = await oneBot();
  let owned = true;
  const looked = gate();
  const answer = gate();
  fake.answer('getUpdates', async () => {
    await answer.opened;
    return updates(5);
  });
  const owns = (): boolean => {
    if (!owned) looked.open();
    return owned;
  };
  const made = poller({ owns });
  const asked = fake.next('getUpdates');
  await made.start();
  await asked;
  owned = false;
  answer.open();
  await looked.opened;
  await made.stop();
  expect([stored, await offsetOf(bot), polls().length]).toEqual([[], 0, 1]);
});

/** A store whose writes last until the test ends them. `begun` tells whose they are, in their order. */
function heldWrites() {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  let another = gate();
  let over = false;
  running.push({
    stop: async () => {
      over = true;
      for (const end of ends) end();
    },
  });
  return {
    begun,
    store: (bot: BotEntry): Promise<void> =>
      new Promise((resolve) => {
        begun.push(bot.id);
        ends.push(resolve);
        another.open();
        if (over) resolve();
      }),
    end: (index: number) => ends[index]?.(),
    async untilBegun(count: number): Promise<void> {
      while (begun.length < count) {
        another = gate();
        await another.opened;
      }
    },
  };
}

test('more bots than may be polled at once take turns: none is asked again before all others were', async () => {
  await polledBots(7);
  fake.answer('getUpdates', () => updates(1));
  const { begun, store, end, untilBegun } = heldWrites();
  const made = poller({ pollsMax: 3, store });
  await made.start();
  await untilBegun(3);
  await manyRounds(made);
  expect(polls(), 'no more than may be').toHaveLength(3);
  expect(polls()[0]?.params['timeout']).toBe(1);
  for (let turn = 0; turn < 18; turn += 1) {
    end(turn);
    await untilBegun(turn + 4);
  }
  expect(polls()).toHaveLength(21);
  for (const from of [0, 7, 14]) expect(new Set(begun.slice(from, from + 7)).size).toBe(7);
});

test('a bot whose updates take long to write has one place, others take turns, and it is asked first after', async () => {
  await polledBots(7);
  fake.answer('getUpdates', () => updates(1));
  const { begun, store, end, untilBegun } = heldWrites();
  await poller({ pollsMax: 3, store }).start();
  await untilBegun(3);
  for (let turn = 1; turn <= 10; turn += 1) {
    end(turn);
    await untilBegun(turn + 3);
  }
  const slow = begun[0];
  for (const from of [1, 7]) expect(new Set([slow, ...begun.slice(from, from + 6)]).size).toBe(7);
  end(0);
  await untilBegun(14);
  expect(begun.at(-1)).toBe(slow);
});

test('stopping ends the long polls', async () => {
  await oneBot();
  const hanging = script();
  const made = poller();
  await made.start();
  await hanging;
  await made.stop();
  await made.stop();
  expect(polls()).toHaveLength(1);
});
