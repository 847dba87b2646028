import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { createSimulator } from './simulator.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

test('alone it says where it is, and SIGTERM ends it cleanly', async () => {
  const child = spawn(process.execPath, [main, '--latency', '1', '--auto-chats'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const line = await new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve));
  const { address, pid, control_key: key } = JSON.parse(line) as { address: string; pid: number; control_key: string };
  expect(pid).toBe(child.pid);
  const bot = (await (
    await fetch(`${address}/control/bots`, { method: 'POST', headers: { authorization: `Bearer ${key}` } })
  ).json()) as { token: string };
  const answer = await fetch(`${address}/bot${bot.token}/sendMessage?chat_id=5&text=a`);
  expect(await answer.json()).toMatchObject({ ok: true, result: { chat: { id: 5 } } });
  // A poll that waits must not hold it.
  const poll = fetch(`${address}/bot${bot.token}/getUpdates?timeout=50`).catch(() => undefined);
  await fetch(`${address}/bot${bot.token}/getMe`);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  await poll;
});

test('it can be mounted in another server under a prefix', async () => {
  const simulator = createSimulator();
  const server = fastify();
  server.get('/', () => 'mine');
  await server.register(simulator.plugin, { prefix: '/sim' });
  const root = await server.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(async () => {
    await simulator.close();
    await server.close();
  });
  const bot = simulator.createBot();
  const user = simulator.people.create().id;
  simulator.people.start({ user, bot: bot.id });
  const form = new FormData();
  form.append('chat_id', String(user));
  form.append('document', new Blob(['abc']), 'a.txt');
  const sent = await fetch(`${root}/sim/bot${bot.token}/sendDocument`, { method: 'POST', body: form });
  const { result } = (await sent.json()) as { result: { document: { file_id: string } } };
  const file = await fetch(`${root}/sim/bot${bot.token}/getFile?file_id=${result.document.file_id}`);
  const { result: found } = (await file.json()) as { result: { file_path: string } };
  expect(await (await fetch(`${root}/sim/file/bot${bot.token}/${found.file_path}`)).text()).toBe('abc');
  const page = await fetch(`${root}/sim`, { redirect: 'manual' });
  expect([page.status, page.headers.get('location')]).toEqual([302, '/sim/']);
  expect(await (await fetch(`${root}/sim/`)).text()).toContain('<script type="module" src="app.js">');
  const headers = { authorization: `Bearer ${simulator.controlKey}` };
  expect(await (await fetch(`${root}/sim/control/users`, { headers })).json()).toHaveLength(1);
  expect(await (await fetch(root)).text()).toBe('mine');
});
