/** What a chat page hears: a message came, changed or went, somebody types, a press was answered. */
export type FeedEvent = {
  seq: number;
  type:
    | 'message'
    | 'edit'
    | 'delete'
    | 'typing'
    | 'press_answer'
    | 'reaction'
    | 'checkout'
    | 'chat'
    | 'user'
    | 'bot'
    | 'reset';
  /** Key of the conversation, empty for events about people and bots. */
  chat: string;
  data: unknown;
};

export type FeedListener = (event: FeedEvent) => void;

/** Events a page that lost its connection can still catch up with. */
const KEPT = 2_048;

/** The stream of everything that people can see. Without listeners an event costs one slot of a ring. */
export class Feed {
  readonly #ring: (FeedEvent | undefined)[] = new Array(KEPT);
  readonly #listeners = new Set<FeedListener>();
  /** Names this run: a page that comes back after a restart must not go on counting where it was. */
  readonly epoch: string;
  #next = 1;

  constructor(epoch: string) {
    this.epoch = epoch;
  }

  get seq(): number {
    return this.#next - 1;
  }

  publish(type: FeedEvent['type'], chat: string, data: unknown): void {
    const event: FeedEvent = { seq: this.#next++, type, chat, data };
    this.#ring[event.seq % KEPT] = event;
    for (const listener of this.#listeners) listener(event);
  }

  /** Where a page stands, in one word. */
  get mark(): string {
    return this.markOf(this.seq);
  }

  markOf(seq: number): string {
    return `${this.epoch}-${seq}`;
  }

  /** Everything after a mark; undefined where it is of another run or some of it is gone. */
  sinceMark(mark: string): FeedEvent[] | undefined {
    const [epoch, seq] = mark.split('-');
    return epoch === this.epoch ? this.since(Number(seq)) : undefined;
  }

  /** Everything after `seq`; undefined where some of it is gone and the page must load anew. */
  since(seq: number): FeedEvent[] | undefined {
    if (seq > this.seq || this.seq - seq > KEPT) return undefined;
    const events: FeedEvent[] = [];
    for (let at = seq + 1; at < this.#next; at++) {
      const event = this.#ring[at % KEPT];
      if (event) events.push(event);
    }
    return events;
  }

  listen(listener: FeedListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
