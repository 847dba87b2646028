import { PerformanceObserver, performance } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** V8 lets it grow to 134 MB. With half of that a queue drains as fast; with a quarter, 10 % more slowly. */
const youngBytesMax = 64 * 2 ** 20;
/**
 * Whole collections shrink the young generation to 2 MB. From there it must be able to grow: kept at 2 MB, a server under
 * load spent 38 % of its time on collections.
 */
const youngBytesLow = youngBytesMax / 2;
const lookMs = 5_000;
/** Of the time between two looks; a server with 10,000 bots that are silent works for 2 % of it. */
const idleShareMax = 0.1;
const worthBytes = 16 * 2 ** 20;

/**
 * Keeps the heap near what lives in it. On a machine with much memory V8 lets it grow to several times that, for the sake of
 * fewer collections, and keeps what it has got: after 110,000 people had written once, 120 MB lived in 476. Here the young
 * generation stops growing in time, the old one is collected after each 50 % of growth, and when there is little to
 * do whatever is free goes back to the system. Resolves nothing and holds no process.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=50');
  let mayGrow = true;
  const observer = new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.space_size ?? 0;
    const growing = mayGrow ? young < youngBytesMax : young <= youngBytesLow;
    if (growing !== mayGrow) setFlagsFromString(`--semi-space-growth-factor=${growing ? 2 : 1}`);
    mayGrow = growing;
  });
  observer.observe({ entryTypes: ['gc'] });
  giveBackWhenIdle();
}

/** A whole collection takes 20 to 60 ms here, so it is made where nobody waits, and only after the heap has grown. */
function giveBackWhenIdle(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  let before = performance.eventLoopUtilization();
  let keptBytes = Number.POSITIVE_INFINITY;
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const share = performance.eventLoopUtilization(now, before).utilization;
    before = now;
    const { heapTotal } = process.memoryUsage();
    keptBytes = Math.min(keptBytes, heapTotal);
    if (share > idleShareMax || heapTotal - keptBytes < worthBytes) return;
    collect({ type: 'major', flavor: 'last-resort' });
    keptBytes = process.memoryUsage().heapTotal;
  }, lookMs).unref();
}
