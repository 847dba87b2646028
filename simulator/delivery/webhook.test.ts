import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { call, ok, startHook, startSimulator, until } from '../harness.ts';
import type { DeliveryEntry, Simulator } from '../simulator.ts';
import type { Bot } from '../world/bot.ts';

type Scene = { simulator: Simulator; bot: Bot; user: number; hook: Awaited<ReturnType<typeof startHook>> };

/** A bot with a webhook and one person; retries a thousand times faster than Telegram's. */
async function scene(params: object = {}): Promise<Scene> {
  const simulator = await startSimulator({ speed: 1_000 });
  const bot = simulator.createBot();
  const user = simulator.people.create().id;
  const hook = await startHook();
  await ok(simulator, bot, 'setWebhook', { url: hook.url, ...params });
  return { simulator, bot, user, hook };
}

function attempts(simulator: Simulator): DeliveryEntry[] {
  const entries: DeliveryEntry[] = [];
  for (let row = simulator.deliveries.start; row < simulator.deliveries.end; row++) {
    const entry = simulator.deliveries.read(row);
    if (entry) entries.push(entry);
  }
  return entries;
}

function settled(simulator: Simulator, count: number): Promise<void> {
  return until(
    () => attempts(simulator).filter(({ outcome }) => outcome !== null).length >= count,
    `${count} attempts with an end`,
  );
}

