import { setTimeout as sleep } from 'node:timers/promises';

/** CLOCK_MONOTONIC in milliseconds: the same clock as the simulator's logs, in every process of the machine. */
export function monoMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export const pause = (ms: number): Promise<void> => sleep(ms);

/** Asks until it holds. Throws with `what` when it does not within the time: a bench never hangs. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  options: { what: string; withinMs: number; everyMs?: number },
): Promise<void> {
  const endMs = monoMs() + options.withinMs;
  while (!(await holds())) {
    if (monoMs() > endMs) throw new Error(`Waited ${options.withinMs / 1000} s in vain: ${options.what}`);
    await pause(options.everyMs ?? 50);
  }
}
