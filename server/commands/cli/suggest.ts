// "Did you mean": the nearest of some known words.

/** How many letters must be put in, taken out, changed or swapped with a neighbour to make one word the other. */
export function distance(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const change = from[i - 1] === to[j - 1] ? 0 : 1;
      let best = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + change);
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (swapped) best = Math.min(best, before[j - 2]! + 1);
      next.push(best);
    }
    before = row;
    row = next;
  }
  return row[to.length]!;
}

/** The known word that was probably meant, or undefined when none is near: a third of its letters may differ. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  let found: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const each of known) {
    const far = distance(word.toLowerCase(), each);
    if (far < least && far <= Math.max(1, Math.floor(each.length / 3))) [found, least] = [each, far];
  }
  return found;
}
