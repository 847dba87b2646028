import type { Message } from '@grammyjs/types';
import { expect, test } from 'vitest';
import { call, ok, refusal, startSimulator } from '../harness.ts';
import type { Simulator } from '../simulator.ts';
import type { Bot } from '../world/bot.ts';
import { imageSize } from '../world/image-size.ts';
import { greyPicture } from '../world/thumbnail.ts';

// What Telegram refuses and takes, in its own words: those of the sources of tdlib/telegram-bot-api and tdlib/td.

type Scene = { simulator: Simulator; bot: Bot; user: number; group: number; channel: number };

async function scene(): Promise<Scene> {
  const simulator = await startSimulator({ limits: false });
  const bot = simulator.createBot();
  const user = simulator.people.create().id;
  simulator.people.start({ user, bot: bot.id });
  const group = simulator.people.createGroup({ creator: user, bots: [bot.id] }).id;
  const channel = simulator.people.createGroup({ type: 'channel', creator: user, admins: [bot.id] }).id;
  return { simulator, bot, user, group, channel };
}

const inline = (button: object): object => ({ inline_keyboard: [[{ text: 'a', ...button }]] });

test('what a call lacks is said in the words of Telegram', async () => {
  const { simulator, bot, user, group } = await scene();
  const said = async (method: string, params: object): Promise<string> =>
    (await refusal(simulator, bot, method, params)).replace('Bad Request: ', '');
  for (const kind of ['photo', 'video', 'animation', 'audio', 'document', 'voice', 'sticker'])
    expect(await said(`send${kind}`, { chat_id: user })).toBe(`there is no ${kind} in the request`);
  expect(await said('sendVideoNote', { chat_id: user })).toBe('there is no video note in the request');
  expect(await said('sendLocation', { chat_id: user, longitude: 1 })).toBe('latitude is empty');
  expect(await said('sendVenue', { chat_id: user, latitude: 1, title: 'a', address: 'b' })).toBe('longitude is empty');
  expect(await said('getFile', {})).toBe('file_id not specified');
  expect(await said('leaveChat', { chat_id: user })).toBe("can't leave private chats");
  expect(await said('stopPoll', { chat_id: user, message_id: 77 })).toBe('message with poll to stop not found');
  expect(await said('editMessageText', { chat_id: user, message_id: 77, text: 'a' })).toBe('message to edit not found');
  const { message_id } = await ok<Message>(simulator, bot, 'sendMessage', { chat_id: group, text: 'a' });
  expect(await said('stopPoll', { chat_id: group, message_id })).toBe('message with poll to stop not found');
});

test('a keyboard that is no array of arrays, or no keyboard, is refused; one of nothing is passed over', async () => {
  const { simulator, bot, user } = await scene();
  const send = async (reply_markup: unknown): Promise<unknown> =>
    (await call(simulator, bot, 'sendMessage', { chat_id: user, text: 'a', reply_markup })).body.description;
  const array = (field: string, type: string): string =>
    `Bad Request: field "${field}" of the ${type} must be an Array`;
  for (const [field, type] of [
    ['keyboard', 'ReplyKeyboardMarkup'],
    ['inline_keyboard', 'InlineKeyboardMarkup'],
  ] as const) {
    for (const value of [{}, 'a', null]) expect(await send({ [field]: value })).toBe(array(field, type));
    for (const value of [[{ text: 'a' }], ['a'], [[], 'a']])
      expect(await send({ [field]: value })).toBe(`${array(field, type)} of Arrays`);
  }
  expect(await send('{"keyboard":')).toBe("Bad Request: can't parse reply keyboard markup JSON object");
  for (const value of ['"a"', '[1]', '5', [1]])
    expect(await send(value)).toBe('Bad Request: object expected as reply markup');
  expect(await send({ keyboard: [[5]] })).toBe(
    "Bad Request: can't parse keyboard button: KeyboardButton must be a String or an Object",
  );
  expect(await send({ selective: true })).toBeUndefined();
});

