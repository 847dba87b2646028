import { expect, test } from 'vitest';
import { ok, refusal, startSimulator } from '../harness.ts';
import type { Simulator } from '../simulator.ts';
import type { Bot } from '../world/bot.ts';

type Update = { update_id: number } & Record<string, Record<string, unknown>>;

type Scene = { simulator: Simulator; bot: Bot; user: number; updates(): Promise<Update[]> };

/** A bot that polls for every kind, and one person. */
async function scene(): Promise<Scene> {
  const simulator = await startSimulator({ limits: false });
  const bot = simulator.createBot();
  const user = simulator.people.create({ first_name: 'Анна' }).id;
  const kinds = [
    'message',
    'edited_message',
    'callback_query',
    'my_chat_member',
    'chat_member',
    'message_reaction',
    'poll',
    'poll_answer',
    'pre_checkout_query',
    'chat_join_request',
    'channel_post',
    'inline_query',
  ];
  await ok(simulator, bot, 'getUpdates', { allowed_updates: kinds });
  let offset = 0;
  const updates = async (): Promise<Update[]> => {
    const found = await ok<Update[]>(simulator, bot, 'getUpdates', { offset });
    offset = (found.at(-1)?.update_id ?? offset - 1) + 1;
    return found;
  };
  return { simulator, bot, user, updates };
}

