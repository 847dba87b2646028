import type { Tx } from '../../../../kernel/db.ts';
import type { BotEntry } from '../../bots/bots.ts';
import type { Answer, Ask, CompiledRelease } from '../../flow/flow.ts';

export type AskOf<Kind extends Ask['kind']> = Extract<Ask, { readonly kind: Kind }>;

/** A question of a turn: whose it is, and the release that asks. */
export type Asked<One extends Ask = Ask> = {
  readonly bot: BotEntry;
  readonly release: CompiledRelease;
  readonly ask: One;
};

/** What a turn may ask inside the transaction in which it is committed. */
export type AskKind<Kind extends Ask['kind']> = {
  /** Its statements answer for a whole batch: turns that ask share a transaction. Otherwise each has one of its own. */
  readonly together: boolean;
  /** One answer for each question, in order. What does not fit is an answer too; a fault throws. `nowMs` is wall time. */
  answer(tx: Tx, asked: readonly Asked<AskOf<Kind>>[], nowMs: number): Promise<readonly Answer[]>;
};

export type AskKinds = { readonly [Kind in Ask['kind']]: AskKind<Kind> };
