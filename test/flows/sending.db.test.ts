import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../kernel/sql.ts';
import { pauseBot, resumeBot } from '../../server/domains/bots/bots.ts';
import type { CallEntry } from '../../simulator/simulator.ts';
import { parrot } from '../support/documents.ts';
import { type Roost, startRoost, until } from '../support/roost.ts';
import { watchStalls } from '../support/stalls.ts';

let roost: Roost;
beforeEach(async () => {
  roost = await startRoost();
});
afterEach(() => roost.close());

/** The parrot, with a word in bold. */
const shouting = {
  ...parrot,
  texts: { 'say.text': { en: [{ text: 'Loud', bold: true }, ' ', { var: 'event.text' }] } },
} as const;

const sends = (chat?: number): CallEntry[] =>
  roost.calls({ method: 'sendMessage', ...(chat === undefined ? {} : { chat }) }).filter((call) => call.accepted);
const text = (call: CallEntry): string => (JSON.parse(call.params ?? '{}') as { text: string }).text;

const mostWithin = (calls: readonly CallEntry[], windowMs: number): number => {
  const moments = calls.map((call) => call.arrived_mono);
  return Math.max(
    0,
    ...moments.map((start) => moments.filter((moment) => moment >= start && moment < start + windowMs).length),
  );
};

/**
 * The most that came within `windowMs`, less the longest moment at which this process stood still: the simulated
 * Telegram shares it with us, and what came meanwhile got its stamp late. The exact proof, with processes of their own,
 * is test/fault/limits.db.test.ts.
 */
async function mostAtOnce(work: () => Promise<CallEntry[]>, windowMs: number): Promise<number> {
  const stalls = watchStalls();
  const calls = await work();
  stalls.stop();
  return mostWithin(calls, windowMs - Math.max(0, ...stalls.seen.map((stall) => stall.ms)));
}

const outbox = () =>
  roost.db.many<{ state: number; count: number }>(
    sql`select state, count(*)::int as count from outbox group by state order by state`,
  );
const allSent = (count: number) =>
  until(outbox, (rows) => rows.length === 1 && rows[0]?.state === 2 && rows[0].count === count);

describe('limits', () => {
  test('a bot sends at most 30 in any second, and all of it', async () => {
    const bot = await roost.bot(parrot);
    roost.simulator.set({ limits: { on: false } });
    const people = Array.from({ length: 70 }, () => roost.simulator.people.create());
    // The simulated Telegram does not hold us back here: the pace is our own.
    const most = await mostAtOnce(async () => {
      for (const person of people) roost.simulator.people.text({ user: person.id, bot: bot.id, text: 'hi' });
      await until(
        () => sends().length,
        (count) => count >= 70,
      );
      await allSent(70);
      return sends();
    }, 900);
    expect(most).toBeLessThanOrEqual(30);
  });

  test('a chat gets a small burst and then one a second, in order', async () => {
    const bot = await roost.bot(parrot);
    const anna = roost.simulator.people.create();
    const most = await mostAtOnce(async () => {
      for (let index = 1; index <= 6; index += 1)
        roost.simulator.people.text({ user: anna.id, bot: bot.id, text: `m${index}` });
      await until(
        () => sends(anna.id).length,
        (count) => count === 6,
      );
      return sends(anna.id);
    }, 1_000);
    expect(sends(anna.id).map(text)).toEqual(['1: m1', '2: m2', '3: m3', '4: m4', '5: m5', '6: m6']);
    expect(most).toBeLessThanOrEqual(4);
    expect(roost.calls({ method: 'sendMessage' }).filter((call) => call.code === 429)).toEqual([]);
  });

  test('"retry after" parks the chat it names as a row, others go on, and the message comes in the end', async () => {
    const bot = await roost.bot(parrot);
    const anna = roost.simulator.people.create();
    const boris = roost.simulator.people.create();
    roost.simulator.people.chat({ user: anna.id, bot: bot.id });
    // Long enough for the other one to be answered meanwhile on any machine, and short enough to be kept in memory.
    const parkSeconds = 9;
    roost.simulator.faults.add({ kind: '429', retry_after: parkSeconds, chat: anna.id, times: 1 });
    roost.simulator.people.text({ user: anna.id, bot: bot.id, text: 'hi' });
    await until(
      () => roost.db.many<{ chat_id: number }>(sql`select chat_id from park`),
      (rows) => rows.some((row) => row.chat_id === anna.id),
    );
    roost.simulator.people.text({ user: boris.id, bot: bot.id, text: 'hi' });
    await until(
      () => sends(boris.id).length,
      (count) => count === 1,
    );
    expect(sends(anna.id)).toEqual([]);
    await until(
      () => sends(anna.id).length,
      (count) => count === 1,
    );
    const [refused, sent] = roost.calls({ method: 'sendMessage', chat: anna.id });
    expect((sent?.arrived_mono ?? 0) - (refused?.arrived_mono ?? 0)).toBeGreaterThanOrEqual(parkSeconds * 1_000);
  });

  test('a long "retry after" takes the chat’s messages out of the line until it ends, through a restart', async () => {
    const bot = await roost.bot(parrot);
    const anna = roost.simulator.people.create();
    roost.simulator.faults.add({ kind: '429', retry_after: 3_000, chat: anna.id, times: 1 });
    roost.simulator.people.text({ user: anna.id, bot: bot.id, text: 'a' });
    await until(outbox, (rows) => rows.some((row) => row.state === 5));
    roost.simulator.people.text({ user: anna.id, bot: bot.id, text: 'b' });
    await until(outbox, (rows) => rows.some((row) => row.state === 5 && row.count === 2));
    await roost.running.stop();
    await roost.another(['edge', 'core', 'control']);
    expect(await roost.db.one(sql`select count(*)::int as parked from park`)).toEqual({ parked: 1 });
    await roost.db.run(sql`update park set until_at = now()`);
    await until(
      () => sends(anna.id).map(text),
      (found) => found.length === 2,
    );
    expect(sends(anna.id).map(text)).toEqual(['1: a', '2: b']);
  });
});

