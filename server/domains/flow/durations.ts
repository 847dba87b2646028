// Spans of time as documents write them.

import { FLOW_LIMITS } from '../../../contract/limits.ts';

const UNITS_MS: { readonly [unit: string]: number } = {
  W: 604_800_000,
  D: 86_400_000,
  H: 3_600_000,
  M: 60_000,
  S: 1_000,
};

/** Milliseconds of `PT10M` or `P1DT12H`, kept between a second and a year. */
export function durationMs(duration: string): number {
  let total = 0;
  for (const [, count, unit] of duration.matchAll(/(?<!\d)(\d+)([WDHMS])/g))
    total += Number(count) * (UNITS_MS[unit ?? ''] ?? 0);
  return Math.min(FLOW_LIMITS.waitMsMax, Math.max(FLOW_LIMITS.waitMsMin, total));
}
