import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Roost, startRoost, until } from '../support/roost.ts';

// Every call for a conversation goes to its thread, and by the name that this kind of thread has.
let roost: Roost;
beforeEach(async () => {
  // Any topic may be written to.
  roost = await startRoost({ simulator: { autoChats: true } });
});
afterEach(() => roost.close());

const greeter = {
  roost: 1,
  locales: ['en'],
  defaultLocale: 'en',
  triggers: { start: { type: 'command', props: { command: 'start' }, to: 'hello' } },
  cards: { hello: { blocks: ['hi'] }, pressed: { blocks: ['answer'] } },
  blocks: {
    hi: {
      type: 'message',
      props: { text: 'hi', typing: true, buttons: [[{ id: 'b', label: 'b' }]] },
      exits: { b: 'pressed' },
    },
    answer: { type: 'message', props: { text: 'answer', typing: true } },
  },
  texts: { hi: { en: 'Hi' }, b: { en: 'Press' }, answer: { en: 'Pressed' } },
};

type Sent = { text?: string; reply_markup?: { inline_keyboard: { callback_data: string }[][] } } & Record<
  string,
  unknown
>;
const sent = (chat: number, method = 'sendMessage'): Sent[] =>
  roost.calls({ chat, method }).map(({ params }) => JSON.parse(params ?? '{}') as Sent);

async function club() {
  const anna = roost.simulator.people.create();
  const group = roost.simulator.people.createGroup({ title: 'Club', type: 'supergroup', members: [anna.id] } as never);
  const bot = await roost.bot(greeter);
  roost.simulator.people.join({ chat: group.id, bot: bot.id } as never);
  let updates = 5_000_000;
  /** An update of this kind with the fields of a message or a press. */
  const inject = (kind: string, fields: object): void => {
    updates += 1;
    roost.simulator.people.inject({
      bot: bot.id,
      body: JSON.stringify({
        update_id: updates,
        [kind]: { from: { id: anna.id, is_bot: false, first_name: 'Anna' }, ...fields },
      }),
    } as never);
  };
  const said = (count: number) =>
    until(
      () => sent(group.id),
      (calls) => calls.length >= count,
    );
  return { group, inject, said };
}

test('who writes to a channel directly is answered in their topic, and sees no typing that Telegram would refuse', async () => {
  const { group, inject, said } = await club();
  inject('message', {
    message_id: 10,
    date: 1,
    chat: { id: group.id, type: 'supergroup', is_direct_messages: true },
    direct_messages_topic: { topic_id: 4_503_599_627_370_000 },
    text: '/start',
  });
  const [answer] = await said(1);
  expect([answer?.['direct_messages_topic_id'], answer?.['message_thread_id']]).toEqual([
    4_503_599_627_370_000,
    undefined,
  ]);
  expect(sent(group.id, 'sendChatAction')).toEqual([]);
});

test('typing is shown in the topic of the conversation', async () => {
  const { group, inject, said } = await club();
  const place = { chat: { id: group.id, type: 'supergroup' }, message_thread_id: 7, is_topic_message: true };
  inject('message', { message_id: 10, date: 1, ...place, text: '/start' });
  expect((await said(1))[0]?.['message_thread_id']).toBe(7);
  expect(sent(group.id, 'sendChatAction')).toEqual([{ chat_id: group.id, action: 'typing', message_thread_id: 7 }]);
});

test('a press under an old message, of which Telegram tells no topic, is answered in the topic of that message', async () => {
  const { group, inject, said } = await club();
  const place = { chat: { id: group.id, type: 'supergroup' }, message_thread_id: 7, is_topic_message: true };
  inject('message', { message_id: 10, date: 1, ...place, text: '/start' });
  const [question] = await said(1);
  const data = question?.reply_markup?.inline_keyboard[0]?.[0]?.callback_data;
  inject('callback_query', {
    id: '77',
    chat_instance: '1',
    data,
    message: { chat: { id: group.id, type: 'supergroup' }, message_id: 11, date: 0 },
  });
  const answer = (await said(2))[1];
  expect([answer?.text, answer?.['message_thread_id']]).toEqual(['Pressed', 7]);
});
