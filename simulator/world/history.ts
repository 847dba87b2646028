import type { Message } from '@grammyjs/types';

/**
 * The last messages of a chat by their number. They are kept as JSON: a bench leaves hundreds of thousands behind, and
 * a string costs the garbage collector nothing, while the object it stands for costs it fifteen visits.
 */
export class History {
  readonly #messages = new Map<number, string>();

  get size(): number {
    return this.#messages.size;
  }

  has(id: number): boolean {
    return this.#messages.has(id);
  }

  get(id: number): Message | undefined {
    const json = this.#messages.get(id);
    return json === undefined ? undefined : (JSON.parse(json) as Message);
  }

  /** Keeps a message, or replaces the one of the same number; beyond `max` the oldest goes. */
  set(message: Message, json: string, max: number): void {
    this.#messages.set(message.message_id, json);
    if (this.#messages.size <= max) return;
    const oldest = this.#messages.keys().next();
    if (!oldest.done) this.#messages.delete(oldest.value);
  }

  /** All messages as they are kept, by number. */
  entries(): IterableIterator<[number, string]> {
    return this.#messages.entries();
  }

  /** Puts back what `entries` gave. */
  restore(entries: Iterable<[number, string]>): void {
    for (const [id, json] of entries) this.#messages.set(id, json);
  }

  delete(id: number): boolean {
    return this.#messages.delete(id);
  }

  /** All messages, the oldest first. */
  *values(): Generator<Message> {
    for (const json of this.#messages.values()) yield JSON.parse(json) as Message;
  }

  /** The newest message. */
  last(): Message | undefined {
    let newest: string | undefined;
    for (const json of this.#messages.values()) newest = json;
    return newest === undefined ? undefined : (JSON.parse(newest) as Message);
  }
}
