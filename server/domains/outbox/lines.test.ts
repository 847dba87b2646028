import { describe, expect, test } from 'vitest';
import { BotLine } from './lines.ts';
import { freshMessage, type Message } from './message.ts';
import type { HeldBytes } from './window.ts';

let keys = 0;
function message(chatId: number, items?: number, of: 0 | 1 = 0): Message {
  keys += 1;
  const params = items === undefined ? '{"text":"x"}' : JSON.stringify({ media: new Array(items).fill({}) });
  const method = items === undefined ? 'sendMessage' : 'sendMediaGroup';
  const facts = { integrationId: 1, bucket: 70, class: of, target: null, report: null };
  return { ...freshMessage({ ...facts, key: `k${keys}`, chatId, method, params }), id: keys };
}

type Sent = { readonly atMs: number; readonly chatId: number; readonly places: number };

/** Sends everything as early as the line lets it; every call is made and answered at once. */
function sendAll(line: BotLine, more: (sent: readonly Sent[]) => readonly Message[] = () => []): Sent[] {
  const sent: Sent[] = [];
  for (let nowMs = 1_000_000; line.waiting > 0; ) {
    const next = line.next(nowMs);
    if ('againAtMs' in next) {
      nowMs = next.againAtMs;
      continue;
    }
    line.called(next.message, nowMs);
    line.answered(next.message, 0);
    line.end(next.message, false);
    sent.push({ atMs: nowMs, chatId: next.message.chatId, places: next.message.places });
    for (const each of more(sent)) line.add(each);
  }
  return sent;
}

const mostWithin = (sent: readonly Sent[], windowMs: number): number =>
  Math.max(
    ...sent.map(({ atMs }) =>
      sent
        .filter((other) => other.atMs >= atMs && other.atMs < atMs + windowMs)
        .reduce((sum, { places }) => sum + places, 0),
    ),
  );

test('a line knows how much text waits in it, and all of them together do, whatever becomes of a message', () => {
  const held: HeldBytes = [0, 0];
  const line = new BotLine(1, 70, held);
  const size = message(1).params.length;
  for (const chat of [1, 1, 2, 2]) line.add(message(chat));
  expect([line.bytes, held[0]]).toEqual([4 * size, 4 * size]);
  const next = line.next(1_000_000);
  if (!('message' in next)) throw new Error('nothing may go');
  expect(line.bytes).toBe(3 * size);
  line.end(next.message, true);
  expect(line.bytes).toBe(4 * size);
  line.rename(2, 3);
  expect(line.bytes).toBe(4 * size);
  expect(line.clear(3)).toBe(2);
  expect([line.bytes, held[0], line.waiting]).toEqual([2 * size, 2 * size, 2]);
});

describe('an album', () => {
  test('is all of its items to the bot’s limit', () => {
    const line = new BotLine(1, 70);
    for (let chat = 1; chat <= 12; chat += 1) line.add(message(chat, 10));
    const sent = sendAll(line);
    expect(mostWithin(sent, 1_000)).toBe(30);
    expect(sent).toHaveLength(12);
  });

  test('is all of its items to a group’s minute, and one message to a person', () => {
    const line = new BotLine(1, 70);
    for (let count = 0; count < 3; count += 1) line.add(message(-5, 8));
    for (let count = 0; count < 3; count += 1) line.add(message(5, 2));
    const sent = sendAll(line);
    const group = sent.filter(({ chatId }) => chatId === -5);
    expect(mostWithin(group, 60_000)).toBe(16);
    const person = sent.filter(({ chatId }) => chatId === 5);
    expect(person.map(({ atMs }) => atMs)).toEqual(new Array(3).fill(person[0]?.atMs));
  });

  test('finds its places while others never stop writing', () => {
    const line = new BotLine(1, 70);
    for (let chat = 100; chat < 160; chat += 1) line.add(message(chat));
    line.add(message(1, 10));
    // For every message that went there is a new one, of somebody else.
    const sent = sendAll(line, (all) => (all.length < 300 ? [message(1_000 + all.length)] : []));
    const place = sent.findIndex(({ places }) => places === 10);
    expect(place).toBeGreaterThanOrEqual(60);
    expect(place).toBeLessThan(100);
    expect(mostWithin(sent, 1_000)).toBe(30);
  });

  test('that is larger than what a slowed down bot may send goes when nothing was sent for a second', () => {
    const line = new BotLine(1, 70);
    for (let times = 0; times < 3; times += 1) line.pace.slowDown(1_000_000);
    line.add(message(1));
    line.add(message(2, 10));
    const [first, album] = sendAll(line);
    expect((album?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThan(1_000);
  });
});

describe('bulk', () => {
  const bulk = (chatId: number, items?: number): Message => message(chatId, items, 1);

  test('has four fifths of the bot’s second, and replies find the rest at once', () => {
    const line = new BotLine(1, 70);
    for (let chat = 1; chat <= 200; chat += 1) line.add(bulk(chat));
    const sent = sendAll(line, (all) => (all.length % 25 === 24 ? [message(1_000 + all.length)] : []));
    const ofBulk = sent.filter(({ chatId }) => chatId <= 200);
    expect(mostWithin(ofBulk, 1_000)).toBe(24);
    expect(mostWithin(sent, 1_000)).toBeLessThanOrEqual(30);
    // A reply goes next, and in the very moment in which it came.
    for (let place = 24; place < sent.length; place += 25) {
      expect(sent[place]?.chatId).toBe(1_000 + place);
      expect(sent[place]?.atMs).toBe(sent[place - 1]?.atMs);
    }
  });

  test('keeps a quarter of the bot’s calls free when its own hang', () => {
    const line = new BotLine(1, 70);
    for (let chat = 1; chat <= 100; chat += 1) line.add(bulk(chat));
    let begun = 0;
    for (let nowMs = 1_000_000; nowMs < 1_010_000; nowMs += 100) {
      const next = line.next(nowMs);
      if (!('message' in next)) continue;
      line.called(next.message, nowMs);
      // As if the answer had come, so that only the calls themselves count.
      line.pace.use(next.message.slot ?? { turn: 0, places: 0 }, nowMs);
      begun += 1;
    }
    expect(begun).toBe(48);
    line.add(message(500));
    expect(line.next(1_020_000)).toMatchObject({ message: { chatId: 500 } });
  });

  test('that is an album and waits for its places holds up no reply', () => {
    const line = new BotLine(1, 70);
    for (let chat = 1; chat <= 20; chat += 1) line.add(bulk(chat));
    line.add(bulk(50, 10));
    const sent = sendAll(line, (all) => (all.length === 20 ? [message(99)] : []));
    expect(sent.slice(19).map(({ chatId }) => chatId)).toEqual([20, 99, 50]);
    expect(sent[20]?.atMs).toBe(sent[19]?.atMs);
  });
});