test('a delivery looks like one of Telegram', async () => {
  const { simulator, bot, user, hook } = await scene({ secret_token: 's3cret_-' });
  simulator.people.text({ user, bot: bot.id, text: 'Привет' });
  const delivery = await hook.next();
  delivery.answer();
  expect(delivery.headers).toMatchObject({
    'x-telegram-bot-api-secret-token': 's3cret_-',
    'content-type': 'application/json',
    'accept-encoding': 'gzip, deflate',
    connection: 'keep-alive',
  });
  expect(delivery.headers['user-agent']).toBeUndefined();
  expect(delivery.headers['content-length']).toBe(String(delivery.body.length));
  expect(delivery.body.toString()).toMatch(/^\{"update_id":\d+,\n"message":\{/);
  expect(delivery.body.toString()).toContain('\\u041f');
});

test('failures come again at 0, 2, 4 ... 64 seconds, then every one to two minutes', async () => {
  const { simulator, bot, user, hook } = await scene();
  simulator.people.text({ user, bot: bot.id, text: 'a' });
  for (let index = 0; index < 9; index++) (await hook.next()).answer(500);
  (await hook.next()).answer();
  await settled(simulator, 10);
  const all = attempts(simulator);
  expect(all.slice(0, 7).map(({ retry_seconds: seconds }) => seconds)).toEqual([0, 2, 4, 8, 16, 32, 64]);
  for (const { retry_seconds: seconds } of all.slice(7, 9)) {
    expect(seconds).toBeGreaterThanOrEqual(60);
    expect(seconds).toBeLessThanOrEqual(120);
  }
  expect(all.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(all.at(-1)).toMatchObject({ outcome: 'delivered', status: 200, retry_seconds: null });
  expect(bot.queue.pending.size).toBe(0);
  expect(await ok(simulator, bot, 'getWebhookInfo')).toMatchObject({
    pending_update_count: 0,
    last_error_message: 'Wrong response from the webhook: 500 Internal Server Error',
  });
});

test('Retry-After is obeyed and does not grow', async () => {
  const { simulator, bot, user, hook } = await scene();
  simulator.set({ speed: 5_000 });
  simulator.people.text({ user, bot: bot.id, text: 'a' });
  for (const value of ['7', '7', '9999']) (await hook.next()).answer(429, { 'Retry-After': value });
  (await hook.next()).answer();
  await settled(simulator, 4);
  expect(attempts(simulator).map(({ retry_seconds: seconds }) => seconds)).toEqual([7, 7, 3_600, null]);
});

test('a redirect, a dropped connection and a late answer are failures', async () => {
  const { simulator, bot, user, hook } = await scene();
  simulator.people.text({ user, bot: bot.id, text: 'a' });
  (await hook.next()).answer(302, { location: hook.url });
  const dropped = await hook.next();
  // Short for the one that is never answered; the others may take what this machine takes.
  simulator.set({ webhookTimeoutMs: 50 });
  dropped.drop();
  await hook.next();
  simulator.set({ webhookTimeoutMs: 60_000 });
  (await hook.next()).answer();
  await settled(simulator, 4);
  expect(attempts(simulator).map(({ outcome, status, error }) => [outcome, status, error])).toEqual([
    ['retry', 302, 'Wrong response from the webhook: 302 Found'],
    ['retry', null, null],
    ['retry', null, 'Read timeout expired'],
    ['delivered', 200, null],
  ]);
});

test('the head of a chat blocks that chat and no other', async () => {
  const { simulator, bot, user, hook } = await scene();
  const other = simulator.people.create().id;
  for (const text of ['1', '2', '3']) simulator.people.text({ user, bot: bot.id, text });
  simulator.people.text({ user: other, bot: bot.id, text: 'other' });
  const first = await hook.next();
  const second = await hook.next();
  const texts = [first, second].map(({ update }) => (update.message as { text: string }).text);
  expect(texts.sort()).toEqual(['1', 'other']);
  expect(hook.waiting()).toBe(0);
  const head = [first, second].find(({ update }) => (update.message as { text: string }).text === '1');
  head?.answer(500);
  const again = await hook.next();
  expect(again.update.message).toMatchObject({ text: '1' });
  again.answer();
  const next = await hook.next();
  expect(next.update.message).toMatchObject({ text: '2' });
  next.answer();
  expect((await hook.next()).update.message).toMatchObject({ text: '3' });
});

test('a button press does not wait for the messages of its chat', async () => {
  const { simulator, bot, user, hook } = await scene();
  simulator.people.text({ user, bot: bot.id, text: '/start' });
  const start = await hook.next();
  await ok(simulator, bot, 'sendMessage', {
    chat_id: user,
    text: 'a',
    reply_markup: { inline_keyboard: [[{ text: 'b', callback_data: 'c' }]] },
  });
  simulator.people.text({ user, bot: bot.id, text: 'behind' });
  simulator.people.press({ user, bot: bot.id });
  expect((await hook.next()).update.callback_query).toMatchObject({ data: 'c', from: { id: user } });
  expect(hook.waiting()).toBe(0);
  start.answer();
  expect((await hook.next()).update.message).toMatchObject({ text: 'behind' });
});

test('never more than max_connections at once', async () => {
  const { simulator, bot, hook } = await scene({ max_connections: 3 });
  const users = Array.from({ length: 10 }, () => simulator.people.create().id);
  for (const user of users) simulator.people.text({ user, bot: bot.id, text: 'a' });
  const open = [await hook.next(), await hook.next(), await hook.next()];
  await ok(simulator, bot, 'getMe');
  expect([hook.waiting(), attempts(simulator).length]).toEqual([0, 3]);
  for (let left = 7; left > 0; left--) {
    open.shift()?.answer();
    open.push(await hook.next());
    expect(attempts(simulator).filter(({ outcome }) => outcome === null).length).toBeLessThanOrEqual(3);
  }
});

test('an update is given up when its next attempt would come too late', async () => {
  const { simulator, bot, user, hook } = await scene();
  simulator.set({ speed: 1 });
  simulator.people.inject({ bot: bot.id, body: '{"update_id":1,"message":{"chat":{"id":5}}}', seconds: 600 });
  simulator.people.text({ user, bot: bot.id, text: 'b' });
  const waits = ['0', '601'];
  for (let index = 0; index < 3; index++) {
    const delivery = await hook.next();
    if (delivery.update.update_id === 1) delivery.answer(429, { 'Retry-After': `${waits.shift()}` });
    else delivery.answer();
  }
  await settled(simulator, 3);
  const first = attempts(simulator).filter(({ update_id: id }) => id === 1);
  expect(first.map(({ outcome }) => outcome)).toEqual(['retry', 'expired']);
  expect(bot.queue.pending.size).toBe(0);
});

test('while nobody listens one probe goes out every two seconds, and no attempt is counted', async () => {
  const { simulator, bot, user, hook } = await scene();
  const users = [user, ...Array.from({ length: 5 }, () => simulator.people.create().id)];
  const port = Number(new URL(hook.url).port);
  await hook.close();
  for (const id of users) simulator.people.text({ user: id, bot: bot.id, text: 'a' });
  await settled(simulator, 12);
  const down = attempts(simulator);
  for (const { outcome, retry_seconds: seconds } of down.filter(({ outcome }) => outcome !== null)) {
    expect([outcome, seconds]).toEqual(['unreachable', 2]);
  }
  expect(await ok(simulator, bot, 'getWebhookInfo')).toMatchObject({ last_error_message: 'Connection refused' });
  const back = await startHook(port);
  for (let index = 0; index < users.length; index++) (await back.next()).answer();
  await until(() => bot.queue.pending.size === 0, 'all delivered');
});

test('setWebhook cuts what is in flight, and it comes again with the new secret', async () => {
  const { simulator, bot, user, hook } = await scene({ secret_token: 'old' });
  simulator.people.text({ user, bot: bot.id, text: 'a' });
  expect((await hook.next()).headers['x-telegram-bot-api-secret-token']).toBe('old');
  await ok(simulator, bot, 'setWebhook', { url: hook.url, secret_token: 'new' });
  const again = await hook.next();
  expect(again.headers['x-telegram-bot-api-secret-token']).toBe('new');
  again.answer();
  await settled(simulator, 2);
  expect(attempts(simulator).map(({ outcome }) => outcome)).toEqual(['cut', 'delivered']);
});

test('updates that came before the webhook are delivered in order', async () => {
  const simulator = await startSimulator();
  const bot = simulator.createBot({ nextUpdateId: 500 });
  const user = simulator.people.create().id;
  for (const text of ['1', '2', '3']) simulator.people.text({ user, bot: bot.id, text });
  const hook = await startHook();
  await ok(simulator, bot, 'setWebhook', { url: hook.url });
  for (const id of [500, 501, 502]) {
    const delivery = await hook.next();
    expect(delivery.update.update_id).toBe(id);
    delivery.answer();
  }
});

test('kinds that are not wanted take no number', async () => {
  const simulator = await startSimulator();
  const bot = simulator.createBot({ nextUpdateId: 500 });
  const user = simulator.people.create().id;
  const hook = await startHook();
  await ok(simulator, bot, 'setWebhook', { url: hook.url, allowed_updates: ['message', 'nonsense'] });
  const { message_id: id } = simulator.people.text({ user, bot: bot.id, text: 'a' });
  simulator.people.edit({ user, bot: bot.id, message_id: id, text: 'b' });
  simulator.people.text({ user, bot: bot.id, text: 'c' });
  const first = await hook.next();
  first.answer();
  expect((await hook.next()).update).toMatchObject({ update_id: 501, message: { text: 'c' } });
  expect(await ok(simulator, bot, 'getWebhookInfo')).toMatchObject({ allowed_updates: ['message'] });
});

test('a fault makes Telegram deliver again what was answered with 200', async () => {
  const { simulator, bot, user, hook } = await scene();
  simulator.faults.add({ kind: 'repeat', times: 2 });
  const { message_id: id } = simulator.people.text({ user, bot: bot.id, text: 'a' });
  const numbers = new Set<number>();
  for (let index = 0; index < 3; index++) {
    const delivery = await hook.next();
    numbers.add(delivery.update.update_id);
    expect(delivery.update.message).toMatchObject({ message_id: id });
    delivery.answer();
  }
  await settled(simulator, 3);
  expect(numbers.size).toBe(1);
  expect(attempts(simulator).map(({ outcome }) => outcome)).toEqual(['repeated', 'repeated', 'delivered']);
});

test('bytes come as they were injected, the same number as often as one likes', async () => {
  const { simulator, bot, hook } = await scene();
  const body = Buffer.concat([
    Buffer.from('{"update_id":9,\n"message":{"chat":{"id":1},"text":"'),
    Buffer.from([0, 0xff, 0xfe]),
    Buffer.from('"'),
  ]);
  simulator.people.inject({ bot: bot.id, body, update_id: 9 });
  simulator.people.inject({ bot: bot.id, body, update_id: 9 });
  for (let index = 0; index < 2; index++) {
    const delivery = await hook.next();
    expect(delivery.body).toEqual(body);
    delivery.answer();
  }
});

test('a method in the body of the answer is carried out once, and its result is lost', async () => {
  const { simulator, bot, user, hook } = await scene();
  simulator.people.text({ user, bot: bot.id, text: 'a' });
  const json = { 'content-type': 'application/json' };
  (await hook.next()).answer(200, json, JSON.stringify({ method: 'sendMessage', chat_id: user, text: 'reply' }));
  simulator.people.text({ user, bot: bot.id, text: 'b' });
  (await hook.next()).answer(200, json, JSON.stringify({ method: 'deleteWebhook' }));
  simulator.people.text({ user, bot: bot.id, text: 'c' });
  (await hook.next()).answer(200, json, '{broken');
  await until(() => bot.queue.pending.size === 0, 'all delivered');
  const texts = [...simulator.people.chat({ user, bot: bot.id }).messages.values()].map(({ text }) => text);
  expect(texts.sort()).toEqual(['a', 'b', 'c', 'reply']);
  expect(bot.webhook).toBeDefined();
});

test('a secret and an address are checked as Telegram does', async () => {
  const simulator = await startSimulator();
  const bot = simulator.createBot();
  const set = async (params: object): Promise<unknown> =>
    (await call(simulator, bot, 'setWebhook', params)).body.description;
  expect(await set({ url: 'https://a.example/x', secret_token: 'no spaces' })).toBe(
    'Bad Request: secret token contains unallowed characters',
  );
  expect(await set({ url: 'https://a.example/x', secret_token: 'a'.repeat(257) })).toBe(
    'Bad Request: secret token is too long',
  );
  expect(await set({ url: 'http://a.example/x' })).toBe(
    'Bad Request: bad webhook: An HTTPS URL must be provided for webhook',
  );
  expect(await set({ url: 'https://a.example:8080/x' })).toMatch(/only on ports 80, 88, 443 or 8443/);
  expect(await set({ url: 'https://a.example/x', secret_token: 'a' })).toBe('Webhook was set');
  expect(await set({ url: 'https://a.example/x', secret_token: 'a' })).toBe('Webhook is already set');
  expect(await set({ url: 'https://a.example/x', secret_token: 'b' })).toBe('Webhook was set');
  expect(await set({ url: 'ht tp:/' })).toMatch(/bad webhook/);
  // The old webhook was closed before the new address was looked at.
  expect(await ok(simulator, bot, 'getWebhookInfo')).toMatchObject({ url: '' });
  expect(await set({ url: '' })).toBe('Webhook is already deleted');
});

test('a Retry-After of nothing is none: the schedule goes on', async () => {
  const { simulator, bot, user, hook } = await scene();
  simulator.people.text({ user, bot: bot.id, text: 'a' });
  for (const seconds of ['0', '-3', '0', '0', '0']) (await hook.next()).answer(429, { 'retry-after': seconds });
  (await hook.next()).answer();
  await settled(simulator, 6);
  expect(attempts(simulator).map(({ retry_seconds }) => retry_seconds)).toEqual([0, 2, 4, 8, 16, null]);
});

test('twice as many chats as connections are in hand: where they all wait, the others do too', async () => {
  const { simulator, bot, user, hook } = await scene({ max_connections: 1 });
  const people = [user, ...Array.from({ length: 3 }, () => simulator.people.create().id)];
  for (const id of people) simulator.people.text({ user: id, bot: bot.id, text: 'a' });
  const from = (delivery: { update: Record<string, unknown> }): number =>
    (delivery.update['message'] as { from: { id: number } }).from.id;
  // The first two are refused for an hour of Telegram's; the others are not even tried.
  const first = await hook.next();
  first.answer(503, { 'retry-after': '3600' });
  const second = await hook.next();
  second.answer(503, { 'retry-after': '3600' });
  expect([from(first), from(second)]).toEqual(people.slice(0, 2));
  const third = await hook.next();
  expect([from(third), attempts(simulator).length]).toEqual([user, 3]);
  third.answer();
  const heard = new Set<number>();
  while (heard.size < 3) {
    const next = await hook.next();
    heard.add(from(next));
    next.answer();
  }
  expect([...heard].toSorted()).toEqual(people.slice(1).toSorted());
});

test('an answer packed with gzip is read, and one packed otherwise is a failure', async () => {
  const { simulator, bot, user, hook } = await scene();
  simulator.set({ limits: { on: false } });
  simulator.people.text({ user, bot: bot.id, text: 'a' });
  const reply = JSON.stringify({ method: 'sendMessage', chat_id: user, text: 'packed' });
  const type = { 'content-type': 'application/json' };
  for (const encoding of ['br', 'zstd', 'compress'])
    (await hook.next()).answer(200, { ...type, 'content-encoding': encoding }, reply);
  // What says that it is packed and is not.
  (await hook.next()).answer(200, { ...type, 'content-encoding': 'gzip' }, reply);
  (await hook.next()).answer(200, { ...type, 'content-encoding': 'gzip' }, gzipSync(reply));
  await until(() => simulator.counters().calls.by_method['sendMessage'] === 1, 'the packed call is carried out');
  expect(attempts(simulator).map(({ outcome }) => outcome)).toEqual(['retry', 'retry', 'retry', 'retry', 'delivered']);
  expect(attempts(simulator)[0]?.error).toBe('Unsupported Media Type: unsupported content-encoding');
});
