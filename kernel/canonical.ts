// One text for one document, whatever the order of its keys: two people who made the same thing get the same hash.

/** The document as text with its keys sorted. Absent and undefined fields are the same. */
export function canonicalJson(document: object): string {
  return JSON.stringify(document, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value).sort(([left], [right]) => (left < right ? -1 : Number(left > right))),
    );
  });
}
