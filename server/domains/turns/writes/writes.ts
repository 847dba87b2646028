// What turns leave in the tables. One file a kind; `registry.ts` lists them.
import type { Tx } from '../../../../kernel/db.ts';
import type { Effect } from '../../flow/flow.ts';
import type { NewMessage } from '../../outbox/outbox.ts';
import type { States } from '../states.ts';
import type { MessageEffect, Outcome, Setting } from './kinds.ts';
import { type AnyKind, effectKinds, outcomeKinds } from './registry.ts';

export type { Outcome, Setting } from './kinds.ts';

/** What one turn leaves: its messages in order, and rows by their kinds. */
export type Writes = {
  readonly messages: NewMessage[];
  readonly rows: Map<AnyKind, unknown[]>;
};

export const noWrites = (): Writes => ({ messages: [], rows: new Map() });

type AnyEffectKind =
  | { readonly message: MessageEffect<Effect['type']>['message'] }
  | (AnyKind & { readonly collect: (setting: Setting, effect: Effect) => unknown });

/** Turns the engine's effects into messages and rows. Pure: the same effects always become the same rows. */
export function writesOf(setting: Setting, effects: readonly Effect[]): Writes {
  const writes = noWrites();
  for (const effect of effects) {
    // The registry pairs each type with the kind that reads it; the pairing is lost on the way through a variable.
    const kind = effectKinds[effect.type] as unknown as AnyEffectKind;
    if ('message' in kind) {
      const message = kind.message(setting, effect);
      if (message) writes.messages.push(message);
    } else add(writes, kind, kind.collect(setting, effect));
  }
  return writes;
}

/** Adds what follows from the turn itself. */
export function addOutcome(writes: Writes, outcome: Outcome): void {
  for (const kind of outcomeKinds) add(writes, kind, kind.collect(outcome));
}

function add({ rows }: Writes, kind: AnyKind, row: unknown): void {
  if (row === undefined) return;
  const known = rows.get(kind);
  if (known) known.push(row);
  else rows.set(kind, [row]);
}

/** The rows of several turns, kind by kind, in the order of the turns. */
export function gather(all: readonly Writes[]): Writes['rows'] {
  const [only] = all;
  if (only && all.length === 1) return only.rows;
  const gathered: Writes['rows'] = new Map();
  for (const { rows } of all)
    for (const [kind, some] of rows) {
      const known = gathered.get(kind);
      if (known) known.push(...some);
      else gathered.set(kind, [...some]);
    }
  return gathered;
}

/** Starts the statements of all kinds; the caller awaits them. Messages are not among them: the outbox places those. */
export function writeRows(tx: Tx, rows: Writes['rows']): Promise<unknown>[] {
  // Always in the order of the registry, so that two commits lock rows of different tables in one order.
  return kindsInOrder.flatMap((kind) => {
    const some = rows.get(kind);
    return some ? [kind.write(tx, some as never[])] : [];
  });
}

/** The commit stands. */
export function settleRows(states: States, rows: Writes['rows']): void {
  for (const [kind, some] of rows) kind.committed?.(states, some as never[]);
}

const kindsInOrder: readonly AnyKind[] = [
  ...outcomeKinds,
  ...Object.values(effectKinds).filter((kind) => 'write' in kind),
];
