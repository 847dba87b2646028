import type { Tx } from '../../../../kernel/db.ts';
import type { Effect } from '../../flow/flow.ts';
import { botMemories } from './bot-memories.ts';
import { contacts } from './contacts.ts';
import { conversations } from './conversations.ts';
import type { EffectOf, MessageEffect, Outcome, RowKind, Setting } from './kinds.ts';
import { answerButton, call, deletion, edit, send, typing } from './messages.ts';
import { migrations } from './migrations.ts';
import { presses } from './presses.ts';
import { reach } from './reach.ts';
import { cancelledTimers, timers } from './timers.ts';

/** A kind whose rows are its own business: what `collect` gives goes to `write` and nowhere else. */
export type AnyKind = RowKind<never> & { readonly write: (tx: Tx, rows: readonly never[]) => Promise<unknown> };
type AnyRowEffect<Type extends Effect['type']> = AnyKind & {
  readonly collect: (setting: Setting, effect: EffectOf<Type>) => unknown;
};

/** What each effect of the engine becomes. A new one is a file here and a line; the compiler asks for it. */
export const effectKinds = {
  send,
  edit,
  delete: deletion,
  answerButton,
  typing,
  call,
  timer: timers,
  cancelTimer: cancelledTimers,
} as const satisfies { [Type in Effect['type']]: MessageEffect<Type> | AnyRowEffect<Type> };

/** What follows from a turn itself. */
export const outcomeKinds = [
  contacts,
  conversations,
  botMemories,
  presses,
  migrations,
  reach,
] as const satisfies readonly (AnyKind & {
  readonly collect: (outcome: Outcome) => unknown;
})[];
