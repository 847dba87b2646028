import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { startHook, until } from '../harness.ts';
import { createSimulator, type Simulator, type SimulatorOptions } from '../simulator.ts';
import { isPublic } from './outward.ts';

type Answer = { ok: boolean; description?: string; result?: unknown };

/** A simulator inside a server that notes what it is posted. */
async function mounted(options: SimulatorOptions = {}) {
  const simulator = createSimulator({ seed: 7, limits: false, ...options });
  const server = fastify();
  const posted: unknown[] = [];
  server.post('/hook', (request) => posted.push(request.body));
  await server.register(simulator.plugin, { prefix: '/simulator' });
  const root = await server.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(async () => {
    await simulator.close();
    await server.close();
  });
  const bot = simulator.createBot();
  const user = simulator.people.create().id;
  const api = async (method: string, params: object): Promise<Answer> => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(params);
    return (await (
      await fetch(`${root}/simulator/bot${bot.token}/${method}`, { method: 'POST', headers, body })
    ).json()) as Answer;
  };
  return { simulator, root, posted, bot, user, api };
}

/** Something else of this machine, which nobody may be led to. */
async function innerService(): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const inner = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(200, { 'content-type': 'image/png' }).end('secret');
  });
  await new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => inner.close(() => resolve(undefined))));
  return { url: `http://127.0.0.1:${(inner.address() as AddressInfo).port}`, asked };
}

const delivered = (simulator: Simulator): Promise<void> =>
  until(() => simulator.deliveries.attempts > 0 && simulator.deliveries.byOutcome.size > 0, 'an attempt');

test('mounted, webhooks go to its own server and nowhere else', async () => {
  const { simulator, root, posted, bot, user, api } = await mounted();
  const { url, asked } = await innerService();
  const port = new URL(url).port;
  const elsewhere = [
    url,
    `http://localhost:${port}`,
    `http://[::1]:${port}`,
    `http://[::ffff:127.0.0.1]:${port}`,
    'https://hooks.example',
  ];
  for (const address of elsewhere)
    expect(await api('setWebhook', { url: `${address}/x` }), address).toMatchObject({
      ok: false,
      description: expect.stringMatching(
        /^Bad Request: bad webhook: this simulated Telegram calls its own server alone/,
      ),
    });
  expect(await api('setWebhook', { url: `${root}/hook` })).toMatchObject({ ok: true });
  simulator.people.start({ user, bot: bot.id });
  await until(() => posted.length > 0, 'the own server is called');
  expect(asked).toEqual([]);
});

test('a webhook that was set when more was allowed is not called either', async () => {
  const { simulator, bot, user, api } = await mounted({ reach: 'any', speed: 100 });
  const { url, asked } = await innerService();
  expect(await api('setWebhook', { url })).toMatchObject({ ok: true });
  simulator.set({ reach: 'own' });
  simulator.people.start({ user, bot: bot.id });
  await delivered(simulator);
  expect(Object.fromEntries(simulator.deliveries.byOutcome)).toEqual({ unreachable: expect.any(Number) });
  expect(asked).toEqual([]);
});

test('told so, it calls whatever it is given, as one that is not mounted does', async () => {
  const { simulator, bot, user, api } = await mounted({ reach: 'any' });
  const hook = await startHook();
  expect(await api('setWebhook', { url: hook.url })).toMatchObject({ ok: true });
  simulator.people.start({ user, bot: bot.id });
  (await hook.next()).answer();
  expect(createSimulator().settings.reach).toBe('any');
});

test('mounted, a file is fetched of nobody who is not public', async () => {
  const { user, simulator, bot, api } = await mounted();
  simulator.people.start({ user, bot: bot.id });
  const { url, asked } = await innerService();
  const port = new URL(url).port;
  for (const address of [
    url,
    `http://localhost:${port}`,
    `http://[::ffff:127.0.0.1]:${port}`,
    `http://0:${port}`,
    `http://2130706433:${port}`,
  ])
    expect(await api('sendDocument', { chat_id: user, document: `${address}/x.png` }), address).toEqual({
      ok: false,
      error_code: 400,
      description: 'Bad Request: failed to get HTTP URL content',
    });
  expect(asked).toEqual([]);
});

test('what is public and what is not', () => {
  for (const address of ['1.1.1.1', '149.154.167.220', '2606:4700::1111', '::ffff:8.8.8.8'])
    expect(isPublic(address), address).toBe(true);
  const closed =
    '0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.9.9.9 169.254.169.254 172.16.0.1 172.31.255.255 192.168.1.1 224.0.0.1 255.255.255.255 :: ::1 ::ffff:127.0.0.1 ::ffff:7f00:1 fd00::1 fe80::1 64:ff9b::7f00:1 2002:7f00:1::1 localhost';
  for (const address of closed.split(' ')) expect(isPublic(address), address).toBe(false);
});
