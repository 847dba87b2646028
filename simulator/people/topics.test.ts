import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { control, ok, refusal, startSimulator } from '../harness.ts';
import { createSimulator } from '../simulator.ts';

type Sent = { message_id: number; message_thread_id?: number; is_topic_message?: true; direct_messages_topic?: object };

async function forum() {
  const simulator = await startSimulator({ limits: false });
  const bot = simulator.createBot();
  const user = simulator.people.create({ first_name: 'Анна' }).id;
  const chat = simulator.people.createGroup({ is_forum: true, creator: user, bots: [bot.id] }).id;
  const topic = simulator.people.topic({ user, chat, name: 'Заказы' }).message_id;
  return { simulator, bot, user, chat, topic };
}

test('what is written in a topic says so, and answers go there', async () => {
  const { simulator, bot, user, chat, topic } = await forum();
  const place = { user, chat, topic };
  const { message_id: asked } = simulator.people.text({ ...place, text: '/help' });
  const updates = await ok<{ message: Sent }[]>(simulator, bot, 'getUpdates');
  expect(updates.at(-1)?.message).toMatchObject({ text: '/help', message_thread_id: topic, is_topic_message: true });
  const sent = await ok<Sent>(simulator, bot, 'sendMessage', { chat_id: chat, message_thread_id: topic, text: 'a' });
  expect(sent).toMatchObject({ message_thread_id: topic, is_topic_message: true });
  expect(simulator.people.text({ user, chat, text: 'b', reply_to: asked }).message_thread_id).toBe(topic);
  const general = await ok<Sent>(simulator, bot, 'sendMessage', { chat_id: chat, text: 'c' });
  expect(general.message_thread_id).toBeUndefined();
  const album = simulator.people.album({ ...place, items: [{}, {}] });
  expect(album.map(({ message_thread_id: id }) => id)).toEqual([topic, topic]);
});

test('a topic that is not there, or no more, takes nothing', async () => {
  const { simulator, bot, user, chat, topic } = await forum();
  const there = { chat_id: chat, message_thread_id: topic };
  const gone = 'Bad Request: message thread not found';
  expect(await refusal(simulator, bot, 'sendMessage', { ...there, message_thread_id: 1, text: 'a' })).toBe(gone);
  await control(simulator, 'POST', '/act/deleteTopic', { user, chat, topic });
  const calls: [string, object][] = [
    ['sendMessage', { text: 'a' }],
    ['sendChatAction', { action: 'typing' }],
    ['sendLocation', { latitude: 1, longitude: 1 }],
    ['sendPoll', { question: 'a', options: ['b', 'c'] }],
    ['sendDice', {}],
  ];
  for (const [method, params] of calls)
    expect([method, await refusal(simulator, bot, method, { ...there, ...params })]).toEqual([method, gone]);
  const plain = simulator.people.createGroup({ type: 'group', creator: user, bots: [bot.id] }).id;
  for (const id of [plain, user]) {
    simulator.people.start({ user, bot: bot.id });
    expect(await refusal(simulator, bot, 'sendMessage', { chat_id: id, message_thread_id: 1, text: 'a' })).toBe(gone);
  }
});

test('a closed topic is open to administrators alone', async () => {
  const { simulator, bot, user, chat, topic } = await forum();
  const send = { chat_id: chat, message_thread_id: topic, text: 'a' };
  simulator.people.closeTopic({ user, chat, topic });
  expect(await refusal(simulator, bot, 'sendMessage', send)).toBe('Bad Request: TOPIC_CLOSED');
  simulator.people.promote({ chat, bot: bot.id });
  await ok(simulator, bot, 'sendMessage', send);
  await ok(simulator, bot, 'reopenForumTopic', { chat_id: chat, message_thread_id: topic });
  expect(await refusal(simulator, bot, 'reopenForumTopic', { chat_id: chat, message_thread_id: topic })).toBe(
    'Bad Request: TOPIC_NOT_MODIFIED',
  );
  const made = await ok<Sent>(simulator, bot, 'createForumTopic', { chat_id: chat, name: 'Склад' });
  await ok(simulator, bot, 'sendMessage', { ...send, message_thread_id: made.message_thread_id });
  await ok(simulator, bot, 'deleteForumTopic', { chat_id: chat, message_thread_id: made.message_thread_id });
  expect(await refusal(simulator, bot, 'sendMessage', { ...send, message_thread_id: made.message_thread_id })).toBe(
    'Bad Request: message thread not found',
  );
});

