import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Item, Lanes } from './lanes.ts';

const item = (integrationId: number, lane: number, seq: number, notBeforeMs = 0): Item => ({
  integrationId,
  bucket: 0,
  lane,
  seq,
  key: String(seq),
  receivedMs: 0,
  seenMs: 0,
  attempts: 0,
  notBeforeMs,
  suspect: false,
  size: 100,
  update: {},
  body: null,
});

/** Takes one after the other and ends each at once; gives the order of work. */
function runAll(lanes: Lanes, width: number): number[] {
  const order: number[] = [];
  for (;;) {
    const taken = lanes.take(width, 1_000);
    if (taken.length === 0) return order;
    for (const { bot, lane, head } of taken) {
      order.push(head.seq);
      lanes.remove(bot, lane, [head]);
      lanes.finish(bot, lane);
    }
  }
}

describe('lanes', () => {
  test('know how much text they hold, whatever becomes of it', () => {
    const lanes = new Lanes();
    for (const [bot, seq] of [
      [1, 1],
      [1, 2],
      [2, 3],
    ] as const)
      lanes.add(item(bot, 7, seq));
    lanes.add(item(1, 7, 1));
    expect(lanes.bytes).toBe(300);
    const [taken] = lanes.take(1, 0);
    if (!taken) throw new Error('nothing to take');
    lanes.remove(taken.bot, taken.lane, [taken.head]);
    lanes.finish(taken.bot, taken.lane);
    expect([lanes.bytes, lanes.bots.get(1)?.bytes]).toEqual([200, 100]);
    for (const bot of [...lanes.bots.values()]) lanes.forget(bot);
    expect([lanes.bytes, lanes.count]).toEqual([0, 0]);
  });

  test('work on one chat in order, whatever the order of arrival in memory', () => {
    const lanes = new Lanes();
    for (const seq of [5, 3, 9, 1]) lanes.add(item(1, 7, seq));
    expect(runAll(lanes, 10)).toEqual([1, 3, 5, 9]);
  });

  test('never run a chat twice at once', () => {
    const lanes = new Lanes();
    lanes.add(item(1, 7, 1));
    lanes.add(item(1, 7, 2));
    expect(lanes.take(10, 0).map(({ head }) => head.seq)).toEqual([1]);
    expect(lanes.take(10, 0)).toEqual([]);
  });

  test('an earlier update that comes while its chat runs goes right behind the running one', () => {
    const lanes = new Lanes();
    lanes.add(item(1, 7, 5));
    const [running] = lanes.take(1, 0);
    lanes.add(item(1, 7, 6));
    lanes.add(item(1, 7, 4));
    if (!running) throw new Error('nothing was taken');
    lanes.remove(running.bot, running.lane, [running.head]);
    lanes.finish(running.bot, running.lane);
    expect(runAll(lanes, 1)).toEqual([4, 6]);
  });

  test('a flooded bot delays nobody: the others take turns with it', () => {
    const lanes = new Lanes();
    for (let seq = 1; seq <= 100; seq += 1) lanes.add(item(1, seq, seq));
    for (let bot = 2; bot <= 5; bot += 1) lanes.add(item(bot, 1, 1_000 + bot));
    const first = lanes.take(9, 0).map(({ bot }) => bot.id);
    expect(first.filter((id) => id !== 1).sort()).toEqual([2, 3, 4, 5]);
  });

  test('an update is held once, also when it is read twice', () => {
    const lanes = new Lanes();
    expect(lanes.add(item(1, 7, 1))).toBe(true);
    expect(lanes.add(item(1, 7, 1))).toBe(false);
    expect(lanes.count).toBe(1);
  });

  test('a delayed head holds its own chat only, and comes when its time has come', () => {
    const lanes = new Lanes();
    lanes.add(item(1, 7, 1, 500));
    lanes.add(item(1, 7, 2));
    lanes.add(item(1, 8, 3));
    expect(lanes.take(10, 100).map(({ head }) => head.seq)).toEqual([3]);
    expect(lanes.nextMs()).toBe(500);
    expect(lanes.take(10, 500).map(({ head }) => head.seq)).toEqual([1]);
  });

  test('a bot that was forgotten while it ran leaves nothing behind, and its successor is untouched', () => {
    const lanes = new Lanes();
    lanes.add(item(1, 7, 1));
    const [running] = lanes.take(1, 0);
    if (!running) throw new Error('nothing was taken');
    lanes.forget(running.bot);
    lanes.add(item(1, 7, 2));
    lanes.remove(running.bot, running.lane, [running.head]);
    lanes.finish(running.bot, running.lane);
    lanes.forget(running.bot);
    expect(lanes.count).toBe(1);
    expect(runAll(lanes, 1)).toEqual([2]);
  });

  test('any mix of adding and working keeps order within chats and loses nothing', () => {
    const operation = fc.record({
      bot: fc.integer({ min: 1, max: 3 }),
      lane: fc.integer({ min: 1, max: 3 }),
      take: fc.integer({ min: 0, max: 3 }),
    });
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 200 }), (operations) => {
        const lanes = new Lanes();
        const order: { lane: string; seq: number }[] = [];
        const work = (max: number): void => {
          for (const { bot, lane, head } of lanes.take(max, 0)) {
            order.push({ lane: `${bot.id} ${lane.id}`, seq: head.seq });
            lanes.remove(bot, lane, [head]);
            lanes.finish(bot, lane);
          }
        };
        operations.forEach(({ bot, lane, take }, index) => {
          lanes.add(item(bot, lane, index + 1));
          work(take);
        });
        while (lanes.count > 0) work(5);
        expect(order.map(({ seq }) => seq).sort((a, b) => a - b)).toEqual(operations.map((_, index) => index + 1));
        const last = new Map<string, number>();
        for (const { lane, seq } of order) {
          expect(seq).toBeGreaterThan(last.get(lane) ?? 0);
          last.set(lane, seq);
        }
      }),
    );
  });
});
