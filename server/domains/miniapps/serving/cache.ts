// What was made once, kept as long as there is room. Nothing in it is ever stale: what changes has another key.

export type Sized = { readonly bytes: number };

/** What a cache holds, and how often it had what was asked for, since the process began. */
export type CacheFigures = {
  readonly entries: number;
  readonly bytes: number;
  readonly hits: number;
  readonly misses: number;
};

export type Cache<Value extends Sized> = {
  /** At once, and without asking anybody; undefined when it was never made or had to go. That counts as no miss yet. */
  peek(key: string): Value | undefined;
  /** The kept value, or the one that `make` answers with; those who ask for it at once share one making. */
  get(key: string, make: () => Promise<Value>): Promise<Value>;
  /** Forgets everything: another server may know something else by the same keys. */
  forget(): void;
  figures(): CacheFigures;
};

/** The least recently used goes first. What is larger than an eighth of the room is answered and not kept. */
export function createCache<Value extends Sized>(options: { readonly bytesMax: number }): Cache<Value> {
  const kept = new Map<string, Value>();
  let making = new Map<string, Promise<Value>>();
  let newest: string | undefined;
  let bytes = 0;
  let hits = 0;
  let misses = 0;

  function keep(key: string, value: Value): void {
    if (value.bytes > options.bytesMax / 8) return;
    bytes += value.bytes - (kept.get(key)?.bytes ?? 0);
    kept.delete(key);
    kept.set(key, value);
    newest = key;
    for (const [oldest, { bytes: size }] of kept) {
      if (bytes <= options.bytesMax) break;
      kept.delete(oldest);
      bytes -= size;
    }
  }

  async function makeOnce(key: string, make: () => Promise<Value>): Promise<Value> {
    // What began before all was forgotten is given to whoever asked for it, and not kept.
    const mine = making;
    try {
      const value = await make();
      if (mine === making) keep(key, value);
      return value;
    } finally {
      mine.delete(key);
    }
  }

  return {
    peek(key) {
      const value = kept.get(key);
      if (value === undefined) return undefined;
      hits += 1;
      // A Map keeps the order of insertion: what is used is put last, unless it stands there already.
      if (key !== newest) {
        kept.delete(key);
        kept.set(key, value);
        newest = key;
      }
      return value;
    },
    get(key, make) {
      const value = this.peek(key);
      if (value !== undefined) return Promise.resolve(value);
      misses += 1;
      const running = making.get(key) ?? makeOnce(key, make);
      making.set(key, running);
      return running;
    },
    forget() {
      kept.clear();
      making = new Map();
      newest = undefined;
      bytes = 0;
    },
    figures: () => ({ entries: kept.size, bytes, hits, misses }),
  };
}
