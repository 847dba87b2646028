import type { Random } from '../random.ts';
import { seededRandom } from '../random.ts';

/**
 * What goes wrong. Before the call is accepted: `429`, `5xx`, `html`, `hang`, `refused` (the connection is
 * destroyed), `401`, `403`, `migrate`. After it: `lost` (the answer never comes, the connection is destroyed) and
 * `truncated` (half of the JSON). `slow` only takes longer. `accept: true` moves 5xx, html and hang behind the
 * acceptance. `repeat` belongs to deliveries: Telegram takes a webhook's 2xx for a failure and delivers again.
 */
export type FaultKind =
  | '429'
  | '5xx'
  | 'html'
  | 'truncated'
  | 'hang'
  | 'lost'
  | 'refused'
  | '401'
  | '403'
  | 'migrate'
  | 'slow'
  | 'repeat';

export const faultKinds: ReadonlySet<string> = new Set([
  '429',
  '5xx',
  'html',
  'truncated',
  'hang',
  'lost',
  'refused',
  '401',
  '403',
  'migrate',
  'slow',
  'repeat',
]);

/** One rule; what is not named matches everything. */
export type FaultRule = {
  kind: FaultKind;
  /** Name of a method; of an update kind for `repeat`. */
  method?: string;
  /** Number of a bot. */
  bot?: number;
  chat?: number;
  /** How often it strikes; no number means until it is removed. */
  times?: number;
  /** Chance in [0, 1], drawn from a stream that `seed` fixes. */
  probability?: number;
  seed?: number;
  /** Seconds of a 429. */
  retry_after?: number;
  /** Status of 5xx and html. */
  status?: number;
  description?: string;
  /** Milliseconds of slow. */
  ms?: number;
  migrate_to_chat_id?: number;
  accept?: boolean;
};

/** A rule in force. */
export type ActiveFault = FaultRule & { id: number; struck: number };

/** The rules in force, in the order in which they were made; the first that matches strikes. */
export class Faults {
  #rules: { fault: ActiveFault; random: Random; method: string | undefined }[] = [];
  #nextId = 1;

  get any(): boolean {
    return this.#rules.length > 0;
  }

  add(rule: FaultRule): ActiveFault {
    if (!faultKinds.has(rule.kind))
      throw new Error(`there is no fault "${rule.kind}"; there are ${[...faultKinds].join(', ')}`);
    const fault: ActiveFault = { ...rule, id: this.#nextId++, struck: 0 };
    this.#rules.push({ fault, random: seededRandom(rule.seed ?? fault.id), method: rule.method?.toLowerCase() });
    return fault;
  }

  /** The rule that strikes this call, counted. */
  pick(method: string, bot: number, chat: unknown, delivery = false): ActiveFault | undefined {
    for (const { fault, random, method: wanted } of this.#rules) {
      if ((fault.kind === 'repeat') !== delivery) continue;
      if (fault.times !== undefined && fault.struck >= fault.times) continue;
      if (wanted !== undefined && wanted !== method) continue;
      if (fault.bot !== undefined && fault.bot !== bot) continue;
      if (fault.chat !== undefined && fault.chat !== chat) continue;
      if (fault.probability !== undefined && random() >= fault.probability) continue;
      fault.struck += 1;
      return fault;
    }
    return undefined;
  }

  list(): ActiveFault[] {
    return this.#rules.map(({ fault }) => ({ ...fault }));
  }

  remove(id: number): boolean {
    const before = this.#rules.length;
    this.#rules = this.#rules.filter(({ fault }) => fault.id !== id);
    return this.#rules.length < before;
  }

  clear(): void {
    this.#rules = [];
  }
}
