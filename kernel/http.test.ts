import { expect, test } from 'vitest';
import { z } from 'zod';
import { Refusal } from './errors.ts';
import { createHttp, listen } from './http.ts';
import { realKit } from './kit.ts';
import { createLog } from './log.ts';

function server(): { app: ReturnType<typeof createHttp>; lines: string[] } {
  const lines: string[] = [];
  const app = createHttp(realKit(createLog({ level: 'debug', sink: { write: (line) => void lines.push(line) } })));
  return { app, lines };
}

test('a refusal is answered with its status, code, sentence and facts', async () => {
  const { app, lines } = server();
  app.get('/', async () => {
    throw new Refusal('RELEASE_NOT_FOUND', undefined, { release: 4 });
  });
  const answer = await app.inject('/');
  expect(answer.statusCode).toBe(404);
  expect(answer.json()).toMatchObject({ ok: false, error: { code: 'RELEASE_NOT_FOUND', facts: { release: 4 } } });
  expect(answer.headers['x-request-id']).toBe(answer.json().error.requestId);
  expect(lines).toEqual([]);
});

test('a wrong request names the path of every mistake and repeats no value', async () => {
  const { app } = server();
  const schema = z.strictObject({ name: z.string(), tags: z.array(z.string()) });
  app.post('/', async (request) => schema.parse(request.body));
  const answer = await app.inject({
    method: 'POST',
    url: '/',
    payload: { name: 1, tags: ['a', { deep: 'hidden-value' }] },
  });
  expect(answer.statusCode).toBe(400);
  expect(answer.json().error.facts.faults.map((fault: { path: string }) => fault.path)).toEqual(['name', 'tags.1']);
  expect(answer.body).not.toContain('hidden-value');
});

test('names that a stranger has made up are repeated in pieces, in quotes, and few of them', async () => {
  const { app } = server();
  app.post('/', async (request) => z.strictObject({ name: z.string() }).parse(request.body));
  app.post('/facts', async (request) => {
    throw new Refusal('INPUT_WRONG', `Nothing is called ${JSON.stringify(request.body)}.`, {
      given: request.body,
      deep: [request.body],
    });
  });
  const long = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [`${at}${'1'.repeat(1_000)}`, 'x'.repeat(2_000)]),
  );
  const { faults } = (await app.inject({ method: 'POST', url: '/', payload: long })).json().error.facts;
  expect(faults.map((fault: { path: string }) => fault.path)).toEqual(['name', '']);
  expect(faults[1].message).toMatch(/^Nothing here is called "01{63}…", .* and 295 more$/);
  const answer = await app.inject({ method: 'POST', url: '/facts', payload: long });
  expect(answer.json().error.message).toHaveLength(2_000);
  expect(answer.body.length).toBeLessThan(150_000);
});

test('a bug is logged whole and answered with a request id only', async () => {
  const { app, lines } = server();
  app.get('/', async () => {
    throw new Error('select * from private_table 123456:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA');
  });
  const answer = await app.inject('/');
  expect(answer.statusCode).toBe(500);
  expect(answer.body).not.toContain('private_table');
  expect(lines.join('')).toContain('private_table');
  expect(lines.join('')).not.toContain('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA');
  expect(lines.join('')).toContain(answer.json().error.requestId);
});

test('a database that is away is 503 with a moment to come back', async () => {
  const { app } = server();
  app.get('/', async () => {
    throw Object.assign(new Error('connect ECONNREFUSED /private/socket'), { code: 'ECONNREFUSED' });
  });
  const answer = await app.inject('/');
  expect(answer.statusCode).toBe(503);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expect(answer.body).not.toContain('socket');
});

test('broken JSON is 400, a large body 413, an unknown address 404, each with its code', async () => {
  const { app } = server();
  app.post('/', async () => ({}));
  const headers = { 'content-type': 'application/json' };
  const broken = await app.inject({ method: 'POST', url: '/', headers, payload: '{"token": "123456:SECRET' });
  expect([broken.statusCode, broken.json().error.code]).toEqual([400, 'BODY_BROKEN']);
  expect(broken.body).not.toContain('SECRET');
  const large = await app.inject({ method: 'POST', url: '/', headers, payload: `"${'x'.repeat(1024 * 1024)}"` });
  expect([large.statusCode, large.json().error.code]).toEqual([413, 'BODY_TOO_LARGE']);
  const nowhere = await app.inject('/nowhere');
  expect([nowhere.statusCode, nowhere.json().error.code]).toEqual([404, 'NOT_FOUND']);
});

test('an address that cannot be read is answered like any other that leads nowhere, and never repeated', async () => {
  const { app, lines } = server();
  app.post('/hooks/:id', async () => ({}));
  const asked: ['GET' | 'POST' | 'OPTIONS', string][] = [
    ['GET', '/%'],
    ['GET', '/%HIDDEN'],
    ['POST', `/hooks/${'HIDDEN'.repeat(1_000)}`],
    ['GET', `/${'HIDDEN'.repeat(1_000)}`],
    ['OPTIONS', '/hooks/HIDDEN'],
  ];
  for (const [method, url] of asked) {
    const answer = await app.inject({ method, url });
    expect([answer.statusCode, answer.json().error.code], url.slice(0, 20)).toEqual([404, 'NOT_FOUND']);
    expect(answer.headers).toMatchObject({
      'x-request-id': answer.json().error.requestId,
      'x-content-type-options': 'nosniff',
    });
    expect(answer.body).not.toContain('HIDDEN');
  }
  expect(lines).toEqual([]);
});

test('an address that cannot be read is answered by whoever has pages, and what goes wrong there as everywhere', async () => {
  const lines: string[] = [];
  const kit = realKit(createLog({ level: 'debug', sink: { write: (line) => void lines.push(line) } }));
  const app = createHttp(kit, {
    unreadable: (request, reply) => {
      if (request.url === '/away/%') throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
      if (request.url === '/bug/%') throw new Error('bug');
      return reply.code(404).header('content-type', 'text/html').send('<p>nothing</p>');
    },
  });
  const page = await app.inject('/%');
  expect([page.statusCode, page.body, page.headers['x-content-type-options']]).toEqual([
    404,
    '<p>nothing</p>',
    'nosniff',
  ]);
  expect((await app.inject('/away/%')).statusCode).toBe(503);
  expect((await app.inject('/bug/%')).json().error.code).toBe('BUG');
  expect(lines).toHaveLength(2);
});

test('a taken port is one clear refusal', async () => {
  const first = server().app;
  const second = server().app;
  const address = await listen(first, { host: '127.0.0.1', port: 0 });
  const port = Number(new URL(address).port);
  await expect(listen(second, { host: '127.0.0.1', port })).rejects.toMatchObject({ code: 'PORT_TAKEN' });
  await Promise.all([first.close(), second.close()]);
});

test('a forwarded address is believed from trusted proxies only', async () => {
  const plain = server().app;
  plain.get('/', async (request) => request.ip);
  const answer = await plain.inject({ url: '/', headers: { 'x-forwarded-for': '9.9.9.9' } });
  expect(answer.body).toBe('127.0.0.1');
});
