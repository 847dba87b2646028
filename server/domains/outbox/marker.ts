import { apart } from '../../../kernel/apart.ts';
import { isDatabaseFault } from '../../../kernel/errors.ts';
import { fence } from '../nodes/nodes.ts';
import type { LineBook } from './book.ts';
import type { CallerDeps } from './caller.ts';
import type { Message } from './message.ts';
import * as statements from './sql.ts';

/** What the marker tells the sender: a message may be called, or it is out of hand and, with `again`, waits once more. */
export type MarkerEvents = {
  marked(message: Message, token: number): void;
  left(message: Message, again: boolean): void;
};

type Mark = { readonly message: Message; readonly token: number };

const faultPauseMs = 500;
/** A message that cannot be marked though the database works (a bug) is tried ever more rarely. */
const notMarkedPauseMsMax = 60_000;

/** Commits `sending` for batches of messages, before they are called. One that cannot be marked waits alone. */
export class Marker {
  readonly #deps: Pick<CallerDeps, 'kit' | 'db' | 'node'>;
  readonly #book: LineBook;
  readonly #events: MarkerEvents;
  /** Batches whose commit is under way. */
  underWay = 0;

  constructor(deps: Pick<CallerDeps, 'kit' | 'db' | 'node'>, book: LineBook, events: MarkerEvents) {
    this.#deps = deps;
    this.#book = book;
    this.#events = events;
  }

  /** Resolves when each of them was told of. Never throws. */
  async mark(messages: readonly Message[]): Promise<void> {
    this.underWay += 1;
    const marks = messages.map((message) => {
      const token = this.#deps.node.token(message.bucket) ?? -1;
      this.#book.take(message, token);
      return { message, token };
    });
    await apart(
      marks,
      (some) => this.#markTogether(some),
      (some, error) => this.#notMarked(some, error),
    );
    this.underWay -= 1;
  }

  /** What somebody else has changed meanwhile is left to them. */
  async #markTogether(marks: readonly Mark[]): Promise<void> {
    const holdings = new Map(marks.map(({ message, token }) => [message.bucket, token]));
    const rows = marks.map(({ message: { integrationId, key, perhapsMarked }, token }) => {
      return { integrationId, key, token, perhapsMarked };
    });
    const [, marked] = await this.#deps.db.batch((tx) => [
      fence(tx, this.#deps.node.id(), holdings),
      statements.markSending(tx, rows),
    ]);
    const mine = new Set(marked.map((row) => `${row.integration_id} ${row.key}`));
    for (const { message, token } of marks) {
      if (mine.has(`${message.integrationId} ${message.key}`)) {
        message.tries += 1;
        message.perhapsMarked = false;
        message.notMarked = 0;
        this.#events.marked(message, token);
      } else {
        this.#book.drop(message, token);
        this.#events.left(message, false);
      }
    }
  }

  #notMarked(marks: readonly Mark[], error: unknown): void {
    const { kit } = this.#deps;
    const isFault = isDatabaseFault(error);
    if (!isFault) kit.log.warn({ err: error, messages: marks.length }, 'outbox.not_marked');
    for (const { message, token } of marks) {
      message.notMarked = isFault ? 0 : message.notMarked + 1;
      const pauseMs = Math.min(notMarkedPauseMsMax, faultPauseMs * 2 ** Math.min(message.notMarked, 10));
      message.notBeforeMs = kit.monotonicMs() + pauseMs;
      message.perhapsMarked = true;
      this.#book.drop(message, token);
      this.#events.left(message, true);
    }
  }
}
