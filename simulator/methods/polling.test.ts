import { expect, test } from 'vitest';
import { call, ok, refusal, startSimulator } from '../harness.ts';

type Update = { update_id: number; message?: { text?: string } };

test('updates stay until a later offset confirms them', async () => {
  const simulator = await startSimulator();
  const bot = simulator.createBot({ nextUpdateId: 100 });
  const user = simulator.people.create().id;
  for (const text of ['1', '2', '3']) simulator.people.text({ user, bot: bot.id, text });
  const ids = async (params: object): Promise<number[]> =>
    (await ok<Update[]>(simulator, bot, 'getUpdates', params)).map(({ update_id: id }) => id);
  expect(await ids({ limit: 2 })).toEqual([100, 101]);
  expect(await ids({})).toEqual([100, 101, 102]);
  expect(await ids({ offset: 101 })).toEqual([101, 102]);
  expect(await ids({})).toEqual([101, 102]);
  expect(await ids({ offset: -1 })).toEqual([102]);
  expect(await ids({ offset: 103 })).toEqual([]);
});

test('a long poll ends when something comes', async () => {
  const simulator = await startSimulator();
  const bot = simulator.createBot();
  const user = simulator.people.create().id;
  const poll = ok<Update[]>(simulator, bot, 'getUpdates', { timeout: 30 });
  await ok(simulator, bot, 'getMe');
  simulator.people.text({ user, bot: bot.id, text: 'a' });
  expect((await poll).map(({ message }) => message?.text)).toEqual(['a']);
});

test('a second poller ends the first one, a webhook ends both', async () => {
  const simulator = await startSimulator();
  const bot = simulator.createBot();
  const first = call(simulator, bot, 'getUpdates', { timeout: 30 });
  // One connection each: the first poll has surely arrived when a later call is answered after it was logged.
  while (!bot.poller) await ok(simulator, bot, 'getMe');
  const poller = bot.poller;
  const second = call(simulator, bot, 'getUpdates', { timeout: 30 });
  expect(await first).toMatchObject({
    status: 409,
    body: { description: expect.stringContaining('terminated by other getUpdates request') },
  });
  while (bot.poller === poller || !bot.poller) await ok(simulator, bot, 'getMe');
  await ok(simulator, bot, 'setWebhook', { url: 'https://a.example/x' });
  expect((await second).status).toBe(409);
  expect(await refusal(simulator, bot, 'getUpdates')).toBe(
    "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
  );
  await ok(simulator, bot, 'deleteWebhook');
  expect(await ok(simulator, bot, 'getUpdates')).toEqual([]);
});

test('allowed_updates of a poll is kept for the next ones', async () => {
  const simulator = await startSimulator();
  const bot = simulator.createBot();
  const user = simulator.people.create().id;
  await ok(simulator, bot, 'getUpdates', { allowed_updates: ['edited_message'] });
  simulator.people.text({ user, bot: bot.id, text: 'a' });
  expect(await ok(simulator, bot, 'getUpdates')).toEqual([]);
  await ok(simulator, bot, 'getUpdates', { allowed_updates: [] });
  simulator.people.text({ user, bot: bot.id, text: 'b' });
  expect(await ok(simulator, bot, 'getUpdates')).toHaveLength(1);
});
