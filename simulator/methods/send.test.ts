import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Message } from '@grammyjs/types';
import { expect, onTestFinished, test } from 'vitest';
import { call, ok, refusal, startSimulator } from '../harness.ts';
import type { Simulator, SimulatorOptions } from '../simulator.ts';
import type { Bot } from '../world/bot.ts';
import { greyPicture } from '../world/thumbnail.ts';

type Scene = { simulator: Simulator; bot: Bot; user: number };

/** A bot that a person has opened, without limits. */
async function scene(options: SimulatorOptions = {}): Promise<Scene> {
  const simulator = await startSimulator({ limits: false, ...options });
  const bot = simulator.createBot();
  const user = simulator.people.create({ first_name: 'Анна' }).id;
  simulator.people.start({ user, bot: bot.id });
  return { simulator, bot, user };
}

test('getMe, unknown tokens and unknown methods', async () => {
  const { simulator, bot } = await scene();
  expect(await ok(simulator, bot, 'GETME')).toMatchObject({ id: bot.id, is_bot: true, can_join_groups: true });
  expect(await call(simulator, { token: `${bot.id}:wrong` }, 'getMe')).toMatchObject({
    status: 401,
    body: { ok: false, error_code: 401, description: 'Unauthorized' },
  });
  expect(await call(simulator, { token: 'nonsense' }, 'getMe')).toMatchObject({ status: 404 });
  expect(await call(simulator, bot, 'sendNothing')).toMatchObject({
    status: 404,
    body: { description: 'Not Found: method not found' },
  });
  const token = simulator.world.revokeToken(bot);
  expect(token).toBe(bot.token);
});

test('GET, forms and JSON say the same', async () => {
  const { simulator, bot, user } = await scene();
  const root = `${simulator.address}/bot${bot.token}/sendMessage`;
  const query = new URLSearchParams({ chat_id: String(user), text: 'Привет, 42' });
  const form = new FormData();
  form.append('chat_id', String(user));
  form.append('text', 'Привет, 42');
  const answers = await Promise.all([
    fetch(`${root}?${query}`),
    fetch(root, { method: 'POST', body: query }),
    fetch(root, { method: 'POST', body: form }),
  ]);
  for (const answer of answers) expect(await answer.json()).toMatchObject({ ok: true, result: { text: 'Привет, 42' } });
});

