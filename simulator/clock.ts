/**
 * Time as the simulator tells it. `mono` is CLOCK_MONOTONIC in milliseconds, so its figures can be compared with
 * `process.hrtime()` of other processes of the same machine; `wall` is the date.
 */
export type Clock = { mono(): number; wall(): number };

/** The system's clock. `performance.now()` costs a quarter of `process.hrtime.bigint()`, hence the offset. */
export function systemClock(): Clock {
  const offset = Number(process.hrtime.bigint()) / 1e6 - performance.now();
  const origin = performance.timeOrigin;
  return {
    mono: () => performance.now() + offset,
    wall: () => performance.now() + origin,
  };
}
