// What a reader makes of what somebody wrote.

/**
 * A value; or what it may mean, where somebody has to say which (one meaning alone has to be confirmed); or why there is
 * none.
 */
export type Reading<T> = { readonly value: T } | { readonly meanings: readonly T[] } | { readonly fault: ReadingFault };

/** `country`: a phone number of some country, and nobody has said which. */
export type ReadingFault = 'unreadable' | 'large' | 'country';

export const UNREADABLE = { fault: 'unreadable' } as const;

/** More meanings than these are no question but a riddle. */
const meaningsMax = 4;

/** One meaning is the value; several are a question. */
export function readingOf<T>(meanings: Iterable<T>): Reading<T> {
  const distinct = [...new Set(meanings)];
  const [first] = distinct;
  if (first === undefined || distinct.length > meaningsMax) return UNREADABLE;
  return distinct.length === 1 ? { value: first } : { meanings: distinct };
}
