import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../kernel/sql.ts';
import type { FaultRule } from '../../simulator/simulator.ts';
import { openScene, type Scene } from './scene.ts';
import { pause, until } from './waiting.ts';

const testMs = 300_000;
let scene: Scene;

beforeAll(async () => {
  scene = await openScene({ bots: 4, chatsABot: 10 });
  await Promise.all([scene.installation.serve(['edge', 'core']), scene.installation.serve(['core'])]);
});
afterAll(() => scene.close());

/** Puts rules in force while people write, until each has struck as often as it may. */
async function strike(...rules: FaultRule[]): Promise<void> {
  const { faults } = scene.installation.simulator;
  await scene.during(async () => {
    for (const rule of rules) faults.add({ method: 'sendMessage', times: 10, ...rule });
    await until(
      'the faults to have struck',
      () => faults.list().every((fault) => fault.struck >= (fault.times ?? 0)),
      (all) => all,
    );
    faults.clear();
  });
}

const outboxStates = (): Promise<{ state: number; doubts: number }[]> =>
  scene.installation.db.many(sql`select distinct state, doubts from outbox order by state, doubts`);

describe('Telegram answers badly under load, and nothing is lost, doubled or disordered', () => {
  test.each<[string, FaultRule[]]>([
    ['an answer is lost after the message was accepted', [{ kind: 'lost' }]],
    ['a server error', [{ kind: '5xx' }]],
    ['a server error after the message was accepted', [{ kind: '5xx', accept: true }]],
    ['the page of a front', [{ kind: 'html', status: 502 }]],
    ['half of the JSON', [{ kind: 'truncated' }]],
    ['the connection is refused', [{ kind: 'refused' }]],
    ['answers that take seconds', [{ kind: 'slow', ms: 2_500, times: 30 }]],
    ['too many requests, for a moment', [{ kind: '429', retry_after: 1, times: 5 }]],
    [
      'everything at once',
      ['lost', '5xx', 'html', 'truncated', 'refused'].map(
        (kind) => ({ kind, probability: 0.2, times: 8 }) as FaultRule,
      ),
    ],
  ])(
    '%s',
    async (_name, rules) => {
      await strike(...rules);
      await scene.settle();
    },
    testMs,
  );

  test(
    'two answers lost: the message is listed as unknown, comes twice, and never again',
    async () => {
      const [chat] = scene.crowd.chats;
      if (!chat) throw new Error('nobody is there');
      scene.installation.simulator.faults.add({
        kind: 'lost',
        method: 'sendMessage',
        chat: chat.id,
        bot: chat.bot.id,
        times: 2,
      });
      const text = scene.crowd.say(chat);
      scene.crowd.say(chat);
      const { outbox, sent } = await scene.settle();
      const row = outbox.find(
        (each) => each.chat === chat.id && each.bot === chat.bot.id && each.text.endsWith(` ${text}`),
      );
      expect(row).toMatchObject({ state: 4, doubts: 2 });
      expect(
        sent.filter((call) => call.chat === chat.id && call.bot === chat.bot.id && call.text === row?.text),
      ).toHaveLength(2);
    },
    testMs,
  );
});

describe('Telegram asks to wait', () => {
  test(
    'a chat for longer than it is kept in memory: it waits exactly, in order, and the others go on',
    async () => {
      const [waiting, other] = scene.crowd.chats;
      if (!waiting || !other) throw new Error('nobody is there');
      const rule = {
        kind: '429',
        method: 'sendMessage',
        chat: waiting.id,
        bot: waiting.bot.id,
        retry_after: 12,
        times: 1,
      } as const;
      scene.installation.simulator.faults.add(rule);
      const beganMs = performance.now();
      for (let count = 0; count < 3; count += 1) scene.crowd.say(waiting, 'two');
      scene.crowd.say(other);
      await scene.during(() => pause(13_000), 20);
      const { sent } = await scene.settle();
      const calls = sent.filter((call) => call.chat === waiting.id && call.bot === waiting.bot.id);
      // By the rule, and not for a limit.
      const refused = calls.findLastIndex((call) => !call.accepted && call.limit === null);
      const waitedMs = (calls[refused + 1]?.at ?? 0) - (calls[refused]?.at ?? 0);
      expect(waitedMs).toBeGreaterThanOrEqual(12_000);
      expect(performance.now() - beganMs).toBeGreaterThan(12_000);
    },
    testMs,
  );

  test(
    'several chats within a second: the whole bot waits, and is in order afterwards',
    async () => {
      const bot = scene.installation.bots[0];
      if (!bot) throw new Error('no bot');
      const { faults } = scene.installation.simulator;
      // Until two of them are refused within a second, however slowly all goes.
      const rule = faults.add({ kind: '429', method: 'sendMessage', bot: bot.id, retry_after: 3 });
      for (const chat of scene.crowd.chats) if (chat.bot.id === bot.id) scene.crowd.say(chat, 'two');
      const parked = await until(
        'the bot to be parked',
        () =>
          scene.installation.db.many<{ chat_id: number }>(
            sql`select chat_id from park where integration_id = ${bot.integrationId}`,
          ),
        (parks) => parks.some((park) => park.chat_id === 0),
      );
      expect(parked.length).toBeGreaterThan(0);
      faults.remove(rule.id);
      await scene.settle();
    },
    testMs,
  );
});

describe('Telegram refuses', () => {
  test(
    'a token for a moment: the bot holds, and goes on when it is accepted again',
    async () => {
      const bot = scene.installation.bots[1];
      if (!bot) throw new Error('no bot');
      await strike({ kind: '401', bot: bot.id, times: 1 });
      await scene.settle();
      const row = await scene.installation.db.one<{ status: string }>(
        sql`select status from integration where id = ${bot.integrationId}`,
      );
      expect(row?.status).toBe('active');
    },
    testMs,
  );

  test(
    'a person who has blocked the bot: what waits for them is refused, and the others go on',
    async () => {
      const chat = scene.crowd.chats.at(-1);
      if (!chat) throw new Error('nobody is there');
      scene.installation.simulator.faults.add({ kind: '403', chat: chat.id, bot: chat.bot.id, times: 1 });
      scene.crowd.say(chat, 'two');
      await scene.during(() => pause(1_000));
      await scene.settle();
      expect((await outboxStates()).some((row) => row.state === 3)).toBe(true);
      scene.crowd.say(chat);
      const { sent } = await scene.settle();
      expect(sent.findLast((call) => call.chat === chat.id && call.bot === chat.bot.id)?.accepted).toBe(true);
    },
    testMs,
  );
});
