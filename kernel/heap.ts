/** A queue by time: the earliest comes out first; equal times in the order they came. */
export class TimeHeap<Item> {
  readonly #entries: { atMs: number; place: number; item: Item }[] = [];
  #places = 0;

  get size(): number {
    return this.#entries.length;
  }

  /** The earliest time, or Infinity when empty. */
  firstMs(): number {
    return this.#entries[0]?.atMs ?? Number.POSITIVE_INFINITY;
  }

  push(atMs: number, item: Item): void {
    const entries = this.#entries;
    entries.push({ atMs, place: this.#places++, item });
    let index = entries.length - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#before(index, parent)) break;
      this.#swap(index, parent);
      index = parent;
    }
  }

  /** Takes the earliest out when its time has come. */
  popDue(nowMs: number): Item | undefined {
    const entries = this.#entries;
    const first = entries[0];
    if (!first || first.atMs > nowMs) return undefined;
    const last = entries.pop();
    if (last && entries.length > 0) {
      entries[0] = last;
      this.#sink();
    }
    return first.item;
  }

  #sink(): void {
    const { length } = this.#entries;
    let index = 0;
    for (;;) {
      let least = index;
      for (const child of [2 * index + 1, 2 * index + 2])
        if (child < length && this.#before(child, least)) least = child;
      if (least === index) return;
      this.#swap(index, least);
      index = least;
    }
  }

  #before(a: number, b: number): boolean {
    const left = this.#entries[a] as { atMs: number; place: number };
    const right = this.#entries[b] as { atMs: number; place: number };
    return left.atMs < right.atMs || (left.atMs === right.atMs && left.place < right.place);
  }

  #swap(a: number, b: number): void {
    const entries = this.#entries;
    const held = entries[a] as { atMs: number; place: number; item: Item };
    entries[a] = entries[b] as typeof held;
    entries[b] = held;
  }
}
