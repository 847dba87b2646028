const CHUNK_BITS = 12;
const CHUNK_SIZE = 1 << CHUNK_BITS;
const CHUNK_MASK = CHUNK_SIZE - 1;

/** Columns of one chunk: numbers in typed arrays (NaN is "none"), the rest in plain arrays. */
export type Chunk<Column extends string> = {
  numbers: Record<Column, Float64Array>;
  texts: (string | undefined)[];
  notes: (object | undefined)[];
};

/**
 * An append-only log of rows in columns, cut into chunks; the oldest chunk falls out when the log is full.
 * A row costs some typed array writes and two references, which is what lets a bench log millions of calls.
 */
export class ChunkedLog<Column extends string> {
  readonly #columns: readonly Column[];
  #chunks: Chunk<Column>[] = [];
  #firstChunk = 0;
  #length = 0;

  constructor(columns: readonly Column[]) {
    this.#columns = columns;
  }

  /** Number of the next row; numbers are never used twice, also not after `clear`. */
  get end(): number {
    return this.#length;
  }

  /** Number of the oldest row still held. */
  get start(): number {
    return Math.min(this.#firstChunk << CHUNK_BITS, this.#length);
  }

  /** Makes room for one row and returns its number. */
  append(rowsMax: number): number {
    const row = this.#length++;
    if ((row & CHUNK_MASK) === 0 || this.#chunks.length === 0) this.#grow(row, rowsMax);
    return row;
  }

  #grow(row: number, rowsMax: number): void {
    if (this.#chunks.length === 0) this.#firstChunk = row >> CHUNK_BITS;
    const numbers = {} as Record<Column, Float64Array>;
    for (const column of this.#columns) numbers[column] = new Float64Array(CHUNK_SIZE).fill(Number.NaN);
    this.#chunks.push({ numbers, texts: [], notes: [] });
    const chunksMax = Math.max(2, Math.ceil(rowsMax / CHUNK_SIZE) + 1);
    while (this.#chunks.length > chunksMax) {
      this.#chunks.shift();
      this.#firstChunk += 1;
    }
  }

  /** The chunk of a row, undefined when it has fallen out. */
  chunk(row: number): Chunk<Column> | undefined {
    return this.#chunks[(row >> CHUNK_BITS) - this.#firstChunk];
  }

  /** Position of a row in its chunk. */
  at(row: number): number {
    return row & CHUNK_MASK;
  }

  /** Forgets all rows; numbering goes on at the next chunk, so cursors stay valid. */
  clear(): void {
    this.#length = (this.#length + CHUNK_MASK) & ~CHUNK_MASK;
    this.#chunks = [];
    this.#firstChunk = this.#length >> CHUNK_BITS;
  }
}