test('texts, media, contacts and places arrive as messages', async () => {
  const { simulator, bot, user, updates } = await scene();
  const place = { user, bot: bot.id };
  simulator.people.start({ ...place, payload: 'ref_5' });
  simulator.people.media({ ...place, kind: 'photo', caption: 'вид' });
  simulator.people.media({ ...place, kind: 'voice', duration: 3 });
  simulator.people.contact(place);
  simulator.people.location(place);
  simulator.people.album({ ...place, items: [{ kind: 'photo' }, { kind: 'video' }] });
  const messages = (await updates()).map(({ message }) => message);
  expect(messages[0]).toMatchObject({
    text: '/start ref_5',
    entities: [{ type: 'bot_command', offset: 0, length: 6 }],
    from: { id: user },
    chat: { id: user, type: 'private' },
  });
  expect(messages[1]).toMatchObject({ caption: 'вид', photo: [{ width: 1, height: 1 }] });
  expect(messages[2]).toMatchObject({ voice: { duration: 3 } });
  expect(messages[3]).toMatchObject({ contact: { user_id: user } });
  expect(messages[4]).toHaveProperty('location.latitude');
  expect(messages[5]?.media_group_id).toBe(messages[6]?.media_group_id);
  expect(messages.map((message) => message?.message_id)).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('a press is answered once and in time', async () => {
  const { simulator, bot, user, updates } = await scene();
  simulator.people.start({ user, bot: bot.id });
  const reply_markup = {
    inline_keyboard: [
      [
        { text: 'Да', callback_data: 'yes' },
        { text: 'Нет', callback_data: 'no' },
      ],
    ],
  };
  await ok(simulator, bot, 'sendMessage', { chat_id: user, text: 'a', reply_markup });
  const heard: unknown[] = [];
  simulator.world.feed.listen((event) => event.type === 'press_answer' && heard.push(event.data));
  simulator.people.press({ user, bot: bot.id, text: 'Нет' });
  const press = (await updates()).at(-1)?.callback_query;
  expect(press).toMatchObject({ data: 'no', from: { id: user }, message: { text: 'a' } });
  const answer = { callback_query_id: press?.id, text: 'Хорошо', show_alert: true };
  await ok(simulator, bot, 'answerCallbackQuery', answer);
  expect(heard).toMatchObject([{ text: 'Хорошо', show_alert: true, user_id: user }]);
  const late = 'Bad Request: query is too old and response timeout expired or query ID is invalid';
  expect(await refusal(simulator, bot, 'answerCallbackQuery', answer)).toBe(late);
  simulator.set({ callbackSeconds: -1 });
  const { id } = simulator.people.press({ user, bot: bot.id });
  expect(await refusal(simulator, bot, 'answerCallbackQuery', { callback_query_id: id })).toBe(late);
  expect(() => simulator.people.press({ user, bot: bot.id, data: 'maybe' })).toThrow(/no such button/);
});

test('keys under the field send their text or what they ask for', async () => {
  const { simulator, bot, user, updates } = await scene();
  simulator.people.start({ user, bot: bot.id });
  const reply_markup = { keyboard: [['Меню', { text: 'Телефон', request_contact: true }]], one_time_keyboard: true };
  await ok(simulator, bot, 'sendMessage', { chat_id: user, text: 'a', reply_markup });
  simulator.people.key({ user, bot: bot.id, text: 'Телефон' });
  expect((await updates()).at(-1)?.message).toMatchObject({ contact: { user_id: user } });
  expect(() => simulator.people.key({ user, bot: bot.id, text: 'Меню' })).toThrow(/no key/);
  await ok(simulator, bot, 'sendMessage', { chat_id: user, text: 'a', reply_markup });
  await ok(simulator, bot, 'sendMessage', { chat_id: user, text: 'b', reply_markup: { remove_keyboard: true } });
  expect(() => simulator.people.key({ user, bot: bot.id, text: 'Меню' })).toThrow(/no key/);
});

test('blocking is heard, and writing takes it back', async () => {
  const { simulator, bot, user, updates } = await scene();
  simulator.people.start({ user, bot: bot.id });
  simulator.people.block({ user, bot: bot.id });
  simulator.people.block({ user, bot: bot.id });
  simulator.people.text({ user, bot: bot.id, text: 'снова я' });
  const found = await updates();
  expect(found.map((update) => Object.keys(update)[1])).toEqual([
    'message',
    'my_chat_member',
    'my_chat_member',
    'message',
  ]);
  expect(found[1]?.my_chat_member).toMatchObject({
    old_chat_member: { status: 'member' },
    new_chat_member: { status: 'kicked' },
  });
  expect(found[2]?.my_chat_member).toMatchObject({
    old_chat_member: { status: 'kicked' },
    new_chat_member: { status: 'member' },
  });
});

test('in a group a bot sees what concerns it, and all where it is asked to read all', async () => {
  const { simulator, bot, user, updates } = await scene();
  const group = simulator.people.createGroup({ type: 'supergroup', creator: user, bots: [bot.id] });
  expect((await updates()).map((update) => Object.keys(update)[1])).toEqual(['my_chat_member', 'message']);
  const say = (text: string, reply_to?: number): void =>
    void simulator.people.text({ user, chat: group.id, text, ...(reply_to ? { reply_to } : {}) });
  const { message_id } = await ok<{ message_id: number }>(simulator, bot, 'sendMessage', {
    chat_id: group.id,
    text: 'я тут',
  });
  say('просто так');
  say('/help');
  say('/help@other_bot');
  say(`эй, @${bot.user.username}`);
  say('это тебе', message_id);
  expect((await updates()).map(({ message }) => message?.text)).toEqual([
    '/help',
    `эй, @${bot.user.username}`,
    'это тебе',
  ]);
  const reader = simulator.createBot({ readsAllGroupMessages: true });
  simulator.people.join({ chat: group.id, bot: reader.id });
  say('просто так');
  expect((await ok<Update[]>(simulator, reader, 'getUpdates')).at(-1)?.message).toMatchObject({ text: 'просто так' });
});

test('a group becomes a supergroup: one message on each side', async () => {
  const { simulator, bot, user, updates } = await scene();
  const group = simulator.people.createGroup({ type: 'group', creator: user, bots: [bot.id] });
  await updates();
  const fresh = simulator.people.migrate({ chat: group.id });
  expect((await updates()).map(({ message }) => [message?.migrate_to_chat_id, message?.migrate_from_chat_id])).toEqual([
    [fresh.id, undefined],
    [undefined, group.id],
  ]);
  expect(await ok(simulator, bot, 'getChatMember', { chat_id: fresh.id, user_id: bot.id })).toMatchObject({
    status: 'member',
  });
});

test('members: getChatMember, bans, requests to join', async () => {
  const { simulator, bot, user, updates } = await scene();
  const guest = simulator.people.create().id;
  const channel = simulator.people.createGroup({ type: 'channel', title: 'Новости', creator: user, admins: [bot.id] });
  const status = async (id: number): Promise<unknown> =>
    (await ok(simulator, bot, 'getChatMember', { chat_id: channel.id, user_id: id })).status;
  expect([await status(user), await status(bot.id), await status(guest)]).toEqual(['creator', 'administrator', 'left']);
  expect(await refusal(simulator, bot, 'getChatMember', { chat_id: channel.id, user_id: 5 })).toBe(
    'Bad Request: user not found',
  );
  simulator.people.requestJoin({ chat: channel.id, user: guest });
  expect((await updates()).at(-1)?.chat_join_request).toMatchObject({ from: { id: guest } });
  await ok(simulator, bot, 'approveChatJoinRequest', { chat_id: channel.id, user_id: guest });
  expect(await status(guest)).toBe('member');
  await ok(simulator, bot, 'banChatMember', { chat_id: channel.id, user_id: guest });
  expect(await status(guest)).toBe('kicked');
  const plain = simulator.createBot();
  expect(await refusal(simulator, plain, 'getChatMember', { chat_id: channel.id, user_id: user })).toMatch(
    /bot is not a member of the channel chat/,
  );
});

test('a payment asks first, and money moves only after yes', async () => {
  const { simulator, bot, user, updates } = await scene();
  simulator.people.start({ user, bot: bot.id });
  const invoice = {
    chat_id: user,
    title: 'Хлеб',
    description: 'свежий',
    payload: 'order 1',
    currency: 'XTR',
    prices: [{ label: 'x', amount: 5 }],
  };
  expect(await refusal(simulator, bot, 'sendInvoice', { ...invoice, payload: 'ж'.repeat(65) })).toBe(
    'Bad Request: INVOICE_PAYLOAD_INVALID',
  );
  await ok(simulator, bot, 'sendInvoice', invoice);
  const refused = simulator.people.pay({ user, bot: bot.id });
  const question = (await updates()).at(-1)?.pre_checkout_query;
  expect(question).toMatchObject({ total_amount: 5, invoice_payload: 'order 1', currency: 'XTR' });
  await ok(simulator, bot, 'answerPreCheckoutQuery', {
    pre_checkout_query_id: question?.id,
    ok: false,
    error_message: 'кончился',
  });
  expect(await refused).toEqual({ ok: false, error_message: 'кончился' });
  const paid = simulator.people.pay({ user, bot: bot.id });
  await ok(simulator, bot, 'answerPreCheckoutQuery', {
    pre_checkout_query_id: (await updates()).at(-1)?.pre_checkout_query?.id,
    ok: true,
  });
  const { charge_id: charge } = await paid;
  expect((await updates()).at(-1)?.message).toMatchObject({
    successful_payment: { telegram_payment_charge_id: charge, invoice_payload: 'order 1' },
  });
  expect(await ok(simulator, bot, 'getMyStarBalance')).toEqual({ amount: 5 });
  await ok(simulator, bot, 'refundStarPayment', { user_id: user, telegram_payment_charge_id: charge });
  expect(
    await refusal(simulator, bot, 'refundStarPayment', { user_id: user, telegram_payment_charge_id: charge }),
  ).toBe('Bad Request: CHARGE_ALREADY_REFUNDED');
  expect(await ok(simulator, bot, 'getMyStarBalance')).toEqual({ amount: 0 });
});

test('edits, reactions and votes are heard', async () => {
  const { simulator, bot, user, updates } = await scene();
  const place = { user, bot: bot.id };
  const { message_id } = simulator.people.text({ ...place, text: 'a' });
  simulator.people.edit({ ...place, message_id, text: 'b' });
  simulator.people.react({ ...place, message_id, emoji: '👍' });
  const poll = await ok<{ message_id: number }>(simulator, bot, 'sendPoll', {
    chat_id: user,
    question: 'Чай?',
    options: [{ text: 'да' }, { text: 'нет' }],
    is_anonymous: false,
  });
  simulator.people.vote({ ...place, message_id: poll.message_id, options: [1] });
  const found = await updates();
  expect(found.map((update) => Object.keys(update)[1])).toEqual([
    'message',
    'edited_message',
    'message_reaction',
    'poll_answer',
    'poll',
  ]);
  expect(found[1]?.edited_message).toMatchObject({ text: 'b', edit_date: expect.any(Number), message_id });
  expect(found[2]?.message_reaction).toMatchObject({
    old_reaction: [],
    new_reaction: [{ type: 'emoji', emoji: '👍' }],
  });
  expect(found[4]?.poll).toMatchObject({ total_voter_count: 1, options: [{ voter_count: 0 }, { voter_count: 1 }] });
});
