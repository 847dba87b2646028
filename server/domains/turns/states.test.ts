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

test('a read that fails is told when the others have ended, so that none of them comes back into what is made since', async () => {
  let answer = (_rows: object[]): void => {};
  const memory = new Promise<object[]>((resolve) => {
    answer = resolve;
  });
  const db = {
    many: async ({ text }: { text: string }) => {
      if (text.includes('from bot_memory')) return memory;
      throw new Error('The connection was ended.');
    },
  } as unknown as Db;
  const states = new States(db);
  let told: unknown;
  const loading = states.load([need]).catch((error: unknown) => {
    told = error;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(told).toBeUndefined();
  answer([{ integration_id: 1, vars: '{"all":5}', version: 5 }]);
  await loading;
  expect(told).toEqual(new Error('The connection was ended.'));
  expect(states.bot(1).version).toBe(5);
});
