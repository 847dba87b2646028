import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../../kernel/sql.ts';
import { onePixel } from '../projects/fixtures.ts';
import { freshKey, startTestApp, type TestApp } from './harness.ts';
import { listLeads } from './miniapps.ts';
import { pruneUploads } from './uploads/sql.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await startTestApp();
});
afterAll(() => shop.close());

const as = (id: number) => ({ authorization: `tma ${shop.initData({ id })}` });

async function upload(
  bytes: Buffer,
  headers: Record<string, string> = as(77),
  query = 'form=lead&field=file',
): Promise<{
  status: number;
  body: { ok: boolean; file?: string; error?: { code: string; message: string; facts?: object } };
}> {
  const response = await fetch(`${shop.address}/v1/apps/${shop.app}/files?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', ...headers },
    body: new Uint8Array(bytes),
  });
  return { status: response.status, body: (await response.json()) as never };
}
const lead = (file: unknown) => ({
  key: freshKey(),
  form: 'lead',
  values: { name: 'Anna', agree: true, file },
  locale: 'en',
});

test('a picture goes along with the form of whoever has uploaded it, once', async () => {
  const { status, body } = await upload(onePixel, as(77), 'form=lead&field=file&name=..%2Fmy%20%3Cphoto%3E.exe');
  expect([status, body.file]).toEqual([200, expect.stringMatching(/^file_[\w-]{22}$/)]);
  expect((await shop.send(lead(body.file), as(78))).body.error.facts.fields).toEqual({
    file: 'This file was not found. Upload it again',
  });
  expect((await shop.send(lead([body.file]), as(77))).status).toBe(200);
  expect((await shop.send(lead(body.file), as(77))).status).toBe(400);
  const [stored] = await listLeads(shop.roost.db, shop.project.id, { limit: 1 });
  expect(stored?.files).toEqual([{ id: body.file, name: 'my photo.png', field: 'file' }]);
  // The bot is given an address that opens it.
  expect(stored?.words['file']).toMatch(/\/v1\/files\/file_[\w-]+\?until=\d+&seal=[\w-]+$/);
});

test('the owner’s address gives the file to be saved, and no other address does', async () => {
  const { body } = await upload(onePixel, as(80));
  await shop.send(lead(body.file), as(80));
  const [stored] = await listLeads(shop.roost.db, shop.project.id, { limit: 1 });
  const address = new URL(stored?.words['file'] ?? '', shop.address);
  const path = address.pathname + address.search;
  const response = await shop.get(path);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(onePixel);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': expect.stringContaining('attachment;'),
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
  });
  const other = (sign: string): string => (sign === 'a' ? 'b' : 'a');
  for (const bent of [
    address.pathname,
    path.replace(/until=\d/, 'until=9'),
    path.replace(/seal=(.)/, (_all, first) => `seal=${other(first)}`),
    path.replace(/file_(.)/, (_all, first) => `file_${other(first)}`),
    `${address.pathname}?until=a&until=b&seal=c`,
  ])
    expect((await shop.get(bent)).status, bent).toBe(404);
});

test('what is not exactly a picture is refused in words', async () => {
  const jpeg = readFileSync(join(import.meta.dirname, '..', '..', '..', 'examples', 'shop', 'cover.jpg'));
  const cases: [Buffer, number, string][] = [
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), 415, 'FILE_REFUSED'],
    [Buffer.from('<!doctype html><script>alert(1)</script>'), 415, 'FILE_REFUSED'],
    [Buffer.from('%PDF-1.7 %%EOF'), 415, 'FILE_REFUSED'],
    [jpeg.subarray(0, 5_000), 415, 'FILE_REFUSED'],
    [Buffer.alloc(0), 415, 'FILE_REFUSED'],
    [Buffer.alloc(10 * 1024 * 1024 + 1, 1), 413, 'BODY_TOO_LARGE'],
  ];
  for (const [bytes, status, code] of cases) {
    const answer = await upload(bytes, as(81));
    expect([answer.status, answer.body.error?.code], code).toEqual([status, code]);
  }
  expect((await upload(jpeg, as(81))).status).toBe(200);
});

test('a file that is too large or of another kind is refused under its field, in the language of the page', async () => {
  const cases: [Buffer, 'ru' | 'en', string][] = [
    [Buffer.alloc(10 * 1024 * 1024 + 1, 1), 'ru', 'Файл слишком большой: помещается 10 МБ.'],
    [Buffer.alloc(10 * 1024 * 1024 + 1, 1), 'en', 'The file is too large: there is room for 10 MB.'],
    [Buffer.alloc(100, 1), 'ru', 'Такой файл не подходит. Пришлите картинку JPEG, PNG, WebP или GIF.'],
  ];
  const marked = {
    ru: 'Проверьте отмеченные поля. Ничего не отправлено.',
    en: 'Look at the marked fields. Nothing was sent.',
  };
  for (const [bytes, lang, sentence] of cases) {
    const referer = `${shop.address}/a/${shop.app}?lang=${lang}`;
    const { body } = await upload(bytes, { ...as(84), referer });
    expect(body.error).toMatchObject({ message: marked[lang], facts: { fields: { file: sentence } } });
  }
});

test('a field that takes no files, another form, or nobody at all gets nothing', async () => {
  for (const query of ['form=lead&field=name', 'form=nothing&field=file', 'form=lead&field=constructor'])
    expect((await upload(onePixel, as(82), query)).status, query).toBeGreaterThanOrEqual(400);
  expect((await upload(onePixel, as(82), 'form=lead')).status).toBe(400);
  expect((await upload(onePixel, {})).body.error?.code).toBe('UNKNOWN_VISITOR');
});

test('who uploads without sending is stopped, and what was never sent goes after a day', async () => {
  const answers = [];
  for (let index = 0; index < 14; index += 1) answers.push((await upload(onePixel, as(83))).status);
  expect(answers).toEqual([...Array(12).fill(200), 429, 429]);
  const { db } = shop.roost;
  await db.run(sql`update upload set created_at = now() - interval '25 hours' where visitor_id = 'tg:83'`);
  expect(await pruneUploads(db, 100, 0)).toBe(12);
  expect((await upload(onePixel, as(83))).status).toBe(200);
});
