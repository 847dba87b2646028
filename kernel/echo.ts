// What an answer may repeat of what came: a bounded piece. The whole belongs to whoever has sent it.

const pieceChars = 64;
const listMax = 100;
const namesMax = 60;
const depthMax = 6;

/** A piece of a text in quotes, as `"title"` or `"aaaa…"`, without what could move a cursor or break a line. */
export function quoted(text: string, chars = pieceChars): string {
  return `"${piece(text, chars)}"`;
}

/** The beginning of a text, on one line; a sign at its end says that there was more. */
export function piece(text: string, chars = pieceChars): string {
  const start = text.length > chars ? `${text.slice(0, chars).toWellFormed()}…` : text.toWellFormed();
  return start.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, ' ');
}

/** A path, as `props.text`: names of it may be anybody's. */
export function pathPiece(path: readonly PropertyKey[]): string {
  return path
    .slice(0, depthMax * 2)
    .map((name) => piece(String(name)))
    .join('.');
}

/** Facts of an answer with every text, list and depth bounded. Numbers and the like stay as they are. */
export function boundedFacts(value: unknown, chars: number, depth = 0): unknown {
  if (typeof value === 'string') return value.length > chars ? `${value.slice(0, chars).toWellFormed()}…` : value;
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth === depthMax) return undefined;
  if (Array.isArray(value)) return value.slice(0, listMax).map((one) => boundedFacts(one, chars, depth + 1));
  const entries = Object.entries(value).slice(0, namesMax);
  return Object.fromEntries(entries.map(([name, one]) => [piece(name), boundedFacts(one, chars, depth + 1)]));
}