describe('answers of Telegram', () => {
  async function say(words: string): Promise<{ anna: number; bot: { id: number } }> {
    const bot = await roost.bot(parrot);
    const anna = roost.simulator.people.create().id;
    roost.simulator.people.text({ user: anna, bot: bot.id, text: words });
    return { anna, bot };
  }

  test('one lost: the message is sent once more', async () => {
    roost.simulator.faults.add({ kind: 'lost', method: 'sendMessage', times: 1 });
    const { anna } = await say('hi');
    await allSent(1);
    expect(sends(anna)).toHaveLength(2);
    expect(await roost.db.one(sql`select doubts from outbox`)).toEqual({ doubts: 1 });
  });

  test('two lost: it is unknown, and never sent again', async () => {
    roost.simulator.faults.add({ kind: 'lost', method: 'sendMessage', times: 2 });
    const { anna, bot } = await say('hi');
    await until(outbox, (rows) => rows.some((row) => row.state === 4));
    roost.simulator.people.text({ user: anna, bot: bot.id, text: 'more' });
    await until(
      () => sends(anna).length,
      (count) => count === 3,
    );
    expect(sends(anna).map(text)).toEqual(['1: hi', '1: hi', '2: more']);
  });

  test.each(['5xx', 'html', 'truncated', 'refused'] as const)('%s is doubtful: once more', async (kind) => {
    roost.simulator.faults.add({ kind, method: 'sendMessage', times: 1 });
    await say('hi');
    await allSent(1);
    expect(roost.calls({ method: 'sendMessage' })).toHaveLength(2);
    expect(await roost.db.one(sql`select doubts from outbox`)).toEqual({ doubts: 1 });
  });

  test('not reached: tried until it is, without a doubt', async () => {
    const bot = await roost.bot(parrot);
    const reachedAt = async (apiRoot: string | null): Promise<void> => {
      await roost.db.run(sql`update integration set api_root = ${apiRoot}, rev = nextval('change_rev')`);
      await roost.running.bots.directory?.refresh();
    };
    // Nobody listens there.
    await reachedAt('http://127.0.0.1:1');
    roost.simulator.people.text({ user: roost.simulator.people.create().id, bot: bot.id, text: 'hi' });
    const message = () =>
      roost.db.one<{ state: number; tries: number; doubts: number; error: string | null }>(
        sql`select state, tries, doubts, error from outbox`,
      );
    const waiting = await until(message, (row) => row?.state === 0 && row.tries >= 2);
    expect(waiting).toMatchObject({ doubts: 0, error: expect.stringContaining('ECONNREFUSED') });
    await reachedAt(null);
    expect(await until(message, (row) => row?.state === 2)).toMatchObject({ doubts: 0 });
    expect(roost.calls({ method: 'sendMessage' })).toHaveLength(1);
  });

  test('formatting that cannot be read: once more as plain text, and the operator is told once', async () => {
    const bot = await roost.bot(shouting);
    const description = `Bad Request: can't parse entities: Unsupported start tag "secret" at byte offset 5`;
    for (const [index, name] of ['Anna', 'Boris'].entries()) {
      const { id } = roost.simulator.people.create();
      roost.simulator.faults.add({ kind: '5xx', status: 400, description, method: 'sendMessage', times: 1 });
      roost.simulator.people.text({ user: id, bot: bot.id, text: name });
      await allSent(index + 1);
      const calls = roost.calls({ method: 'sendMessage', chat: id });
      expect(calls.map(({ params }) => 'entities' in JSON.parse(params ?? '{}'))).toEqual([true, false]);
      expect(calls.map(({ accepted }) => accepted)).toEqual([false, true]);
    }
    const notices = () => roost.db.many<{ kind: string; message: string }>(sql`select kind, message from notice`);
    expect(await until(notices, (rows) => rows.length > 0)).toEqual([
      { kind: 'outbox.unformatted', message: expect.stringContaining('so it was sent as plain text') },
    ]);
    const lines = roost.log.filter((line) => line.includes('outbox.unformatted'));
    expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({ bot: bot.publicId, method: 'sendMessage', messages: 1 });
    expect(JSON.stringify([await notices(), lines]), 'no words of the message').not.toContain('secret');
    const metrics = await (await fetch(`${roost.running.address}/metrics`)).text();
    expect(metrics).toContain('\nroost_sends_total{result="plain"} 2\n');
  });

  test('blocked: the chat is marked, nothing more is tried, and a later word of the person opens it again', async () => {
    const { anna, bot } = await say('hi');
    await allSent(1);
    roost.simulator.people.block({ user: anna, bot: bot.id });
    const marked = await until(
      () =>
        roost.db.one<{ unreachable: string | null }>(sql`select unreachable from contact where contact_id = ${anna}`),
      (row) => row?.unreachable != null,
    );
    expect(marked?.unreachable).toBe('blocked');
    roost.simulator.people.unblock({ user: anna, bot: bot.id });
    roost.simulator.people.text({ user: anna, bot: bot.id, text: 'again' });
    await until(
      () => sends(anna).length,
      (count) => count === 2,
    );
  });

  test('a group that became a supergroup is followed, with its conversation', async () => {
    const bot = await roost.bot(parrot);
    const anna = roost.simulator.people.create();
    const group = roost.simulator.people.createGroup({ title: 'G', type: 'group', members: [anna.id] } as never);
    const target = roost.simulator.people.createGroup({ title: 'G', type: 'supergroup', members: [anna.id] } as never);
    roost.simulator.people.join({ chat: group.id, bot: bot.id } as never);
    roost.simulator.people.join({ chat: target.id, bot: bot.id } as never);
    await until(
      () => roost.db.one<{ pending: number }>(sql`select count(*)::int as pending from inbox where state = 0`),
      (row) => row?.pending === 0,
    );
    roost.simulator.faults.add({ kind: 'migrate', chat: group.id, times: 1, migrate_to_chat_id: target.id });
    roost.simulator.people.text({ user: anna.id, bot: bot.id, chat: group.id, text: 'hi' } as never);
    await until(
      () => sends(target.id).length,
      (count) => count === 1,
    );
    expect(await roost.db.one(sql`select migrated_to from contact where contact_id = ${group.id}`)).toEqual({
      migrated_to: target.id,
    });
  });
});

