import { afterEach, beforeEach, expect, test } from 'vitest';
import { realKit } from '../../../kernel/kit.ts';
import { createLog } from '../../../kernel/log.ts';
import { sql } from '../../../kernel/sql.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { insertMessages, type NewMessage, type Placed } from './sql.ts';
import { createOutbox, type Outbox } from './worker.ts';

const kit = realKit(createLog({ level: 'silent' }));
const token = 5;
let database: TestDatabase;
let outbox: Outbox;
let said: string[];

beforeEach(async () => {
  database = await createTestDatabase();
  said = [];
  // The fence looks at the bucket itself.
  await database.db.run(sql`update bucket set token = ${token} where id = 3`);
  const bot = { id: 1, bucket: 3, apiRoot: 'http://127.0.0.1:1' };
  outbox = createOutbox({
    kit,
    db: database.db,
    node: {
      owns: () => true,
      token: () => token,
      validUntilMs: () => Number.POSITIVE_INFINITY,
      soleReceiver: () => true,
    },
    telegram: {
      callText: async (_bot: unknown, _method: string, params: string, options?: { written?: () => void }) => {
        options?.written?.();
        said.push((JSON.parse(params) as { text: string }).text);
        return { kind: 'ok', result: { message_id: said.length } };
      },
    },
    bots: { byId: () => bot, isWorking: () => true, token: async () => 'token' },
    tokens: { refused: () => {}, isSuspect: () => false },
    readFile: async () => undefined,
    ownedBuckets: () => [3],
    eventsStored: () => {},
  } as never);
});
afterEach(async () => {
  await outbox.stop();
  await database.close();
});

const message = (text: string): NewMessage => ({
  integrationId: 1,
  bucket: 3,
  key: text,
  chatId: 100,
  class: 0,
  method: 'sendMessage',
  params: JSON.stringify({ text }),
  target: null,
  report: null,
});

const insert = (rows: readonly Placed[]) => database.db.tx((tx) => insertMessages(tx, rows));

test('what a former owner has left waits before anything new of its chat, from the first moment', async () => {
  await insert([
    { ...message('sending'), state: 1, ownerToken: token - 1 },
    { ...message('waiting'), state: 0, ownerToken: null },
  ]);
  await outbox.gained([{ bucket: 3, token, inherited: true, frozen: false }]);
  // A turn that runs before the first look at the table.
  const placements = outbox.sender.place([message('new')]);
  const ids = await insert(placements.map(({ row }) => row));
  outbox.sender.committed(placements, new Map(ids.map((row) => [`${row.integration_id} ${row.key}`, row.id])));
  outbox.begin();
  await outbox.start();
  while (said.length < 3) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(said).toEqual(['sending', 'waiting', 'new']);
});

test('a bot of which nothing waits any more is not kept back for ever', async () => {
  outbox.sender.reread(1, 3);
  await outbox.start();
  while (outbox.sender.book.line(1, 3).behind) await new Promise((resolve) => setTimeout(resolve, 20));
});
