import { expect, test } from 'vitest';
import { distinctParts, hasSeen, isLate, messagesOf, type Seen, withSeen } from './seen.ts';
import { States, stateText } from './states.ts';

const message = (id: unknown, chat: unknown = 7, kind = 'message'): object => ({
  update_id: 1,
  [kind]: { message_id: id, chat: { id: chat } },
});
const after = (...ids: number[]): Seen => ids.reduce<Seen>((seen, id) => withSeen(seen, { chatId: 7, ids: [id] }), []);

test('messages and channel posts have a number in their chat', () => {
  expect(messagesOf([message(5)])).toEqual({ chatId: 7, ids: [5] });
  expect(messagesOf([message(5, -100, 'channel_post')])).toEqual({ chatId: -100, ids: [5] });
  expect(messagesOf([message(5), message(6)])).toEqual({ chatId: 7, ids: [5, 6] });
});

test.each([
  ['an edit', message(5, 7, 'edited_message')],
  ['a message of a business account', message(5, 7, 'business_message')],
  ['a press', { update_id: 1, callback_query: { message: { message_id: 5, chat: { id: 7 } } } }],
  ['the number 0', message(0)],
  ['a number that is none', message('5')],
  ['no chat', { message: { message_id: 5 } }],
  ['an event of ours', { roost: { kind: 'timer' } }],
  ['nothing', null],
])('%s is never taken for a repeat', (_what, update) => {
  expect(messagesOf([update])).toBeUndefined();
  expect(hasSeen([7, 5], messagesOf([update]))).toBe(false);
});

test('a message is known again among the last ones of its chat', () => {
  const seen = after(1, 2, 3);
  for (const id of [1, 2, 3]) expect(hasSeen(seen, messagesOf([message(id)]))).toBe(true);
  expect(hasSeen(seen, messagesOf([message(4)]))).toBe(false);
  // The chat's own number stands first, and is no message.
  expect(hasSeen(seen, messagesOf([message(7)]))).toBe(false);
  expect(hasSeen(seen, messagesOf([message(3, -100)]))).toBe(false);
});

test('one with a lower number that has not been there is new: a dead letter may be put back', () => {
  expect(hasSeen(after(5, 6, 8), messagesOf([message(7)]))).toBe(false);
});

test('only so many are remembered, but all parts of an album', () => {
  const many = Array.from({ length: 30 }, (_, index) => index + 1);
  expect(after(...many)).toEqual([7, 23, 24, 25, 26, 27, 28, 29, 30]);
  const album = { chatId: 7, ids: many.slice(0, 10) };
  expect(hasSeen(withSeen(after(99), album), album)).toBe(true);
});

test('an album of which one part is new is not a repeat', () => {
  expect(hasSeen(after(1, 2), messagesOf([message(1), message(2), message(3)]))).toBe(false);
});

test('a group that became a supergroup counts from the beginning', () => {
  expect(withSeen(after(1, 2, 3), { chatId: -100, ids: [1] })).toEqual([-100, 1]);
});

test('a part of an album that came twice counts once', () => {
  const parts = [message(1), message(2), message(1), null, null];
  expect(distinctParts(parts, (part) => part)).toEqual([message(1), message(2), null, null]);
});

test('what was seen travels in the row of the conversation, and the flow does not see it', async () => {
  const state = { release: 1, wait: null, stack: [], vars: { a: 1 }, refs: {}, keyboard: '' };
  const need = {
    integrationId: 1,
    contactId: 7,
    conversation: { chatId: 7, threadId: 0, userId: 0 },
    botMemory: false,
  };
  const kept = async (text: string): Promise<unknown> => {
    const row = { integration_id: 1, chat_id: 7, thread_id: 0, user_id: 0, state: text, version: 3, moved_to: null };
    const states = new States({ many: async () => [row] } as never);
    await states.load([need]).catch(() => {});
    return states.conversation(need);
  };
  expect(await kept(stateText(state, [7, 5, 6]))).toMatchObject({ state, seen: [7, 5, 6], version: 3 });
  expect(await kept(stateText(state, []))).toMatchObject({ state, seen: [], version: 3 });
  expect(await kept(stateText(null, [7, 5]))).toMatchObject({ state: null, seen: [], version: 3 });
});

const part = (id: number, group = '13600000000000001', chat = 7): object => ({
  message: { message_id: id, chat: { id: chat }, media_group_id: group },
});

test('a part of an album that was answered before it came is late, and an album of its own is not', () => {
  const seen = withSeen(after(1), messagesOf([part(2), part(3)]));
  expect(isLate(seen, messagesOf([part(4)]))).toBe(true);
  expect(isLate(seen, messagesOf([part(4, '13600000000000002')]))).toBe(false);
  expect(isLate(seen, messagesOf([part(4, '13600000000000001', -100)]))).toBe(false);
  expect(isLate(seen, messagesOf([message(4)]))).toBe(false);
  expect(isLate(seen, undefined)).toBe(false);
});

test('an album that has not been answered is not late, and the largest one is remembered whole', () => {
  expect(isLate(after(1, 2, 3), messagesOf([part(4)]))).toBe(false);
  const ten = messagesOf(Array.from({ length: 10 }, (_, index) => part(index + 1)));
  const seen = withSeen([], ten);
  expect(isLate(seen, messagesOf([part(11)]))).toBe(true);
  expect(hasSeen(seen, ten)).toBe(true);
});
