import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from '../../../kernel/sql.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import type { Outcome } from '../telegram/telegram.ts';
import { botUploadsMax, uploadsMax } from './files.ts';
import { type Bench, bucket, message, openBench } from './harness.ts';
import type { NewMessage } from './sql.ts';

type Upload = { readonly chatId: number; end(outcome: Outcome): void };

let database: TestDatabase;
let bench: Bench;
/** Uploads under way, and how many there were in all. */
let uploads: Upload[];
let begun: number;
beforeEach(async () => {
  database = await createTestDatabase();
  uploads = [];
  begun = 0;
  const upload = (params: Record<string, unknown>): Promise<Outcome> =>
    new Promise((resolve) => {
      begun += 1;
      const end = (outcome: Outcome): void => {
        uploads = uploads.filter((each) => each !== flight);
        resolve(outcome);
      };
      const flight: Upload = { chatId: params['chat_id'] as number, end };
      uploads.push(flight);
    });
  bench = await openBench(database, { upload });
});
afterEach(async () => {
  await bench.stop();
  await database.close();
});

const film = (chatId: number, content = 'f'.repeat(64), integrationId = 1): NewMessage => ({
  ...message(`film ${integrationId} ${chatId}`),
  integrationId,
  chatId,
  method: 'sendVideo',
  params: JSON.stringify({ video: { $file: { sha256: content, kind: 'video' } } }),
});

const taken: Outcome = { kind: 'ok', result: { message_id: 7, video: { file_id: 'NAME' } } };
const refused: Outcome = { kind: 'refused', code: 400, description: 'Bad Request: wrong file' } as Outcome;

const states = async (): Promise<readonly number[]> =>
  (await database.db.many<{ state: number }>(sql`select state from outbox order by id`)).map(({ state }) => state);

test('a film that a hundred people are shown at once is uploaded once, and nobody else waits', async () => {
  const chats = Array.from({ length: 25 }, (_, index) => 1_000 + index);
  for (const chatId of chats) await bench.send(film(chatId));
  await bench.send({ ...message('behind its film'), chatId: 1_000 });
  await bench.send({ ...message('elsewhere'), chatId: 99 });
  await expect.poll(() => bench.said).toEqual(['elsewhere']);
  await expect.poll(() => uploads.map(({ chatId }) => chatId)).toEqual([1_000]);
  // Those that wait are not marked: whoever takes the bucket over has no doubt about them.
  expect((await states()).slice(1, 26)).toEqual(new Array(25).fill(0));
  uploads[0]?.end(taken);
  await expect.poll(() => bench.said.filter((words) => words === 'NAME').length).toBe(24);
  await expect.poll(() => bench.said).toContain('behind its film');
  expect(begun).toBe(1);
});

test('a flight that fails leaves the film to the next message, one by one', async () => {
  for (const chatId of [1, 2, 3, 4]) await bench.send(film(chatId));
  for (const chatId of [1, 2]) {
    await expect.poll(() => uploads.map((upload) => upload.chatId)).toEqual([chatId]);
    uploads[0]?.end(refused);
  }
  await expect.poll(() => uploads.map((upload) => upload.chatId)).toEqual([3]);
  uploads[0]?.end(taken);
  await expect.poll(() => bench.said).toEqual(['NAME']);
  await expect.poll(states).toEqual([3, 3, 2, 2]);
  expect(begun).toBe(3);
});

test('a file that Telegram takes without a name keeps nobody waiting', async () => {
  for (const chatId of [1, 2, 3]) await bench.send(film(chatId));
  await expect.poll(() => uploads.map((upload) => upload.chatId)).toEqual([1]);
  uploads[0]?.end({ kind: 'ok', result: { message_id: 7, animation: { file_id: 'OTHER' } } });
  await expect.poll(() => uploads.map((upload) => upload.chatId).toSorted()).toEqual([2, 3]);
  for (const upload of uploads) upload.end(taken);
  await expect.poll(states).toEqual([2, 2, 2]);
});

test('a name that is gone from the table is asked for by one upload', async () => {
  await bench.send(film(1));
  await expect.poll(() => uploads.length).toBe(1);
  uploads[0]?.end(taken);
  await expect.poll(states).toEqual([2]);
  await database.db.run(sql`delete from uploaded_file`);
  for (const chatId of [2, 3, 4, 5]) await bench.send(film(chatId));
  await expect.poll(() => uploads.length).toBe(1);
  uploads[0]?.end(taken);
  await expect.poll(states).toEqual([2, 2, 2, 2, 2]);
  expect(begun).toBe(2);
});

test('uploads of a process and of one bot are bounded, and all come to their turn', async () => {
  let most = 0;
  let ended = 0;
  for (const bot of [1, 2, 3, 4, 5])
    for (let content = 0; content < 8; content += 1)
      await bench.send({ ...film(bot * 100 + content, `${content}`, bot), bucket: bucket + bot });
  const ofBots = (): readonly number[] =>
    [1, 2, 3, 4, 5].map((bot) => uploads.filter(({ chatId }) => Math.floor(chatId / 100) === bot).length);
  await expect.poll(() => uploads.length).toBe(uploadsMax);
  while (ended < 40) {
    most = Math.max(most, uploads.length);
    expect(Math.max(...ofBots())).toBeLessThanOrEqual(botUploadsMax);
    const [first] = uploads;
    if (first) ended += 1;
    first?.end(taken);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(most).toBe(uploadsMax);
  await expect.poll(states).toEqual(new Array(40).fill(2));
});
