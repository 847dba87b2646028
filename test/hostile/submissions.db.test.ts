import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../kernel/sql.ts';
import { type Answer, startTestApp, type TestApp } from '../../server/domains/miniapps/harness.ts';
import { listLeads } from '../../server/domains/miniapps/miniapps.ts';
import { freshCookie } from '../../server/domains/miniapps/visitors/cookie.ts';
import { formDocument, hostileFiles, jpeg, talkativePhoto } from './files.ts';
import { eventRequest, goodEvent, hostileSubmissions, MARK, type Request } from './submissions.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await startTestApp(formDocument());
});
afterAll(() => shop.close());

async function send({ path, ...request }: Request): Promise<{ status: number; text: string; body: Answer }> {
  const response = await fetch(`${shop.address}${path}`, request);
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) };
}

function fileRequest(bytes: Buffer, query: string, person: number): Request {
  return {
    path: `/v1/apps/${shop.app}/files?${query}`,
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', authorization: `tma ${shop.initData({ id: person })}` },
    body: new Uint8Array(bytes),
  };
}

/** Everything that a visitor can leave behind. */
const stored = () =>
  shop.roost.db.one<Record<string, number>>(
    sql`select (select count(*)::int from lead) as leads, (select count(*)::int from upload) as uploads,
          (select count(*)::int from inbox) as events, (select count(*)::int from order_line) as lines,
          (select count(*)::int from booking_cell) as cells, (select count(*)::int from app_visitor) as visitors,
          (select coalesce(sum((values->>'stock')::numeric), 0)::int from record where table_name = 'goods') as stock`,
  );

