/** Something that is kept, and what it takes of memory, about. */
export type Weighed = { readonly bytes: number };

/**
 * A memory bounded by bytes. What was used lately stays: it stands in the young half, and whatever was not touched while a
 * half filled up goes. So nothing is moved or counted but what is used, and forgetting costs nothing.
 */
export class Remembered<Value extends Weighed> {
  readonly #halfMax: number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();
  #youngBytes = 0;
  #oldBytes = 0;

  constructor(bytesMax: number) {
    this.#halfMax = bytesMax / 2;
  }

  get bytes(): number {
    return this.#youngBytes + this.#oldBytes;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(name: string): Value | undefined {
    return this.#young.get(name) ?? this.#old.get(name);
  }

  /** As `get`, and it counts as used. */
  use(name: string): Value | undefined {
    const young = this.#young.get(name);
    if (young !== undefined) return young;
    const old = this.#old.get(name);
    if (old !== undefined) this.set(name, old);
    return old;
  }

  set(name: string, value: Value): void {
    const old = this.#old.get(name);
    if (old !== undefined) {
      this.#old.delete(name);
      this.#oldBytes -= old.bytes;
    }
    this.#youngBytes += value.bytes - (this.#young.get(name)?.bytes ?? 0);
    this.#young.set(name, value);
  }

  delete(name: string): void {
    this.#youngBytes -= this.#young.get(name)?.bytes ?? 0;
    this.#oldBytes -= this.#old.get(name)?.bytes ?? 0;
    this.#young.delete(name);
    this.#old.delete(name);
  }

  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
    this.#youngBytes = 0;
    this.#oldBytes = 0;
  }

  /** Forgets what was not used lately, where there is too much. Never called while somebody works with what is kept. */
  bound(): void {
    if (this.#youngBytes <= this.#halfMax) return;
    // A single half may have grown beyond the whole; then it goes too, and all is read again.
    const isTooMuch = this.#youngBytes > 2 * this.#halfMax;
    this.#old = isTooMuch ? new Map() : this.#young;
    this.#oldBytes = isTooMuch ? 0 : this.#youngBytes;
    this.#young = new Map();
    this.#youngBytes = 0;
  }
}

const textBytes = 24;
const valueBytes = 16;
const objectBytes = 40;

/**
 * What a value of JSON takes in memory, about: two bytes a character, since few people write Latin letters alone, and what
 * V8 needs for objects and lists. Names of fields are shared and not counted.
 */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return textBytes + 2 * value.length;
  if (typeof value !== 'object' || value === null) return valueBytes;
  let bytes = objectBytes;
  for (const name in value) bytes += valueBytes + weightOf((value as Record<string, unknown>)[name]);
  return bytes;
}
