/** What both logs offer to readers. */
export type ReadableLog<Entry> = { readonly start: number; readonly end: number; read(row: number): Entry | undefined };

export type LogFilter = {
  /** Number of the last entry already seen; -1 for the beginning. */
  after: number;
  limit: number;
  /** Only what arrived (or started) at this monotonic millisecond or later. */
  sinceMono: number;
  /** Field and the text its value must have; `null` is spelled null. */
  fields: readonly (readonly [name: string, text: string])[];
};

export type LogPage<Entry> = {
  entries: Entry[];
  /** Give it back as `after` to go on. */
  cursor: number;
  /** Nothing more at this moment. */
  done: boolean;
  /** Entries before this one have fallen out of the log. */
  start: number;
};

type Timed = { arrived_mono?: number; started_mono?: number };

function passes<Entry extends Timed>(entry: Entry, filter: LogFilter): boolean {
  if (filter.sinceMono > 0 && (entry.arrived_mono ?? entry.started_mono ?? 0) < filter.sinceMono) return false;
  return filter.fields.every(([name, text]) => String(entry[name as keyof Entry]) === text);
}

/** One page of a log. */
export function queryLog<Entry extends Timed>(log: ReadableLog<Entry>, filter: LogFilter): LogPage<Entry> {
  const entries: Entry[] = [];
  let row = Math.max(filter.after + 1, log.start);
  for (; row < log.end && entries.length < filter.limit; row++) {
    const entry = log.read(row);
    if (entry && passes(entry, filter)) entries.push(entry);
  }
  return { entries, cursor: row - 1, done: row >= log.end, start: log.start };
}

/** Lines are sent in pieces of this many entries, so that a large log stops neither calls nor deliveries. */
const PIECE = 500;

/** A log as JSON lines, up to where it ends when the stream began. */
export async function* streamLog<Entry extends Timed>(
  log: ReadableLog<Entry>,
  filter: LogFilter,
): AsyncGenerator<string> {
  const end = log.end;
  let after = filter.after;
  while (after + 1 < end) {
    const page = queryLog({ start: log.start, end, read: (row) => log.read(row) }, { ...filter, after, limit: PIECE });
    after = page.cursor;
    if (page.entries.length > 0) yield `${page.entries.map((entry) => JSON.stringify(entry)).join('\n')}\n`;
    if (page.done) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
