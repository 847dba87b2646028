import { mkdtemp, symlink, writeFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import type { Kit } from '../../../kernel/kit.ts';
import { realKit } from '../../../kernel/kit.ts';
import { createLog } from '../../../kernel/log.ts';
import type { Telegram, TelegramOptions } from './telegram.ts';
import { createTelegram } from './telegram.ts';

const token = `123456789:${'A'.repeat(35)}`;
const kit: Kit = realKit(createLog({ level: 'silent' }));
const opened: { close(): unknown }[] = [];

afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

function client(options: TelegramOptions = {}, of: Kit = kit): Telegram {
  const telegram = createTelegram(of, options);
  opened.push(telegram);
  return telegram;
}

/** A client that has 50 ms for a call and whose time stands still until told otherwise: no slow machine ends its calls. */
function clientInItsOwnTime(options: TelegramOptions = {}): { telegram: Telegram; pass: (ms: number) => void } {
  let nowMs = 0;
  const telegram = client({ requestMsMax: 50, ...options }, { ...kit, monotonicMs: () => nowMs });
  return {
    telegram,
    pass: (ms) => {
      nowMs += ms;
    },
  };
}

async function serve(
  listener: RequestListener,
): Promise<{ apiRoot: string; bot: { token: string; apiRoot: string }; server: Server }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push({
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  });
  const apiRoot = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { apiRoot, bot: { token, apiRoot }, server };
}

const ok = (response: ServerResponse, result: unknown = true): void =>
  void response.setHeader('content-type', 'application/json').end(JSON.stringify({ ok: true, result }));

/** Answers with what each request held, and remembers it. */
function echo(seen: { url: string; body: string; type: string | undefined }[]): RequestListener {
  return async (request, response) => {
    const body = await text(request);
    seen.push({ url: request.url ?? '', body, type: request.headers['content-type'] });
    ok(response, { seen: seen.length });
  };
}

