const KEYS_MAX = 1_024;
const VALUE_CHARS_MAX = 4_096;
const KEY = /^[\w-]{1,128}$/;

/** A request that the storage refuses, in a word. */
export class StorageRefusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StorageRefusal';
  }
}

function keyOf(value: unknown): string {
  if (typeof value !== 'string' || !KEY.test(value)) throw new StorageRefusal('KEY_INVALID');
  return value;
}

function keysOf(value: unknown): string[] {
  if (!Array.isArray(value)) throw new StorageRefusal('KEYS_INVALID');
  return value.map(keyOf);
}

/** What apps keep for a person: CloudStorage, a shelf for each bot and person. */
export class AppStorage {
  readonly #shelves = new Map<string, Map<string, string>>();
  /** Grows with every change, so that a keeper knows. */
  changes = 0;

  /** Carries out one of the four custom methods behind CloudStorage; undefined where it is none of them. */
  run(shelfName: string, method: string, params: Readonly<Record<string, unknown>>): unknown {
    const shelf = this.#shelves.get(shelfName) ?? new Map<string, string>();
    switch (method) {
      case 'getStorageKeys':
        return [...shelf.keys()];
      case 'getStorageValues':
        return Object.fromEntries(keysOf(params.keys).map((key) => [key, shelf.get(key) ?? '']));
      case 'saveStorageValue':
        this.#save(shelf, keyOf(params.key), params.value);
        break;
      case 'deleteStorageValues':
        for (const key of keysOf(params.keys)) shelf.delete(key);
        break;
      default:
        return undefined;
    }
    this.#shelves.set(shelfName, shelf);
    this.changes += 1;
    return true;
  }

  #save(shelf: Map<string, string>, key: string, value: unknown): void {
    if (typeof value !== 'string' || value.length > VALUE_CHARS_MAX) throw new StorageRefusal('VALUE_INVALID');
    if (!shelf.has(key) && shelf.size >= KEYS_MAX) throw new StorageRefusal('QUOTA_EXCEEDED');
    shelf.set(key, value);
  }

  /** Everything, to be kept. */
  record(): [string, [string, string][]][] {
    return [...this.#shelves].map(([name, shelf]) => [name, [...shelf]]);
  }

  /** Puts back what `record` gave. */
  restore(record: readonly [string, [string, string][]][]): void {
    for (const [name, entries] of record) this.#shelves.set(name, new Map(entries));
  }
}
