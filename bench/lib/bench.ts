import type { Context } from './world.ts';

/** What a figure must reach. */
export type Bar = { readonly figure: string; readonly atLeast?: number; readonly atMost?: number };

export type Result = {
  readonly figures: Readonly<Record<string, number>>;
  readonly bars: readonly Bar[];
  /** What a reader must know to read the figures. */
  readonly notes?: readonly string[];
};

export type Bench = { readonly about: string; run(context: Context): Promise<Result> };

export const meets = (bar: Bar, value: number | undefined): boolean =>
  value !== undefined &&
  value >= (bar.atLeast ?? Number.NEGATIVE_INFINITY) &&
  value <= (bar.atMost ?? Number.POSITIVE_INFINITY);

/** Enough digits to compare by, none beyond. */
export function rounded(value: number): number {
  if (!Number.isFinite(value)) return value;
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 3;
  return Number(value.toFixed(digits));
}
