// A turn on its way: what it is at each stage, made from the stage before.
import type { BotEntry } from '../bots/bots.ts';
import type { CompiledRelease, FlowEvent } from '../flow/flow.ts';
import type { BotQueue, Item, Lane } from './lanes.ts';
import type { Press } from './presses.ts';
import type { Messages } from './seen.ts';
import type { StateNeed } from './states.ts';
import type { Writes } from './writes/writes.ts';

/** The updates of one turn, of one lane; several for an album. */
export type Chosen = { readonly queue: BotQueue; readonly lane: Lane; readonly items: readonly Item[] };

/** Read: what has happened, and to which bot. */
export type OpenedTurn = Chosen & {
  readonly bot: BotEntry;
  readonly event: FlowEvent;
  /** The messages that its updates bring, where they do. */
  readonly messages: Messages | undefined;
  /** The token of a pressed button that is ours. */
  readonly press: { readonly token: string; readonly opened: Press } | undefined;
};

/** Its bot has a release, and what is remembered for it is in memory. */
export type ReadyTurn = OpenedTurn & { readonly need: StateNeed; readonly current: CompiledRelease };

/** It has come to its end; nothing is written yet. */
export type DoneTurn = OpenedTurn & { readonly result: TurnResult };

export type TurnResult = {
  readonly outcome: 'handled' | 'ignored' | 'fault';
  /** JSON text. */
  readonly trace: string;
  readonly writes: Writes;
};
