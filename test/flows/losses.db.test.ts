import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../kernel/sql.ts';
import { type Roost, startRoost, until } from '../support/roost.ts';

// What Telegram refuses for good: it takes an exit, is mended, or is counted for its bot. Nothing ends in silence.
let roost: Roost;
beforeEach(async () => {
  roost = await startRoost();
});
afterEach(() => roost.close());

const losses = () =>
  roost.db.many<{ reason: string; messages: number }>(sql`select reason, messages from lost_message order by reason`);
const notices = () => roost.db.many<{ kind: string; message: string }>(sql`select kind, message from notice`);
const texts = (chat: number) =>
  roost.calls({ chat, method: 'sendMessage' }).map(({ params, accepted }) => ({
    ...(JSON.parse(params ?? '{}') as { text: string; message_thread_id?: number }),
    accepted,
  }));
const accepted = (chat: number): string[] =>
  texts(chat)
    .filter((message) => message.accepted)
    .map(({ text }) => text);
const refuse = (chat: number, description: string, times?: number) =>
  roost.simulator.faults.add({ kind: '403', method: 'sendMessage', chat, description, ...(times ? { times } : {}) });

/** Tells `to`, says "Thanks" to the person, and asks them something. */
const telling = (to: object, exits: object = {}) => ({
  roost: 1,
  locales: ['en'],
  defaultLocale: 'en',
  triggers: { start: { type: 'command', props: { command: 'start' }, to: 'tell' } },
  cards: { tell: { blocks: ['news', 'thanks', 'ask', 'bye'] }, lost: { blocks: ['sorry'] } },
  blocks: {
    news: { type: 'notify', props: { to: [to], text: 'news' }, exits },
    thanks: { type: 'message', props: { text: 'thanks' } },
    ask: { type: 'input', props: { kind: 'text', text: 'ask', into: 'answer' } },
    bye: { type: 'message', props: { text: 'bye' } },
    sorry: { type: 'message', props: { text: 'sorry' } },
  },
  variables: { answer: { type: 'text', scope: 'conversation' } },
  texts: {
    news: { en: 'News' },
    thanks: { en: 'Thanks' },
    ask: { en: 'Your name?' },
    bye: { en: 'Bye' },
    sorry: { en: 'They were not told' },
  },
});

describe('a notification that Telegram refuses for good', () => {
  test('is counted for its bot, and the operator is told with the words of Telegram and what to do', async () => {
    const anna = roost.simulator.people.create();
    const bot = await roost.bot(telling({ chat: -1_001_234 }));
    refuse(-1_001_234, 'Bad Request: chat not found');
    for (let times = 1; times <= 2; times += 1) {
      roost.simulator.people.text({ user: anna.id, bot: bot.id, text: '/start' });
      await until(losses, (rows) => rows[0]?.messages === times);
    }
    expect(await losses()).toEqual([{ reason: '403 Bad Request: chat not found', messages: 2 }]);
    const [told] = await until(notices, (rows) => rows.length > 0);
    expect(told?.message).toContain('"403 Bad Request: chat not found"');
    expect(told?.message).toContain('Check the number of the chat in the flow.');
  });

  test('takes the exit of its block, and the person is still asked what they were asked', async () => {
    const anna = roost.simulator.people.create();
    const bot = await roost.bot(telling({ chat: -1_001_234 }, { blocked: 'lost' }));
    refuse(-1_001_234, 'Bad Request: not enough rights to send text messages to the chat');
    roost.simulator.people.text({ user: anna.id, bot: bot.id, text: '/start' });
    await until(
      () => accepted(anna.id),
      (said) => said.includes('They were not told') && said.includes('Your name?'),
    );
    roost.simulator.people.text({ user: anna.id, bot: bot.id, text: 'Anna' });
    await until(
      () => accepted(anna.id),
      (said) => said.includes('Bye'),
    );
    expect(await losses()).toEqual([]);
  });

  test('since its topic is gone goes to the chat itself', async () => {
    const anna = roost.simulator.people.create();
    const club = roost.simulator.people.createGroup({ title: 'Club', type: 'group', members: [anna.id] } as never);
    const bot = await roost.bot(telling({ chat: club.id, thread: 7 }));
    roost.simulator.people.join({ chat: club.id, bot: bot.id } as never);
    refuse(club.id, 'Bad Request: message thread not found', 1);
    roost.simulator.people.text({ user: anna.id, bot: bot.id, text: '/start' });
    await until(
      () => accepted(club.id),
      (said) => said.length > 0,
    );
    expect(texts(club.id).map(({ accepted: went, message_thread_id }) => [went, message_thread_id])).toEqual([
      [false, 7],
      [true, undefined],
    ]);
    expect((await until(notices, (rows) => rows.length > 0))[0]?.kind).toBe('outbox.topic_gone');
    expect(await losses()).toEqual([]);
  });
});

test('a flow whose exits lead in a circle ends, and what was lost is counted', async () => {
  const anna = roost.simulator.people.create();
  const document = telling({ chat: -1_001_234 });
  const again = { tell: { blocks: ['thanks'] } };
  const bot = await roost.bot({
    ...document,
    cards: again,
    blocks: { thanks: { ...document.blocks.thanks, exits: { blocked: 'tell' } } },
    variables: {},
    texts: { thanks: { en: 'Thanks' } },
  });
  refuse(anna.id, 'Bad Request: message is too long');
  roost.simulator.people.text({ user: anna.id, bot: bot.id, text: '/start' });
  await until(losses, (rows) => rows.length > 0);
  expect(texts(anna.id)).toHaveLength(4);
});

describe('somebody who has blocked the bot', () => {
  test('is not called again until they write, also when only their contact tells of it', async () => {
    const [anna, boris] = [roost.simulator.people.create(), roost.simulator.people.create()];
    const bot = await roost.bot(telling({ chat: boris.id }));
    const start = async (rounds: number) => {
      roost.simulator.people.text({ user: anna.id, bot: bot.id, text: '/start' });
      await until(
        () => accepted(anna.id).filter((text) => text === 'Your name?'),
        (said) => said.length === rounds,
      );
    };
    const lost = (messages: number) => until(losses, (rows) => rows[0]?.messages === messages);
    refuse(boris.id, 'Forbidden: bot was blocked by the user', 1);
    await start(1);
    await lost(1);
    await start(2);
    await lost(2);
    expect(texts(boris.id)).toHaveLength(1);
    expect((await losses()).map(({ reason }) => reason)).toEqual(['blocked']);
    expect(await notices()).toEqual([]);

    roost.simulator.people.text({ user: boris.id, bot: bot.id, text: 'I am back' });
    await until(
      () =>
        roost.db.one<{ unreachable: string | null }>(
          sql`select unreachable from contact where contact_id = ${boris.id}`,
        ),
      (row) => row?.unreachable === null,
    );
    await start(3);
    await until(
      () => accepted(boris.id),
      (said) => said.includes('News'),
    );
  });

  test('before this process began is not called either', async () => {
    const [anna, boris] = [roost.simulator.people.create(), roost.simulator.people.create()];
    const bot = await roost.bot(telling({ chat: boris.id }));
    await roost.db.run(sql`
      insert into contact (integration_id, contact_id, unreachable, unreachable_at)
      select id, ${boris.id}, 'blocked', now() from integration`);
    roost.simulator.people.text({ user: anna.id, bot: bot.id, text: '/start' });
    await until(losses, (rows) => rows[0]?.messages === 1);
    expect(texts(boris.id)).toEqual([]);
  });
});