test('what a text may not be', async () => {
  const { simulator, bot, user } = await scene();
  const send = (params: object): Promise<string> =>
    refusal(simulator, bot, 'sendMessage', { chat_id: user, ...params });
  expect(await send({ text: '' })).toBe('Bad Request: message text is empty');
  expect(await send({})).toBe('Bad Request: message text is empty');
  expect(await send({ text: ' \n ' })).toBe('Bad Request: text must be non-empty');
  expect(await send({ text: 'а'.repeat(4_097) })).toBe('Bad Request: message is too long');
  await ok(simulator, bot, 'sendMessage', { chat_id: user, text: '😀'.repeat(4_096) });
  await ok(simulator, bot, 'sendMessage', { chat_id: user, text: `<b>${'a'.repeat(4_096)}</b>`, parse_mode: 'HTML' });
  expect(await send({ text: '*a', parse_mode: 'MarkdownV2' })).toMatch(/Can't find end of Bold entity/);
  expect(await send({ text: 'a', parse_mode: 'RTF' })).toBe('Bad Request: unsupported parse_mode');
});

test('strict mode refuses what Telegram would ignore; both write it down', async () => {
  const { simulator, bot, user } = await scene();
  const params = { chat_id: user, text: 'a', txt: 'b' };
  const refused = await refusal(simulator, bot, 'sendMessage', params);
  expect(refused).toMatch(/^Bad Request: STRICT: sendMessage has no parameter txt\. .*--lenient/);
  simulator.set({ strict: false });
  await ok(simulator, bot, 'sendMessage', params);
  const last = simulator.calls.end - 1;
  expect(simulator.calls.read(last)?.unknown_params).toEqual(['txt']);
  expect(simulator.calls.read(last - 1)).toMatchObject({ unknown_params: ['txt'], accepted: false, code: 400 });
});

test('who cannot be written to', async () => {
  const { simulator, bot, user } = await scene();
  const stranger = simulator.people.create().id;
  const send = async (chat: number | string): Promise<[number, unknown]> => {
    const { status, body } = await call(simulator, bot, 'sendMessage', { chat_id: chat, text: 'a' });
    return [status, body.description];
  };
  expect(await send(999)).toEqual([400, 'Bad Request: chat not found']);
  expect(await send('@nobody')).toEqual([400, 'Bad Request: chat not found']);
  expect(await send(stranger)).toEqual([403, "Forbidden: bot can't initiate conversation with a user"]);
  simulator.people.block({ user, bot: bot.id });
  expect(await send(user)).toEqual([403, 'Forbidden: bot was blocked by the user']);
  simulator.people.unblock({ user, bot: bot.id });
  expect((await send(user))[0]).toBe(200);
  simulator.people.deactivate({ user });
  expect(await send(user)).toEqual([403, 'Forbidden: user is deactivated']);
});

test('groups: left, kicked, deleted, upgraded', async () => {
  const { simulator, bot, user } = await scene();
  const group = simulator.people.createGroup({ type: 'group', creator: user, bots: [bot.id] });
  const send = async (): Promise<Record<string, unknown>> =>
    (await call(simulator, bot, 'sendMessage', { chat_id: group.id, text: 'a' })).body;
  expect(await send()).toMatchObject({ ok: true });
  simulator.people.leave({ chat: group.id, bot: bot.id });
  expect(await send()).toMatchObject({
    error_code: 403,
    description: 'Forbidden: bot is not a member of the group chat',
  });
  simulator.people.kick({ chat: group.id, bot: bot.id });
  expect(await send()).toMatchObject({ error_code: 403, description: 'Forbidden: bot was kicked from the group chat' });
  simulator.people.join({ chat: group.id, bot: bot.id });
  const fresh = simulator.people.migrate({ chat: group.id });
  expect(await send()).toEqual({
    ok: false,
    error_code: 400,
    description: 'Bad Request: group chat was upgraded to a supergroup chat',
    parameters: { migrate_to_chat_id: fresh.id },
  });
  await ok(simulator, bot, 'sendMessage', { chat_id: fresh.id, text: 'a' });
  simulator.people.deleteGroup({ chat: fresh.id });
  expect(await refusal(simulator, bot, 'sendMessage', { chat_id: fresh.id, text: 'a' })).toBe(
    'Forbidden: the group chat was deleted',
  );
});

test('buttons are checked', async () => {
  const { simulator, bot, user } = await scene();
  const send = async (button: object): Promise<unknown> => {
    const reply_markup = { inline_keyboard: [[{ text: 'a', ...button }]] };
    return (await call(simulator, bot, 'sendMessage', { chat_id: user, text: 'a', reply_markup })).body.description;
  };
  expect(await send({ callback_data: 'ж'.repeat(32) })).toBeUndefined();
  expect(await send({ callback_data: 'ж'.repeat(33) })).toBe('Bad Request: BUTTON_DATA_INVALID');
  expect(await send({ callback_data: '' })).toBe('Bad Request: BUTTON_DATA_INVALID');
  expect(await send({})).toMatch(/Text buttons are unallowed in the inline keyboard/);
  expect(await send({ url: 'https://a.example' })).toBeUndefined();
  expect(await send({ url: 'no address' })).toMatch(/is invalid: Wrong HTTP URL/);
  expect(await send({ copy_text: { text: 'x' }, style: 'danger' })).toBeUndefined();
  expect(await send({ callback_data: 'a', style: 'loud' })).toMatch(/style/);
  const many = { inline_keyboard: Array.from({ length: 101 }, () => [{ text: 'a', callback_data: 'a' }]) };
  expect(await refusal(simulator, bot, 'sendMessage', { chat_id: user, text: 'a', reply_markup: many })).toBe(
    'Bad Request: reply markup is too long',
  );
});

test('edits: modified or not, found or not, ours or not', async () => {
  const { simulator, bot, user } = await scene();
  const reply_markup = { inline_keyboard: [[{ text: 'a', callback_data: 'a' }]] };
  const { message_id } = await ok<{ message_id: number }>(simulator, bot, 'sendMessage', {
    chat_id: user,
    text: 'a',
    reply_markup,
  });
  const edit = { chat_id: user, message_id, text: 'b', reply_markup };
  expect(await ok(simulator, bot, 'editMessageText', edit)).toMatchObject({
    text: 'b',
    edit_date: expect.any(Number),
    reply_markup,
  });
  expect(await refusal(simulator, bot, 'editMessageText', edit)).toBe(
    'Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
  );
  expect(await ok(simulator, bot, 'editMessageText', { chat_id: user, message_id, text: 'b' })).not.toHaveProperty(
    'reply_markup',
  );
  await ok(simulator, bot, 'editMessageReplyMarkup', { chat_id: user, message_id, reply_markup });
  expect(await refusal(simulator, bot, 'editMessageText', { ...edit, message_id: 99 })).toBe(
    'Bad Request: message to edit not found',
  );
  expect(await refusal(simulator, bot, 'editMessageText', { ...edit, message_id: 1 })).toBe(
    "Bad Request: message can't be edited",
  );
  expect(await refusal(simulator, bot, 'editMessageCaption', { chat_id: user, message_id, caption: 'c' })).toBe(
    'Bad Request: there is no caption in the message to edit',
  );
});

test('deleting, copying, forwarding, replying', async () => {
  const { simulator, bot, user } = await scene();
  const { message_id } = simulator.people.text({ user, bot: bot.id, text: 'mine' });
  const place = { chat_id: user, from_chat_id: user, message_id };
  const copy = await ok<{ message_id: number }>(simulator, bot, 'copyMessage', place);
  expect(simulator.people.chat({ user, bot: bot.id }).messages.get(copy.message_id)).toMatchObject({
    text: 'mine',
    from: { id: bot.id },
  });
  expect(await ok(simulator, bot, 'forwardMessage', place)).toMatchObject({
    text: 'mine',
    forward_origin: { type: 'user', sender_user: { id: user } },
  });
  const reply_parameters = { message_id };
  expect(await ok(simulator, bot, 'sendMessage', { chat_id: user, text: 'r', reply_parameters })).toMatchObject({
    reply_to_message: { text: 'mine' },
  });
  await ok(simulator, bot, 'deleteMessage', { chat_id: user, message_id });
  expect(await refusal(simulator, bot, 'deleteMessage', { chat_id: user, message_id })).toBe(
    'Bad Request: message to delete not found',
  );
  expect(await refusal(simulator, bot, 'copyMessage', place)).toBe('Bad Request: message to copy not found');
  expect(await refusal(simulator, bot, 'sendMessage', { chat_id: user, text: 'r', reply_parameters })).toBe(
    'Bad Request: message to be replied not found',
  );
  await ok(simulator, bot, 'sendMessage', {
    chat_id: user,
    text: 'r',
    reply_parameters: { message_id, allow_sending_without_reply: true },
  });
  await ok(simulator, bot, 'deleteMessages', { chat_id: user, message_ids: [copy.message_id, 999] });
  expect(simulator.people.chat({ user, bot: bot.id }).messages.has(copy.message_id)).toBe(false);
});

test('a file goes in, has an id for its bot alone, and comes out', async () => {
  const { simulator, bot, user } = await scene();
  const bytes = Buffer.from('PNG or so, \0\xff', 'latin1');
  const form = new FormData();
  form.append('chat_id', String(user));
  form.append('document', 'attach://part');
  form.append('caption', 'вот');
  form.append('part', new Blob([bytes], { type: 'text/plain' }), 'отчёт.txt');
  const sent = await fetch(`${simulator.address}/bot${bot.token}/sendDocument`, { method: 'POST', body: form });
  const { result } = (await sent.json()) as {
    result: { document: { file_id: string; file_name: string }; caption: string };
  };
  expect([result.document.file_name, result.caption]).toEqual(['отчёт.txt', 'вот']);
  const { file_path: path } = await ok<{ file_path: string }>(simulator, bot, 'getFile', {
    file_id: result.document.file_id,
  });
  const file = await fetch(`${simulator.address}/file/bot${bot.token}/${path}`);
  expect(Buffer.from(await file.arrayBuffer())).toEqual(bytes);
  expect((await fetch(`${simulator.address}/file/bot1:wrong/${path}`)).status).toBe(404);
  await ok(simulator, bot, 'sendDocument', { chat_id: user, document: result.document.file_id });
  expect(await refusal(simulator, bot, 'sendPhoto', { chat_id: user, photo: result.document.file_id })).toBe(
    "Bad Request: can't use file of type Document as Photo",
  );
  const other = simulator.createBot();
  simulator.people.start({ user, bot: other.id });
  expect(await refusal(simulator, other, 'sendDocument', { chat_id: user, document: result.document.file_id })).toBe(
    'Bad Request: wrong file identifier/HTTP URL specified',
  );
  expect(
    await refusal(simulator, bot, 'sendDocument', { chat_id: user, document: 'x', caption: 'a'.repeat(1_025) }),
  ).toBe('Bad Request: message caption is too long');
});

test('an album is up to 10 of what may stand together', async () => {
  const { simulator, bot, user } = await scene();
  const photo = simulator.people.media({ user, bot: bot.id, kind: 'photo' }).photo?.at(-1)?.file_id;
  const document = simulator.people.media({ user, bot: bot.id, kind: 'document' }).document?.file_id;
  const album = (media: object[]): Promise<{ body: Record<string, unknown> }> =>
    call(simulator, bot, 'sendMediaGroup', { chat_id: user, media });
  const one = { type: 'photo', media: photo };
  const { body } = await album([one, one, one]);
  const messages = body.result as { media_group_id: string; message_id: number }[];
  expect(messages).toHaveLength(3);
  expect(new Set(messages.map(({ media_group_id: id }) => id)).size).toBe(1);
  const [alone, ...others] = (await album([one])).body.result as { media_group_id?: string }[];
  expect([alone?.media_group_id, others]).toEqual([undefined, []]);
  expect((await album(Array(11).fill(one))).body.description).toBe(
    'Bad Request: too many messages to send as an album',
  );
  expect((await album([one, { type: 'document', media: document }])).body.description).toBe(
    "Bad Request: document can't be mixed with other media types",
  );
  expect((await album([one, { type: 'photo', media: 'wrong' }])).body.description).toBe(
    'Bad Request: wrong file identifier/HTTP URL specified',
  );
});

test('media by address are fetched, and what cannot be fetched is refused', async () => {
  const { simulator, bot, user } = await scene();
  const picture = greyPicture({ width: 3, height: 2 });
  const files: Record<string, [type: string, body: string | Buffer]> = {
    '/a.png': ['image/png', picture],
    '/b.png': ['image/png', 'no picture'],
    '/page': ['text/html', '<html>'],
  };
  const server = createServer((request, response) => {
    const [type, body] = files[request.url ?? ''] ?? ['', ''];
    response.writeHead(type === '' ? 404 : 200, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const photo = await ok<Message>(simulator, bot, 'sendPhoto', { chat_id: user, photo: `${root}/a.png` });
  expect(photo.photo).toMatchObject([{ width: 3, height: 2, file_size: picture.length }]);
  expect(await refusal(simulator, bot, 'sendPhoto', { chat_id: user, photo: `${root}/b.png` })).toBe(
    'Bad Request: IMAGE_PROCESS_FAILED',
  );
  expect(await refusal(simulator, bot, 'sendPhoto', { chat_id: user, photo: `${root}/none` })).toBe(
    'Bad Request: failed to get HTTP URL content',
  );
  expect(await refusal(simulator, bot, 'sendPhoto', { chat_id: user, photo: `${root}/page` })).toBe(
    'Bad Request: wrong type of the web page content',
  );
});

test('as a Local Bot API server it takes and gives paths of the disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'roost-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'видео.mp4');
  await writeFile(path, 'bytes');
  const { simulator, bot, user } = await scene({ localFiles: folder });
  const params = { chat_id: user, video: pathToFileURL(path).href };
  const { video } = await ok<Message>(simulator, bot, 'sendVideo', params);
  expect(video?.file_name).toBe('видео.mp4');
  const { file_path: given } = await ok<{ file_path: string }>(simulator, bot, 'getFile', { file_id: video?.file_id });
  expect(isAbsolute(given)).toBe(true);
  expect(await readFile(given, 'utf8')).toBe('bytes');
  await simulator.close();
  await expect(readFile(given)).rejects.toThrow('ENOENT');
});

test('nothing outside the local folder is read, and nothing at all without one', async () => {
  const root = await mkdtemp(join(tmpdir(), 'roost-test-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const folder = join(root, 'files');
  await mkdir(join(folder, 'inner'), { recursive: true });
  await mkdir(join(root, 'files-of-others'));
  for (const name of ['master.key', 'files-of-others/a']) await writeFile(join(root, name), 'secret');
  await writeFile(join(folder, 'a'), 'mine');
  await symlink(join(root, 'master.key'), join(folder, 'link'));
  const local = await scene({ localFiles: folder });
  const sendFrom = (to: typeof local, document: string): Promise<string> =>
    refusal(to.simulator, to.bot, 'sendDocument', { chat_id: to.user, document });
  const outside = [
    join(root, 'master.key'),
    join(root, 'files-of-others/a'),
    join(folder, 'link'),
    join(folder, 'inner'),
  ];
  for (const path of [...outside, `${folder}/../master.key`, '/dev/null'])
    expect(await sendFrom(local, `file://${path}`), path).toMatch(/File not found/);
  expect(await sendFrom(local, 'file://elsewhere/a'), 'a host').toMatch(/File not found/);
  await ok(local.simulator, local.bot, 'sendDocument', { chat_id: local.user, document: `file://${folder}/a` });
  const cloud = await scene();
  expect(await sendFrom(cloud, `file://${folder}/a`)).toMatch(/wrong file identifier/);
});

test('every method answers something', async () => {
  const { simulator, bot, user } = await scene();
  const { methodSpecs } = await import('../api/method-table.ts');
  simulator.set({ strict: false });
  for (const { name } of methodSpecs.values()) {
    if (name === 'getUpdates' || name === 'logOut' || name === 'close') continue;
    const { status, body } = await call(simulator, bot, name, { chat_id: user });
    expect([200, 400], `${name}: ${JSON.stringify(body)}`).toContain(status);
    expect(body.ok, name).toBe(status === 200);
  }
});
