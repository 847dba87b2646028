// What ends a turn before its end.

import type { TableAsk } from './step-types.ts';

/** A limit was passed: the turn stops, what it did so far stands. */
export class LimitPassed extends Error {}

/** The turn cannot go on before this is answered: see `TableAsk`. */
export class AnswerMissing extends Error {
  readonly ask: TableAsk;

  constructor(ask: TableAsk) {
    super('a table was asked');
    this.ask = ask;
  }
}
