// From typed text to values, refusing in words.
import { Refusal } from '../../../kernel/errors.ts';

/** A whole number above zero. */
export function numberOf(text: string, name: string, max = 1_000_000_000): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= 1 && number <= max)) throw new Refusal('USAGE', `${name} is a whole number from 1 to ${max.toLocaleString('en-US')}, not "${text}".`);
  return number;
}