describe('a call', () => {
  test('goes to the path of bot and method, below the path of its root', async () => {
    const seen: { url: string; body: string; type: string | undefined }[] = [];
    const { apiRoot } = await serve(echo(seen));
    const outcome = await client().call({ token, apiRoot: `${apiRoot}/relay/tg` }, 'sendMessage', {
      chat_id: 5,
      text: 'Привет',
    });
    expect(outcome).toEqual({ kind: 'ok', result: { seen: 1 } });
    expect(seen).toEqual([
      { url: `/relay/tg/bot${token}/sendMessage`, body: '{"chat_id":5,"text":"Привет"}', type: 'application/json' },
    ]);
  });

  test('sends JSON text as it is', async () => {
    const seen: { url: string; body: string; type: string | undefined }[] = [];
    const { bot } = await serve(echo(seen));
    await client().callText(bot, 'sendMessage', '{"chat_id": 5 ,"text":"\\u0000"}');
    expect(seen[0]?.body).toBe('{"chat_id": 5 ,"text":"\\u0000"}');
  });

  test('that nobody listens to was not reached', async () => {
    const { bot, server } = await serve((_request, response) => ok(response));
    await new Promise((resolve) => server.close(resolve));
    expect(await client().call(bot, 'getMe')).toMatchObject({
      kind: 'unreached',
      reason: expect.stringContaining('ECONNREFUSED'),
    });
  });

  test('to a name that does not exist was not reached', async () => {
    expect(await client().call({ token, apiRoot: 'http://telegram.invalid' }, 'getMe')).toMatchObject({
      kind: 'unreached',
    });
  });

  test('whose connection is closed after the body is doubtful', async () => {
    const { bot } = await serve(async (request) => {
      await text(request);
      request.socket.destroy();
    });
    expect(await client().call(bot, 'sendMessage', '{}')).toMatchObject({ kind: 'doubtful' });
  });

  test('whose answer is cut is doubtful', async () => {
    const { bot } = await serve((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"ok":true,', () => response.destroy());
    });
    expect(await client().call(bot, 'sendMessage', '{}')).toMatchObject({ kind: 'doubtful' });
  });

  test('whose answer does not come in time is doubtful', async () => {
    const { telegram, pass } = clientInItsOwnTime();
    const { bot } = await serve((request) => {
      request.resume();
      pass(50);
    });
    expect(await telegram.call(bot, 'sendMessage', '{}')).toEqual({
      kind: 'doubtful',
      reason: 'No answer within 50 ms.',
    });
  });

  test('whose answer drips past the time is doubtful', async () => {
    const { telegram, pass } = clientInItsOwnTime();
    const { bot } = await serve((request, response) => {
      request.resume();
      const drip = setInterval(() => {
        response.write(' ');
        pass(10);
      }, 20);
      response.on('close', () => clearInterval(drip));
    });
    expect(await telegram.call(bot, 'sendMessage', '{}')).toMatchObject({ kind: 'doubtful' });
  });

  test('that waited for a connection past its time was not reached, and is never written', async () => {
    const seen: (string | undefined)[] = [];
    let hang = true;
    const { telegram, pass } = clientInItsOwnTime({ connectionsMax: 1 });
    const { bot } = await serve((request, response) => {
      seen.push(request.url?.split('/').at(-1));
      request.resume();
      if (hang) pass(50);
      else ok(response);
    });
    const [first, second] = await Promise.all([
      telegram.callText(bot, 'sendMessage', '{}'),
      telegram.callText(bot, 'sendPhoto', '{}'),
    ]);
    hang = false;
    const third = await client().callText(bot, 'sendVideo', '{}');
    // The same client once more: whatever was left in its queue would go out before this.
    const fourth = await telegram.callText(bot, 'sendAudio', '{}');
    expect([first.kind, second.kind, third.kind, fourth.kind]).toEqual(['doubtful', 'unreached', 'ok', 'ok']);
    expect(seen).toEqual(['sendMessage', 'sendVideo', 'sendAudio']);
  });

  test.each(['press', 'checkout'] as const)('that answers a %s needs no connection of the sends', async (kind) => {
    const { telegram } = clientInItsOwnTime({ connectionsMax: 1 });
    let arrived = (): void => {};
    const reached = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const { bot } = await serve((request, response) => {
      request.resume();
      if (request.url?.endsWith('/sendMessage')) arrived();
      else ok(response);
    });
    // Time stands still, so this one hangs until the client is closed.
    const send = telegram.callText(bot, 'sendMessage', '{}');
    await reached;
    expect(await telegram.callText(bot, 'answer', '{}', { kind })).toMatchObject({ kind: 'ok' });
    await telegram.close();
    expect(await send).toMatchObject({ kind: 'doubtful' });
  });

  test.each([
    { kind: 'send', msMax: 10_000 },
    { kind: 'press', msMax: 4_000 },
    { kind: 'checkout', msMax: 3_000 },
  ] as const)('of kind $kind is given up after $msMax ms', async ({ kind, msMax }) => {
    let nowMs = 0;
    const telegram = client({}, { ...kit, monotonicMs: () => nowMs });
    const { bot } = await serve((request) => {
      request.resume();
      nowMs += msMax;
    });
    expect(await telegram.callText(bot, 'answer', '{}', { kind })).toEqual({
      kind: 'doubtful',
      reason: `No answer within ${msMax} ms.`,
    });
  });

  test('is not written after the lease under which it is made', async () => {
    const seen: { url: string; body: string; type: string | undefined }[] = [];
    const { bot } = await serve(echo(seen));
    const telegram = client();
    expect(await telegram.callText(bot, 'sendMessage', '{}', { startByMs: kit.monotonicMs() - 1 })).toMatchObject({
      kind: 'unreached',
    });
    expect(await telegram.callText(bot, 'getMe', '{}', { startByMs: kit.monotonicMs() + 60_000 })).toMatchObject({
      kind: 'ok',
    });
    expect(seen.map((each) => each.url)).toEqual([`/bot${token}/getMe`]);
  });

  test('tells when it is written, and one that is never written does not', async () => {
    let written = 0;
    const { telegram, pass } = clientInItsOwnTime({ connectionsMax: 1 });
    const { bot } = await serve((request) => {
      request.resume();
      pass(50);
    });
    const both = [1, 2].map(() => telegram.callText(bot, 'sendMessage', '{}', { written: () => (written += 1) }));
    expect((await Promise.all(both)).map((outcome) => outcome.kind)).toEqual(['doubtful', 'unreached']);
    expect(written).toBe(1);
  });

  test('ends as doubtful when the client is closed, and one after that was not reached', async () => {
    let arrived = (): void => {};
    const reached = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const { bot } = await serve((request) => {
      request.resume();
      arrived();
    });
    const telegram = client();
    const outcome = telegram.call(bot, 'sendMessage', '{}');
    await reached;
    await telegram.close();
    expect(await outcome).toMatchObject({ kind: 'doubtful' });
    expect(await telegram.call(bot, 'sendMessage', '{}')).toMatchObject({ kind: 'unreached' });
  });

  test('never shows its token, whatever fails and however it is echoed', async () => {
    const odd = '987654:odd token';
    const { apiRoot, bot, server } = await serve((request, response) => {
      request.resume();
      const url = decodeURIComponent(request.url ?? '');
      if (url.endsWith('/html')) response.writeHead(404).end(`<p>no ${url}</p>`);
      else
        response
          .writeHead(404)
          .end(JSON.stringify({ ok: false, error_code: 404, description: `Not Found: ${url} ${request.url}` }));
    });
    const telegram = client();
    const echoed = [
      await telegram.callText(bot, 'html', '{}'),
      await telegram.callText(bot, 'json', '{}'),
      await telegram.callText({ token: odd, apiRoot }, 'json', '{}'),
    ];
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    // Another client: the first may still hold a connection that it does not know to be closed.
    const late = client();
    echoed.push(
      await late.callText(bot, 'json', '{}'),
      await late.callWithFiles(bot, 'json', {}, []),
      (await late.download(bot, 'x')) as never,
    );
    expect(echoed.map((each) => each.kind)).toEqual([
      'doubtful',
      'refused',
      'unreached',
      'unreached',
      'unreached',
      'unreached',
    ]);
    for (const secret of [token, encodeURIComponent(token), odd, 'AAAAAAAA'])
      expect(JSON.stringify(echoed)).not.toContain(secret);
  });
});

