// What a block is while it runs: a function of the turn, made once when a release is compiled.

import type { BlockOf, BlockType } from '../../../contract/blocks/registry.ts';
import type { Condition } from '../../../contract/conditions.ts';
import type { Variable } from '../../../contract/variables.ts';
import type { FlowEvent } from './event-types.ts';
import type { Program } from './expressions.ts';
import type { Pattern } from './patterns.ts';
import type { Turn } from './turn.ts';

/** Where a block sends the conversation. */
export type Move =
  /** By an exit. One that leads nowhere ends the card. */
  | { readonly to: 'exit'; readonly exit: string }
  /** Stays and waits; the block has put down what for. */
  | { readonly to: 'wait' }
  /** Into the card behind the exit `call`, and back. */
  | { readonly to: 'call' }
  | { readonly to: 'end'; readonly what: 'conversation' | 'subflow' }
  /** By the exit `error`, else to the card "something went wrong". */
  | { readonly to: 'fail'; readonly reason: string };

export const NEXT_MOVE: Move = { to: 'exit', exit: 'next' };
export const WAIT_MOVE: Move = { to: 'wait' };

export const exitMove = (exit: string): Move => ({ to: 'exit', exit });
export const failMove = (reason: string): Move => ({ to: 'fail', reason });

export type Runner = {
  readonly run: (turn: Turn) => Move;
  /** An event for a block that waits. Null: not for this block, others may have it. */
  readonly resume?: (turn: Turn, event: FlowEvent) => Move | null;
};

export type CompiledCondition = (turn: Turn) => boolean;

/** What blocks are made with. Everything compiled is shared between blocks of one release. */
export type Making = {
  readonly variables: { readonly [name: string]: Variable };
  readonly media: { readonly [id: string]: { readonly kind: string } };
  readonly defaultLocale: string;
  /** Key of the maker's own words for an answer that does not fit. */
  readonly notUnderstood: string | undefined;
  /** Key of the maker's own words that ask which meaning of an answer is meant. */
  readonly whichOne: string | undefined;
  /** Null for an expression that does not compile: the checks have said so. */
  readonly program: (expression: string) => Program | null;
  readonly pattern: (source: string, ignoreCase: boolean) => Pattern | null;
  readonly condition: (condition: Condition) => CompiledCondition;
};

export type MakeRunner<Type extends BlockType> = (id: string, block: BlockOf<Type>, making: Making) => Runner;

export type CompiledBlock = {
  readonly id: string;
  readonly type: BlockType;
  /** Exits that lead somewhere, to the id of a block; '' ends the card. */
  readonly exits: ReadonlyMap<string, string>;
  readonly runner: Runner;
};