async function webCookie(): Promise<string> {
  const path = `/v1/apps/${shop.app}/visitors`;
  const response = await fetch(`${shop.address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** Every page in every language, and what it is made of. */
async function shown(): Promise<string> {
  const texts: string[] = [];
  for (const path of ['', '/goods/1', '/cart', '/visit'])
    for (const lang of ['ru', 'en']) {
      const html = await (await shop.get(`/a/${shop.app}${path}?lang=${lang}`)).text();
      const files = [...html.matchAll(/<link rel="preload"[^>]* href="([^"]+)"/g)].map((match) => match[1] ?? '');
      expect(files).toHaveLength(2);
      texts.push(html, ...(await Promise.all(files.map(async (file) => (await shop.get(file)).text()))));
    }
  return texts.join('\n');
}

describe('hostile submissions', () => {
  test('are refused with a code and a sentence, and neither stored nor shown', async () => {
    const other = shop.roost.simulator.createBot();
    const foreign = freshCookie(Buffer.alloc(32, 9), Date.now(), false).split(';')[0] ?? '';
    const cases = hostileSubmissions(shop, await webCookie(), { token: other.token, cookie: foreign });
    expect(cases.length).toBeGreaterThan(120);
    const before = await stored();
    const wrong: string[] = [];
    for (const { name, codes, request } of cases) {
      const { status, text, body } = await send(request);
      const { code, message } = body.error ?? {};
      if (status < 400 || status >= 500 || !codes.includes(code))
        wrong.push(`${name}: ${status} ${text.slice(0, 200)}`);
      else expect(message, name).toMatch(/^\p{Lu}.{8,}\.$/u);
      // What was sent is not thrown back.
      if (text.includes(MARK)) wrong.push(`${name}: ${text.slice(0, 200)}`);
    }
    expect(wrong).toEqual([]);
    expect(await stored()).toEqual(before);
    expect(await shown()).not.toContain(MARK);
  });

  test('of files are refused in words, and not kept', async () => {
    expect(hostileFiles.length).toBeGreaterThan(30);
    const before = await stored();
    const wrong: string[] = [];
    let person = 700_000;
    for (const { name, codes, bytes, query } of hostileFiles) {
      const { status, text, body } = await send(fileRequest(bytes, query, (person += 1)));
      if (status < 400 || status >= 500 || !codes.includes(body.error?.code)) wrong.push(`${name}: ${status} ${text}`);
      else expect(body.error.message, name).toMatch(/^\p{Lu}.{8,}\.$/u);
    }
    expect(wrong).toEqual([]);
    expect(await stored()).toEqual(before);
  });
});

describe('a good one beside them', () => {
  const last = async () => (await listLeads(shop.roost.db, shop.project.id, { limit: 1 }))[0];

  test('is taken, so that what is refused is refused for its malice', async () => {
    const values = { phone: '+79001234567', mail: 'a@b.ru', tags: ['b'], age: 7, day: '2026-12-31', kind: 'a' };
    expect((await send(eventRequest(shop, goodEvent(values)))).body).toMatchObject({ ok: true, number: 1 });
    const order = goodEvent({}, { form: 'order', values: { name: MARK }, cart: { '1': 1, '2:M': 1 } });
    expect((await send(eventRequest(shop, order))).body).toMatchObject({ ok: true, number: 2 });
    expect(await last()).toMatchObject({ total: 16.5 });
    const cookie = await webCookie();
    expect((await send(eventRequest(shop, goodEvent({}, { start: 'summer' }), { cookie }))).status).toBe(200);
    expect(await shown()).not.toContain(MARK);
  });

  test('brings nothing along that is not asked of it', async () => {
    const request = eventRequest(
      shop,
      goodEvent({ why: MARK, kind: 'a', from: 'forged' }, { start: 'flyer', cart: { '1': 9 } }),
    );
    const before = await stored();
    expect((await send(request)).status).toBe(200);
    expect((await last())?.fields).toEqual({ name: MARK, agree: true, kind: 'a', from: 'flyer' });
    expect(await stored()).toMatchObject({ lines: before?.['lines'], stock: before?.['stock'] });
  });

  test('that is sent again changes nothing under its key, something else is refused there, and is another under another', async () => {
    const request = eventRequest(shop, goodEvent({}, { key: 'replayed-1' }));
    const first = (await send(request)).body;
    const before = await stored();
    const changed = JSON.stringify(goodEvent({ name: 'other' }, { key: 'replayed-1' }));
    for (const body of [request.body, request.body])
      expect((await send({ ...request, body })).body).toMatchObject({ duplicate: true, number: first.number });
    expect((await send({ ...request, body: changed })).body.error.code).toBe('KEY_USED');
    expect(await stored()).toEqual(before);
    const another = JSON.stringify(goodEvent({}, { key: 'replayed-2' }));
    expect((await send({ ...request, body: another })).body).toMatchObject({
      duplicate: false,
      number: first.number + 1,
    });
  });

  test('may bring a picture without what it said of its maker, for this visitor, form and field alone', async () => {
    const sent = await send(fileRequest(talkativePhoto(), 'form=lead&field=file&name=%3Cscript%3E.svg', 800_001));
    expect(sent.status).toBe(200);
    const row = await shop.roost.db.one<{ bytes: Buffer; name: string; kind: string }>(
      sql`select bytes, name, kind from upload where id = ${sent.body.file}`,
    );
    expect(row?.bytes.includes(MARK) || row?.bytes.includes('<script')).toBe(false);
    expect([row?.kind, row?.name]).toEqual(['image/jpeg', 'script.jpg']);
    expect(row?.bytes.length).toBeLessThanOrEqual(jpeg.length);
    const as = (id: number) => ({ authorization: `tma ${shop.initData({ id })}` });
    const before = await stored();
    const { file } = sent.body;
    for (const [person, values] of [
      [800_002, { file }],
      [800_001, { paper: file }],
      [800_001, { file: [file, `file_${'a'.repeat(22)}`] }],
    ] as const)
      expect((await send(eventRequest(shop, goodEvent(values), as(person)))).body.error.code).toBe('INPUT_WRONG');
    expect(await stored()).toEqual(before);
  });
});
