import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../../test/support/roost.ts';
import { startTestApp, type TestApp } from './harness.ts';
import { setDomain, setSlug } from './miniapps.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await startTestApp(undefined, { env: { TRUSTED_PROXIES: '127.0.0.1', PUBLIC_URL: '' } });
  await shop.roost.db.tx(async (tx) => {
    await setSlug(tx, shop.project.id, 'river-shop');
    await setDomain(tx, shop.project.id, 'shop.example', undefined);
  });
  await until(
    () => shop.get('/s/river-shop'),
    (response) => response.status === 200,
  );
});
afterAll(() => shop.close());

const fileBytes = 10 * 1024 * 1024;
const file = 'files?form=lead&field=file';

/** Sends the head of a request that announces ten million bytes, and none of them. Answers with what came back. */
function announce(path: string, headers: Record<string, string> = {}): { answer: Promise<string>; socket: Socket } {
  const { port } = new URL(shop.address);
  const socket = connect(Number(port), '127.0.0.1');
  const lines = Object.entries({
    host: 'x',
    'content-type': 'image/png',
    'content-length': String(fileBytes),
    ...headers,
  });
  socket.on('error', () => {});
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())));
  return { answer, socket };
}

const statusOf = async (asked: { answer: Promise<string>; socket: Socket }): Promise<number> => {
  const status = Number((await asked.answer).split(' ')[1]);
  asked.socket.destroy();
  return status;
};

const asTelegram = (id: number) => ({ authorization: `tma ${shop.initData({ id })}` });

test('a large body is refused by its head: for an app that is not there, by a stranger, for a wrong field, and by a crowd', async () => {
  expect(await statusOf(announce(`/v1/apps/app_nobody/${file}`))).toBe(404);
  expect(await statusOf(announce(`/v1/apps/${shop.app}/${file}`))).toBe(401);
  expect(await statusOf(announce(`/v1/apps/${shop.app}/files?form=lead`, asTelegram(1)))).toBe(400);
  expect(await statusOf(announce('/nowhere'))).toBe(404);
  expect(await statusOf(announce(`/v1/apps/${shop.app}/events`, { 'content-type': 'application/json' }))).toBe(401);
});

test('what is on its way at once is bounded, of one network and of all', async () => {
  const path = `/v1/apps/${shop.app}/${file}`;
  const from = (network: number, id: number) =>
    announce(path, { ...asTelegram(id), 'x-forwarded-for': `198.51.${network}.1` });
  // Two of ten MiB have room from one network, and four of all.
  const held = [from(1, 11), from(1, 12), from(2, 13), from(2, 14)];
  const heldAnswers = held.map(({ answer }) => answer);
  const refused = await until(
    async () => (await from(1, 15).answer).split('\r\n'),
    ([line]) => line?.includes('503') === true,
  );
  expect(refused.find((line) => line.startsWith('retry-after'))).toMatch(/^retry-after: [2-6]$/);
  await until(
    () => statusOf(from(3, 16)),
    (status) => status === 503,
  );
  // Nobody of those who hold room was answered; when they go, there is room again.
  expect(await Promise.race([...heldAnswers, pause(50).then(() => 'waiting')])).toBe('waiting');
  for (const { socket } of held) socket.destroy();
  const later = await until(
    async () => {
      const { answer, socket } = from(3, 17);
      const first = await Promise.race([answer, pause(300).then(() => 'waiting')]);
      socket.destroy();
      return first;
    },
    (answer) => answer === 'waiting',
  );
  expect(later).toBe('waiting');
});

test('neighbours of one IPv6 network are one, and a launch that is not believed is not logged without end', async () => {
  const statuses = new Map<number, number>();
  for (let at = 0; at < 150; at += 1) {
    const { statusCode, body } = await request(`${shop.address}/v1/apps/${shop.app}/events`, {
      method: 'POST',
      headers: {
        authorization: 'tma x',
        'content-type': 'application/json',
        'x-forwarded-for': `2001:db8:1:2:${at.toString(16)}::1`,
      },
      body: '{}',
    });
    await body.dump();
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
  }
  expect(statuses.get(401)).toBe(120);
  expect(statuses.get(429)).toBe(30);
});

test('the host of a page is the one it was asked at, whatever else a client says', async () => {
  const titleAt = async (host: string, headers: Record<string, string>): Promise<string> => {
    const { body, statusCode } = await request(`${shop.address}/`, { headers: { host, ...headers } });
    return `${statusCode} ${/<title>(.*?)</.exec(await body.text())?.[1]}`;
  };
  const forwarded = { 'x-forwarded-host': 'shop.example', 'x-forwarded-for': '198.51.100.1' };
  expect(await titleAt('shop.example', {})).toMatch(/^200 Лавка/);
  expect(await titleAt('other.example', forwarded)).toBe('404 undefined');
  expect(await titleAt('shop.example', { ...forwarded, 'x-forwarded-host': 'other.example' })).toMatch(/^200 Лавка/);
});