test('a bot whose private chats have topics answers in them', async () => {
  const simulator = await startSimulator({ limits: false });
  const bot = simulator.createBot({ topics: true });
  const user = simulator.people.create().id;
  simulator.people.start({ user, bot: bot.id });
  const topic = simulator.people.topic({ user, bot: bot.id, name: 'a' }).message_id;
  expect(simulator.people.text({ user, bot: bot.id, topic, text: 'b' })).toMatchObject({ message_thread_id: topic });
  const send = { chat_id: user, message_thread_id: topic, text: 'c' };
  expect(await ok(simulator, bot, 'sendMessage', send)).toMatchObject({ message_thread_id: topic });
  simulator.people.deleteTopic({ user, bot: bot.id, topic });
  expect(await refusal(simulator, bot, 'sendMessage', send)).toBe('Bad Request: message thread not found');
});

test('the direct messages of a channel are answered by their topic alone', async () => {
  const simulator = await startSimulator({ limits: false });
  const bot = simulator.createBot();
  const [owner, anna] = [simulator.people.create().id, simulator.people.create({ first_name: 'Анна' }).id];
  const { id: chat } = simulator.people.createGroup({ is_direct_messages: true, creator: owner, admins: [bot.id] });
  simulator.people.text({ user: anna, chat, text: 'Здравствуйте' });
  const updates = await ok<{ message: { direct_messages_topic: { topic_id: number } } }[]>(
    simulator,
    bot,
    'getUpdates',
  );
  const { direct_messages_topic: topic, ...message } = updates.at(-1)?.message ?? {};
  expect(message).toMatchObject({
    chat: { id: chat, type: 'supergroup', is_direct_messages: true },
    from: { id: anna },
  });
  expect(topic).toMatchObject({ topic_id: expect.any(Number), user: { id: anna } });
  const id = topic?.topic_id;
  const say = { chat_id: chat, text: 'a' };
  expect(await refusal(simulator, bot, 'sendMessage', say)).toBe(
    'Bad Request: channel direct messages topic must be specified',
  );
  expect(await refusal(simulator, bot, 'sendMessage', { ...say, message_thread_id: id })).toBe(
    'Bad Request: message thread not found',
  );
  expect(await refusal(simulator, bot, 'sendMessage', { ...say, direct_messages_topic_id: 7 })).toBe(
    'Bad Request: topic not found',
  );
  const sent = await ok<Sent>(simulator, bot, 'sendMessage', { ...say, direct_messages_topic_id: id });
  expect(sent.direct_messages_topic).toMatchObject({ topic_id: id, user: { id: anna } });
  expect(simulator.people.text({ user: anna, chat, text: 'b' })).toMatchObject({ direct_messages_topic: topic });
  const group = simulator.people.createGroup({ creator: owner, bots: [bot.id] }).id;
  expect(await refusal(simulator, bot, 'sendMessage', { ...say, chat_id: group, direct_messages_topic_id: id })).toBe(
    'Bad Request: chat is not a channel direct messages chat',
  );
});

test('topics are kept', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'roost-topics-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const first = createSimulator();
  await first.keepIn(folder);
  const bot = first.createBot();
  const user = first.people.create().id;
  const chat = first.people.createGroup({ is_forum: true, creator: user, bots: [bot.id] }).id;
  const topic = first.people.topic({ user, chat, name: 'a' }).message_id;
  await first.close();
  const second = createSimulator();
  onTestFinished(() => second.close());
  await second.keepIn(folder);
  expect(second.people.text({ user, chat, topic, text: 'a' }).message_thread_id).toBe(topic);
});