test('links of buttons are those that Telegram opens', async () => {
  const { simulator, bot, user } = await scene();
  const send = async (button: object): Promise<unknown> =>
    (await call(simulator, bot, 'sendMessage', { chat_id: user, text: 'a', reply_markup: inline(button) })).body
      .description;
  const refused: [string, string][] = [
    ['tel:+79161234567', 'Wrong port number specified in the URL'],
    ['tel:79161234567', 'Wrong port number specified in the URL'],
    ['tel:112', 'Wrong HTTP URL'],
    ['javascript:alert(1)', 'Wrong port number specified in the URL'],
    ['ftp://a.example', 'Unsupported URL protocol'],
    ['whatsapp://send?text=a', 'Unsupported URL protocol'],
    ['http://localhost', 'Wrong HTTP URL'],
    ['no address', 'Wrong HTTP URL'],
    ['https://a<b.example', 'Disallowed character in URL host'],
    ['https://', 'URL host is empty'],
    ['https://a.example:99999', 'Wrong port number specified in the URL'],
  ];
  for (const [url, words] of refused)
    expect(await send({ url })).toBe(`Bad Request: inline keyboard button URL '${url}' is invalid: ${words}`);
  expect(await send({ url: 'mailto:anna@a.example' })).toBe('Bad Request: BUTTON_URL_INVALID');
  for (const url of ['https://a.example/ж?x=1#y', 'a.example', 'http://почта.рф', 'tg://user?id=1', 'http://[::1]/'])
    expect([url, await send({ url })]).toEqual([url, undefined]);
  expect(await send({ login_url: { url: 'http://a.example' } })).toMatch(/login URL .* Only HTTPS links are allowed$/);
});

test('a button with several actions keeps the first that Telegram looks for', async () => {
  const { simulator, bot, user } = await scene();
  const kept = async (button: object): Promise<unknown> =>
    (await ok<Message>(simulator, bot, 'sendMessage', { chat_id: user, text: 'a', reply_markup: inline(button) }))
      .reply_markup?.inline_keyboard[0]?.[0];
  const url = 'https://a.example';
  expect(await kept({ callback_data: 'b', url })).toEqual({ text: 'a', url });
  expect(await kept({ callback_data: 'b', url: '' })).toEqual({ text: 'a', callback_data: 'b' });
  expect(await kept({ web_app: { url }, callback_data: 'b', pay: false, style: 'danger' })).toEqual({
    text: 'a',
    callback_data: 'b',
    style: 'danger',
  });
});

test('what a kind of chat does not have is refused there', async () => {
  const { simulator, bot, user, group, channel } = await scene();
  const send = async (chat_id: number, reply_markup: object): Promise<unknown> =>
    (await call(simulator, bot, 'sendMessage', { chat_id, text: 'a', reply_markup })).body.description;
  const key = (asked: object): object => ({ keyboard: [[{ text: 'a', ...asked }]] });
  const web_app = { url: 'https://a.example' };
  const asks: [object, string][] = [
    [{ request_contact: true }, 'phone number can be requested in private chats only'],
    [{ request_location: true }, 'location can be requested in private chats only'],
    [{ request_poll: {} }, 'poll can be requested in private chats only'],
    [{ request_users: { request_id: 1 } }, 'users can be requested in private chats only'],
    [{ request_chat: { request_id: 1, chat_is_channel: false } }, 'chats can be requested in private chats only'],
    [{ web_app }, 'web App buttons can be used in private chats only'],
  ];
  for (const [asked, words] of asks) {
    expect(await send(group, key(asked))).toBe(`Bad Request: ${words}`);
    expect(await send(user, key(asked))).toBeUndefined();
  }
  expect(await send(group, key({ request_contact: false }))).toBeUndefined();
  for (const markup of [key({}), { remove_keyboard: true }, { force_reply: true }])
    expect(await send(channel, markup)).toBe('Bad Request: inline keyboard expected');
  for (const chat of [group, channel])
    expect(await send(chat, inline({ web_app }))).toBe('Bad Request: BUTTON_TYPE_INVALID');
  expect(await send(user, inline({ pay: true }))).toBe('Bad Request: BUTTON_TYPE_INVALID');
  expect(await send(channel, inline({ callback_data: 'b' }))).toBeUndefined();
});

test('entities that cannot be read leave the text plain', async () => {
  const { simulator, bot, user } = await scene();
  for (const entities of ['[{', '{}', 'bold', 7]) {
    const { text, entities: marks } = await ok<Message>(simulator, bot, 'sendMessage', {
      chat_id: user,
      text: 'a',
      entities,
    });
    expect([text, marks]).toEqual(['a', undefined]);
  }
  expect(await refusal(simulator, bot, 'sendMessage', { chat_id: user, text: 'a', entities: [{ type: 'x' }] })).toMatch(
    /can't parse MessageEntity/,
  );
});

