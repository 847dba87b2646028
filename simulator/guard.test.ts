import { networkInterfaces } from 'node:os';
import fastify, { type FastifyInstance } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { call, startSimulator } from './harness.ts';
import { createSimulator, type Simulator, type SimulatorOptions } from './simulator.ts';

const KEY = 'the-key-of-a-test';
const OWNER = { authorization: `Bearer ${KEY}` };

async function mounted(options: SimulatorOptions = {}): Promise<{ server: FastifyInstance; simulator: Simulator }> {
  const simulator = createSimulator({ seed: 7, controlKey: KEY, ...options });
  // As a server behind a proxy is set up: what X-Forwarded-For says is believed elsewhere, and not here.
  const server = fastify({ trustProxy: true });
  await server.register(simulator.plugin, { prefix: '/simulator' });
  onTestFinished(async () => {
    await simulator.close();
    await server.close();
  });
  return { server, simulator };
}

type Visit = { method?: 'GET' | 'POST'; path?: string; from?: string; headers?: Record<string, string> };

async function visit(server: FastifyInstance, { method = 'GET', path = '/control/bots', from, headers }: Visit) {
  const answer = await server.inject({
    method,
    url: `/simulator${path}`,
    remoteAddress: from ?? '127.0.0.1',
    headers: { host: 'localhost:8420', ...OWNER, ...headers },
  });
  return answer.statusCode;
}

test('mounted, its control API and page are for this machine alone, whatever a header says', async () => {
  const { server } = await mounted();
  for (const path of ['/', '/app.js', '/control/bots', '/control/settings', '/control/events'])
    expect(await visit(server, { path, from: '10.0.0.5' }), path).toBe(403);
  for (const from of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) expect(await visit(server, { from }), from).toBe(200);
  const forged = { 'x-forwarded-for': '127.0.0.1' };
  expect(await visit(server, { from: '10.0.0.5', headers: forged })).toBe(403);
  // A proxy on this machine connects from here, for somebody who may not be here.
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'x-forwarded-host'])
    expect(await visit(server, { headers: { [name]: '127.0.0.1' } }), name).toBe(403);
  const refused = await server.inject({ url: '/simulator/control/bots', remoteAddress: '10.0.0.5' });
  expect(refused.json().error).toMatch(/only on the machine it runs on/);
  const page = await server.inject({ url: '/simulator/', remoteAddress: '10.0.0.5' });
  expect(page.headers['content-type']).toMatch(/^text\/plain/);
  expect(page.body).toMatch(/^The simulated Telegram shows its page/);
});

