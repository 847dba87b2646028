import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../kernel/sql.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { findConversations, migrateChat, writeConversations } from './contacts.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.close());

const oldId = -100;
const newId = -1_000_000_000_200;
const user = 7;

const resting = (note: string): string => JSON.stringify({ release: 0, wait: null, vars: { note } });
const pausing = (note: string): string => JSON.stringify({ release: 1, wait: { block: 'b' }, vars: { note } });

const write = (chatId: number, state: string, version = 0): Promise<unknown> =>
  database.db.tx((tx) =>
    writeConversations(tx, [{ integrationId: 1, chatId, threadId: 0, userId: user, releaseNumber: 1, state, version }]),
  );

const migrate = (): Promise<unknown> =>
  database.db.tx((tx) => migrateChat(tx, { integrationId: 1, fromId: oldId, toId: newId }));

const find = (chatId: number): ReturnType<typeof findConversations> =>
  findConversations(database.db, { integrationIds: [1], chatIds: [chatId], threadIds: [0], userIds: [user] });

const stateOf = async (chatId: number): Promise<string | null | undefined> => (await find(chatId))[0]?.state;

describe('a group that became a supergroup', () => {
  test('has its conversations under the new id, and the old one leads there', async () => {
    await write(oldId, pausing('old'));
    await migrate();
    expect(await stateOf(newId)).toBe(pausing('old'));
    expect(await find(oldId)).toMatchObject([{ moved_to: newId }]);
    // Also for somebody who had said nothing there.
    const stranger = { integrationIds: [1], chatIds: [oldId], threadIds: [0], userIds: [8] };
    expect(await findConversations(database.db, stranger)).toMatchObject([{ state: null, moved_to: newId }]);
    expect(await findConversations(database.db, { ...stranger, chatIds: [-101] })).toEqual([]);
  });

  test('is moved once, however often that is said', async () => {
    await write(oldId, pausing('old'));
    await migrate();
    await write(newId, resting('gone on'), 2);
    await migrate();
    expect(await stateOf(newId)).toBe(resting('gone on'));
    expect(await database.db.one(sql`select count(*)::int as count from conversation`)).toEqual({ count: 2 });
  });

  test('lets nobody write a conversation who has read it before', async () => {
    await write(oldId, pausing('old'));
    await migrate();
    await expect(write(oldId, resting('stale'), 1)).rejects.toThrow('conversation');
  });

  test.each([
    ['nothing is remembered', 'null', pausing('old'), pausing('old')],
    ['it rests while the old one waits', resting('new'), pausing('old'), pausing('old')],
    ['it waits', pausing('new'), pausing('old'), pausing('new')],
    ['both rest', resting('new'), resting('old'), resting('new')],
    ['nothing went along', resting('new'), 'null', resting('new')],
  ])('and in which something had begun, when %s', async (_when, there, here, after) => {
    await write(newId, there);
    await write(oldId, here);
    await migrate();
    expect(await stateOf(newId)).toBe(after);
  });

  test('takes along what was written under the old id by somebody who had not heard of it', async () => {
    await migrate();
    await write(oldId, pausing('late'));
    expect(await stateOf(oldId)).toBe(pausing('late'));
    await migrate();
    expect(await stateOf(newId)).toBe(pausing('late'));
    expect(await find(oldId)).toMatchObject([{ moved_to: newId }]);
  });
});