test('a reaction is one of the list; a quiz has its right answer', async () => {
  const { simulator, bot, user } = await scene();
  const { message_id } = simulator.people.text({ user, bot: bot.id, text: 'a' });
  const react = (reaction: unknown): Promise<{ body: Record<string, unknown> }> =>
    call(simulator, bot, 'setMessageReaction', { chat_id: user, message_id, reaction: [reaction] });
  for (const emoji of ['👍', '❤', '❤️', '👨‍💻', '🤷‍♀'])
    expect((await react({ type: 'emoji', emoji })).body.ok, emoji).toBe(true);
  for (const wrong of [
    { type: 'emoji', emoji: '🍔' },
    { type: 'emoji', emoji: 'a' },
    { type: 'emoji' },
    { type: 'paid' },
  ])
    expect((await react(wrong)).body.description).toBe('Bad Request: REACTION_INVALID');
  expect((await react({ type: 'star' })).body.description).toMatch(/can't parse ReactionType/);
  const quiz = (answers: object): Promise<{ body: Record<string, unknown> }> =>
    call(simulator, bot, 'sendPoll', { chat_id: user, question: 'a', options: ['b', 'c'], type: 'quiz', ...answers });
  for (const answers of [{}, { correct_option_ids: [] }, { correct_option_ids: [2] }, { correct_option_ids: [-1] }])
    expect((await quiz(answers)).body.description).toBe('Bad Request: wrong correct option ID specified');
  expect((await quiz({ correct_option_ids: [1] })).body.ok).toBe(true);
});

/** Sends bytes as an upload. */
async function upload(scenery: Scene, method: string, kind: string, bytes: Buffer, name: string, type = 'x/y') {
  const form = new FormData();
  form.append('chat_id', String(scenery.user));
  form.append(kind, new Blob([bytes], { type }), name);
  const address = `${scenery.simulator.address}/bot${scenery.bot.token}/${method}`;
  return (await (await fetch(address, { method: 'POST', body: form })).json()) as {
    result?: Message;
    description?: string;
  };
}

test('a photo is a picture, and each of its sizes is a file of its own', async () => {
  const scenery = await scene();
  const { simulator, bot } = scenery;
  const photo = (bytes: Buffer): ReturnType<typeof upload> => upload(scenery, 'sendPhoto', 'photo', bytes, 'a.png');
  expect((await photo(Buffer.from('no picture at all, but long enough to be one'))).description).toBe(
    'Bad Request: IMAGE_PROCESS_FAILED',
  );
  for (const size of [
    { width: 9_999, height: 2 },
    { width: 1, height: 30 },
  ])
    expect((await photo(greyPicture(size))).description).toBe('Bad Request: PHOTO_INVALID_DIMENSIONS');
  const bytes = greyPicture({ width: 400, height: 200 });
  const sizes = (await photo(bytes)).result?.photo ?? [];
  expect(sizes).toMatchObject([
    { width: 90, height: 45 },
    { width: 400, height: 200, file_size: bytes.length },
  ]);
  for (const name of ['file_id', 'file_unique_id', 'file_size'] as const)
    expect(new Set(sizes.map((size) => size[name])).size, name).toBe(2);
  for (const { file_id, file_size, width, height } of sizes) {
    const { file_path } = await ok<{ file_path: string }>(simulator, bot, 'getFile', { file_id });
    const found = Buffer.from(
      await (await fetch(`${simulator.address}/file/bot${bot.token}/${file_path}`)).arrayBuffer(),
    );
    expect([found.length, imageSize(found)]).toEqual([file_size, { width, height }]);
  }
  const again = await ok<Message>(simulator, bot, 'sendPhoto', { chat_id: scenery.user, photo: sizes[1]?.file_id });
  expect(again.photo).toEqual(sizes);
});

test('the type of a file follows its name, whatever was said of it', async () => {
  const scenery = await scene();
  const mime = async (name: string, type?: string): Promise<unknown> =>
    (await upload(scenery, 'sendDocument', 'document', Buffer.from('a'), name, type)).result?.document?.mime_type;
  expect(await mime('Прайс.PDF')).toBe('application/pdf');
  expect(await mime('a.csv', 'application/octet-stream')).toBe('text/csv');
  expect(await mime('a.docx', 'application/zip')).toMatch(/wordprocessingml/);
  expect(await mime('a.unheard', 'text/plain')).toBe('text/plain');
});

test('logOut ends the bot here for ten minutes; close ends it until it is called again', async () => {
  const { simulator, bot, user } = await scene();
  expect(await refusal(simulator, bot, 'close', {})).toMatch(/^Too Many Requests: retry after (600|599)$/);
  const poll = ok<unknown[]>(simulator, bot, 'getUpdates', { timeout: 50, offset: 10 ** 9 });
  // Ten minutes are over at once when they are this short.
  simulator.set({ speed: 1_000_000 });
  await ok(simulator, bot, 'close');
  expect(await poll).toEqual([]);
  expect(bot.servedSince).toBeUndefined();
  await ok(simulator, bot, 'getMe');
  expect(bot.servedSince).toBeDefined();
  simulator.set({ speed: 1 });
  simulator.people.text({ user, bot: bot.id, text: 'a' });
  await ok(simulator, bot, 'setWebhook', { url: 'https://a.example/hook' });
  await ok(simulator, bot, 'logOut');
  expect((await call(simulator, bot, 'getMe')).body).toMatchObject({ error_code: 400, description: 'Logged out' });
  expect([bot.webhook, bot.queue.pending.size]).toEqual([undefined, 0]);
});
