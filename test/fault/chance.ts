/** Chance that a seed fixes: the same seed gives the same run of numbers (mulberry32). */
export type Chance = {
  /** In [0, 1). */
  next(): number;
  /** A whole number from `min` to `max`, both included. */
  whole(min: number, max: number): number;
  one<Value>(values: readonly Value[]): Value;
  /** A stream of its own, so that one part's draws do not move another's. */
  fork(): Chance;
};

export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const whole = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    whole,
    one: <Value>(values: readonly Value[]) => values[whole(0, values.length - 1)] as Value,
    fork: () => createChance(whole(0, 2 ** 31)),
  };
}