/** The fields of a multipart body, by name. */
function fields(request: IncomingMessage, body: Buffer): Map<string, { header: string; value: string }> {
  const boundary = /boundary=(.+)$/.exec(request.headers['content-type'] ?? '')?.[1] ?? '';
  const parts = body.toString('latin1').split(`--${boundary}`).slice(1, -1);
  return new Map(
    parts.map((part) => {
      const [header = '', ...rest] = part.slice(2, -2).split('\r\n\r\n');
      return [/name="([^"]*)"/.exec(header)?.[1] ?? '', { header, value: rest.join('\r\n\r\n') }];
    }),
  );
}

describe('an upload', () => {
  test('carries parameters and files with a length', async () => {
    let form = new Map<string, { header: string; value: string }>();
    let lengths: (number | string | undefined)[] = [];
    const { bot } = await serve(async (request, response) => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece as Buffer);
      const body = Buffer.concat(pieces);
      lengths = [request.headers['content-length'], String(body.length), request.headers['transfer-encoding']];
      form = fields(request, body);
      ok(response);
    });
    const stream = {
      size: 200_000,
      async *open() {
        for (let index = 0; index < 2; index += 1) yield Buffer.alloc(100_000, 'z');
      },
    };
    const outcome = await client().callWithFiles(
      bot,
      'sendMediaGroup',
      { chat_id: -5, media: [{ type: 'photo', media: 'attach://a' }], caption: undefined, text: 'x\r\ny' },
      [
        { name: 'a', fileName: 'ca"t\r\n.jpg', contentType: 'image/jpeg', content: Buffer.from([0, 255, 13, 10]) },
        { name: 'b', fileName: 'b.bin', content: stream },
      ],
    );
    expect(outcome).toEqual({ kind: 'ok', result: true });
    expect(lengths).toEqual([lengths[0], lengths[0], undefined]);
    expect([...form.keys()]).toEqual(['chat_id', 'media', 'text', 'a', 'b']);
    expect(form.get('media')?.value).toBe('[{"type":"photo","media":"attach://a"}]');
    expect(form.get('text')?.value).toBe('x\r\ny');
    expect(form.get('a')).toEqual({
      header: 'content-disposition: form-data; name="a"; filename="ca%22t%0D%0A.jpg"\r\ncontent-type: image/jpeg',
      value: '\u0000\u00ff\r\n',
    });
    expect(form.get('b')?.value).toHaveLength(200_000);
  });

  test('of a file that is not as long as it was said was not reached', async () => {
    let complete = 0;
    const { bot } = await serve(
      (request) =>
        void request
          .resume()
          .on('end', () => (complete += 1))
          .on('error', () => {}),
    );
    for (const bytes of [10, 1_000]) {
      const content = {
        size: 100,
        async *open() {
          yield Buffer.alloc(bytes);
        },
      };
      expect(
        await client().callWithFiles(bot, 'sendDocument', {}, [{ name: 'document', fileName: 'x', content }]),
      ).toMatchObject({
        kind: 'unreached',
        reason: expect.stringContaining('is not of the 100 bytes'),
      });
    }
    expect(complete).toBe(0);
  });

  test('that breaks before its end was not reached; after it, doubtful', async () => {
    const { bot } = await serve((request) => void request.once('data', () => request.socket.destroy()));
    const endless = {
      size: 1 << 30,
      async *open() {
        for (;;) yield Buffer.alloc(1 << 20);
      },
    };
    const upload = (content: Uint8Array | typeof endless) =>
      client().callWithFiles(bot, 'sendDocument', {}, [{ name: 'document', fileName: 'x', content }]);
    expect((await upload(endless)).kind).toBe('unreached');
    expect((await upload(Buffer.from('small'))).kind).toBe('doubtful');
  });
});