describe('a paused bot', () => {
  test('stores its updates and works on them in order after it is resumed', async () => {
    const bot = await roost.bot(parrot);
    const anna = roost.simulator.people.create();
    roost.simulator.people.text({ user: anna.id, bot: bot.id, text: 'one' });
    await until(
      () => sends(anna.id).length,
      (count) => count === 1,
    );
    await pauseBot(roost.running.bots, bot.publicId);
    for (const word of ['two', 'three']) roost.simulator.people.text({ user: anna.id, bot: bot.id, text: word });
    await until(
      () => roost.db.one<{ pending: number }>(sql`select count(*)::int as pending from inbox where state = 0`),
      (row) => row?.pending === 2,
    );
    expect(sends(anna.id)).toHaveLength(1);
    await resumeBot(roost.running.bots, bot.publicId);
    roost.simulator.people.text({ user: anna.id, bot: bot.id, text: 'four' });
    await until(
      () => sends(anna.id).length,
      (count) => count === 4,
    );
    expect(sends(anna.id).map(text)).toEqual(['1: one', '2: two', '3: three', '4: four']);
  });
});

describe('several processes', () => {
  test('share the bots, and every chat stays in order', async () => {
    await roost.another(['edge', 'core']);
    await roost.another(['core']);
    const bots = await Promise.all(Array.from({ length: 6 }, () => roost.bot(parrot)));
    const people = bots.map(() => roost.simulator.people.create());
    for (let index = 1; index <= 3; index += 1) {
      for (const [place, bot] of bots.entries())
        roost.simulator.people.text({ user: (people[place] as { id: number }).id, bot: bot.id, text: `m${index}` });
    }
    for (const person of people) {
      await until(
        () => sends(person.id).length,
        (count) => count === 3,
      );
      expect(sends(person.id).map(text)).toEqual(['1: m1', '2: m2', '3: m3']);
    }
    // What one gives away another finds at its next look.
    await until(
      () => roost.db.one<{ owners: number }>(sql`select count(distinct owner)::int as owners from bucket`),
      (row) => row?.owners === 3,
    );
  });
});
