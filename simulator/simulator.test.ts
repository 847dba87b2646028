import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { Simulator } from './simulator.ts';
import { createSimulator } from './simulator.ts';

let simulator: Simulator | undefined;
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  await simulator?.close();
  simulator = undefined;
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

type Delivery = { headers: Record<string, unknown>; body: string };

/** A webhook that remembers what came and answers with `statuses` in turn, then 200. */
async function webhook(statuses: number[] = []): Promise<{ url: string; next(): Promise<Delivery> }> {
  const waiting: Delivery[] = [];
  const takers: ((delivery: Delivery) => void)[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const delivery = { headers: request.headers, body: Buffer.concat(chunks).toString() };
      const taker = takers.shift();
      if (taker) taker(delivery);
      else waiting.push(delivery);
      response.writeHead(statuses.shift() ?? 200).end('{"ok":true}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    next: () => new Promise((resolve) => (waiting[0] ? resolve(waiting.shift() as Delivery) : takers.push(resolve))),
  };
}

async function call(
  token: string,
  method: string,
  params: object,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${simulator?.address}/bot${token}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(params),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test('a text goes to the webhook with the secret and the answer comes into the chat', async () => {
  simulator = createSimulator();
  await simulator.listen();
  const bot = simulator.createBot();
  const user = simulator.people.create({ first_name: 'Анна' });
  const hook = await webhook();
  await call(bot.token, 'setWebhook', { url: hook.url, secret_token: 's3cret' });
  simulator.people.text({ user: user.id, bot: bot.id, text: 'Привет /help' });
  const delivery = await hook.next();
  expect(delivery.headers['x-telegram-bot-api-secret-token']).toBe('s3cret');
  expect(delivery.body).toMatch(/^\{"update_id":\d+,\n"message":\{"message_id":1,/);
  expect(delivery.body).toContain('\\u041f\\u0440\\u0438');
  const answer = await call(bot.token, 'sendMessage', { chat_id: user.id, text: 'Здравствуйте' });
  expect(answer.body).toMatchObject({
    ok: true,
    result: { message_id: 2, text: 'Здравствуйте', chat: { id: user.id } },
  });
  expect(simulator.calls.read(simulator.calls.end - 1)).toMatchObject({
    method: 'sendMessage',
    accepted: true,
    message_id: 2,
    chat_id: user.id,
  });
});
