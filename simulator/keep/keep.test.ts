import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ok, startHook } from '../harness.ts';
import { createSimulator, type Simulator } from '../simulator.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'roost-keep-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

async function kept(path: string): Promise<Simulator> {
  const simulator = createSimulator();
  await simulator.keepIn(path);
  await simulator.listen();
  onTestFinished(() => simulator.close());
  return simulator;
}

const TOKEN = '77:abcdefghijklmnopqrstuvwxyz0123456789A';

test('after a stop everything is as it was, and numbers go on', async () => {
  const path = await folder();
  const first = await kept(path);
  const bot = first.createBot({ token: TOKEN, first_name: 'Demo' });
  const user = first.people.create({ first_name: 'Анна' });
  const place = { user: user.id, bot: bot.id };
  first.people.start(place);
  const bytes = Buffer.from('file bytes');
  const { document } = first.people.media({ ...place, kind: 'document', bytes });
  await ok(first, bot, 'sendMessage', { chat_id: user.id, text: 'a', reply_markup: { keyboard: [['Да']] } });
  await ok(first, bot, 'setMyCommands', { commands: [{ command: 'menu', description: 'x' }] });
  const group = first.people.createGroup({ type: 'group', title: 'Г', creator: user.id, bots: [bot.id] });
  const numbers = [bot.queue.nextUpdateId, bot.queue.pending.size];
  await first.close();

  const second = await kept(path);
  const same = second.createBot({ token: TOKEN });
  expect([same.queue.nextUpdateId, same.queue.pending.size]).toEqual(numbers);
  expect(same.user.first_name).toBe('Demo');
  const chat = second.people.chat(place);
  expect([...chat.messages.values()].map(({ text }) => text)).toEqual(['/start', undefined, 'a']);
  expect(second.people.key({ ...place, text: 'Да' }).message_id).toBe(4);
  expect(await ok(second, same, 'getMyCommands')).toHaveLength(1);
  expect(second.world.groups.get(group.id)?.statusOf(bot.id)).toBe('member');
  const found = await ok<{ file_path: string }>(second, same, 'getFile', { file_id: document?.file_id });
  const file = await fetch(`${second.address}/file/bot${TOKEN}/${found.file_path}`);
  expect(Buffer.from(await file.arrayBuffer())).toEqual(bytes);
  expect(second.people.create().id).toBe(user.id + 1);
});

test('a webhook is served again, with what waited', async () => {
  const path = await folder();
  const hook = await startHook();
  const first = await kept(path);
  const bot = first.createBot({ token: TOKEN });
  const user = first.people.create().id;
  await ok(first, bot, 'setWebhook', { url: hook.url, secret_token: 's' });
  first.people.text({ user, bot: bot.id, text: 'waits' });
  await hook.next(); // Not answered: it must come again.
  await first.close();
  await kept(path);
  const again = await hook.next();
  expect(again.headers['x-telegram-bot-api-secret-token']).toBe('s');
  expect(again.update.message).toMatchObject({ text: 'waits' });
  again.answer();
});

test('a webhook, commands and a description are kept within seconds, though nobody has written', async () => {
  const path = await folder();
  const simulator = await kept(path);
  const bot = simulator.createBot({ token: TOKEN });
  const savedBot = async () => JSON.parse(await readFile(join(path, 'simulator.json'), 'utf8')).bots[0];
  await expect.poll(savedBot).toMatchObject({ token: TOKEN, webhook: null });
  await ok(simulator, bot, 'setWebhook', { url: 'https://example.com/hook', secret_token: 's' });
  await expect.poll(savedBot).toMatchObject({ webhook: { url: 'https://example.com/hook' } });
  await ok(simulator, bot, 'setMyDescription', { description: 'Sells honey' });
  await expect.poll(savedBot).toMatchObject({ profile: [['description ', 'Sells honey']] });
});

test('after a crash no number is given twice, and a broken file is set aside', async () => {
  const path = await folder();
  const first = await kept(path);
  const bot = first.createBot({ token: TOKEN });
  const user = first.people.create().id;
  const { message_id: last } = first.people.start({ user, bot: bot.id });
  await first.close();
  const file = join(path, 'simulator.json');
  const saved = await readFile(file, 'utf8');
  await writeFile(file, saved.replace('"clean":true', '"clean":false'));
  const second = await kept(path);
  expect(second.people.text({ user, bot: bot.id, text: 'a' }).message_id).toBeGreaterThan(last + 100);
  await second.close();
  await writeFile(file, '{"version":');
  const third = await kept(path);
  expect(third.world.bots.size).toBe(0);
  expect(await readFile(`${file}.unreadable`, 'utf8')).toBe('{"version":');
});

test('a folder that cannot be one is refused in words', async () => {
  await expect(createSimulator().keepIn('/dev/null/x')).rejects.toMatchObject({
    code: 'CONFIG_WRONG',
    message: 'The folder /dev/null/x cannot be used: a part of the path is a file.',
  });
});
