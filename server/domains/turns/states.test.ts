import { expect, test } from 'vitest';
import type { Db } from '../../../kernel/db.ts';
import { States } from './states.ts';

const need = {
  integrationId: 1,
  contactId: 7,
  conversation: { chatId: 7, threadId: 0, userId: 0 },
  botMemory: true,
};

test('what is forgotten in the middle of a batch stays for that batch, and is read again for the next one', async () => {
  let reads = 0;
  const db = {
    many: async () => {
      reads += 1;
      return [];
    },
  } as unknown as Db;
  const states = new States(db);
  await states.load([need]);
  expect(reads).toBe(3);
  states.clear();
  expect(states.contact(need)).toBeDefined();
  expect(states.conversation(need)).toBeDefined();
  await states.load([need]);
  expect(reads).toBe(6);
  await states.load([need]);
  expect(reads).toBe(6);
});
