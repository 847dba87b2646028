import { beforeEach, expect, test } from 'vitest';
import { Outward } from '../delivery/outward.ts';
import { seededRandom } from '../random.ts';
import { type Limits, readSettings } from '../settings.ts';
import type { Bot } from '../world/bot.ts';
import type { Conversation } from '../world/conversation.ts';
import { World } from '../world/world.ts';
import { spend } from './limiter.ts';
import { ApiRefusal } from './refusal.ts';

let now = 0;
let world: World;
let bot: Bot;
let limits: Limits;

const clock = { mono: () => now, wall: () => now };

beforeEach(() => {
  now = 1_000_000;
  const settings = readSettings({});
  limits = settings.limits;
  world = new World(clock, settings, seededRandom(1), { outward: new Outward(settings), secrets: 'seeded' });
  bot = world.createBot();
});

function person(): Conversation {
  return world.privateChat(bot, world.createUser());
}

/** Seconds to wait and which limit it was, or `true` where the message was counted. */
function send(chat: Conversation, messages = 1, album = false): true | [number | undefined, string | undefined] {
  try {
    spend(bot, chat, { messages, album }, clock, limits);
    return true;
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    return [error.parameters?.retry_after, error.limit];
  }
}

test('a bot sends 30 in any second, wherever the second begins', () => {
  for (let index = 0; index < 15; index++) expect(send(person())).toBe(true);
  now += 600;
  for (let index = 0; index < 15; index++) expect(send(person())).toBe(true);
  expect(send(person())).toEqual([1, 'bot']);
  now += 399;
  expect(send(person())).toEqual([1, 'bot']);
  now += 1;
  for (let index = 0; index < 15; index++) expect(send(person())).toBe(true);
  expect(send(person())).toEqual([1, 'bot']);
});

test('a person gets a burst of three, then one a second', () => {
  const chat = person();
  for (let index = 0; index < 3; index++) expect(send(chat)).toBe(true);
  expect(send(chat)).toEqual([1, 'chat']);
  now += 999;
  expect(send(chat)).toEqual([1, 'chat']);
  now += 1;
  expect(send(chat)).toBe(true);
  expect(send(chat)).toEqual([1, 'chat']);
  now += 60_000;
  for (let index = 0; index < 3; index++) expect(send(chat)).toBe(true);
  expect(send(chat)).toEqual([1, 'chat']);
});

test('one full chat does not close another', () => {
  const chat = person();
  for (let index = 0; index < 4; index++) send(chat);
  expect(send(person())).toBe(true);
});

test('a group gets 20 in any minute and says how long to wait', () => {
  const group = world.createGroup();
  for (let index = 0; index < 20; index++) {
    expect(send(group)).toBe(true);
    now += 1_000;
  }
  expect(send(group)).toEqual([40, 'group']);
  now += 39_999;
  expect(send(group)).toEqual([1, 'group']);
  now += 1;
  expect(send(group)).toBe(true);
});

test('an album is one message for a person and many for a group', () => {
  expect(send(person(), 10, true)).toBe(true);
  const group = world.createGroup();
  expect(send(group, 10, true)).toBe(true);
  now += 1_000;
  expect(send(group, 10, true)).toBe(true);
  now += 1_000;
  expect(send(group, 1)).toEqual([58, 'group']);
});

test('what is refused is not counted', () => {
  const chat = person();
  for (let index = 0; index < 50; index++) send(chat);
  now += 1_000;
  expect(send(chat)).toBe(true);
});

test('limits can be switched off and changed', () => {
  limits.botPerSecond = 2;
  expect([send(person()), send(person()), send(person())]).toEqual([true, true, [1, 'bot']]);
  limits.on = false;
  expect(send(person())).toBe(true);
});
