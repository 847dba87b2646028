// From typed text to values, refusing in words.
import { Refusal } from '../../../kernel/errors.ts';

/** A whole number within bounds, above zero unless said. */
export function numberOf(text: string, name: string, max = 1_000_000_000, min = 1): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new Refusal('USAGE', `${name} is a whole number from ${min} to ${max.toLocaleString('en-US')}, not "${text}".`);
}
