import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startSimulator } from '../harness.ts';
import type { Simulator } from '../simulator.ts';

/** A bare connection: what is written leaves as it is, `read` waits until the text has come. */
async function wire(simulator: Simulator): Promise<{ socket: Socket; read(until: RegExp): Promise<string> }> {
  const socket = connect(Number(new URL(simulator.address).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.setNoDelay(true);
  let text = '';
  let wake: () => void = () => undefined;
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    wake();
  });
  socket.on('close', () => wake());
  const read = async (until: RegExp): Promise<string> => {
    for (;;) {
      const match = until.exec(text);
      if (match) {
        const found = text.slice(0, match.index + match[0].length);
        text = text.slice(found.length);
        return found;
      }
      if (socket.destroyed) throw new Error(`closed after ${JSON.stringify(text)}`);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return { socket, read };
}

function post(path: string, body: string, headers = 'content-type: application/json\r\n'): string {
  return `POST ${path} HTTP/1.1\r\nhost: a\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Seconds of the test's own patience are not needed: each piece is seen to have arrived by the call after it. */
async function written(socket: Socket, piece: string | Buffer): Promise<void> {
  await new Promise<void>((resolve) => socket.write(piece, () => setImmediate(resolve)));
}

test('a call in pieces, then two at once, are answered in order on one connection', async () => {
  const simulator = await startSimulator({ autoChats: true });
  const bot = simulator.createBot();
  const { socket, read } = await wire(simulator);
  const request = Buffer.from(post(`/bot${bot.token}/sendMessage`, JSON.stringify({ chat_id: 5, text: 'Привет' })));
  for (let at = 0; at < request.length; at += 37) await written(socket, request.subarray(at, at + 37));
  expect(await read(/"text":"Привет"\}\}/)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  const two = ['1', '2'].map((text) => post(`/bot${bot.token}/sendMessage`, JSON.stringify({ chat_id: 6, text })));
  socket.write(two.join(''));
  expect(await read(/"text":"2"\}\}/)).toMatch(/"text":"1"[\s\S]*HTTP\/1\.1 200 OK[\s\S]*"text":"2"/);
});

test('what is no small call goes through Node, on the same connection and for good', async () => {
  const simulator = await startSimulator({ autoChats: true });
  const bot = simulator.createBot();
  const { socket, read } = await wire(simulator);
  socket.write(post(`/bot${bot.token}/getMe`, '{}'));
  await read(/"ok":true[^\n]*\}\}/);
  const key = `authorization: Bearer ${simulator.controlKey}`;
  socket.write(`GET /control/bots HTTP/1.1\r\nhost: localhost\r\n${key}\r\n\r\n`);
  expect(await read(/"webhook":null\}\]/)).toMatch(/content-type: application\/json/i);
  socket.write(post(`/bot${bot.token}/getMe`, '{}'));
  expect(await read(/"ok":true[^\n]*\}\}/)).toContain('200 OK');
});

test.each([
  [
    'a body in chunks',
    'POST',
    'content-type: application/json\r\ntransfer-encoding: chunked\r\n',
    '2\r\n{}\r\n0\r\n\r\n',
  ],
  ['HTTP/1.0', 'GET', '', ''],
  ['a closing connection', 'GET', 'connection: close\r\n', ''],
])('%s is answered too', async (name, method, headers, body) => {
  const simulator = await startSimulator();
  const bot = simulator.createBot();
  const { socket, read } = await wire(simulator);
  const version = name === 'HTTP/1.0' ? '1.0' : '1.1';
  socket.write(`${method} /bot${bot.token}/getMe HTTP/${version}\r\nhost: a\r\n${headers}\r\n${body}`);
  expect(await read(/"ok":true[^\n]*\}\}/)).toContain('200 OK');
});

test('a large body and an escaped token are answered', async () => {
  const simulator = await startSimulator({ autoChats: true });
  const bot = simulator.createBot();
  const { socket, read } = await wire(simulator);
  const escaped = bot.token.replace(':', '%3A');
  socket.write(post(`/bot${escaped}/getMe?x=1`, '{}'));
  expect(await read(/\n\r\n.*\}/)).toContain('STRICT: getMe has no parameter x');
  socket.write(post(`/bot${bot.token}/sendMessage`, JSON.stringify({ chat_id: 5, text: 'a'.repeat(200_000) })));
  expect(await read(/too long/)).toContain('400');
});

test('a call that ends in 429 carries Retry-After; nonsense gets 400', async () => {
  const simulator = await startSimulator();
  const bot = simulator.createBot();
  simulator.faults.add({ kind: '429', retry_after: 9 });
  const { socket, read } = await wire(simulator);
  socket.write(post(`/bot${bot.token}/getMe`, '{}'));
  expect(await read(/\}\}/)).toMatch(/^HTTP\/1\.1 429 Too Many Requests\r\n[\s\S]*Retry-After: 9\r\n/);
  const other = await wire(simulator);
  other.socket.write('nonsense\r\n\r\n');
  expect(await other.read(/\r\n/)).toContain('400 Bad Request');
});