const outward = Object.values(networkInterfaces())
  .flatMap((found) => found ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

test.runIf(outward)('mounted on an address that is not loopback, it opens to the machine that has it', async () => {
  const { server } = await mounted();
  const root = await server.listen({ port: 0, host: String(outward) });
  expect((await fetch(`${root}/simulator/control/bots`, { headers: OWNER })).status).toBe(200);
  const forged = await fetch(`${root}/simulator/control/bots`, {
    headers: { ...OWNER, 'x-forwarded-for': '127.0.0.1' },
  });
  expect(forged.status).toBe(403);
});

test('mounted, calls with a token are answered wherever they come from', async () => {
  const { server, simulator } = await mounted();
  const root = await server.listen({ port: 0, host: '127.0.0.1' });
  const bot = simulator.createBot();
  const answer = await fetch(`${root}/simulator/bot${bot.token}/getMe`, { headers: { 'x-forwarded-for': '9.9.9.9' } });
  expect(answer.status).toBe(200);
  expect(await visit(server, { path: '/js/telegram-web-app.js', from: '10.0.0.5' })).toBe(200);
});

test('a name that another site has pointed here opens nothing', async () => {
  const { server } = await mounted();
  for (const host of ['evil.example:8420', 'localhost.evil.example', '127.0.0.1.evil.example', 'evil', '@localhost:x'])
    for (const path of ['/', '/control/bots']) expect(await visit(server, { path, headers: { host } }), host).toBe(403);
  for (const host of ['localhost:8420', 'LOCALHOST', '127.0.0.1:8420', '[::1]:8420'])
    expect(await visit(server, { headers: { host } }), host).toBe(200);
});

test('the page of another site gives no orders, with or without a body', async () => {
  const { server, simulator } = await mounted();
  const post = (headers: Record<string, string>): Promise<number> =>
    visit(server, { method: 'POST', path: '/control/bots', headers });
  for (const origin of ['https://evil.example', 'null', 'http://localhost:9000', 'http://127.0.0.1:8420'])
    expect(await post({ origin }), origin).toBe(403);
  for (const site of ['cross-site', 'same-site']) expect(await post({ 'sec-fetch-site': site }), site).toBe(403);
  expect(simulator.world.bots.size).toBe(0);
  expect(await post({ origin: 'http://localhost:8420', 'sec-fetch-site': 'same-origin' })).toBe(200);
  expect(await visit(server, { headers: { 'sec-fetch-site': 'cross-site' } })).toBe(403);
  // A link from elsewhere may still open the page itself.
  expect(await visit(server, { path: '/', headers: { 'sec-fetch-site': 'cross-site' } })).toBe(200);
});

test('alone on a loopback address it is as careful; told to listen elsewhere it serves who comes there', async () => {
  const careful = await startSimulator();
  const proxied = await fetch(`${careful.address}/control/bots`, { headers: { 'x-forwarded-for': '9.9.9.9' } });
  expect(proxied.status).toBe(403);
  const open = createSimulator({ controlKey: KEY });
  onTestFinished(() => open.close());
  const { port } = new URL(await open.listen({ host: '0.0.0.0' }));
  const root = `http://127.0.0.1:${port}/control/bots`;
  expect((await fetch(root, { headers: { ...OWNER, 'x-forwarded-for': '9.9.9.9' } })).status).toBe(200);
  expect((await fetch(root, { headers: { ...OWNER, origin: 'https://evil.example' } })).status).toBe(403);
  expect((await fetch(root)).status).toBe(401);
});

test('a simulator that reads files of the disk cannot be mounted', async () => {
  const simulator = createSimulator({ localFiles: '/tmp' });
  const server = fastify();
  onTestFinished(() => server.close());
  await expect(async () => server.register(simulator.plugin, { prefix: '/simulator' })).rejects.toThrow(
    /cannot be mounted/,
  );
});

test('files of the disk cannot be switched on over HTTP', async () => {
  const simulator = await startSimulator();
  const bot = simulator.createBot();
  const user = simulator.people.create().id;
  simulator.people.start({ user, bot: bot.id });
  const switched = await fetch(`${simulator.address}/control/settings`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${simulator.controlKey}` },
    body: '{"localFiles":true}',
  });
  expect(switched.status).toBe(400);
  const sent = await call(simulator, bot, 'sendDocument', {
    chat_id: user,
    document: `file://${import.meta.filename}`,
  });
  expect(sent.body).toMatchObject({ ok: false, description: expect.stringMatching(/wrong file identifier/) });
});

test('whoever comes from this machine without the key is given nothing', async () => {
  const { server, simulator } = await mounted();
  const bot = simulator.createBot();
  const from = async (method: 'GET' | 'POST', path: string, headers: Record<string, string> = {}): Promise<number> =>
    (
      await server.inject({
        method,
        url: `/simulator${path}`,
        remoteAddress: '127.0.0.1',
        headers: { host: 'localhost:8420', ...headers },
      })
    ).statusCode;
  const reads = ['/bots', '/users', '/settings', '/calls', '/calls.ndjson', '/deliveries', '/counters', '/events'];
  for (const path of [...reads, '/view?user=1', `/chats/${bot.id}:1`, '/files/x', '/app-key'])
    expect(await from('GET', `/control${path}`), path).toBe(401);
  for (const path of ['/bots', '/users', '/act/text', '/faults', '/inject?bot=1'])
    expect(await from('POST', `/control${path}`), path).toBe(401);
  for (const authorization of ['Bearer', 'Bearer x', `Basic ${KEY}`, KEY, `Bearer ${KEY}x`, `Bearer ${KEY} ${KEY}`])
    expect(await from('GET', '/control/bots', { authorization }), authorization).toBe(401);
  // Only what a browser fetches by itself may carry the key in its address.
  expect(await from('GET', `/control/files/x?key=${KEY}`)).toBe(404);
  expect(await from('GET', `/control/files/x?key=${KEY}&key=${KEY}`)).toBe(401);
  for (const path of ['/bots', '/calls']) expect(await from('GET', `/control${path}?key=${KEY}`), path).toBe(401);
  expect(await from('POST', `/control/files?key=${KEY}`)).toBe(401);
  // The page's own files hold no secret.
  expect(await from('GET', '/')).toBe(200);
});

test('keys that were not given are of their own, and tokens too where nobody gave a seed', () => {
  const [one, other] = [createSimulator(), createSimulator()];
  expect(one.controlKey).toHaveLength(32);
  expect(one.controlKey).not.toBe(other.controlKey);
  const seeded = (): string => createSimulator({ seed: 3 }).createBot().token;
  expect(seeded()).toBe(seeded());
  expect(one.createBot().token).not.toBe(other.createBot().token);
});
