import { expect, test } from 'vitest';
import { readMultipart } from './multipart.ts';
import { ApiRefusal } from './refusal.ts';

async function encode(form: FormData): Promise<{ type: string; bytes: Buffer }> {
  const response = new Response(form);
  return { type: response.headers.get('content-type') ?? '', bytes: Buffer.from(await response.arrayBuffer()) };
}

test('fields and files come apart, bytes untouched', async () => {
  const bytes = Buffer.from([0, 13, 10, 45, 45, 255, 0, 13, 10]);
  const form = new FormData();
  form.append('chat_id', '5');
  form.append('caption', 'Привет\r\n--нет');
  form.append('photo', new Blob([bytes], { type: 'image/png' }), 'снимок "1".png');
  const { type, bytes: body } = await encode(form);
  const { fields, uploads } = readMultipart(type, body);
  expect(fields).toEqual({ chat_id: '5', caption: 'Привет\r\n--нет' });
  expect(uploads.get('photo')).toEqual({ name: 'снимок "1".png', mime: 'image/png', bytes });
});

test('a body that is cut off is refused', async () => {
  const form = new FormData();
  form.append('photo', new Blob(['abc']), 'a.png');
  const { type, bytes } = await encode(form);
  expect(() => readMultipart(type, bytes.subarray(0, bytes.length - 20))).toThrow(ApiRefusal);
  expect(() => readMultipart('multipart/form-data', bytes)).toThrow(/boundary/);
});
