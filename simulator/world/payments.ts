import type { Random } from '../random.ts';
import type { InvoiceTerms } from './conversation.ts';

/** A payment that went through. */
export type Charge = { id: string; userId: number; terms: InvoiceTerms; date: number; refunded: boolean };

/** Invoice links and money that moved. */
export class Payments {
  readonly links = new Map<string, InvoiceTerms>();
  readonly charges = new Map<string, Charge>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  #word(): string {
    return Math.floor(this.#random() * 2 ** 52)
      .toString(36)
      .padStart(11, '0');
  }

  /** A link that anybody can pay; returns its slug. */
  addLink(terms: InvoiceTerms): string {
    const slug = this.#word();
    this.links.set(slug, terms);
    return slug;
  }

  charge(userId: number, terms: InvoiceTerms, date: number): Charge {
    const charge: Charge = { id: `stx${this.#word()}${this.#word()}`, userId, terms, date, refunded: false };
    this.charges.set(charge.id, charge);
    return charge;
  }

  /** Charges of one bot, oldest first. */
  ofBot(botId: number): Charge[] {
    return [...this.charges.values()].filter(({ terms }) => terms.botId === botId);
  }
}
