// A budget of work for one turn. A stalled loop loses leases, so whatever a maker writes has to end in time.

import { FLOW_LIMITS } from '../../../contract/limits.ts';

export class OverBudget extends Error {
  constructor() {
    super('too much work for one turn');
    this.name = 'OverBudget';
  }
}

/** One for all: loops of CEL catch errors and go on, so a used-up budget is thrown thousands of times. */
const OVER_BUDGET = new OverBudget();

/** Counts steps down. `spend` throws when the budget of an expression or of the turn is used up. */
export class Meter {
  #turnLeft: number;
  #expressionLeft = 0;

  constructor(steps: number = FLOW_LIMITS.expressionStepsPerTurn) {
    this.#turnLeft = steps;
  }

  /** Gives the next expression or pattern its own budget. */
  begin(): void {
    this.#expressionLeft = FLOW_LIMITS.expressionSteps;
  }

  spend(steps: number): void {
    this.#expressionLeft -= steps;
    this.#turnLeft -= steps;
    if (this.#expressionLeft < 0 || this.#turnLeft < 0) throw OVER_BUDGET;
  }
}
