import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Batches } from './batches.ts';

const gapMs = 10;
const full = 8;

describe('batches', () => {
  let left: { atMs: number; items: number[]; end(): void }[] = [];
  const nowMs = (): number => performance.now();
  const make = (inFlightMax = 2, batchMax = 100): Batches<number> =>
    new Batches({
      monotonicMs: nowMs,
      gapMs,
      full,
      inFlightMax,
      take: (queue) => Math.min(queue.length, batchMax),
      write: (items) => new Promise((end) => left.push({ atMs: nowMs(), items, end })),
    });
  const itemsOf = (): number[][] => left.map(({ items }) => items);
  const endAll = async (): Promise<void> => {
    for (const batch of left) batch.end();
    await vi.advanceTimersByTimeAsync(1);
  };

  /** An item every `everyMs`, each batch of which ends at once, until that is what is usual; then a rest of one gap. */
  const letFlow = async (batches: Batches<number>, everyMs: number): Promise<void> => {
    for (let item = 0; item < 200; item += 1) {
      batches.add(item);
      await vi.advanceTimersByTimeAsync(everyMs);
      for (const batch of left) batch.end();
    }
    await vi.advanceTimersByTimeAsync(gapMs);
    await endAll();
    await vi.advanceTimersByTimeAsync(gapMs);
  };
  const makeDense = async (inFlightMax = 2): Promise<Batches<number>> => {
    const batches = make(inFlightMax);
    await letFlow(batches, 1);
    left = [];
    return batches;
  };

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'] });
    left = [];
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('a lone item leaves at the end of its turn, with what came in the same turn', async () => {
    const batches = make();
    const addedMs = nowMs();
    batches.add(1);
    batches.add(2);
    expect(left).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(itemsOf()).toEqual([[1, 2]]);
    expect(left[0]?.atMs).toBe(addedMs);
  });

  test('while less comes than three a gap, each leaves at once', async () => {
    const batches = make(3);
    await letFlow(batches, 4);
    left = [];
    for (const item of [1, 2, 3]) {
      batches.add(item);
      await vi.advanceTimersByTimeAsync(4);
    }
    expect(itemsOf()).toEqual([[1], [2], [3]]);
    expect(left.map(({ atMs }) => atMs - (left[0]?.atMs ?? 0))).toEqual([0, 4, 8]);
  });

  test('within dense traffic what comes in the gap leaves together after it, though there are places', async () => {
    const batches = await makeDense();
    batches.add(1);
    await vi.advanceTimersByTimeAsync(1);
    for (const item of [2, 3, 4]) {
      batches.add(item);
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(itemsOf()).toEqual([[1]]);
    await vi.advanceTimersByTimeAsync(gapMs);
    expect(itemsOf()).toEqual([[1], [2, 3, 4]]);
    expect((left[1]?.atMs ?? 0) - (left[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(gapMs);
  });

  test('enough items for a batch leave within the gap, and so does what somebody hurries', async () => {
    const batches = await makeDense(3);
    batches.add(0);
    await vi.advanceTimersByTimeAsync(1);
    for (let item = 1; item <= full; item += 1) batches.add(item);
    await vi.advanceTimersByTimeAsync(1);
    expect(left[1]?.items).toHaveLength(full);
    batches.add(99);
    batches.hurry();
    await vi.advanceTimersByTimeAsync(1);
    expect(left[2]?.items).toEqual([99]);
  });

  test('no more than the places leave, however many wait; the rest leaves in order when one is free', async () => {
    const batches = make(1, 5);
    for (let item = 0; item < 12; item += 1) batches.add(item);
    await vi.advanceTimersByTimeAsync(5 * gapMs);
    expect(itemsOf()).toEqual([[0, 1, 2, 3, 4]]);
    await endAll();
    await vi.advanceTimersByTimeAsync(5 * gapMs);
    await endAll();
    await vi.advanceTimersByTimeAsync(5 * gapMs);
    expect(itemsOf()).toEqual([
      [0, 1, 2, 3, 4],
      [5, 6, 7, 8, 9],
      [10, 11],
    ]);
  });

  test('are idle when nothing waits and nothing is in flight, and hurry for whoever waits for that', async () => {
    const batches = await makeDense();
    await batches.idle();
    batches.add(1);
    await vi.advanceTimersByTimeAsync(1);
    batches.add(2);
    let idle = false;
    void batches.idle().then(() => {
      idle = true;
    });
    await vi.advanceTimersByTimeAsync(1);
    expect(itemsOf()).toEqual([[1], [2]]);
    expect(idle).toBe(false);
    await endAll();
    expect(idle).toBe(true);
  });
});
