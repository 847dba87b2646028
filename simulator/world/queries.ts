import type { Clock } from '../clock.ts';
import type { Random } from '../random.ts';
import { between } from '../random.ts';
import type { Bot } from './bot.ts';

/** A question that a bot must answer within a time: a press, a payment, a shipping or inline query. */
export type Query<Kind extends string = string> = {
  readonly id: string;
  readonly kind: Kind;
  readonly bot: Bot;
  readonly userId: number;
  readonly chat: string;
  readonly expiresAt: number;
  /** Called once with the bot's answer. */
  readonly onAnswer: ((answer: Record<string, unknown>) => void) | undefined;
};

/** Open questions by their id. */
export class Queries {
  readonly #open = new Map<string, Query>();
  readonly #clock: Clock;
  readonly #random: Random;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  open(query: Omit<Query, 'id' | 'expiresAt'> & { seconds: number }): Query {
    const id = `${between(this.#random, 10 ** 8, 9 * 10 ** 8)}${between(this.#random, 10 ** 9, 9 * 10 ** 9)}`;
    const { seconds, ...facts } = query;
    const opened: Query = { ...facts, id, expiresAt: this.#clock.mono() + seconds * 1000 };
    this.#forgetExpired();
    this.#open.set(id, opened);
    return opened;
  }

  /** Takes a question that is still open; it can be answered once. */
  take(id: string, kind: string, bot: Bot): Query | undefined {
    const query = this.#open.get(id);
    if (!query || query.kind !== kind || query.bot !== bot) return undefined;
    this.#open.delete(id);
    return query.expiresAt < this.#clock.mono() ? undefined : query;
  }

  /** Questions come in the order of their end, roughly; those at the front that are over go. */
  #forgetExpired(): void {
    const now = this.#clock.mono();
    for (const query of this.#open.values()) {
      if (query.expiresAt >= now) return;
      this.#open.delete(query.id);
    }
  }
}
