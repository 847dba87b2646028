import type { Tx } from '../../../../kernel/db.ts';
import type { BotEntry } from '../../bots/bots.ts';
import type { CompiledRelease, ConversationKey, Effect, StepResult } from '../../flow/flow.ts';
import type { NewMessage } from '../../outbox/outbox.ts';
import type { PressMint } from '../presses.ts';
import type { ReadyTurn } from '../stages.ts';
import type { KeptContact, KeptConversation, KeptMemory, States } from '../states.ts';

/** Where a turn happens: whose effects these are, and what may be asked about them. */
export type Setting = {
  readonly bot: BotEntry;
  readonly release: CompiledRelease;
  readonly conversation: ConversationKey;
  readonly atMs: number;
  readonly mint: PressMint;
  /** Telegram shows no typing in channels. */
  readonly inChannel: boolean;
  /** How many messages that could not be delivered led to this turn, one out of the other; 0 for any other event. */
  readonly blockedDepth: number;
};

export type EffectOf<Type extends Effect['type']> = Extract<Effect, { readonly type: Type }>;

/** Rows of one kind, written for all turns of a commit at once. */
export type RowKind<Row> = {
  /** Starts its statement without awaiting anything: all statements of a commit leave in one write. */
  readonly write: (tx: Tx, rows: readonly Row[]) => Promise<unknown>;
  /** The commit stands: what is held in memory follows it. */
  readonly committed?: (states: States, rows: readonly Row[]) => void;
};

/** An effect that becomes a message of the outbox; undefined where nothing is to be sent. */
export type MessageEffect<Type extends Effect['type']> = {
  readonly message: (setting: Setting, effect: EffectOf<Type>) => NewMessage | undefined;
};

/** An effect that becomes a row of its own kind. */
export type RowEffect<Type extends Effect['type'], Row> = RowKind<Row> & {
  readonly collect: (setting: Setting, effect: EffectOf<Type>) => Row;
};

/** What a turn has made of the states it was given. A part that is absent stays as it was. */
export type Outcome = {
  readonly turn: ReadyTurn;
  readonly step: StepResult;
  /** The release that spoke. */
  readonly release: CompiledRelease;
  /** The button that was pressed may be pressed once. */
  readonly singleUse: boolean;
  /** Why the chat that has spoken could not be written to before; '' or undefined where nothing stood against it. */
  readonly closedFor: string | undefined;
  readonly after: {
    readonly contact?: KeptContact;
    readonly conversation?: KeptConversation;
    readonly memory?: KeptMemory;
  };
};

/** What follows from the turn itself; undefined where nothing does. */
export type OutcomeRow<Row> = RowKind<Row> & {
  readonly collect: (outcome: Outcome) => Row | undefined;
};

/** The last of the rows that stand for the same thing: several turns of a commit may have changed it. */
export function lastOf<Row>(rows: readonly Row[], nameOf: (row: Row) => string | number): Row[] {
  if (rows.length < 2) return [...rows];
  return [...new Map(rows.map((row) => [nameOf(row), row])).values()];
}