describe('a poll', () => {
  const params = { offset: 8, limit: 100, timeoutSeconds: 25, allowedUpdates: ['message'] };

  test('asks for what is new and gives the bytes as they came', async () => {
    let asked = '';
    const { bot } = await serve(async (request, response) => {
      asked = await text(request);
      response.end('{"ok":true,"result":[{"update_id":8,\n"message":{"text":"\\u041f"}}]}');
    });
    const outcome = await client().poll(bot, params, new AbortController().signal);
    expect(JSON.parse(asked)).toEqual({ offset: 8, limit: 100, timeout: 25, allowed_updates: ['message'] });
    expect(outcome).toEqual({
      kind: 'ok',
      result: [{ updateId: 8, body: Buffer.from('{"update_id":8,\n"message":{"text":"\\u041f"}}') }],
    });
  });

  test('ends when it is told to', async () => {
    const controller = new AbortController();
    const { bot } = await serve((request) => {
      request.resume();
      controller.abort();
    });
    expect(await client().poll(bot, params, controller.signal)).toEqual({ kind: 'doubtful', reason: 'Stopped.' });
    expect(await client().poll(bot, params, controller.signal)).toEqual({ kind: 'unreached', reason: 'Stopped.' });
  });
});

describe('a download', () => {
  test('gives the bytes and their number', async () => {
    const { bot } = await serve((request, response) => {
      if (request.url === `/file/bot${token}/photos/file%201.jpg`)
        response.setHeader('content-length', '5').end('bytes');
      else response.writeHead(404).end('{"ok":false,"error_code":404,"description":"Not Found"}');
    });
    const found = await client().download(bot, 'photos/file 1.jpg');
    expect(found).toMatchObject({ kind: 'ok', size: 5 });
    expect(found.kind === 'ok' ? await text(found.body) : '').toBe('bytes');
    expect(await client().download(bot, '../x')).toEqual({ kind: 'refused', code: 404, description: 'Not Found' });
  });

  test('of a local server reads from its folder and nowhere else', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'roost-local-'));
    await writeFile(join(folder, 'clip.mp4'), 'clip');
    await symlink('/etc/passwd', join(folder, 'link'));
    const bot = { token, apiRoot: 'http://127.0.0.1:9' };
    const local = client({ localFilesFolder: folder });
    const found = await local.download(bot, join(folder, 'clip.mp4'));
    expect(found.kind === 'ok' ? [found.size, await text(found.body)] : found).toEqual([4, 'clip']);
    for (const path of ['/etc/passwd', `${folder}/../../etc/passwd`, join(folder, 'link'), join(folder, 'absent')]) {
      expect(await local.download(bot, path), path).toMatchObject({ kind: 'refused', code: 400 });
    }
    expect(await client().download(bot, join(folder, 'clip.mp4'))).toMatchObject({ kind: 'refused' });
  });
});
