const lookMs = 20;

/** Resolves after a while: for schedules, never for hoping that something has happened. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Reads again and again until it holds. The deadline only ends a wait that never would, and says what was seen last;
 * a reading that throws (a database that is away) counts as not yet.
 */
export async function until<Value>(
  what: string,
  read: () => Value | Promise<Value>,
  holds: (value: Value) => boolean,
  secondsMax = 120,
): Promise<Value> {
  const endMs = performance.now() + secondsMax * 1_000;
  let last: unknown;
  for (;;) {
    try {
      const value = await read();
      if (holds(value)) return value;
      last = value;
    } catch (error) {
      last = error;
    }
    if (performance.now() > endMs)
      throw new Error(`Waited ${secondsMax} s in vain for: ${what}. Last seen: ${shown(last)}`);
    await pause(lookMs);
  }
}

function shown(value: unknown): string {
  if (value instanceof Error) return value.message;
  return JSON.stringify(value)?.slice(0, 2_000) ?? String(value);
}
