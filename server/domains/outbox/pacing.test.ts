import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  BotPace,
  botWindowMs,
  ChatPace,
  chatBurst,
  chatSpacingMs,
  groupPerMinute,
  groupWindowMs,
  RoundTrips,
} from './pacing.ts';

/** Sends as early as allowed, after pauses as given; gives the moments. */
function sendAll(
  pace: { freeAtMs(nowMs: number): number; take(nowMs: number): void },
  pausesMs: readonly number[],
): number[] {
  let nowMs = 1_000_000;
  return pausesMs.map((pauseMs) => {
    nowMs = Math.max(nowMs + pauseMs, pace.freeAtMs(nowMs));
    pace.take(nowMs);
    return nowMs;
  });
}

const ofChat = (pace: ChatPace) => ({ freeAtMs: () => pace.freeAtMs(), take: (nowMs: number) => pace.take(nowMs) });

const mostWithin = (moments: readonly number[], windowMs: number): number =>
  Math.max(
    0,
    ...moments.map((start) => moments.filter((moment) => moment >= start && moment < start + windowMs).length),
  );

describe('the pace of a bot', () => {
  test('never lets more than 30 into one second, however messages come', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 31, maxLength: 150 }), (pauses) => {
        expect(mostWithin(sendAll(new BotPace(), pauses), 1_000)).toBeLessThanOrEqual(30);
      }),
    );
  });

  test('uses what Telegram allows: 300 messages take less than 11 seconds', () => {
    const moments = sendAll(new BotPace(), new Array(300).fill(0));
    expect((moments.at(-1) as number) - (moments[0] as number)).toBeLessThan(10_500);
  });

  test('halves after a refusal and comes back by one each clean ten seconds', () => {
    const pace = new BotPace();
    pace.slowDown(0);
    const moments: number[] = [];
    let nowMs = 100;
    while (nowMs < 2_000) {
      nowMs = Math.max(nowMs, pace.freeAtMs(nowMs));
      pace.take(nowMs);
      moments.push(nowMs);
    }
    expect(mostWithin(moments, 1_000)).toBe(15);
    pace.freeAtMs(50_100);
    expect(mostWithin(sendAll(pace, new Array(60).fill(0)), 1_000)).toBeGreaterThan(15);
  });

  test('counts from the call, not from the decision: a place whose call is still to come blocks', () => {
    const pace = new BotPace();
    const slots = Array.from({ length: 30 }, () => pace.reserve());
    expect(pace.freeAtMs(0)).toBe(Number.POSITIVE_INFINITY);
    for (const [index, slot] of slots.entries()) pace.use(slot, 500 + index);
    expect(pace.freeAtMs(600)).toBeGreaterThanOrEqual(1_500);
  });

  test('starts full after a takeover: nothing for a second', () => {
    const pace = new BotPace();
    pace.fill(5_000);
    expect(pace.freeAtMs(5_000)).toBeGreaterThanOrEqual(6_000);
  });
});

describe('the pace of a chat', () => {
  test('a private chat gets a burst and then one a second', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 5, maxLength: 60 }), (pauses) => {
        const moments = sendAll(ofChat(new ChatPace(1)), pauses);
        for (const seconds of [1, 2, 5, 10]) {
          expect(mostWithin(moments, seconds * 1_000)).toBeLessThanOrEqual(chatBurst + seconds);
        }
      }),
    );
  });

  test('a group gets 20 a minute', () => {
    const moments = sendAll(ofChat(new ChatPace(-100)), new Array(70).fill(0));
    expect(mostWithin(moments, 60_000)).toBe(groupPerMinute);
  });

  test('what a former owner sent counts', () => {
    const pace = new ChatPace(-100);
    for (let index = 0; index < groupPerMinute; index += 1) pace.remember(1_000);
    expect(pace.freeAtMs()).toBeGreaterThanOrEqual(61_000);
  });

  test('counts from the moment a message may have arrived, when its answer took long; said twice it moves once', () => {
    const pace = new ChatPace(1);
    const late = new ChatPace(1);
    for (const each of [pace, late]) for (let index = 0; index < chatBurst; index += 1) each.take(0);
    late.called(100);
    late.called(700);
    late.called(700);
    expect(late.freeAtMs() - pace.freeAtMs()).toBe(700);
  });
});

test('a round trip that took longer than usual is late by all that it took longer, also when a process was frozen', () => {
  const trips = new RoundTrips();
  for (let index = 0; index < 1_000; index += 1) trips.extraMs('root', 20);
  expect(trips.extraMs('root', 20)).toBeCloseTo(0);
  expect(trips.extraMs('root', 9_020)).toBeCloseTo(9_000);
});

describe('what has to be remembered', () => {
  test('a person for three seconds after a burst, a group for a minute', () => {
    const [person, group] = [new ChatPace(7), new ChatPace(-7)];
    for (const pace of [person, group]) {
      expect(pace.isRested(0)).toBe(true);
      for (let sent = 0; sent < chatBurst; sent += 1) pace.take(0);
      expect(pace.isRested(chatBurst * chatSpacingMs)).toBe(false);
    }
    expect(person.isRested(chatBurst * chatSpacingMs + 1)).toBe(true);
    expect(group.isRested(groupWindowMs)).toBe(false);
    expect(group.isRested(groupWindowMs + 1)).toBe(true);
  });

  test('a bot until its last call is a second old, and after a 429 until it has its pace again', () => {
    const pace = new BotPace();
    expect(pace.isRested(0)).toBe(true);
    const slot = pace.reserve();
    expect(pace.isRested(3_600_000)).toBe(false);
    pace.use(slot, 0);
    expect(pace.isRested(botWindowMs)).toBe(false);
    expect(pace.isRested(botWindowMs + 1)).toBe(true);
    pace.slowDown(10_000);
    expect(pace.isRested(150_000)).toBe(false);
    expect(pace.isRested(160_000)).toBe(true);
  });
});
